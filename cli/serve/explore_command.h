// `tessera explore`; see its --help.

#ifndef TESSERA_CLI_SERVE_EXPLORE_COMMAND_H_
#define TESSERA_CLI_SERVE_EXPLORE_COMMAND_H_

#include "tessera/cli/command/command_line.h"

namespace tessera::cli {

void AddExploreCommand(CommandLine* command_line);

}  // namespace tessera::cli

#endif  // TESSERA_CLI_SERVE_EXPLORE_COMMAND_H_
