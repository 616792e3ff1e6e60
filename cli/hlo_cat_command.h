// File: cli/hlo_cat_command.h
//
// `tessera hlo cat`: HLO text in XLA's own style.

#ifndef TESSERA_CLI_HLO_CAT_COMMAND_H_
#define TESSERA_CLI_HLO_CAT_COMMAND_H_

#include "tessera/cli/command_line.h"

namespace tessera {

void AddHloCatCommand(SubcommandGroup* hlo);

}  // namespace tessera

#endif  // TESSERA_CLI_HLO_CAT_COMMAND_H_
