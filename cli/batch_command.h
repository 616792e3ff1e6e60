// File: cli/batch_command.h
//
// `tessera batch`; see its --help.

#ifndef TESSERA_CLI_BATCH_COMMAND_H_
#define TESSERA_CLI_BATCH_COMMAND_H_

#include <cstdint>

#include "tessera/cli/command_line.h"
#include "tessera/cli/console.h"
#include "tessera/service/service_options.h"

namespace tessera {

void AddBatchCommand(CommandLine* command_line);

// Answers the requests of standard input on `jobs` threads; 0 for one thread
// per core. Returns false if the input cannot be read.
bool AnswerBatchLines(const ServiceOptions& options, int64_t jobs,
                      Console* console);

}  // namespace tessera

#endif  // TESSERA_CLI_BATCH_COMMAND_H_
