// `tessera hlo FILE...`: how much memory do the arrays of a module take?

#ifndef TESSERA_CLI_HLO_HLO_COMMAND_H_
#define TESSERA_CLI_HLO_HLO_COMMAND_H_

#include "tessera/cli/command/command_line.h"

namespace tessera::cli {

void AddHloCommand(CommandLine* command_line);

}  // namespace tessera::cli

#endif  // TESSERA_CLI_HLO_HLO_COMMAND_H_
