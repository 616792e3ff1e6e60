// Answers every argument of a command. If an argument is `-`, answers every
// line of standard input.
//
//   AnswerEach({"a", "-"}, OutputFormat::kText, console,
//              [](const Question& question, std::string* out) {
//                absl::StrAppend(out, question.text, "!\n");
//                return absl::OkStatus();
//              });
//   // prints "a!\n", and "b!\n" where standard input is "b\n"
//
// Every line of input has one line of output: an empty line for an empty or
// blank one, and "error" for a bad one. Lines may end in CR LF, and the last
// one may lack its end. Each is answered as soon as it has been read.

#ifndef TESSERA_CLI_COMMAND_ANSWER_EACH_H_
#define TESSERA_CLI_COMMAND_ANSWER_EACH_H_

#include <string>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "tessera/cli/output/console.h"
#include "tessera/cli/output/message.h"
#include "tessera/report/text/output_format.h"

namespace tessera::cli {

struct Question {
  std::string_view text;
  // Whether the text is a line of a file. Its answer is then one line.
  bool is_line = false;
  // The source that messages name.
  TextSource source = {kArgumentName};
};

// Appends the answer, with a line end, to `*out`. `*out` may still contain
// earlier answers that have not been written. If the function returns an error,
// the text that it appended is dropped. An answer that writes to the console
// itself first writes `*out` there and clears it.
using Answer =
    absl::FunctionRef<absl::Status(const Question& question, std::string* out)>;

// Answers the arguments in order. Prints a message for each error; an error
// without a place is about the start of the text. A bad line gets "error" in
// place of an answer, or an empty message where messages are length-delimited.
// In JSON a bad line or argument gets the service's Error, and its position has
// the number of the line. Returns false if a line or argument was bad.
bool AnswerEach(absl::Span<const std::string> arguments, OutputFormat format,
                Console* console, Answer answer);

// Answers every line of a file in the same way. The file `-` is standard input.
bool AnswerFile(const std::string& name, OutputFormat format, Console* console,
                Answer answer);

}  // namespace tessera::cli

#endif  // TESSERA_CLI_COMMAND_ANSWER_EACH_H_
