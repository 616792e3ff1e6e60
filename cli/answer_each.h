// File: cli/answer_each.h
//
// What the commands do with their arguments: one answer for each, and for each
// line of standard input where an argument is `-`.
//
//   AnswerEach({"a", "-"}, OutputFormat::kText, console,
//              [](const Question& question, std::string* out) {
//                absl::StrAppend(out, question.text, "!\n");
//                return absl::OkStatus();
//              });
//   // prints "a!\n", and "b!\n" where standard input is "b\n"
//
// For every line in, one line comes out: an empty one for one that is empty or
// all blanks, and "error" for a bad one. Lines may end in CR LF, the last one
// in nothing, and are answered as they come.

#ifndef TESSERA_CLI_ANSWER_EACH_H_
#define TESSERA_CLI_ANSWER_EACH_H_

#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "tessera/cli/console.h"
#include "tessera/cli/message.h"
#include "tessera/cli/output_format.h"

namespace tessera {

struct Question {
  absl::string_view text;
  // Whether it is a line of a file, to be answered with one line.
  bool is_line = false;
  // For messages.
  TextSource source = {kArgumentName};
};

// Appends the answer, complete with its line end, to `*out`. What was appended
// before an error is dropped.
using Answer =
    absl::FunctionRef<absl::Status(const Question& question, std::string* out)>;

// Answers every argument in its order; errors become messages, about the start
// of the text where they do not say where in it. What stands in place of an
// answer to a bad line is "error", and an empty message among length-delimited
// ones. In JSON it is the service's Error, to an argument as to a line, whose
// number is then that of the position. False if something was bad.
bool AnswerEach(absl::Span<const std::string> arguments, OutputFormat format,
                Console* console, Answer answer);

// Answers every line of a file, as those of standard input, which is the file
// `-`.
bool AnswerFile(const std::string& name, OutputFormat format, Console* console,
                Answer answer);

}  // namespace tessera

#endif  // TESSERA_CLI_ANSWER_EACH_H_
