// File: cli/coords_command.h
//
// `tessera coords LAYOUT POSITION...`: what lies at this linear index?

#ifndef TESSERA_CLI_COORDS_COMMAND_H_
#define TESSERA_CLI_COORDS_COMMAND_H_

#include "tessera/cli/command_line.h"

namespace tessera {

void AddCoordsCommand(CommandLine* command_line);

}  // namespace tessera

#endif  // TESSERA_CLI_COORDS_COMMAND_H_
