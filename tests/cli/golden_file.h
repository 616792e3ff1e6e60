// Expected output in files below tests/cli/golden, for tests that can write
// them anew:
//
//   TESSERA_UPDATE_GOLDEN=1 ./bazelw run //tests/cli:tests
//   git diff tests/cli/golden

#ifndef TESSERA_TESTS_CLI_GOLDEN_FILE_H_
#define TESSERA_TESTS_CLI_GOLDEN_FILE_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"
#include "tests/golden_file.h"

namespace tessera::cli {

// "tests/cli/golden/draw.txt" for "draw".
inline std::string GoldenFile(std::string_view name) {
  return absl::StrCat("tests/cli/golden/", AbslView(name), ".txt");
}

// "$ tessera index 'f32[3,5]' 2,3" and a newline, as a person would type it.
inline std::string CommandLine(const std::vector<std::string>& arguments) {
  std::string line = "$ tessera";
  for (const std::string& argument : arguments) {
    const bool is_plain =
        !argument.empty() &&
        argument.find_first_of(" ()[]{}<>*") == std::string::npos;
    absl::StrAppend(&line, is_plain ? " " : " '", argument,
                    is_plain ? "" : "'");
  }
  return line + "\n";
}

}  // namespace tessera::cli

#endif  // TESSERA_TESTS_CLI_GOLDEN_FILE_H_
