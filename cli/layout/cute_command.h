// `tessera cute EXPRESSION...`: what is the value of these CuTe expressions?

#ifndef TESSERA_CLI_LAYOUT_CUTE_COMMAND_H_
#define TESSERA_CLI_LAYOUT_CUTE_COMMAND_H_

#include "tessera/cli/command/command_line.h"

namespace tessera::cli {

void AddCuteCommand(CommandLine* command_line);

}  // namespace tessera::cli

#endif  // TESSERA_CLI_LAYOUT_CUTE_COMMAND_H_
