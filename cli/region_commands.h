// File: cli/region_commands.h
//
// `tessera runs LAYOUT...`: which stretches of positions hold the elements of a
// slice? `tessera padding LAYOUT...`: which hold no element?

#ifndef TESSERA_CLI_REGION_COMMANDS_H_
#define TESSERA_CLI_REGION_COMMANDS_H_

#include "tessera/cli/command_line.h"

namespace tessera {

void AddRunsCommand(CommandLine* command_line);
void AddPaddingCommand(CommandLine* command_line);

}  // namespace tessera

#endif  // TESSERA_CLI_REGION_COMMANDS_H_
