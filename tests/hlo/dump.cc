#include "tests/hlo/dump.h"

#include <fstream>
#include <iterator>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace tessera {

std::string ReadDump(absl::string_view file) {
  std::ifstream stream(absl::StrCat("tests/hlo/data/", file));
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_FALSE(text.empty()) << file;
  return text;
}

}  // namespace tessera
