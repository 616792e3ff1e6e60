// The input and output of a command.

#ifndef TESSERA_CLI_OUTPUT_CONSOLE_H_
#define TESSERA_CLI_OUTPUT_CONSOLE_H_

#include <istream>
#include <ostream>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/report/text/display.h"

namespace tessera::cli {

// The argument that means standard input.
inline constexpr std::string_view kStdinArgument = "-";

struct Console {
  std::istream* in = nullptr;  // standard input
  // Standard input as a descriptor; -1 if `in` has none. If it is set, files
  // are read from it, which only works if nothing has been read from `in`.
  int in_descriptor = -1;
  std::ostream* out = nullptr;  // data
  std::ostream* err = nullptr;  // messages
  Display out_display;
  Display err_display;
  // The folder that relative paths start from; "" for the process's working
  // directory.
  std::string working_directory;

  // The path of the file argument `name`.
  std::string PathOf(const std::string& name) const {
    const bool is_relative =
        !working_directory.empty() && !StartsWith(name, "/");
    return is_relative ? absl::StrCat(working_directory, "/", name) : name;
  }
};

}  // namespace tessera::cli

#endif  // TESSERA_CLI_OUTPUT_CONSOLE_H_
