// File: cli/input_file.h
//
// The whole contents of a file argument.

#ifndef TESSERA_CLI_INPUT_FILE_H_
#define TESSERA_CLI_INPUT_FILE_H_

#include <string>

#include "absl/status/statusor.h"
#include "tessera/cli/console.h"

namespace tessera {

// Returns what the file `name` holds, or standard input where it is `-`.
// Relative names start at console->working_directory. Errors say what the
// system says.
absl::StatusOr<std::string> ReadInputFile(const std::string& name,
                                          Console* console);

}  // namespace tessera

#endif  // TESSERA_CLI_INPUT_FILE_H_
