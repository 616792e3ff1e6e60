// File: cli/tt_ttnn_command.h
//
// `tessera tt ttnn`; see its --help.

#ifndef TESSERA_CLI_TT_TTNN_COMMAND_H_
#define TESSERA_CLI_TT_TTNN_COMMAND_H_

#include "tessera/cli/command_line.h"

namespace tessera {

void AddTtTtnnCommand(SubcommandGroup* group);

}  // namespace tessera

#endif  // TESSERA_CLI_TT_TTNN_COMMAND_H_
