// Runs the command line in the test's own process.

#ifndef TESSERA_TESTS_CLI_RUN_H_
#define TESSERA_TESTS_CLI_RUN_H_

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tessera/cli/run_tessera.h"

namespace tessera::cli {

struct Outcome {
  int exit_code = 0;
  std::string out;
  std::string err;
};

inline Outcome RunCommand(std::vector<std::string> arguments,
                          const std::string& input = "", Display display = {}) {
  std::istringstream in(input);
  std::ostringstream out, err;
  Console console;
  console.in = &in;
  console.out = &out;
  console.err = &err;
  console.out_display = display;
  console.err_display = display;
  Outcome outcome;
  outcome.exit_code = RunTessera(std::move(arguments), &console);
  outcome.out = out.str();
  outcome.err = err.str();
  return outcome;
}

}  // namespace tessera::cli

#endif  // TESSERA_TESTS_CLI_RUN_H_
