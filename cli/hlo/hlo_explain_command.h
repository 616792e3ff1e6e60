// `tessera hlo explain`: what does this text say that somebody has?

#ifndef TESSERA_CLI_HLO_HLO_EXPLAIN_COMMAND_H_
#define TESSERA_CLI_HLO_HLO_EXPLAIN_COMMAND_H_

#include "tessera/cli/command/command_line.h"

namespace tessera::cli {

void AddHloExplainCommand(SubcommandGroup* hlo);

}  // namespace tessera::cli

#endif  // TESSERA_CLI_HLO_HLO_EXPLAIN_COMMAND_H_
