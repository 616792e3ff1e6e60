// tessera_serve, the server, which `tessera serve` starts.

#include <string>
#include <utility>
#include <vector>

#include "tessera/cli/command/command_line.h"
#include "tessera/cli/program.h"
#include "tessera/cli/serve/serve_command.h"
#include "tessera/cli/serve/server.h"

namespace tessera::cli {
namespace {

// The arguments are those after `tessera serve`.
int RunServer(std::vector<std::string> arguments, Console* console) {
  CommandLine command_line("tessera", "", "");
  AddServeCommand(&command_line, Serve);
  arguments.insert(arguments.begin(), "serve");
  return command_line.Run(std::move(arguments), console);
}

}  // namespace
}  // namespace tessera::cli

int main(int argc, char** argv) {
  return tessera::cli::RunProgram(
      tessera::cli::RunServer, std::vector<std::string>(argv + 1, argv + argc));
}
