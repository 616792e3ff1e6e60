// `tessera tt ttnn`; see its --help.

#ifndef TESSERA_CLI_TT_TT_TTNN_COMMAND_H_
#define TESSERA_CLI_TT_TT_TTNN_COMMAND_H_

#include "tessera/cli/command/command_line.h"

namespace tessera::cli {

void AddTtTtnnCommand(SubcommandGroup* group);

}  // namespace tessera::cli

#endif  // TESSERA_CLI_TT_TT_TTNN_COMMAND_H_
