// Runs a program's command line in its process: with the terminal, signals, and
// errors for exhausted resources.

#ifndef TESSERA_CLI_PROGRAM_H_
#define TESSERA_CLI_PROGRAM_H_

#include <functional>
#include <string>
#include <vector>

#include "tessera/cli/output/console.h"

namespace tessera::cli {

using RunCommandLine =
    std::function<int(std::vector<std::string> arguments, Console* console)>;

// Calls `run` with the console of this process, and returns the exit code.
int RunProgram(const RunCommandLine& run,
               const std::vector<std::string>& arguments);

}  // namespace tessera::cli

#endif  // TESSERA_CLI_PROGRAM_H_
