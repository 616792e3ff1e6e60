// File: cli/relayout_command.h
//
// tessera relayout --from SHAPE --to SHAPE IN OUT: the array that the file IN
// holds in one layout, in another.

#ifndef TESSERA_CLI_RELAYOUT_COMMAND_H_
#define TESSERA_CLI_RELAYOUT_COMMAND_H_

#include "tessera/cli/command_line.h"

namespace tessera {

void AddRelayoutCommand(CommandLine* command_line);

}  // namespace tessera

#endif  // TESSERA_CLI_RELAYOUT_COMMAND_H_
