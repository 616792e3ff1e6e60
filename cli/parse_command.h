// File: cli/parse_command.h
//
// tessera parse [SHAPE...]: what does XLA call this shape?

#ifndef TESSERA_CLI_PARSE_COMMAND_H_
#define TESSERA_CLI_PARSE_COMMAND_H_

#include "tessera/cli/command_line.h"

namespace tessera {

void AddParseCommand(CommandLine* command_line);

}  // namespace tessera

#endif  // TESSERA_CLI_PARSE_COMMAND_H_
