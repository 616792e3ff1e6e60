// File: cli/argument_error.h
//
// How does the command line say what is wrong with a text that is an argument?
//
//   PrintArgumentError("f32[3", ParseShape("f32[3").status(), console);
//   // <argument>:1:6: error: in dimensions: expected ',' or ']', found end of
//   // text, and the text with a caret below it
//
// Where the name of a file was given for its text, the error says so.

#ifndef TESSERA_CLI_ARGUMENT_ERROR_H_
#define TESSERA_CLI_ARGUMENT_ERROR_H_

#include <string>

#include "absl/status/status.h"
#include "tessera/cli/console.h"
#include "tessera/cli/output_format.h"

namespace tessera {

// Writes an error about `argument` to console->err: with its place, as it says
// already or else where the argument begins.
void PrintArgumentError(const std::string& argument, const absl::Status& error,
                        Console* console);
// The same of a command that prints data in `format`: in JSON the error is
// what stands in place of the answer, too.
void PrintArgumentError(const std::string& argument, const absl::Status& error,
                        OutputFormat format, Console* console);

}  // namespace tessera

#endif  // TESSERA_CLI_ARGUMENT_ERROR_H_
