#include "tessera/report/text/display.h"

#include <map>
#include <string>

#include "gtest/gtest.h"

namespace tessera {
namespace {

using Variables = std::map<std::string, const char*>;

Display DisplayIn(const Variables& variables, bool is_terminal = true,
                  int terminal_columns = 120) {
  return DisplayOf(is_terminal, terminal_columns, [&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second;
  });
}

TEST(Display, Example) {
  Display display = DisplayIn({});
  EXPECT_EQ(Paint("padding", Color::kYellow, display),
            "\x1b[33mpadding\x1b[0m");
  display.color = false;
  EXPECT_EQ(Paint("padding", Color::kYellow, display), "padding");
}

TEST(Display, Printable) {
  EXPECT_EQ(Printable("a\x1b[31m\n\x7f"), "a?[31m??");
  EXPECT_EQ(Printable("\u009b \u00a0\u00e9"), "? \u00a0\u00e9");
  // Each changes the direction of text.
  EXPECT_EQ(Printable("\u061c\u200e\u200f\u202a\u202e\u2066\u2069"), "???????");
  EXPECT_EQ(Printable("\u200d\u2029\u202f\u2065\u206a"),
            "\u200d\u2029\u202f\u2065\u206a");
  // Cut off.
  EXPECT_EQ(Printable("\xC2"), "\xC2");
  EXPECT_EQ(Printable("\xE2\x80"), "\xE2\x80");
}

TEST(Display, Colour) {
  EXPECT_TRUE(DisplayIn({{"TERM", "xterm"}}).color);
  EXPECT_FALSE(DisplayIn({{"TERM", "xterm"}}, false).color);
  EXPECT_FALSE(DisplayIn({{"NO_COLOR", "1"}}).color);
  EXPECT_TRUE(DisplayIn({{"NO_COLOR", ""}}).color);
  EXPECT_FALSE(DisplayIn({{"TERM", "dumb"}}).color);
}

TEST(Display, Utf8) {
  EXPECT_FALSE(DisplayIn({}).unicode);
  EXPECT_TRUE(DisplayIn({{"LANG", "de_DE.UTF-8"}}).unicode);
  EXPECT_TRUE(DisplayIn({{"LC_CTYPE", "C.utf8"}}, false).unicode);
  EXPECT_FALSE(DisplayIn({{"LC_ALL", "C"}, {"LANG", "C.UTF-8"}}).unicode);
  EXPECT_TRUE(DisplayIn({{"LC_ALL", ""}, {"LANG", "C.UTF-8"}}).unicode);
}

TEST(Display, Columns) {
  EXPECT_EQ(DisplayIn({}).columns, 120);
  EXPECT_EQ(DisplayIn({}, true, 0).columns, 80);
  EXPECT_EQ(DisplayIn({}, false).columns, kUnlimitedColumns);
}

}  // namespace
}  // namespace tessera
