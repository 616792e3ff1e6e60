// `tessera hlo diff`: how does memory differ between two dumps?

#ifndef TESSERA_CLI_HLO_HLO_DIFF_COMMAND_H_
#define TESSERA_CLI_HLO_HLO_DIFF_COMMAND_H_

#include "tessera/cli/command/command_line.h"

namespace tessera::cli {

void AddHloDiffCommand(SubcommandGroup* hlo);

}  // namespace tessera::cli

#endif  // TESSERA_CLI_HLO_HLO_DIFF_COMMAND_H_
