// `tessera batch`; see its --help.

#ifndef TESSERA_CLI_SERVE_BATCH_COMMAND_H_
#define TESSERA_CLI_SERVE_BATCH_COMMAND_H_

#include <cstdint>

#include "tessera/cli/command/command_line.h"
#include "tessera/cli/output/console.h"
#include "tessera/service/answer_json.h"
#include "tessera/service/service_options.h"

namespace tessera::cli {

void AddBatchCommand(CommandLine* command_line);

// Answers the requests of standard input on `jobs` threads; 0 for one thread
// per core. `form` is the form of the answers. Returns false if the input
// cannot be read.
bool AnswerBatchLines(const ServiceOptions& options, int64_t jobs,
                      Console* console, const JsonAnswerOptions& form = {});

}  // namespace tessera::cli

#endif  // TESSERA_CLI_SERVE_BATCH_COMMAND_H_
