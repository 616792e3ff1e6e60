// File: cli/console.h
//
// What a command of the command line reads from and writes to.

#ifndef TESSERA_CLI_CONSOLE_H_
#define TESSERA_CLI_CONSOLE_H_

#include <istream>
#include <ostream>
#include <string>

#include "absl/strings/string_view.h"
#include "tessera/cli/display.h"

namespace tessera {

// The argument that stands for standard input.
inline constexpr absl::string_view kStdinArgument = "-";

struct Console {
  std::istream* in = nullptr;   // standard input
  std::ostream* out = nullptr;  // data
  std::ostream* err = nullptr;  // messages
  Display out_display;
  Display err_display;
  // Where relative paths start; "" for the folder that the process runs in.
  std::string working_directory;
};

}  // namespace tessera

#endif  // TESSERA_CLI_CONSOLE_H_
