// File: cli/tt_coords_command.h
//
// `tessera tt coords`; see its --help.

#ifndef TESSERA_CLI_TT_COORDS_COMMAND_H_
#define TESSERA_CLI_TT_COORDS_COMMAND_H_

#include "tessera/cli/command_line.h"

namespace tessera {

void AddTtCoordsCommand(SubcommandGroup* group);

}  // namespace tessera

#endif  // TESSERA_CLI_TT_COORDS_COMMAND_H_
