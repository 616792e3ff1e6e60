// The format of the command line's errors and notes.
//
//   <argument>:1:18: error: in tile: expected a dimension or '*', found ')'
//     f32[3,5]{1,0:T(2,)}
//                      ^
//   <stdin>:7:3: error: expected an integer, found 'x'
//     2,x
//       ^
//   dump.txt: error: cannot be read: No such file or directory
//   dump.txt:90:1: warning: ...
//   dump.txt: note: module m is not scheduled: it has no peak

#ifndef TESSERA_CLI_OUTPUT_MESSAGE_H_
#define TESSERA_CLI_OUTPUT_MESSAGE_H_

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/cli/output/console.h"
#include "tessera/report/text/output_format.h"

namespace tessera::cli {

// The source of a text.
struct TextSource {
  std::string_view name;  // a file, "<argument>" or "<stdin>"
  // The number of the text's first line in that source; 0 if the text is the
  // whole source.
  int64_t line = 0;
};

inline constexpr std::string_view kArgumentName = "<argument>";
inline constexpr std::string_view kStdinName = "<stdin>";

// Returns `error`, an error about `text`, with its own place, or else with the
// beginning of the text.
absl::Status WithPlace(std::string_view text, const absl::Status& error);

// Writes an error to console->err, with its place in the text if `status`
// carries a diagnostic. Returns false, the result of a command that fails.
bool PrintError(const TextSource& source, const absl::Status& status,
                Console* console);
bool PrintError(const TextSource& source, const Diagnostic& diagnostic,
                Console* console);
// The same for a command that prints data in `format`. In JSON it also prints
// the error to console->out, in place of the answer.
bool PrintError(const TextSource& source, const absl::Status& status,
                OutputFormat format, Console* console);

// The same for messages that are not errors: `warning: ` for input that may not
// mean what the user expects, `note: ` for additional information.
void PrintWarning(const TextSource& source, const Diagnostic& diagnostic,
                  Console* console);
void PrintNote(const TextSource& source, std::string_view text,
               Console* console);
void PrintNote(const TextSource& source, const Diagnostic& diagnostic,
               Console* console);

}  // namespace tessera::cli

#endif  // TESSERA_CLI_OUTPUT_MESSAGE_H_
