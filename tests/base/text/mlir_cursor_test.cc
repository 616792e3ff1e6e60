#include "tessera/base/text/mlir_cursor.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "gtest/gtest.h"

namespace tessera {
namespace {

TEST(MlirCursor, Example) {
  MlirCursor cursor("d0-d1*2floordiv 0x10", 0);
  EXPECT_EQ(cursor.TakeIdentifier(), "d0");
  EXPECT_TRUE(cursor.Take('-'));
  EXPECT_EQ(cursor.TakeIdentifier(), "d1");
  EXPECT_TRUE(cursor.Take('*'));
  int64_t number;
  ASSERT_TRUE(cursor.TakeNumber(&number));
  EXPECT_EQ(number, 2);
  EXPECT_FALSE(cursor.TakeKeyword("mod"));
  EXPECT_TRUE(cursor.TakeKeyword("floordiv"));
  ASSERT_TRUE(cursor.TakeNumber(&number));
  EXPECT_EQ(number, 16);
  EXPECT_TRUE(cursor.AtEnd());

  MlirCursor sizes("#l1_ 0x10", 0);
  EXPECT_EQ(sizes.TakePrefixedIdentifier('#'), "#l1_");
  ASSERT_TRUE(sizes.TakeDecimalNumber(&number));
  EXPECT_EQ(number, 0);
  EXPECT_TRUE(sizes.Take('x'));
}

TEST(MlirCursor, PrefixedIdentifiers) {
  const std::pair<const char*, const char*> cases[] = {
      {"#tt.memory_space<l1>", "#tt.memory_space"},
      {"#0 = 1", "#0"},
      {"#0a", "#0"},
      {"#a0-b$._ c", "#a0-b$._"},
      {"#-1", "#-1"},
      {"# a", ""},
      {"#", ""},
      {"#<", ""},
      {"!tt.tile", ""},
      {"tt", ""},
      {"", ""},
  };
  for (const auto& [text, identifier] : cases) {
    EXPECT_EQ(MlirCursor(text, 0).TakePrefixedIdentifier('#'), identifier)
        << text;
  }
  EXPECT_EQ(MlirCursor("!tt.tile<", 0).TakePrefixedIdentifier('!'), "!tt.tile");
  EXPECT_EQ(MlirCursor("#a", 0).TakeIdentifier(), "");
}

TEST(MlirCursor, DecimalNumbers) {
  struct Case {
    const char* text;
    int64_t value;  // -1 for none
    size_t size;
  };
  for (const Case& c : {Case{"0", 0, 1}, Case{"32x32", 32, 2},
                        Case{"0xf", 0, 1}, Case{"0x10", 0, 1}, Case{"0x", 0, 1},
                        Case{" 9223372036854775807x", INT64_MAX, 20},
                        Case{"9223372036854775808", -1, 0}, Case{"x1", -1, 0},
                        Case{"-1", -1, 0}, Case{"", -1, 0}}) {
    const std::string text = c.text;
    MlirCursor cursor(text, 0);
    int64_t value = -1;
    EXPECT_EQ(cursor.TakeDecimalNumber(&value), c.value != -1) << c.text;
    EXPECT_EQ(value, c.value) << c.text;
    EXPECT_EQ(cursor.position() - text.data(), c.size) << c.text;
  }
}

TEST(MlirCursor, Numbers) {
  struct Case {
    const char* text;
    int64_t value;  // -1 for none
    size_t size;
  };
  for (const Case& c :
       {Case{"0", 0, 1}, Case{"007", 7, 3}, Case{"32x32", 32, 2},
        Case{"0x", 0, 1}, Case{"0xg", 0, 1}, Case{"0xfFg", 255, 4},
        Case{"1e3", 1, 1}, Case{"9223372036854775807", INT64_MAX, 19},
        Case{"0x7fffffffffffffff", INT64_MAX, 18},
        Case{"9223372036854775808", -1, 0}, Case{"0x8000000000000000", -1, 0},
        Case{"99999999999999999999", -1, 0}, Case{"-1", -1, 0},
        Case{"x1", -1, 0}, Case{"", -1, 0}}) {
    const std::string text = c.text;
    MlirCursor cursor(text, 0);
    int64_t value = -1;
    EXPECT_EQ(cursor.TakeNumber(&value), c.value != -1) << c.text;
    EXPECT_EQ(value, c.value) << c.text;
    EXPECT_EQ(cursor.position() - text.data(), c.size) << c.text;
  }
}

TEST(MlirCursor, Strings) {
  const std::pair<const char*, const char*> cases[] = {
      {R"("mesh">)", "mesh"},
      {R"( "" )", ""},
      {R"("a\"\\b")", "a\"\\b"},
      {R"("\n\t\41\7e")", "\n\tA~"},
      {"\"\xff<>\"", "\xff<>"}};
  for (const auto& [text, expected] : cases) {
    std::string value;
    EXPECT_TRUE(MlirCursor(text, 0).TakeString(&value)) << text;
    EXPECT_EQ(value, expected);
  }
  for (const std::string text :
       {"", "a", "'a'", "\"", "\"a", "\"a\n\"", R"("\x")", R"("\4")",
        R"("\4g")", R"("\)", R"("\")", R"("\4)"}) {
    std::string value = "as before";
    MlirCursor cursor(text, 0);
    EXPECT_FALSE(cursor.TakeString(&value)) << text;
    EXPECT_EQ(value, "as before");
    EXPECT_EQ(cursor.position(), text.data());
  }
}

TEST(MlirCursor, SkipsWhiteSpaceAndComments) {
  MlirCursor cursor("ab /*1*/ c$.d // e\n ->", 2);
  EXPECT_EQ(cursor.TakeIdentifier(), "c$.d");
  EXPECT_TRUE(cursor.TakeArrow());
  EXPECT_TRUE(cursor.AtEnd());
}

TEST(MlirCursor, DescribesWhatItTakesForAToken) {
  EXPECT_EQ(MlirCursor("ab-c", 0).DescribeNextToken(), "'ab'");
  EXPECT_EQ(MlirCursor(" 32x32", 0).DescribeNextToken(), "'32'");
  EXPECT_EQ(MlirCursor("#tt.grid<", 0).DescribeNextToken(), "'#tt.grid'");
  EXPECT_EQ(MlirCursor("#<", 0).DescribeNextToken(), "'#'");
  EXPECT_EQ(MlirCursor("->", 0).DescribeNextToken(), "'->'");
  EXPECT_EQ(MlirCursor("-j", 0).DescribeNextToken(), "'-'");
  EXPECT_EQ(MlirCursor("+1", 0).DescribeNextToken(), "'+'");
  EXPECT_EQ(MlirCursor("\x01", 0).DescribeNextToken(), "byte 0x01");
  EXPECT_EQ(MlirCursor("/*", 0).DescribeNextToken(),
            "a comment without an end");
  EXPECT_EQ(MlirCursor("a", 1).DescribeNextToken(), "end of text");
}

}  // namespace
}  // namespace tessera
