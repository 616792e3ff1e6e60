// `tessera coords LAYOUT POSITION...`: what lies at this linear index?

#ifndef TESSERA_CLI_LAYOUT_COORDS_COMMAND_H_
#define TESSERA_CLI_LAYOUT_COORDS_COMMAND_H_

#include "tessera/cli/command/command_line.h"

namespace tessera::cli {

void AddCoordsCommand(CommandLine* command_line);

}  // namespace tessera::cli

#endif  // TESSERA_CLI_LAYOUT_COORDS_COMMAND_H_
