// tessera, the command line. See cli/run_tessera.h.

#include <string>
#include <vector>

#include "tessera/cli/program.h"
#include "tessera/cli/run_tessera.h"

int main(int argc, char** argv) {
  return tessera::cli::RunProgram(
      tessera::cli::RunTessera,
      std::vector<std::string>(argv + 1, argv + argc));
}
