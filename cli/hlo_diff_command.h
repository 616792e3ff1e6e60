// File: cli/hlo_diff_command.h
//
// `tessera hlo diff`: how does memory differ between two dumps?

#ifndef TESSERA_CLI_HLO_DIFF_COMMAND_H_
#define TESSERA_CLI_HLO_DIFF_COMMAND_H_

#include "tessera/cli/command_line.h"

namespace tessera {

void AddHloDiffCommand(SubcommandGroup* hlo);

}  // namespace tessera

#endif  // TESSERA_CLI_HLO_DIFF_COMMAND_H_
