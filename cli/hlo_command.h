// File: cli/hlo_command.h
//
// `tessera hlo FILE...`: how much memory do the arrays of a module take?

#ifndef TESSERA_CLI_HLO_COMMAND_H_
#define TESSERA_CLI_HLO_COMMAND_H_

#include "tessera/cli/command_line.h"

namespace tessera {

void AddHloCommand(CommandLine* command_line);

}  // namespace tessera

#endif  // TESSERA_CLI_HLO_COMMAND_H_
