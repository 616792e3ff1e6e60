// `tessera hlo map`: the place of each value in memory over time.

#ifndef TESSERA_CLI_HLO_HLO_MAP_COMMAND_H_
#define TESSERA_CLI_HLO_HLO_MAP_COMMAND_H_

#include "tessera/cli/command/command_line.h"

namespace tessera::cli {

void AddHloMapCommand(SubcommandGroup* hlo);

}  // namespace tessera::cli

#endif  // TESSERA_CLI_HLO_HLO_MAP_COMMAND_H_
