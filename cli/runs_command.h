// File: cli/runs_command.h
//
// `tessera runs LAYOUT...`: which stretches of positions hold the elements of a
// slice?

#ifndef TESSERA_CLI_RUNS_COMMAND_H_
#define TESSERA_CLI_RUNS_COMMAND_H_

#include "tessera/cli/command_line.h"

namespace tessera {

void AddRunsCommand(CommandLine* command_line);

}  // namespace tessera

#endif  // TESSERA_CLI_RUNS_COMMAND_H_
