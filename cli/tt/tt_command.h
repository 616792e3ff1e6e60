// `tessera tt`: Tenstorrent's tensor layouts; see its --help.

#ifndef TESSERA_CLI_TT_TT_COMMAND_H_
#define TESSERA_CLI_TT_TT_COMMAND_H_

#include "tessera/cli/command/command_line.h"

namespace tessera::cli {

void AddTtCommand(CommandLine* command_line);

}  // namespace tessera::cli

#endif  // TESSERA_CLI_TT_TT_COMMAND_H_
