// File: cli/tt_command.h
//
// `tessera tt`: Tenstorrent's tensor layouts; see its --help.

#ifndef TESSERA_CLI_TT_COMMAND_H_
#define TESSERA_CLI_TT_COMMAND_H_

#include "tessera/cli/command_line.h"

namespace tessera {

void AddTtCommand(CommandLine* command_line);

}  // namespace tessera

#endif  // TESSERA_CLI_TT_COMMAND_H_
