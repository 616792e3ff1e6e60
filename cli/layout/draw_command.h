// `tessera draw LAYOUT`: what does it look like?

#ifndef TESSERA_CLI_LAYOUT_DRAW_COMMAND_H_
#define TESSERA_CLI_LAYOUT_DRAW_COMMAND_H_

#include "tessera/cli/command/command_line.h"

namespace tessera::cli {

void AddDrawCommand(CommandLine* command_line);

}  // namespace tessera::cli

#endif  // TESSERA_CLI_LAYOUT_DRAW_COMMAND_H_
