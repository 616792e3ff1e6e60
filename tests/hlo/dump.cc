#include "tests/hlo/dump.h"

#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"

namespace tessera {

std::string ReadDump(std::string_view file) {
  std::ifstream stream(absl::StrCat("tests/hlo/data/", AbslView(file)));
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_FALSE(text.empty()) << file;
  return text;
}

}  // namespace tessera
