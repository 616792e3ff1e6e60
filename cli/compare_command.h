// File: cli/compare_command.h
//
// `tessera compare FROM TO...`: are two layouts the same, and what does a
// relayout from one to the other cost?

#ifndef TESSERA_CLI_COMPARE_COMMAND_H_
#define TESSERA_CLI_COMPARE_COMMAND_H_

#include "tessera/cli/command_line.h"

namespace tessera {

void AddCompareCommand(CommandLine* command_line);

}  // namespace tessera

#endif  // TESSERA_CLI_COMPARE_COMMAND_H_
