// File: service/numbers.h
//
// From spans of numbers to the lists of a message.
//
//   SetNumbers({2, 3}, result->mutable_expanded_shape());

#ifndef TESSERA_SERVICE_NUMBERS_H_
#define TESSERA_SERVICE_NUMBERS_H_

#include <cstdint>

#include "absl/types/span.h"
#include "google/protobuf/repeated_field.h"

namespace tessera {

inline void SetNumbers(absl::Span<const int64_t> numbers,
                       google::protobuf::RepeatedField<int64_t>* list) {
  list->Clear();
  list->Add(numbers.begin(), numbers.end());
}

}  // namespace tessera

#endif  // TESSERA_SERVICE_NUMBERS_H_
