// `tessera index LAYOUT INDEX...`: where does this element lie?

#ifndef TESSERA_CLI_LAYOUT_INDEX_COMMAND_H_
#define TESSERA_CLI_LAYOUT_INDEX_COMMAND_H_

#include "tessera/cli/command/command_line.h"

namespace tessera::cli {

void AddIndexCommand(CommandLine* command_line);

}  // namespace tessera::cli

#endif  // TESSERA_CLI_LAYOUT_INDEX_COMMAND_H_
