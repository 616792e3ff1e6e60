// File: cli/padding_command.h
//
// `tessera padding LAYOUT...`: which stretches of positions hold no element?

#ifndef TESSERA_CLI_PADDING_COMMAND_H_
#define TESSERA_CLI_PADDING_COMMAND_H_

#include "tessera/cli/command_line.h"

namespace tessera {

void AddPaddingCommand(CommandLine* command_line);

}  // namespace tessera

#endif  // TESSERA_CLI_PADDING_COMMAND_H_
