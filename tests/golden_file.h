// Expected output in files, which tests can write anew:
//
//   TESSERA_UPDATE_GOLDEN=1 ./bazelw run //tests/cli:tests
//   git diff tests/cli/golden
//
// A test that has such a file is:
//
//   if (const std::string update = FileToUpdate(file); !update.empty()) {
//     std::ofstream(update) << output;
//     return;
//   }
//   EXPECT_EQ(output, ContentsOf(file));

#ifndef TESSERA_TESTS_GOLDEN_FILE_H_
#define TESSERA_TESTS_GOLDEN_FILE_H_

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"

namespace tessera {

// Where to write `file`, or "" to compare with it.
inline std::string FileToUpdate(std::string_view file) {
  const char* const workspace = getenv("BUILD_WORKSPACE_DIRECTORY");
  return getenv("TESSERA_UPDATE_GOLDEN") == nullptr || workspace == nullptr
             ? ""
             : absl::StrCat(workspace, "/", AbslView(file));
}

// "" if there is no such file.
inline std::string ContentsOf(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

}  // namespace tessera

#endif  // TESSERA_TESTS_GOLDEN_FILE_H_
