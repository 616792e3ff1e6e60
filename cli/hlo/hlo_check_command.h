// `tessera hlo check`: whether modules stay within a budget of memory.

#ifndef TESSERA_CLI_HLO_HLO_CHECK_COMMAND_H_
#define TESSERA_CLI_HLO_HLO_CHECK_COMMAND_H_

#include "tessera/cli/command/command_line.h"

namespace tessera::cli {

void AddHloCheckCommand(SubcommandGroup* hlo);

}  // namespace tessera::cli

#endif  // TESSERA_CLI_HLO_HLO_CHECK_COMMAND_H_
