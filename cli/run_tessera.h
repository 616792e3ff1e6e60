// The whole command line as a function, so that tests run it in their own
// process.
//
//   std::ostringstream out, err;
//   Console console;
//   console.out = &out; ...
//   RunTessera({"index", "f32[3,5]{1,0:T(2,2)}", "2,3"}, &console);  // 0
//   // out.str() == "17\n"

#ifndef TESSERA_CLI_RUN_TESSERA_H_
#define TESSERA_CLI_RUN_TESSERA_H_

#include <string>
#include <vector>

#include "tessera/cli/command/command_description.h"
#include "tessera/cli/command/command_line.h"
#include "tessera/cli/output/console.h"

namespace tessera::cli {

// Returns its subcommands, for man pages and completions.
CommandDescription DescribeTessera();

// Runs `tessera` with these arguments, which do not include its own name, and
// returns the exit code (cli/output/exit_code.h).
int RunTessera(std::vector<std::string> arguments, Console* console);

}  // namespace tessera::cli

#endif  // TESSERA_CLI_RUN_TESSERA_H_
