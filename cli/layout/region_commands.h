// `tessera runs LAYOUT...`: which stretches of positions hold the elements of a
// slice? `tessera padding LAYOUT...`: which hold no element?

#ifndef TESSERA_CLI_LAYOUT_REGION_COMMANDS_H_
#define TESSERA_CLI_LAYOUT_REGION_COMMANDS_H_

#include "tessera/cli/command/command_line.h"

namespace tessera::cli {

void AddRunsCommand(CommandLine* command_line);
void AddPaddingCommand(CommandLine* command_line);

}  // namespace tessera::cli

#endif  // TESSERA_CLI_LAYOUT_REGION_COMMANDS_H_
