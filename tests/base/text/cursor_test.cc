#include "tessera/base/text/cursor.h"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"

namespace tessera {
namespace {

constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

TEST(Cursor, Example) {
  Cursor cursor("T ( 8,/*lanes*/128)");
  EXPECT_EQ(cursor.TakeIdentifier(), "T");
  EXPECT_TRUE(cursor.Take('('));
  int64_t size;
  EXPECT_TRUE(cursor.TakeInteger(&size));
  EXPECT_EQ(size, 8);
  EXPECT_FALSE(cursor.Take(')'));
  EXPECT_EQ(cursor.DescribeNextToken(), "','");
}

TEST(Cursor, SkipsWhiteSpaceAndBothKindsOfComment) {
  for (const std::string_view blanks :
       {"", " ", "\t\r\n ", "/**/", "/***/", "/* / * // */", "//\n", "//x\r",
        "// /*\n", "/*\n*/ //\n/*index=5*/", "/*/ */"}) {
    const std::string text = absl::StrCat(AbslView(blanks), "x");
    EXPECT_TRUE(Cursor(text).Take('x')) << text;
    EXPECT_EQ(Cursor(text).TakeIdentifier(), "x") << text;
    EXPECT_FALSE(Cursor(text).AtEnd()) << text;
    const std::string integer = absl::StrCat(AbslView(blanks), "7");
    int64_t value = 0;
    EXPECT_TRUE(Cursor(integer).AtInteger()) << integer;
    EXPECT_TRUE(Cursor(integer).TakeInteger(&value)) << integer;
    EXPECT_EQ(value, 7) << integer;
    EXPECT_TRUE(
        Cursor(absl::StrCat(AbslView(blanks), "<=")).TakePair('<', '='));
  }
  EXPECT_TRUE(Cursor("").AtEnd());
  EXPECT_TRUE(Cursor(std::string_view()).AtEnd());
  EXPECT_TRUE(Cursor(" // to the end").AtEnd());
}

TEST(Cursor, StopsAtWhatOnlyLooksBlank) {
  const std::string_view nul("\0", 1);
  for (const std::string_view text :
       {std::string_view("/"), std::string_view("/ /x"), std::string_view("/*"),
        std::string_view("/*/"), std::string_view("/* *"),
        std::string_view("\v"), std::string_view("\f"),
        std::string_view("\xC2\xA0"), nul}) {
    Cursor cursor(text);
    EXPECT_FALSE(cursor.AtEnd()) << text;
    EXPECT_EQ(cursor.position(), text.data()) << text;
  }
}

TEST(Cursor, LeavesTheTokenThatItDidNotTake) {
  const std::string_view text = "  <= 5";
  Cursor cursor(text);
  int64_t value;
  EXPECT_FALSE(cursor.Take('['));
  EXPECT_FALSE(cursor.TakePair('-', '>'));
  EXPECT_FALSE(cursor.TakePair('<', '>'));
  EXPECT_FALSE(cursor.TakeInteger(&value));
  EXPECT_FALSE(cursor.AtInteger());
  EXPECT_EQ(cursor.TakeIdentifier(), "");
  EXPECT_EQ(cursor.position(), text.data() + 2);
  EXPECT_TRUE(cursor.TakePair('<', '='));
  EXPECT_EQ(cursor.position(), text.data() + 4);
}

TEST(Cursor, PairsStandTogether) {
  EXPECT_FALSE(Cursor("< =").TakePair('<', '='));
  EXPECT_FALSE(Cursor("<").TakePair('<', '='));
  EXPECT_FALSE(Cursor("").TakePair('<', '='));
}

TEST(Cursor, Identifiers) {
  struct Case {
    std::string_view text;
    std::string_view want;
  };
  for (const Case& c : {Case{"f32[2]", "f32"}, Case{"f32_x[2]", "f32_x"},
                        Case{"_a.b-c.1:", "_a.b-c.1"}, Case{"Z", "Z"},
                        Case{"2f", ""}, Case{"-a", ""}, Case{".a", ""},
                        Case{"", ""}, Case{"%a", ""}, Case{"\xC3\xA4", ""}}) {
    EXPECT_EQ(Cursor(c.text).TakeIdentifier(), c.want) << c.text;
  }
}

TEST(Cursor, Integers) {
  struct Case {
    std::string_view text;
    int64_t want;
  };
  for (const Case& c :
       {Case{"0", 0}, Case{"007", 7}, Case{"16384]", 16384}, Case{"-1,", -1},
        Case{"-0", 0}, Case{"999999999999999999", 999999999999999999},
        Case{"0000000000000000000000000000000000012", 12},
        Case{"9223372036854775807", kMax}, Case{"-9223372036854775808", kMin},
        Case{"-9223372036854775807 ", kMin + 1}}) {
    int64_t value = 99;
    EXPECT_TRUE(Cursor(c.text).TakeInteger(&value)) << c.text;
    EXPECT_EQ(value, c.want) << c.text;
  }
}

TEST(Cursor, RefusesWhatIsNoIntegerOrPastInt64) {
  for (const std::string_view text :
       {"", "-", "+3", "1e3", "2x3", "0x10", "2_3", "1.5", "3-4", "-5x", "- 5",
        "9223372036854775808", "-9223372036854775809", "18446744073709551616",
        "99999999999999999999999999999999999999999", "9223372036854775807x"}) {
    int64_t value = 99;
    Cursor cursor(text);
    EXPECT_FALSE(cursor.TakeInteger(&value)) << text;
    EXPECT_EQ(cursor.position(), Cursor(text).position()) << text;
    EXPECT_EQ(value, 99) << text;
  }
}

TEST(Cursor, DescribesTheNextToken) {
  struct Case {
    std::string_view text;
    std::string_view want;
  };
  for (const Case& c :
       {Case{"", "end of text"}, Case{" /**/ ", "end of text"},
        Case{" ) ", "')'"}, Case{"f32_x[2]", "'f32_x'"}, Case{"1e3]", "'1e3'"},
        Case{"+3]", "'+3'"}, Case{"-12,", "'-12'"}, Case{"-> x", "'->'"},
        Case{"<=4", "'<='"}, Case{"<4", "'<'"}, Case{"'a'", "\"'\""},
        Case{"+", "'+'"}, Case{"...", "'...'"},
        Case{" /* x", "a comment without an end"}, Case{"\v", "byte 0x0b"},
        Case{"\x1B[31m", "byte 0x1b"}, Case{"\xC3\xA4", "byte 0xc3"},
        Case{"1234567890123456789012345678901234567890",
             "'1234567890123456789012345678901234567890'"},
        Case{"12345678901234567890123456789012345678901",
             "'1234567890123456789012345678901234567890...'"}}) {
    EXPECT_EQ(Cursor(c.text).DescribeNextToken(), c.want) << c.text;
  }
}

TEST(Cursor, FailedIsToldFromEmpty) {
  EXPECT_TRUE(Cursor::Failed().failed());
  EXPECT_FALSE(Cursor("").failed());
  EXPECT_FALSE(Cursor(std::string_view()).failed());
}

}  // namespace
}  // namespace tessera
