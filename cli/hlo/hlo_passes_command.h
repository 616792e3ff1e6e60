// `tessera hlo passes`: after which pass of the compiler are which arrays new?

#ifndef TESSERA_CLI_HLO_HLO_PASSES_COMMAND_H_
#define TESSERA_CLI_HLO_HLO_PASSES_COMMAND_H_

#include "tessera/cli/command/command_line.h"

namespace tessera::cli {

void AddHloPassesCommand(SubcommandGroup* hlo);

}  // namespace tessera::cli

#endif  // TESSERA_CLI_HLO_HLO_PASSES_COMMAND_H_
