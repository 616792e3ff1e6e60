// What a person reads whose text is wrong, word for word.

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/parser/parser.h"
#include "tessera/tests/status_matchers.h"

namespace tessera {
namespace {

struct Case {
  std::string_view text;
  std::string_view error;
};

void ExpectErrors(std::initializer_list<Case> cases,
                  absl::Status (*parse)(std::string_view)) {
  for (const Case& c : cases) {
    const absl::Status status = parse(c.text);
    EXPECT_THAT(status, StatusIs(absl::StatusCode::kInvalidArgument, c.error))
        << c.text;
  }
}

TEST(ErrorText, OfShapes) {
  ExpectErrors(
      {
          {"",
           "1:1: in shape: expected a type or '(', found end of text\n"
           "  \n"
           "  ^"},
          {"f32",
           "1:4: in shape: expected '[', found end of text\n"
           "  f32\n"
           "     ^"},
          {"F32[2]",
           "1:1: in shape: expected a type or '(', found 'F32'; type names are "
           "lower case\n"
           "  F32[2]\n"
           "  ^"},
          {"float32[3,5]",
           "1:1: in shape: expected a type or '(', found 'float32'; XLA calls "
           "it f32\n"
           "  float32[3,5]\n"
           "  ^"},
          {"f32_x[2]",
           "1:1: in shape: expected a type or '(', found 'f32_x'\n"
           "  f32_x[2]\n"
           "  ^"},
          {"f32[2,0x10]",
           "1:7: in dimensions: expected a size, '?' or '<=', found '0x10'\n"
           "  f32[2,0x10]\n"
           "        ^"},
          {"f32[2 3]",
           "1:7: in dimensions: expected ',' or ']', found '3'\n"
           "  f32[2 3]\n"
           "        ^"},
          {"f32[\n  128, 256\n]{0,\n  1, x}",
           "4:6: in layout: expected a dimension number, found 'x'\n"
           "    1, x}\n"
           "       ^"},
          {"f32[<=99999999999999999999999999999999999999999]",
           "1:7: in dimensions: '9999999999999999999999999999999999999999...' "
           "is above the limit 9223372036854775807\n"
           "  f32[<=99999999999999999999999999999999999999999]\n"
           "        ^"},
          {"f32[3,5]{1,0:T(2,)}",
           "1:18: in tile: expected a dimension or '*', found ')'\n"
           "  f32[3,5]{1,0:T(2,)}\n"
           "                   ^"},
          {"f32[8]{0:T(2)(4)>",
           "1:17: in layout: expected T, L, #, *, E, S, SC, M or '}', found "
           "'>'\n"
           "  f32[8]{0:T(2)(4)>\n"
           "                  ^"},
          {"f32[8]{0:S(1)E(4)S(1)}",
           "1:18: in layout: S is given twice\n"
           "  f32[8]{0:S(1)E(4)S(1)}\n"
           "                   ^"},
          {"f32[8]{0:S(-9223372036854775809)}",
           "1:12: in memory space S: '-9223372036854775809' is below the limit "
           "-9223372036854775808\n"
           "  f32[8]{0:S(-9223372036854775809)}\n"
           "             ^"},
          {"f32[8]{0:T(4)M(-5)}",
           "1:16: metadata prefix M(-5) is below 0\n"
           "  f32[8]{0:T(4)M(-5)}\n"
           "                 ^"},
          {"(f32[8]{0}, s32[4]{0:T(4)(2,*)})",
           "1:29: tiles[1] = (2,*) ends in '*', which has no dimension to "
           "combine with\n"
           "  (f32[8]{0}, s32[4]{0:T(4)(2,*)})\n"
           "                              ^"},
          {"(f32[2,3]{1,0}, b(f32[2,3]{0}))",
           "1:28: minor_to_major has 1 entry, but the array has 2 dimensions\n"
           "  (f32[2,3]{1,0}, b(f32[2,3]{0}))\n"
           "                             ^"},
          {"f32[2,3]{}",
           "1:9: after the shape: expected end of text, found '{'; {} after an "
           "array is read only with the lenient option\n"
           "  f32[2,3]{}\n"
           "          ^"},
          {"f32[2] { x = 1 }",
           "1:8: after the shape: expected end of text, found '{'; a layout "
           "begins with a dimension number or ':'\n"
           "  f32[2] { x = 1 }\n"
           "         ^"},
          {"f32[2]{0} // one\n/* two",
           "2:1: after the shape: expected end of text, found a comment "
           "without "
           "an end\n"
           "  /* two\n"
           "  ^"},
          {"f32[2]{0}\x1B[31m",
           "1:10: after the shape: expected end of text, found byte 0x1b\n"
           "  f32[2]{0}?[31m\n"
           "           ^"},
          {"f32[2]{0}\v",
           "1:10: after the shape: expected end of text, found byte 0x0b\n"
           "  f32[2]{0} \n"
           "           ^"},
      },
      [](std::string_view text) { return ParseShape(text).status(); });
}

TEST(ErrorText, OfLayouts) {
  ExpectErrors(
      {
          {"1,0",
           "1:1: in layout: expected '{', found '1'\n"
           "  1,0\n"
           "  ^"},
          {"{,}",
           "1:2: in layout: expected a dimension number, ':' or '}', found "
           "','\n"
           "  {,}\n"
           "   ^"},
          {"{0:#(s32)}",
           "1:6: in index type #: expected an unsigned integer type, found "
           "'s32'\n"
           "  {0:#(s32)}\n"
           "       ^"},
          {"{1,0:P(f32[8]{0:T(-1)})}",
           "1:19: tiles[0][0] = -1 is neither positive nor '*'\n"
           "  {1,0:P(f32[8]{0:T(-1)})}\n"
           "                    ^"},
      },
      [](std::string_view text) { return ParseLayout(text).status(); });
}

TEST(ErrorText, OfTiles) {
  ExpectErrors(
      {
          {"8,128",
           "1:1: in tile: expected '(', found '8'\n"
           "  8,128\n"
           "  ^"},
          {"(8,128)(2,1)",
           "1:8: after the tile: expected end of text, found '('\n"
           "  (8,128)(2,1)\n"
           "         ^"},
          {"(8, 0)",
           "1:5: tiles[0][1] = 0 is neither positive nor '*'\n"
           "  (8, 0)\n"
           "      ^"},
      },
      [](std::string_view text) { return ParseTile(text).status(); });
}

TEST(ErrorText, OfProgramShapes) {
  ExpectErrors(
      {
          {"((unknown): f32[]) -> f32[]",
           "1:2: in program shape: expected a parameter name, found '('\n"
           "  ((unknown): f32[]) -> f32[]\n"
           "   ^"},
          {"(x: f32[]) - > f32[]",
           "1:12: in program shape: expected '->', found '-'\n"
           "  (x: f32[]) - > f32[]\n"
           "             ^"},
          {"(x f32[]) -> f32[]",
           "1:4: in program shape: expected ':', found 'f32'\n"
           "  (x f32[]) -> f32[]\n"
           "     ^"},
      },
      [](std::string_view text) { return ParseProgramShape(text).status(); });
}

TEST(ErrorText, ComesAsDataToo) {
  const std::optional<Diagnostic> diagnostic =
      DiagnosticOf(ParseShape("(\n  f32[8]{0:T()}\n)").status());
  ASSERT_TRUE(diagnostic.has_value());
  EXPECT_EQ(diagnostic->offset, 15);
  EXPECT_EQ(diagnostic->line, 2);
  EXPECT_EQ(diagnostic->column, 14);
  EXPECT_EQ(diagnostic->message,
            "in tile: expected a dimension or '*', found ')'");
  EXPECT_EQ(diagnostic->excerpt, "  f32[8]{0:T()}");
  EXPECT_EQ(diagnostic->caret, 13);
}

}  // namespace
}  // namespace tessera
