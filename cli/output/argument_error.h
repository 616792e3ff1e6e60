// Error messages about a text that is an argument.
//
//   PrintArgumentError("f32[3", ParseShape("f32[3").status(), console);
//   // <argument>:1:6: error: in dimensions: expected ',' or ']', found end of
//   // text, and the text with a caret below it
//
// If the argument is the name of a file, the error explains how to pass its
// text.

#ifndef TESSERA_CLI_OUTPUT_ARGUMENT_ERROR_H_
#define TESSERA_CLI_OUTPUT_ARGUMENT_ERROR_H_

#include <string>

#include "absl/status/status.h"
#include "tessera/cli/output/console.h"
#include "tessera/report/text/output_format.h"

namespace tessera::cli {

// Writes an error about `argument` to console->err, with the error's place, or
// else with the beginning of the argument. Returns false.
bool PrintArgumentError(const std::string& argument, const absl::Status& error,
                        Console* console);
// The same for a command that prints data in `format`. In JSON it also prints
// the error to console->out, in place of the answer.
bool PrintArgumentError(const std::string& argument, const absl::Status& error,
                        OutputFormat format, Console* console);

}  // namespace tessera::cli

#endif  // TESSERA_CLI_OUTPUT_ARGUMENT_ERROR_H_
