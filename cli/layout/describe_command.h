// `tessera describe LAYOUT...`: how large is it, and how much is padding?

#ifndef TESSERA_CLI_LAYOUT_DESCRIBE_COMMAND_H_
#define TESSERA_CLI_LAYOUT_DESCRIBE_COMMAND_H_

#include "tessera/cli/command/command_line.h"

namespace tessera::cli {

void AddDescribeCommand(CommandLine* command_line);

}  // namespace tessera::cli

#endif  // TESSERA_CLI_LAYOUT_DESCRIBE_COMMAND_H_
