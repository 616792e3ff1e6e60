// Errors about a text, with the place where it is wrong.
//
// An error about text is an absl::Status whose message reads
//
//   1:18: in tile: expected a dimension or '*', found ')'
//     f32[3,5]{1,0:T(2,)}
//                      ^
//
// and which carries the same facts as data, so that a tool can put them into
// JSON or underline them in an editor:
//
//   absl::Status status = DiagnosticError(
//       "f32[3,5]{1,0:T(2,)}", 17,
//       "in tile: expected a dimension or '*', found ')'");
//   std::optional<Diagnostic> diagnostic = DiagnosticOf(status);
//   diagnostic->line;       // 1
//   diagnostic->column;     // 18
//   diagnostic->offset;     // 17
//   diagnostic->message;
//       // "in tile: expected a dimension or '*', found ')'"
//   diagnostic->excerpt;    // "f32[3,5]{1,0:T(2,)}"
//
// To show only the message, print `status.message()`: `std::cout << status` and
// `status.ToString()` append the data as escaped bytes.

#ifndef TESSERA_BASE_TEXT_DIAGNOSTIC_H_
#define TESSERA_BASE_TEXT_DIAGNOSTIC_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace tessera {

struct Diagnostic {
  int64_t offset = 0;  // in bytes from the start of the text
  int64_t line = 1;    // 1 for the first, 0 for none; lines end at LF
  int64_t column = 1;  // 1 for the first byte of a line, in bytes
  // One line, without the position; printable ASCII, like the excerpt.
  std::string message;
  // The line of text that contains `offset`, made printable: white space
  // becomes a blank, and any other byte outside printable ASCII a '?'. A line
  // longer than 160 bytes is cut to that length, with "..." where it is cut.
  std::string excerpt;
  // The place of the caret in `excerpt`, in bytes from its start.
  int64_t caret = 0;

  // Returns three lines without a final newline: "line:column: message", the
  // excerpt after two blanks, and the caret. If `line` is 0, returns only the
  // message.
  std::string ToString() const;
};

// Describes `message` at byte `offset` of `text`. An offset past the end means
// the end. Takes time linear in `text`, so use it only when parsing fails.
Diagnostic MakeDiagnostic(std::string_view text, int64_t offset,
                          std::string_view message);

// Returns a status whose message is Diagnostic::ToString and which carries the
// diagnostic as a payload. Precondition: `code` is not kOk.
absl::Status DiagnosticError(
    std::string_view text, int64_t offset, std::string_view message,
    absl::StatusCode code = absl::StatusCode::kInvalidArgument);

// Like the function above, for an existing diagnostic.
absl::Status DiagnosticStatus(
    const Diagnostic& diagnostic,
    absl::StatusCode code = absl::StatusCode::kInvalidArgument);

// Returns the diagnostic that `status` carries, or nullopt if it has none.
std::optional<Diagnostic> DiagnosticOf(const absl::Status& status);

}  // namespace tessera

#endif  // TESSERA_BASE_TEXT_DIAGNOSTIC_H_
