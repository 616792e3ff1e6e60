// `tessera compare FROM TO...`: are two layouts the same, and what does a
// relayout from one to the other cost?

#ifndef TESSERA_CLI_LAYOUT_COMPARE_COMMAND_H_
#define TESSERA_CLI_LAYOUT_COMPARE_COMMAND_H_

#include "tessera/cli/command/command_line.h"

namespace tessera::cli {

void AddCompareCommand(CommandLine* command_line);

}  // namespace tessera::cli

#endif  // TESSERA_CLI_LAYOUT_COMPARE_COMMAND_H_
