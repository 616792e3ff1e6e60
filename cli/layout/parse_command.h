// `tessera parse [TEXT...]`: what is the canonical text of this layout?

#ifndef TESSERA_CLI_LAYOUT_PARSE_COMMAND_H_
#define TESSERA_CLI_LAYOUT_PARSE_COMMAND_H_

#include "tessera/cli/command/command_line.h"

namespace tessera::cli {

void AddParseCommand(CommandLine* command_line);

}  // namespace tessera::cli

#endif  // TESSERA_CLI_LAYOUT_PARSE_COMMAND_H_
