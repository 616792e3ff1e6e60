// File: cli/index_command.h
//
// `tessera index LAYOUT INDEX...`: where does this element lie?

#ifndef TESSERA_CLI_INDEX_COMMAND_H_
#define TESSERA_CLI_INDEX_COMMAND_H_

#include "tessera/cli/command_line.h"

namespace tessera {

void AddIndexCommand(CommandLine* command_line);

}  // namespace tessera

#endif  // TESSERA_CLI_INDEX_COMMAND_H_
