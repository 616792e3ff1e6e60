// The exit codes of the program.

#ifndef TESSERA_CLI_OUTPUT_EXIT_CODE_H_
#define TESSERA_CLI_OUTPUT_EXIT_CODE_H_

namespace tessera::cli {

enum ExitCode {
  kExitOk = 0,
  kExitBadInput = 1,
  kExitBadUsage = 2,
};

}  // namespace tessera::cli

#endif  // TESSERA_CLI_OUTPUT_EXIT_CODE_H_
