// The server that `tessera serve` runs.

#ifndef TESSERA_CLI_SERVE_SERVER_H_
#define TESSERA_CLI_SERVE_SERVER_H_

#include "tessera/cli/output/console.h"
#include "tessera/cli/serve/serve_command.h"

namespace tessera::cli {

// Answers requests until SIGTERM or SIGINT comes. Returns false, after a
// message, if it cannot listen.
bool Serve(const ServeOptions& options, Console* console);

}  // namespace tessera::cli

#endif  // TESSERA_CLI_SERVE_SERVER_H_
