// The options that `tessera serve` shares with tessera_serve, the program that
// it starts; see --help.

#ifndef TESSERA_CLI_SERVE_SERVE_COMMAND_H_
#define TESSERA_CLI_SERVE_SERVE_COMMAND_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tessera/cli/command/command_line.h"
#include "tessera/cli/output/console.h"

namespace tessera::cli {

struct ServeOptions {
  std::string host = "127.0.0.1";
  int64_t grpc_port = 50051;
  int64_t http_port = 8080;
  std::vector<std::string> allowed_hosts;
  int64_t message_bytes = 16 << 20;
  int64_t jobs = 0;  // 0: one for each core
  int64_t drain_seconds = 10;
  std::optional<std::string> access_log;  // "-": standard error
};

// Adds the subcommand `serve`, which calls the function `serve`. The function
// returns false, after a message, if it failed.
void AddServeCommand(
    CommandLine* command_line,
    std::function<bool(const ServeOptions& options, Console* console)> serve);

}  // namespace tessera::cli

#endif  // TESSERA_CLI_SERVE_SERVE_COMMAND_H_
