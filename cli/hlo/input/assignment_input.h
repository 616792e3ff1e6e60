// Finds the texts that XLA wrote next to a buffer assignment.

#ifndef TESSERA_CLI_HLO_INPUT_ASSIGNMENT_INPUT_H_
#define TESSERA_CLI_HLO_INPUT_ASSIGNMENT_INPUT_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "proto/hlo_questions.pb.h"
#include "tessera/cli/output/console.h"

namespace tessera::cli {

// The texts that newer versions of XLA write separately from a buffer
// assignment; "" if there is none.
struct AssignmentTexts {
  std::string values;
  std::string live_ranges;
};

// Reads the texts next to `file`; none if its name does not end with
// "-buffer-assignment.txt".
AssignmentTexts ReadTextsBesideAssignment(const std::string& file,
                                          Console* console);

// Returns the question about `text`, the contents of `file`, and the texts next
// to it.
ExplainTextRequest QuestionAbout(const std::string& file, std::string_view text,
                                 int64_t rows, Console* console);

}  // namespace tessera::cli

#endif  // TESSERA_CLI_HLO_INPUT_ASSIGNMENT_INPUT_H_
