// Converts an absl::Status to the Error of a response, with the place as data.
//
//   absl::Status status =
//       InField("layout", ParseShape("f32[2,]").status());
//   Error error = ToError(status);
//   // code INVALID_ARGUMENT, field "layout", position at 1:7 with the caret

#ifndef TESSERA_SERVICE_ERROR_H_
#define TESSERA_SERVICE_ERROR_H_

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "proto/layout_service.pb.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/diagnostic.h"

namespace tessera {

// Returns `status` with the name of the wrong field of the question. Returns it
// unchanged if it is OK or already has such a name.
absl::Status InField(std::string_view field, absl::Status status);

// Returns an InvalidArgumentError about a field, with the parts of its message.
template <typename... Parts>
absl::Status InvalidField(std::string_view field, const Parts&... parts) {
  return InField(field, InvalidArgumentError(parts...));
}
// Returns an error if a number of the question is negative.
absl::Status CheckFromZero(std::string_view field, int64_t number);

// Returns `status`, an error about `text`, with the byte at `offset` as its
// place. Its code, field and message do not change.
absl::Status AtOffset(std::string_view text, int64_t offset,
                      const absl::Status& status);

// Returns the Error for `status`. `line` is the number of the text's first line
// in its file. Precondition: `status` is not OK.
Error ToError(const absl::Status& status, int64_t line = 1);

TextPosition ToTextPosition(const Diagnostic& diagnostic);
TextNote ToTextNote(const Diagnostic& diagnostic);

}  // namespace tessera

#endif  // TESSERA_SERVICE_ERROR_H_
