// `tessera hlo cat`: HLO text in XLA's own style.

#ifndef TESSERA_CLI_HLO_HLO_CAT_COMMAND_H_
#define TESSERA_CLI_HLO_HLO_CAT_COMMAND_H_

#include "tessera/cli/command/command_line.h"

namespace tessera::cli {

void AddHloCatCommand(SubcommandGroup* hlo);

}  // namespace tessera::cli

#endif  // TESSERA_CLI_HLO_HLO_CAT_COMMAND_H_
