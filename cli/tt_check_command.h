// File: cli/tt_check_command.h
//
// `tessera tt check`; see its --help.

#ifndef TESSERA_CLI_TT_CHECK_COMMAND_H_
#define TESSERA_CLI_TT_CHECK_COMMAND_H_

#include "tessera/cli/command_line.h"

namespace tessera {

void AddTtCheckCommand(SubcommandGroup* group);

}  // namespace tessera

#endif  // TESSERA_CLI_TT_CHECK_COMMAND_H_
