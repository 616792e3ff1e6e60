#include "tessera/cute/parse.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "absl/hash/hash.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/cute/algebra/coalesce.h"
#include "tessera/cute/algebra/composition.h"
#include "tessera/cute/coordinates.h"
#include "tessera/cute/int_tuple.h"
#include "tessera/cute/layout.h"
#include "tessera/cute/layout_function.h"
#include "tessera/cute/shape_division.h"
#include "tessera/cute/text_form.h"
#include "tessera/cute/tiler.h"
#include "tessera/tests/cute/cute_values.h"
#include "tessera/tests/status_matchers.h"

namespace tessera::cute {
namespace {

// What a text is to be read as.
enum class Kind { kLayout, kBareShape, kIntTuple, kTiler, kSwizzle, kComposed };

template <typename T>
absl::StatusOr<std::string> Text(const absl::StatusOr<T>& parsed) {
  if (!parsed.ok()) return parsed.status();
  return parsed->ToString();
}

absl::StatusOr<std::string> Parse(Kind kind, std::string_view text) {
  ParseOptions options;
  switch (kind) {
    case Kind::kLayout:
      return Text(ParseLayout(text));
    case Kind::kBareShape:
      options.allow_bare_shape = true;
      return Text(ParseLayout(text, options));
    case Kind::kIntTuple:
      return Text(ParseIntTuple(text));
    case Kind::kTiler:
      return Text(ParseTiler(text));
    case Kind::kSwizzle:
      return Text(ParseSwizzle(text));
    case Kind::kComposed:
      break;
  }
  return Text(ParseComposedLayout(text));
}

TEST(Parse, AcceptedSpellings) {
  const struct {
    Kind kind;
    std::string_view text;
    std::string_view expected;
  } kCases[] = {
      {Kind::kLayout, "4:1", "4:1"},
      {Kind::kLayout, "_4:_-1", "4:-1"},
      {Kind::kLayout, "(4):(2)", "(4):(2)"},
      {Kind::kLayout, "():()", "():()"},
      {Kind::kLayout, "(4,):(1,)", "(4):(1)"},
      {Kind::kLayout, "((2,2,),3,):((24,2,),8,)", "((2,2),3):((24,2),8)"},
      {Kind::kLayout, " ( 4 , 2 ) : ( 1 , 4 ) ", "(4,2):(1,4)"},
      {Kind::kLayout, "(4,\n 2)\t:\r\n(1, 4)\n", "(4,2):(1,4)"},
      {Kind::kLayout, "4/*s*/:/*d*/1 // end", "4:1"},
      {Kind::kLayout, "(_3,(2,4)):(236,(26,1))", "(3,(2,4)):(236,(26,1))"},
      {Kind::kLayout, "9223372036854775807:1", "9223372036854775807:1"},
      {Kind::kLayout, "1:-9223372036854775807", "1:-9223372036854775807"},
      {Kind::kLayout, "004:-01", "4:-1"},
      {Kind::kLayout, "(8,4):(_1@0,2@1)", "(8,4):(1@0,2@1)"},
      {Kind::kLayout, "(8,4):(1@1@0, 1 @ 0 @ 0)", "(8,4):(1@1@0,1@0@0)"},
      {Kind::kLayout, "4:1@254@0@0@0@0@0@0@254", "4:1@254@0@0@0@0@0@0@254"},
      {Kind::kLayout, "(4,2):(0,1@0)", "(4,2):(0,1@0)"},
      {Kind::kBareShape, "4", "4:1"},
      {Kind::kBareShape, "()", "():()"},
      {Kind::kBareShape, "(4,(1,3),)", "(4,(1,3)):(1,(0,4))"},
      {Kind::kBareShape, "(4,2):(2,1)", "(4,2):(2,1)"},
      {Kind::kIntTuple, "-3", "-3"},
      {Kind::kIntTuple, "_", "_"},
      {Kind::kIntTuple, "_7", "7"},
      {Kind::kIntTuple, "(_,_-3,0)", "(_,-3,0)"},
      {Kind::kIntTuple, "((),(()))", "((),(()))"},
      {Kind::kTiler, "_", "_"},
      {Kind::kTiler, "8", "8:1"},
      {Kind::kTiler, "8:2", "8:2"},
      {Kind::kTiler, "(4,8)", "(4:1,8:1)"},
      {Kind::kTiler, "(4,8):(1,4)", "(4,8):(1,4)"},
      {Kind::kTiler, "<>", "()"},
      {Kind::kTiler, "[]", "()"},
      {Kind::kTiler, "[4:1,2:1]", "(4:1,2:1)"},
      {Kind::kTiler, "[4:1;2:1;]", "(4:1,2:1)"},
      {Kind::kTiler, "<4:1,2:1,>", "(4:1,2:1)"},
      {Kind::kTiler, "<[4;2],_,<(2,2):(1,2)>>", "((4:1,2:1),_,((2,2):(1,2)))"},
      {Kind::kTiler, "<(4:1,2)>", "((4:1,2:1))"},
      {Kind::kTiler, "<(4,2):(1@0,1@1), 3>", "((4,2):(1@0,1@1),3:1)"},
      {Kind::kSwizzle, "Sw<2,0,-3>", "Sw<2,0,-3>"},
      {Kind::kSwizzle, " S < _2 , _0 , _3 > ", "Sw<2,0,3>"},
      {Kind::kSwizzle, "SW_2_0_-3", "Sw<2,0,-3>"},
      {Kind::kComposed, "S<2,0,3>o -5 o 4:1", "Sw<2,0,3> o -5 o 4:1"},
      {Kind::kComposed, "SW_2_0_3 o _0 o (_8,_8):(_8,_1)",
       "Sw<2,0,3> o 0 o (8,8):(8,1)"},
      {Kind::kComposed, "(4,2):(1,8) o 3 o 8:1", "(4,2):(1,8) o 3 o 8:1"},
  };
  for (const auto& c : kCases) {
    const absl::StatusOr<std::string> text = Parse(c.kind, c.text);
    ASSERT_THAT(text, IsOk()) << c.text;
    EXPECT_EQ(*text, c.expected) << c.text;
  }
}

TEST(Parse, MalformedText) {
  const std::string_view kTooLow = "the integer is below -(2^63-1)";
  const std::string_view kTooLarge =
      "the integer is not between -(2^63-1) and 2^63-1";
  const std::string_view kBasis =
      "a basis element names modes 0 to 254, nested at most 8 deep";
  const struct {
    Kind kind;
    std::string_view text;
    int64_t column;
    std::string_view message;
  } kCases[] = {
      // No layout at all, or half of one.
      {Kind::kLayout, "", 1,
       "expected an integer, '_' or '(', found end of text"},
      {Kind::kLayout, " ", 2,
       "expected an integer, '_' or '(', found end of text"},
      {Kind::kLayout, "4", 2, "expected ':' and the stride, found end of text"},
      {Kind::kLayout, "4:", 3,
       "expected an integer as in the shape, found end of text"},
      {Kind::kLayout, ":1", 1, "expected an integer, '_' or '(', found ':'"},
      {Kind::kLayout, "4;1", 2, "expected ':' and the stride, found ';'"},
      {Kind::kLayout, "4::1", 3,
       "expected an integer as in the shape, found ':'"},
      {Kind::kLayout, "(4:1,2:1)", 10,
       "expected a layout, found a tiler, which applies by mode"},
      {Kind::kLayout, "[4,2]:(1,2)", 6, "a tiler is not a shape"},
      {Kind::kLayout, "<4,2>:(1,2)", 6, "a tiler is not a shape"},
      {Kind::kLayout, "(4:1,2):(1,2)", 8,
       "the part before ':' already has a stride"},
      {Kind::kLayout, "((4:1,2):3)", 9,
       "the part before ':' already has a stride"},
      // A stride that is nested otherwise.
      {Kind::kLayout, "4:(1)", 3,
       "expected an integer as in the shape, found '('"},
      {Kind::kLayout, "4:()", 3,
       "expected an integer as in the shape, found '('"},
      {Kind::kLayout, "():1", 4, "expected '(' as in the shape, found '1'"},
      {Kind::kLayout, "(4,2):1", 7, "expected '(' as in the shape, found '1'"},
      {Kind::kLayout, "(4,2):(1)", 9,
       "expected ',' as in the shape, found ')'"},
      {Kind::kLayout, "(4,2):(1,2,3)", 12,
       "expected ')' as in the shape, found '3'"},
      {Kind::kLayout, "(4,(2)):(1,2)", 12,
       "expected '(' as in the shape, found '2'"},
      {Kind::kLayout, "(4,2):((1),2)", 8,
       "expected an integer as in the shape, found '('"},
      {Kind::kLayout, "(4,2):[1,2]", 7,
       "expected '(' as in the shape, found '['"},
      {Kind::kLayout, "(4,2):(1;2)", 9,
       "expected ',' as in the shape, found ';'"},
      // Commas and parentheses.
      {Kind::kLayout, "(4 2):(1,2)", 4, "expected ',' or ')', found '2'"},
      {Kind::kLayout, "(4,2", 5, "expected ',' or ')', found end of text"},
      {Kind::kLayout, "(4:1", 5, "expected ',' or ')', found end of text"},
      {Kind::kLayout, "((4,2):(1,4)", 13,
       "expected ',' or ')', found end of text"},
      {Kind::kLayout, "(4,2):(1,2", 11,
       "expected ')' as in the shape, found end of text"},
      {Kind::kLayout, "(4,,2):(1,1,2)", 4,
       "expected an integer, '_' or '(', found ','"},
      {Kind::kLayout, "(,4):(1,2)", 2,
       "expected an integer, '_' or '(', found ','"},
      {Kind::kLayout, "4:1)", 4, "expected the end of the layout, found ')'"},
      {Kind::kLayout, "4:1,", 4, "expected the end of the layout, found ','"},
      {Kind::kLayout, "(4,2):(1,2)x", 12,
       "expected the end of the layout, found 'x'"},
      {Kind::kLayout, "(4,2):(1,2):3", 12,
       "expected the end of the layout, found ':'"},
      {Kind::kLayout, "4:1 o 3", 5,
       "expected the end of the layout, found 'o'"},
      {Kind::kLayout, "4:1\x01", 4,
       "expected the end of the layout, found byte 0x01"},
      {Kind::kLayout, "4:1 /* open", 5,
       "expected the end of the layout, found a comment without an end"},
      // Sizes.
      {Kind::kLayout, "0:1", 1, "the size 0 is less than 1"},
      {Kind::kLayout, "-3:1", 1, "the size -3 is less than 1"},
      {Kind::kLayout, "(4,0):(1,2)", 4, "the size 0 is less than 1"},
      {Kind::kLayout, "(4,_):(1,2)", 4, "'_' is not a size"},
      {Kind::kLayout, "?:1", 1,
       "'?' is known at run time only; write a number"},
      {Kind::kLayout, "(?,4):(1,2)", 2,
       "'?' is known at run time only; write a number"},
      {Kind::kLayout, "(2,()):(1,())", 7,
       "an empty tuple is not a mode of a layout"},
      {Kind::kLayout, "(()):(())", 5,
       "an empty tuple is not a mode of a layout"},
      // What is no integer.
      {Kind::kLayout, "x:1", 1, "expected an integer, '_' or '(', found 'x'"},
      {Kind::kLayout, "4:x", 3,
       "expected an integer as in the shape, found 'x'"},
      {Kind::kLayout, "4:_", 3,
       "expected an integer as in the shape, found '_'"},
      {Kind::kLayout, "4:?", 3,
       "'?' is known at run time only; write a number"},
      {Kind::kLayout, "+4:1", 1, "expected an integer, '_' or '(', found '+4'"},
      {Kind::kLayout, "4.5:1", 1,
       "expected an integer, '_' or '(', found '4.5'"},
      {Kind::kLayout, "_3.5:1", 1,
       "expected an integer, '_' or '(', found '_3.5'"},
      {Kind::kLayout, "1e3:1", 1,
       "expected an integer, '_' or '(', found '1e3'"},
      {Kind::kLayout, "0x10:1", 1,
       "expected an integer, '_' or '(', found '0x10'"},
      {Kind::kLayout, "_4_:1", 1,
       "expected an integer, '_' or '(', found '_4_'"},
      {Kind::kLayout, "4:_-", 3,
       "expected an integer as in the shape, found '_-'"},
      {Kind::kLayout, "4:__1", 3,
       "expected an integer as in the shape, found '__1'"},
      {Kind::kLayout, "_ 4:1", 3, "expected ':' and the stride, found '4'"},
      {Kind::kLayout, "\"4\":1", 1,
       "expected an integer, '_' or '(', found '\"'"},
      // What does not fit.
      {Kind::kLayout, "9223372036854775808:1", 1, kTooLarge},
      {Kind::kLayout, "_9223372036854775808:1", 1, kTooLarge},
      {Kind::kLayout, "(4, 99999999999999999999):(1,4)", 5, kTooLarge},
      {Kind::kLayout, "4:9223372036854775808", 3, kTooLarge},
      {Kind::kLayout, "4:_-9223372036854775809", 3, kTooLarge},
      {Kind::kLayout, "4:1@99999999999999999999", 5, kTooLarge},
      {Kind::kLayout, "-9223372036854775808:1", 1, kTooLow},
      {Kind::kLayout, "4:-9223372036854775808", 3, kTooLow},
      {Kind::kLayout, "(4294967296,4294967296):(1,1)", 13,
       "the size exceeds 2^63-1"},
      {Kind::kLayout, "3:4611686018427387904", 3, "the cosize exceeds 2^63-1"},
      {Kind::kLayout, "(2,3):(1,4611686018427387904)", 10,
       "the cosize exceeds 2^63-1"},
      {Kind::kLayout, "2:9223372036854775807", 3, "the cosize exceeds 2^63-1"},
      // Basis elements.
      {Kind::kLayout, "4:1@", 5,
       "expected a mode after '@', found end of text"},
      {Kind::kLayout, "4:1@x", 5, "expected a mode after '@', found 'x'"},
      {Kind::kLayout, "4:1@0.5", 5, "expected a mode after '@', found '0.5'"},
      {Kind::kLayout, "4:1@255", 5, kBasis},
      {Kind::kLayout, "4:1@-1", 5, kBasis},
      {Kind::kLayout, "4:1@0@1@2@3@4@5@6@7@8", 21, kBasis},
      {Kind::kLayout, "(4,2):(1@0,1)", 7,
       "strides of @0 and of plain offsets cannot be added: one counts within "
       "what the other counts"},
      {Kind::kLayout, "(4,2):(1@0,1@1@0)", 7,
       "strides of @1@0 and of @0 cannot be added: one counts within what the "
       "other counts"},
      // Bare shapes.
      {Kind::kBareShape, "(4,_)", 4, "'_' is not a size"},
      {Kind::kBareShape, "(4,0)", 4, "the size 0 is less than 1"},
      {Kind::kBareShape, "[4;2]", 6,
       "expected a layout, found a tiler, which applies by mode"},
      {Kind::kBareShape, "(4:1,2)", 8,
       "expected a layout, found a tiler, which applies by mode"},
      {Kind::kBareShape, "(4294967296,4294967296)", 13,
       "the size exceeds 2^63-1"},
      {Kind::kBareShape, "(4,())", 6,
       "an empty tuple is not a mode of a layout"},
      // Int tuples.
      {Kind::kIntTuple, "", 1,
       "expected an integer, '_' or '(', found end of text"},
      {Kind::kIntTuple, "4:1", 1,
       "expected an int tuple, found a layout or tiler"},
      {Kind::kIntTuple, "(4,[2])", 1,
       "expected an int tuple, found a layout or tiler"},
      {Kind::kIntTuple, "(4", 3, "expected ',' or ')', found end of text"},
      {Kind::kIntTuple, "(4;2)", 3, "expected ',' or ')', found ';'"},
      {Kind::kIntTuple, "(,)", 2, "expected an integer, '_' or '(', found ','"},
      {Kind::kIntTuple, "4 4", 3,
       "expected the end of the int tuple, found '4'"},
      {Kind::kIntTuple, "1@0", 2,
       "expected the end of the int tuple, found '@'"},
      {Kind::kIntTuple, "(4,?)", 4,
       "'?' is known at run time only; write a number"},
      {Kind::kIntTuple, "-9223372036854775808", 1, kTooLow},
      {Kind::kIntTuple, "_-9223372036854775808", 1, kTooLow},
      // Tilers.
      {Kind::kTiler, "[4:1;2:1", 9, "expected ';' or ']', found end of text"},
      {Kind::kTiler, "[4:1)", 5, "expected ';' or ']', found ')'"},
      {Kind::kTiler, "<4:1;2:1>", 5, "expected ',' or '>', found ';'"},
      {Kind::kTiler, "<4:1,2:1]", 9, "expected ',' or '>', found ']'"},
      {Kind::kTiler, "<3:4 8:2>", 6, "expected ',' or '>', found '8'"},
      {Kind::kTiler, "<-2,_>", 2, "the size -2 is less than 1"},
      {Kind::kTiler, "<4,0>", 4, "the size 0 is less than 1"},
      {Kind::kTiler, "<_:1>", 2, "'_' is not a size"},
      {Kind::kTiler, "<4:1,<2,?>>", 9,
       "'?' is known at run time only; write a number"},
      {Kind::kTiler, "<4:1,2>:3", 8,
       "the part before ':' already has a stride"},
      {Kind::kTiler, "<4:1> x", 7, "expected the end of the tiler, found 'x'"},
      // Swizzles.
      {Kind::kSwizzle, "", 1,
       "expected a swizzle such as Sw<2,0,3>, found end of text"},
      {Kind::kSwizzle, "sw<2,0,3>", 1,
       "expected a swizzle such as Sw<2,0,3>, found 'sw'"},
      {Kind::kSwizzle, "S(2,0,3)", 1,
       "expected a swizzle such as Sw<2,0,3>, found 'S'"},
      {Kind::kSwizzle, "Sw<", 4, "expected an integer, found end of text"},
      {Kind::kSwizzle, "Sw<x,0,3>", 4, "expected an integer, found 'x'"},
      {Kind::kSwizzle, "Sw<2;0,3>", 5, "expected ',', found ';'"},
      {Kind::kSwizzle, "Sw<2,0,3,4>", 9, "expected '>', found ','"},
      {Kind::kSwizzle, "Sw<2,0,3>x", 10,
       "expected the end of the swizzle, found 'x'"},
      {Kind::kSwizzle, "Sw<99999999999999999999,0,3>", 4, kTooLarge},
      {Kind::kSwizzle, "Sw<2,0,1>", 1,
       "Sw<2,0,1>: the fields overlap: the shift is less than the bits"},
      {Kind::kSwizzle, "SW_2_0", 1, "expected a swizzle such as SW_2_0_3"},
      {Kind::kSwizzle, "SW_2_0_3_4", 1, "expected a swizzle such as SW_2_0_3"},
      {Kind::kSwizzle, "SW_2__3", 1, "expected a swizzle such as SW_2_0_3"},
      // Composed layouts.
      {Kind::kComposed, "Sw<2,0,3>", 10, "expected 'o', found end of text"},
      {Kind::kComposed, "Sw<2,0,3> 0 4:1", 11, "expected 'o', found '0'"},
      {Kind::kComposed, "Sw<2,0,3> o x o 4:1", 13,
       "expected the offset, found 'x'"},
      {Kind::kComposed, "Sw<2,0,3> o _ o 4:1", 13,
       "expected the offset, found '_'"},
      {Kind::kComposed, "Sw<2,0,3> o -9223372036854775808 o 4:1", 13, kTooLow},
      {Kind::kComposed, "Sw<2,0,3> o 9223372036854775808 o 4:1", 13, kTooLarge},
      {Kind::kComposed, "Sw<2,0,3> o 0 x 4:1", 15, "expected 'o', found 'x'"},
      {Kind::kComposed, "Sw<2,0,3> o 0 o4:1", 15, "expected 'o', found 'o4'"},
      {Kind::kComposed, "Sw<2,0,3> o 0 o 4", 18,
       "expected ':' and the stride, found end of text"},
      {Kind::kComposed, "Sw<2,0,3> o 0 o <4:1>", 22,
       "expected a layout, found a tiler, which applies by mode"},
      {Kind::kComposed, "(4,2) o 0 o 4:1", 7,
       "expected ':' and the stride, found 'o'"},
      {Kind::kComposed, "4:1 o 0 o 4:1 o 2", 15,
       "expected the end of the layout, found 'o'"},
  };
  for (const auto& c : kCases) {
    const absl::StatusOr<std::string> text = Parse(c.kind, c.text);
    ASSERT_FALSE(text.ok()) << c.text << " is " << *text;
    const std::optional<Diagnostic> diagnostic = DiagnosticOf(text.status());
    ASSERT_TRUE(diagnostic.has_value()) << text.status();
    EXPECT_EQ(diagnostic->message, c.message) << c.text;
    EXPECT_EQ(diagnostic->column, c.column) << text.status().message();
    const bool is_too_large =
        c.message == kTooLarge ||
        c.message.find("exceeds") != std::string_view::npos;
    EXPECT_THAT(text,
                StatusIs(is_too_large ? absl::StatusCode::kOutOfRange
                                      : absl::StatusCode::kInvalidArgument))
        << c.text;
  }
}

TEST(Parse, CountsLines) {
  const std::optional<Diagnostic> diagnostic =
      DiagnosticOf(ParseLayout("(4,\n  x):(1,2)").status());
  EXPECT_EQ(diagnostic->line, 2);
  EXPECT_EQ(diagnostic->column, 3);
}

TEST(ReadTerm, OneAfterTheOther) {
  const std::string_view kText = "(4,_) 4:1 [2;_]Sw<2,0,3> o 0 o (8,8):(8,1)";
  size_t position = 0;
  // What was read, and what is left.
  const auto read = [&] {
    const absl::StatusOr<Term> term = ReadTerm(kText, &position);
    const std::string_view rest =
        tessera::StripLeadingAsciiWhitespace(kText.substr(position));
    if (!term.ok()) return absl::StrCat("error before ", AbslView(rest));
    const std::string text =
        std::visit([](const auto& value) { return value.ToString(); }, *term);
    return absl::StrCat(term->index(), " ", text, " before ", AbslView(rest));
  };
  EXPECT_EQ(read(), "0 (4,_) before 4:1 [2;_]Sw<2,0,3> o 0 o (8,8):(8,1)");
  EXPECT_EQ(read(), "1 4:1 before [2;_]Sw<2,0,3> o 0 o (8,8):(8,1)");
  EXPECT_EQ(read(), "2 (2:1,_) before Sw<2,0,3> o 0 o (8,8):(8,1)");
  EXPECT_EQ(read(), "3 Sw<2,0,3> before o 0 o (8,8):(8,1)");
  EXPECT_EQ(read(), "error before o 0 o (8,8):(8,1)");
  position = kText.find("0 o");
  EXPECT_EQ(read(), "0 0 before o (8,8):(8,1)");
}

TEST(ReadTerm, ErrorsCountFromTheStartOfTheText) {
  size_t position = 10;
  const absl::StatusOr<Term> term =
      ReadTerm("coalesce( (4,x):(1,4))", &position);
  EXPECT_EQ(position, 10u);
  EXPECT_EQ(DiagnosticOf(term.status())->column, 14);
}

std::string Repeated(std::string_view part, int64_t count) {
  std::string text;
  for (int64_t i = 0; i < count; ++i) absl::StrAppend(&text, AbslView(part));
  return text;
}

constexpr int64_t kMany = 100000;

std::string Nested(std::string_view open, std::string_view inner,
                   std::string_view close) {
  return absl::StrCat(Repeated(open, kMany), AbslView(inner),
                      Repeated(close, kMany));
}

template <typename T>
void ExpectValue(const T& value, const std::string& text) {
  EXPECT_EQ(value.ToString().size(), text.size());
  EXPECT_TRUE(value.ToString() == text);
  const T copy = value;
  EXPECT_TRUE(copy == value);
  EXPECT_EQ(absl::Hash<T>()(copy), absl::Hash<T>()(value));
}

// Of a depth at which anything recursive runs out of stack, and anything that
// looks at each level's whole takes minutes.
TEST(HostileText, DeepNesting) {
  const std::string shape = Nested("(", "4", ")");
  const std::string stride = Nested("(", "1", ")");
  const Layout layout = LayoutOf(absl::StrCat(shape, ":", stride));
  ExpectValue(layout, absl::StrCat(shape, ":", stride));
  EXPECT_EQ(layout.depth(), kMany);
  EXPECT_EQ(layout(3), 3);
  EXPECT_EQ(layout.At({3}), 3);
  EXPECT_EQ(LayoutFunction(layout)(3), 3);
  EXPECT_EQ(TextOf(Coalesce(layout)), "4:1");

  const IntTuple tuple = TupleOf(shape);
  ExpectValue(tuple, shape);
  EXPECT_TRUE(Compatible(4, tuple));
  EXPECT_TRUE(Compatible(tuple, tuple));
  EXPECT_EQ(*Size(tuple), 4);
  EXPECT_TRUE(*Idx2Crd(4, tuple) == tuple);
  EXPECT_EQ(*Crd2Idx(tuple, layout), 4);
  EXPECT_TRUE(*CeilDiv(tuple, tuple) == TupleOf(stride));
  EXPECT_TRUE(*Slice(tuple, layout) == LayoutOf("():()"));

  const Tiler tiler = TilerOf(shape);
  EXPECT_EQ(*Composition(layout, tiler), layout);
  TextForm form;
  form.dialect = Dialect::kIr;
  EXPECT_TRUE(tiler.ToString(form) == Nested("[", "4:1", "]"));
  ExpectValue(TilerOf(Nested("<", "4:2", ">")), Nested("(", "4:2", ")"));
}

TEST(HostileText, ManyLeaves) {
  const std::string shape = absl::StrCat("(", Repeated("1,", kMany), "4)");
  const std::string stride = absl::StrCat("(", Repeated("0,", kMany), "1)");
  const Layout layout = LayoutOf(absl::StrCat(shape, ":", stride));
  ExpectValue(layout, absl::StrCat(shape, ":", stride));
  EXPECT_EQ(layout.rank(), kMany + 1);
  EXPECT_EQ(layout(3), 3);
  EXPECT_EQ(TextOf(Coalesce(layout)), "4:1");
  ExpectValue(TupleOf(shape), shape);
  const Tiler tiler = TilerOf(shape);
  EXPECT_EQ(tiler.rank(), kMany + 1);
  EXPECT_EQ(Composition(layout, tiler)->size(), 4);
  EXPECT_EQ(Composition(layout, layout)->size(), 4);
  EXPECT_EQ(layout.Modes().size(), static_cast<size_t>(kMany + 1));
}

TEST(HostileText, Unfinished) {
  for (const std::string& text :
       {Repeated("(", kMany), Repeated("<", kMany), Repeated("[4;", kMany),
        Repeated("4:1,", kMany), Repeated("(4:1,", kMany),
        absl::StrCat(Nested("(", "4", ")"), ":", Repeated("(", kMany)),
        absl::StrCat(Nested("(", "4", ")"), ":", Nested("(", "x", ")")),
        Repeated("9", kMany), absl::StrCat("_", Repeated("9", kMany)),
        absl::StrCat("4:1", Repeated("@0", kMany)),
        absl::StrCat("4", Repeated(":1", kMany)), Repeated(" ", kMany),
        Repeated("/*", kMany), Repeated("SW_", kMany)}) {
    for (const Kind kind : {Kind::kLayout, Kind::kIntTuple, Kind::kTiler,
                            Kind::kSwizzle, Kind::kComposed}) {
      const absl::StatusOr<std::string> result = Parse(kind, text);
      ASSERT_FALSE(result.ok()) << text.substr(0, 20);
      ASSERT_TRUE(DiagnosticOf(result.status()).has_value());
      ASSERT_LT(result.status().message().size(), 1000u);
    }
  }
}

}  // namespace
}  // namespace tessera::cute
