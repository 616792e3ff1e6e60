// Starts the server, which is a separate program: gRPC takes minutes to build
// and milliseconds to start, and no other command needs it.

#ifndef TESSERA_CLI_SERVE_SERVER_PROGRAM_H_
#define TESSERA_CLI_SERVE_SERVER_PROGRAM_H_

#include <string>
#include <vector>

#include "tessera/cli/output/console.h"

namespace tessera::cli {

// Replaces this process by the program tessera_serve, with these arguments.
// Returns false, after a message, if it is not in the folder of this program.
bool RunServerProgram(const std::vector<std::string>& arguments,
                      Console* console);

}  // namespace tessera::cli

#endif  // TESSERA_CLI_SERVE_SERVER_PROGRAM_H_
