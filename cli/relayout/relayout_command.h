// `tessera relayout --from LAYOUT --to LAYOUT IN OUT`: moves the array in the
// file IN to another layout in the file OUT.

#ifndef TESSERA_CLI_RELAYOUT_RELAYOUT_COMMAND_H_
#define TESSERA_CLI_RELAYOUT_RELAYOUT_COMMAND_H_

#include "tessera/cli/command/command_line.h"

namespace tessera::cli {

void AddRelayoutCommand(CommandLine* command_line);

}  // namespace tessera::cli

#endif  // TESSERA_CLI_RELAYOUT_RELAYOUT_COMMAND_H_
