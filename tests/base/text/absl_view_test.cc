#include "tessera/base/text/absl_view.h"

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace tessera {
namespace {

enum Color { kRed = 7 };

TEST(StrCat, TakesViewsAndWhatAbseilTakes) {
  const std::string_view view = std::string_view("views").substr(0, 4);
  const std::string text = "text";
  const char* const pointer = "pointer";
  EXPECT_EQ(StrCat(), "");
  EXPECT_EQ(StrCat(view), "view");
  EXPECT_EQ(StrCat(view, " ", text, " ", pointer, " ", int64_t{-3}, " ", kRed,
                   " ", absl::Hex(255, absl::kZeroPad4)),
            "view text pointer -3 7 00ff");
}

TEST(StrCat, KeepsBytesOfValueZero) {
  const std::string_view view("a\0b", 3);
  EXPECT_EQ(StrCat(view, view), std::string("a\0ba\0b", 6));
}

TEST(StrAppend, AppendsInOrder) {
  std::string out = "0";
  StrAppend(&out, std::string_view("1"), 2, "3");
  StrAppend(&out);
  EXPECT_EQ(out, "0123");
}

}  // namespace
}  // namespace tessera
