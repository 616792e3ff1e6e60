// Writes numbers into the fields of a message.
//
//   SetNumbers({2, 3}, result->mutable_expanded_shape());
//   SetPaddingFactor(8192, 2340, result->mutable_sizes());   // 3.5008...

#ifndef TESSERA_SERVICE_QUESTIONS_NUMBERS_H_
#define TESSERA_SERVICE_QUESTIONS_NUMBERS_H_

#include <cstdint>

#include "absl/types/span.h"
#include "google/protobuf/repeated_field.h"

namespace tessera {

inline void SetNumbers(absl::Span<const int64_t> numbers,
                       google::protobuf::RepeatedField<int64_t>* list) {
  list->Clear();
  list->Add(numbers.begin(), numbers.end());
}

// Sets `padding_factor` to `allocated` over `needed`: 1 if both are 0, absent
// if only `needed` is 0.
template <typename SomeMessage>
void SetPaddingFactor(int64_t allocated, int64_t needed, SomeMessage* message) {
  if (allocated == needed) {
    message->set_padding_factor(1);
  } else if (needed != 0) {
    message->set_padding_factor(static_cast<double>(allocated) / needed);
  }
}

}  // namespace tessera

#endif  // TESSERA_SERVICE_QUESTIONS_NUMBERS_H_
