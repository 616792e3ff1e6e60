#include "tessera/parser/parser.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/layout/layout.h"
#include "tessera/layout/tile.h"
#include "tessera/shape/physical_shape.h"
#include "tessera/shape/shape.h"
#include "tessera/shape/validate_shape.h"
#include "tessera/tests/status_matchers.h"

namespace tessera {
namespace {

ParseOptions Lenient() {
  ParseOptions options;
  options.lenient = true;
  return options;
}

ParseOptions UpperCaseTypes() {
  ParseOptions options;
  options.upper_case_types = true;
  return options;
}

ParseOptions KeepingMissingLayouts() {
  ParseOptions options;
  options.fill_missing_layouts = false;
  return options;
}

TEST(Parser, BuildsWhatTheTextSays) {
  Layout::Parts parts;
  parts.minor_to_major = {2, 0, 1};
  parts.tiles = {Tile({8, 128}), Tile({Tile::kCombineDimension, 1})};
  parts.tail_padding_alignment_in_elements = 2;
  parts.element_size_in_bits = 4;
  parts.memory_space = 5;
  parts.split_configs.resize(1);
  parts.split_configs[0].dimension = 1;
  parts.split_configs[0].split_indices = {3, 5};
  parts.dynamic_shape_metadata_prefix_bytes = 1024;
  const Shape array = Shape::Array(S4, {16, Shape::kUnboundedSize, 30},
                                   Layout(parts), {false, true, true});
  EXPECT_EQ(*ParseShape("s4[16,?,<=30]{2,0,1:T(8,128)(*,1)L(2)E(4)S(5)"
                        "SC(1:3,5)M(1024)}"),
            array);
  EXPECT_EQ(*ParseShape("(token[], (), opaque[], b(f32[2]{0}))"),
            Shape::Tuple({Shape::Token(), Shape::Tuple({}), Shape::Opaque(),
                          Shape::Buffer(Shape::Array(F32, {2}, Layout({0})))}));
}

// Texts that are read, and the canonical text of what they mean.
struct Accepted {
  std::string_view text;
  std::string_view canonical;
};

constexpr Accepted kAccepted[] = {
    // The rows of the reference's table of what XLA's parser takes.
    {"f32 [ 2 , 3 ] { 1 , 0 }", "f32[2,3]{1,0}"},
    {"f32[8]/*c*/{/*d*/0}", "f32[8]{0}"},
    {"f32[8] // c", "f32[8]{0}"},
    {"f32[]{:}", "f32[]"},
    {"f32[2,3]{1,0:}", "f32[2,3]{1,0}"},
    {"f32[0]", "f32[0]{0}"},
    {"f32[?,<=4,5]", "f32[?,<=4,5]{2,1,0}"},
    {"f32[<= 4]", "f32[<=4]{0}"},
    {"()", "()"},
    {"((f32[1]),())", "((f32[1]{0}), ())"},
    {"(b(f32[2]),token[])", "(b(f32[2]{0}), token[])"},
    {"f32[8]{0:S(200)}", "f32[8]{0:S(200)}"},
    {"f32[8]{0:SC(0:)}", "f32[8]{0:SC(0:)}"},
    {"f32[8]{0:D(C+~,S)T(2)}", "f32[8]{0:T(2)}"},
    // Blanks and comments.
    {"\t\r\n f32 \n[]", "f32[]"},
    {"f32[0,1,2]{0, 1, 2:T(2, * , 128)}", "f32[0,1,2]{0,1,2:T(2,*,128)}"},
    {"f32[8]{0:T (8) (2)}", "f32[8]{0:T(8)(2)}"},
    {"f32[8]{0 : T(8)}", "f32[8]{0:T(8)}"},
    {"( /*(*/ f32[] // )\n , /*index=1*/ token [ ] )", "(f32[], token[])"},
    {"b /**/ ( f32[2]{0} )", "b(f32[2]{0})"},
    // Numbers.
    {"f32[007]{00}", "f32[7]{0}"},
    {"f32[0000000000000000000000000000001]", "f32[1]{0}"},
    {"s8[1152921504606846975]{0}", "s8[1152921504606846975]{0}"},
    {"f32[0,9223372036854775807]", "f32[0,9223372036854775807]{1,0}"},
    {"f32[1048576,1048576,1024,1024]",
     "f32[1048576,1048576,1024,1024]{3,2,1,0}"},
    {"u8[9223372036854775807]", "u8[9223372036854775807]{0}"},
    {"(s8[4611686018427387904]{0:T(2)(3)})",
     "(s8[4611686018427387904]{0:T(2)(3)})"},
    {"f32[8,8]{1,0:T(-9223372036854775808,4)}", "f32[8,8]{1,0:T(*,4)}"},
    {"f32[8]{0:S(9223372036854775807)}", "f32[8]{0:S(9223372036854775807)}"},
    // Annotations, in any order.
    {"f32[8]{0:M(8)SC(0:2,4)S(1)E(32)L(2)T(2)}",
     "f32[8]{0:T(2)L(2)E(32)S(1)SC(0:2,4)M(8)}"},
    {"f32[8]{0:S(1)D(D)E(32)}", "f32[8]{0:E(32)S(1)}"},
    {"f32[4,8]{1,0:SC(0:2)(1:3,4)}", "f32[4,8]{1,0:SC(0:2)(1:3,4)}"},
    {"f32[]{:T(128)}", "f32[]{:T(128)}"},
    {"u32[]{:S(0)L(1)E(0)M(0)}", "u32[]"},
    {"f32[2]{0:T(8,8,8,8)(2,2,2)}", "f32[2]{0:T(8,8,8,8)(2,2,2)}"},
    // Angle brackets.
    {"f32[3,5]<1,0:T(2,2)>", "f32[3,5]{1,0:T(2,2)}"},
    {"(f32[]<:T(8)>,f32[2] < 0 >)", "(f32[]{:T(8)}, f32[2]{0})"},
    // Every dimension of a high rank.
    {"f32[1,1,1,1,1,1,1,1,1]{0,2,4,6,8,1,3,5,7}",
     "f32[1,1,1,1,1,1,1,1,1]{0,2,4,6,8,1,3,5,7}"},
    {"f32[1,1,1,1,1,1,1,1,<=9]", "f32[1,1,1,1,1,1,1,1,<=9]{8,7,6,5,4,3,2,1,0}"},
    {"(f32[],f32[],f32[],f32[],f32[],(f32[],f32[]))",
     "(f32[], f32[], f32[], f32[], f32[], /*index=5*/(f32[], f32[]))"},
};

TEST(Parser, Accepts) {
  for (const ParseOptions& options : {ParseOptions(), Lenient()}) {
    for (const Accepted& c : kAccepted) {
      const absl::StatusOr<Shape> shape = ParseShape(c.text, options);
      ASSERT_THAT(shape, IsOk());
      EXPECT_EQ(shape->ToString(), c.canonical) << c.text;
      EXPECT_THAT(ValidateShape(*shape), IsOk()) << c.text;
      EXPECT_EQ(*ParseShape(c.canonical, options), *shape) << c.text;
    }
  }
}

// The layouts of XLA's own tests and dumps, most frequent first.
TEST(Parser, ReadsTheAnnotationsOfRealText) {
  for (const std::string_view annotations : {"T(128)",
                                             "T(8,128)(2,1)",
                                             "T(8,128)",
                                             "T(256)",
                                             "T(1,128)",
                                             "S(1)",
                                             "T(2,128)",
                                             "E(4)",
                                             "S(5)",
                                             "T(512)",
                                             "S(2)",
                                             "T(8,128)(4,1)",
                                             "T(8,128)S(1)",
                                             "T(128)S(1)",
                                             "T(1024)",
                                             "T(128)S(6)",
                                             "T(4,128)",
                                             "T(2,128)(2,1)",
                                             "T(8)M(1024)",
                                             "T(8,128)(4,1)S(1)",
                                             "T(128)S(1)SC(0:3)",
                                             "T(16,128)(2,1)",
                                             "E(2)",
                                             "T(8,128)(8,1)E(4)",
                                             "T(64,128)(8,1)E(4)S(1)",
                                             "T(32,128)(4,1)",
                                             "T(8)L(1024)",
                                             "T(1024)(128)(2,1)",
                                             "T(2,4)(1)",
                                             "T(128)(2)"}) {
    const std::string text =
        absl::StrCat("bf16[16,256]{1,0:", AbslView(annotations), "}");
    const absl::StatusOr<Shape> shape = ParseShape(text);
    ASSERT_THAT(shape, IsOk());
    EXPECT_EQ(shape->ToString(), text);
  }
}

// Texts that are refused, in which column of their only line, and with what.
struct Rejected {
  std::string_view text;
  int64_t column;
  std::string_view message;
};

void ExpectRejected(const Rejected& c, const absl::Status& status) {
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kInvalidArgument)) << c.text;
  const std::optional<Diagnostic> diagnostic = DiagnosticOf(status);
  ASSERT_TRUE(diagnostic.has_value()) << c.text;
  EXPECT_EQ(diagnostic->message, c.message) << c.text;
  EXPECT_EQ(diagnostic->line, 1) << c.text;
  EXPECT_EQ(diagnostic->column, c.column) << c.text;
  EXPECT_EQ(diagnostic->offset, c.column - 1) << c.text;
}

constexpr Rejected kRejected[] = {
    // The rows of the reference's table.
    {"f32", 4, "in shape: expected '[', found end of text"},
    {"f32[", 5,
     "in dimensions: expected a size, '?', '<=' or ']', found end of text"},
    {"f32[2,]", 7, "in dimensions: expected a size, '?' or '<=', found ']'"},
    {"f32[,2]", 5,
     "in dimensions: expected a size, '?', '<=' or ']', found ','"},
    {"f32[2x3]", 5,
     "in dimensions: expected a size, '?', '<=' or ']', found '2x3'"},
    {"f32[1e3]", 5,
     "in dimensions: expected a size, '?', '<=' or ']', found '1e3'"},
    {"f32[<=?]", 7, "in dimensions: expected a bound after '<=', found '?'"},
    {"f32[-1]", 5, "dimensions[0] = -1 is negative"},
    {"(f32[2],)", 9, "in tuple: expected a type or '(', found ')'"},
    {"(f32[2] s32[])", 9, "in tuple: expected ',' or ')', found 's32'"},
    {"b()", 3, "in buffer: expected an array, found ')'"},
    {"b(token[])", 3, "in buffer: expected an array, found 'token'"},
    {"b(b(f32[2]))", 3, "in buffer: expected an array, found 'b'"},
    {"b((f32[2]))", 3, "in buffer: expected an array, found '('"},
    {"f32[2,3]{0}", 10,
     "minor_to_major has 1 entry, but the array has 2 dimensions"},
    {"f32[2,3]{:T(8,128)}", 10,
     "minor_to_major has 0 entries, but the array has 2 dimensions"},
    {"f32[8]{0}{0}", 10,
     "after the shape: expected end of text, found '{'; only an array has a "
     "layout, and only one"},
    {"f32[8]{0} x", 11, "after the shape: expected end of text, found 'x'"},
    {"f32[2,3]{5,7}", 10, "minor_to_major[0] = 5 is outside [0, 2)"},
    {"f32[2,3]{0,0}", 12, "minor_to_major {0,0} names dimension 0 twice"},
    {"f32[2]{-1}", 8, "minor_to_major[0] = -1 is outside [0, 1)"},
    {"(f32[2,3]{0,0})", 13, "minor_to_major {0,0} names dimension 0 twice"},
    {"f32[9223372036854775807,2]", 25,
     "the number of elements, 9223372036854775807 * 2 up to dimensions[1], "
     "exceeds 2^63-1"},
    {"(f32[9223372036854775807,2])", 26,
     "the number of elements, 9223372036854775807 * 2 up to dimensions[1], "
     "exceeds 2^63-1"},
    {"f32[9223372036854775808]", 5,
     "in dimensions: '9223372036854775808' is above the limit "
     "9223372036854775807"},
    {"f32[<=9223372036854775808]", 7,
     "in dimensions: '9223372036854775808' is above the limit "
     "9223372036854775807"},
    {"f32[<=-9223372036854775808]", 7,
     "in dimensions: the bound -9223372036854775808 is negative"},
    {"token[2]", 7, "in shape: expected ']', found '2'"},
    {"token[]{0}", 8, "in shape: token[] has no layout"},
    {"opaque[]{:S(1)}", 9, "in shape: opaque[] has no layout"},
    {"f32[8]{0:T(2}", 13, "in tile: expected ',' or ')', found '}'"},
    {"f32[8]{0:T}", 11, "in tile: expected '(', found '}'"},
    {"f32[8]{0:E(}", 12, "in element size E: expected an integer, found '}'"},
    {"f32[8]{0:S}", 11, "in memory space S: expected '(', found '}'"},
    {"f32[8]{0:T()}", 12, "in tile: expected a dimension or '*', found ')'"},
    {"f32[8]{0:T(0)}", 12, "tiles[0][0] = 0 is neither positive nor '*'"},
    {"f32[8]{0:T(-2)}", 12, "tiles[0][0] = -2 is neither positive nor '*'"},
    {"f32[8]{0:L(0)}", 12, "tail padding L(0) is below 1"},
    {"f32[8]{0:L(-3)}", 12, "tail padding L(-3) is below 1"},
    {"f32[8]{0:S(-1)}", 12, "memory space S(-1) is below 0"},
    {"f32[8]{0:M(-5)}", 12, "metadata prefix M(-5) is below 0"},
    {"f32[8]{0:E(-4)}", 12, "element size E(-4) is below 0"},
    {"f32[8]{0:#(f32)}", 12,
     "in index type #: expected an unsigned integer type, found 'f32'"},
    {"f32[8]{0:#(s32)}", 12,
     "in index type #: expected an unsigned integer type, found 's32'"},
    {"f32[8]{0:#(u32)}", 12,
     "index type u32 belongs to a sparse layout, and arrays are dense"},
    {"f32[8]{0:*(u16)}", 12,
     "pointer type u16 belongs to a sparse layout, and arrays are dense"},
    {"f32[8]{0:SC(3:1)}", 13,
     "split_configs[0] cuts physical dimension 3, which is outside [0, 1)"},
    {"f32[8]{0:SC(0:9)}", 15,
     "split_configs[0] cuts physical dimension 0 at 9, which is not below its "
     "size 8"},
    {"f32[8]{0:SC(0:2,1)}", 17,
     "split_configs[0] has the index 1 after 2, but its indices must be "
     "positive and increase"},
    {"f32[8]{0:D(X)}", 12,
     "in level types D: expected D, C, S or H, found 'X'"},
    {"f32[8]{0:P(f32[8])}", 10,
     "in layout: P is read only in a layout without a shape"},
    {"f32[8]{0:SC(0)}", 14, "in split config SC: expected ':', found ')'"},
    // Types.
    {"Bf16[2]", 1,
     "in shape: expected a type or '(', found 'Bf16'; type names are lower "
     "case"},
    {"f32x[2]", 1, "in shape: expected a type or '(', found 'f32x'"},
    {"f32.x[2]", 1, "in shape: expected a type or '(', found 'f32.x'"},
    {"f32-[2]", 1, "in shape: expected a type or '(', found 'f32-'"},
    {"opaque_type[]", 1,
     "in shape: expected a type or '(', found 'opaque_type'"},
    {"tuple[]", 1, "in shape: expected a type or '(', found 'tuple'"},
    {"buffer[]", 1, "in shape: expected a type or '(', found 'buffer'"},
    {"primitive_type_invalid[]", 1,
     "in shape: expected a type or '(', found 'primitive_type_invalid'"},
    {"token", 6, "in shape: expected '[', found end of text"},
    {"B(f32[])", 1, "in shape: expected a type or '(', found 'B'"},
    {"b[]", 2, "in buffer: expected '(', found '['"},
    {"b(f32[]", 8, "in buffer: expected ')', found end of text"},
    {"b(f32[2]{0:T(0)})", 14, "tiles[0][0] = 0 is neither positive nor '*'"},
    {"%f32[]", 1, "in shape: expected a type or '(', found '%'"},
    // Tuples.
    {"(", 2, "in tuple: expected a type, '(' or ')', found end of text"},
    {"(()", 4, "in tuple: expected ',' or ')', found end of text"},
    {"(,)", 2, "in tuple: expected a type, '(' or ')', found ','"},
    {"())", 3, "after the shape: expected end of text, found ')'"},
    {"(f32[]){0}", 8,
     "after the shape: expected end of text, found '{'; only an array has a "
     "layout, and only one"},
    {"{f32[]}", 1, "in shape: expected a type or '(', found '{'"},
    // Dimensions.
    {"f32[+3]", 5,
     "in dimensions: expected a size, '?', '<=' or ']', found '+3'"},
    {"f32[0x10]", 5,
     "in dimensions: expected a size, '?', '<=' or ']', found '0x10'"},
    {"f32[2_3]", 5,
     "in dimensions: expected a size, '?', '<=' or ']', found '2_3'"},
    {"f32[2.5]", 5,
     "in dimensions: expected a size, '?', '<=' or ']', found '2.5'"},
    {"f32[*]", 5,
     "in dimensions: expected a size, '?', '<=' or ']', found '*'"},
    {"f32[< =4]", 5,
     "in dimensions: expected a size, '?', '<=' or ']', found '<'"},
    {"f32[<=]", 7, "in dimensions: expected a bound after '<=', found ']'"},
    {"f32[<=-1]", 7, "in dimensions: the bound -1 is negative"},
    {"f32[?3]", 6, "in dimensions: expected ',' or ']', found '3'"},
    {"f32[2;3]", 6, "in dimensions: expected ',' or ']', found ';'"},
    {"f32[2)", 6, "in dimensions: expected ',' or ']', found ')'"},
    {"f32[-9223372036854775808]", 5,
     "dimensions[0] = -9223372036854775808 is negative"},
    {"f32[-9223372036854775809]", 5,
     "in dimensions: '-9223372036854775809' is below the limit "
     "-9223372036854775808"},
    {"f32[18446744073709551616]", 5,
     "in dimensions: '18446744073709551616' is above the limit "
     "9223372036854775807"},
    {"f32[4611686018427387904,4,0]", 25,
     "the number of elements, 4611686018427387904 * 4 up to dimensions[1], "
     "exceeds 2^63-1"},
    {"f64[2305843009213693952]", 1,
     "the size in bytes, 2305843009213693952 elements * 8, exceeds 2^63-1"},
    // Layouts.
    {"f32[8]{0,", 10,
     "in layout: expected a dimension number, found end of text"},
    {"f32[8]{0", 9, "in layout: expected ',', ':' or '}', found end of text"},
    {"f32[8]{0]", 9, "in layout: expected ',', ':' or '}', found ']'"},
    {"f32[8]{1e3}", 8, "in layout: expected a dimension number, found '1e3'"},
    {"f32[8]{9223372036854775808}", 8,
     "in layout: '9223372036854775808' is above the limit 9223372036854775807"},
    {"f32[8]{+0}", 7,
     "after the shape: expected end of text, found '{'; a layout begins with a "
     "dimension number or ':'"},
    {"f32[8]{0:", 10,
     "in layout: expected T, L, #, *, E, S, SC, M or '}', found end of text"},
    {"f32[8]{0:t(2)}", 10,
     "in layout: expected T, L, #, *, E, S, SC, M or '}', found 't'"},
    {"f32[8]{0:X(2)}", 10,
     "in layout: expected T, L, #, *, E, S, SC, M or '}', found 'X'"},
    {"f32[8]{0:C(0:1)}", 10,
     "in layout: expected T, L, #, *, E, S, SC, M or '}', found 'C'"},
    {"f32[8]{0:T(2),(4)}", 14,
     "in layout: expected T, L, #, *, E, S, SC, M or '}', found ','"},
    {"f32[8]{0:T(2)T(4)}", 14, "in layout: T is given twice"},
    {"f32[8]{0:SC(0:1)SC(0:2)}", 17, "in layout: SC is given twice"},
    {"f32[8]{0:D(D)S(1)D(D)}", 18, "in layout: D is given twice"},
    {"f32[8]{0:#(u8)#(u8)}", 15, "in layout: # is given twice"},
    {"f32[8]{0:S(1)(2)}", 14,
     "in layout: expected T, L, #, *, E, S, SC, M or '}', found '('"},
    {"f32[8]{0:S(1,2)}", 13, "in memory space S: expected ')', found ','"},
    {"f32[8]{0:S(1.5)}", 12,
     "in memory space S: expected an integer, found '1.5'"},
    {"f32[8]{0:T(2,,3)}", 14,
     "in tile: expected a dimension or '*', found ','"},
    {"f32[8]{0:T(?)}", 12, "in tile: expected a dimension or '*', found '?'"},
    {"f32[8]{0:T(*)}", 12,
     "tiles[0] = (*) ends in '*', which has no dimension to combine with"},
    {"f32[8]{0:T(9223372036854775808)}", 12,
     "in tile: '9223372036854775808' is above the limit 9223372036854775807"},
    {"f32[8]{0:SC(0:1,)}", 17,
     "in split config SC: expected an index, found ')'"},
    {"f32[8]{0:SC(:1)}", 13,
     "in split config SC: expected a dimension number, found ':'"},
    {"f32[8]{0:SC(0:1 2)}", 17,
     "in split config SC: expected ',' or ')', found '2'"},
    {"f32[8]{0:SC(0:1)(0:2)}", 18,
     "split_configs[1] cuts physical dimension 0 a second time"},
    {"f32[8]{0:D()}", 12, "in level types D: expected D, C, S or H, found ')'"},
    {"f32[8]{0:D(C~+)}", 14,
     "in level types D: expected ',' or ')', found '+'"},
    {"s8[4611686018427387904]{0:T(2)(3)E(12)}", 24,
     "the physical size, 6917529027641081856 elements of 12 bits, exceeds "
     "2^63-1 bytes"},
    // Brackets that do not match.
    {"f32[8]{0>", 9, "in layout: expected ',', ':' or '}', found '>'"},
    {"f32[8]<0}", 9, "in layout: expected ',', ':' or '>', found '}'"},
    {"f32[8]<0:T(2)}", 14,
     "in layout: expected T, L, #, *, E, S, SC, M or '>', found '}'"},
    {"f32[8]<=8", 7, "after the shape: expected end of text, found '<='"},
    {"f32[8]<", 7, "after the shape: expected end of text, found '<'"},
    // Comments and bytes that are no token.
    {"/* f32[]", 1,
     "in shape: expected a type or '(', found a comment without an end"},
    {"f32[2/*]", 6,
     "in dimensions: expected ',' or ']', found a comment without an end"},
    {"f32[2]{0}/", 10, "after the shape: expected end of text, found '/'"},
    {"# f32[]", 1, "in shape: expected a type or '(', found '#'"},
    {"f32[2]\xC2\xA0{0}", 7,
     "after the shape: expected end of text, found byte 0xc2"},
    {"f32[2\f]", 6, "in dimensions: expected ',' or ']', found byte 0x0c"},
};

TEST(Parser, Rejects) {
  for (const Rejected& c : kRejected) {
    ExpectRejected(c, ParseShape(c.text).status());
    // None of them is what leniency is for, but for the hint at it.
    if (!tessera::StrContains(c.message, "lower case")) {
      ExpectRejected(c, ParseShape(c.text, Lenient()).status());
      ExpectRejected(c, ParseShape(c.text, UpperCaseTypes()).status());
    }
  }
  const std::string nul("f32[2]\0{0}", 10);
  ExpectRejected({nul, 7,
                  "after the shape: expected end of text, found byte "
                  "0x00"},
                 ParseShape(nul).status());
  EXPECT_FALSE(ParseShape(std::string_view()).ok());
}

TEST(Parser, LeniencyTakesUpperCaseAndEmptyBraces) {
  struct Case {
    std::string_view text;
    std::string_view canonical;
    int64_t strict_column;
    std::string_view strict_message;
  };
  constexpr std::string_view kLowerCase =
      "in shape: expected a type or '(', found 'F32'; type names are lower "
      "case";
  constexpr std::string_view kEmptyBraces =
      "after the shape: expected end of text, found '{'; {} after an array is "
      "read only with the lenient option";
  for (const Case& c : {
           Case{"F32[2]", "f32[2]{0}", 1, kLowerCase},
           Case{"F32[2]{0:T(2)}", "f32[2]{0:T(2)}", 1, kLowerCase},
           Case{"f32[2,3]{}", "f32[2,3]{1,0}", 9, kEmptyBraces},
           Case{"f32[]{ /*c*/ }", "f32[]", 6, kEmptyBraces},
           Case{"f32[2] <>", "f32[2]{0}", 8,
                "after the shape: expected end of text, found '<'"},
           Case{"TOKEN[]", "token[]", 1,
                "in shape: expected a type or '(', found 'TOKEN'"},
           Case{"OPAQUE[]", "opaque[]", 1,
                "in shape: expected a type or '(', found 'OPAQUE'"},
           Case{"b(F8E4M3B11FNUZ[2]{})", "b(f8e4m3b11fnuz[2]{0})", 3,
                "in buffer: expected an array, found 'F8E4M3B11FNUZ'; type "
                "names are lower case"},
           Case{"(PRED[])", "(pred[])", 2,
                "in tuple: expected a type, '(' or ')', found 'PRED'; type "
                "names are lower case"},
       }) {
    const absl::StatusOr<Shape> shape = ParseShape(c.text, Lenient());
    ASSERT_THAT(shape, IsOk());
    EXPECT_EQ(shape->ToString(), c.canonical);
    ExpectRejected({c.text, c.strict_column, c.strict_message},
                   ParseShape(c.text).status());
  }
}

// Leniency without the empty braces, which are refused as they always are.
TEST(Parser, UpperCaseTypesAlone) {
  for (const auto& c : std::vector<std::pair<std::string, std::string>>{
           {"F32[3,5]{1,0:T(2,2)}", "f32[3,5]{1,0:T(2,2)}"},
           {"F32[3,5]<1,0:T(2,2)>", "f32[3,5]{1,0:T(2,2)}"},
           {"(PRED[], b(F8E4M3B11FNUZ[2]), TOKEN[], OPAQUE[], s4[3])",
            "(pred[], b(f8e4m3b11fnuz[2]{0}), token[], opaque[], s4[3]{0})"}}) {
    const absl::StatusOr<Shape> shape = ParseShape(c.first, UpperCaseTypes());
    ASSERT_THAT(shape, IsOk());
    EXPECT_EQ(shape->ToString(), c.second);
  }
  for (const std::string_view text :
       {"f32[2,3]{}", "f32[2,3] { /*c*/ }", "f32[2]<>", "b(f32[2]{})",
        "(s4[3]{})", "token[]{}", "Bf16[]", "Token[]"}) {
    EXPECT_EQ(ParseShape(text, UpperCaseTypes()).status().message(),
              ParseShape(text).status().message());
    EXPECT_FALSE(ParseShape(text, UpperCaseTypes()).ok()) << text;
  }
}

TEST(Parser, LeniencyTakesNoMore) {
  for (const Rejected& c : {
           Rejected{
               "Bf16[]", 1,
               "in shape: expected a type or '(', found 'Bf16'; type names "
               "are lower case"},
           Rejected{"Token[]", 1,
                    "in shape: expected a type or '(', found 'Token'"},
           Rejected{
               "f32[2]{>", 7,
               "after the shape: expected end of text, found '{'; a layout "
               "begins with a dimension number or ':'"},
           Rejected{
               "f32[2]{0}{}", 10,
               "after the shape: expected end of text, found '{'; a layout "
               "begins with a dimension number or ':'"},
           Rejected{
               "token[]{}", 8,
               "after the shape: expected end of text, found '{'; a layout "
               "begins with a dimension number or ':'"},
       }) {
    ExpectRejected(c, ParseShape(c.text, Lenient()).status());
  }
}

TEST(Parser, MissingLayouts) {
  struct Case {
    std::string_view text;
    std::string_view filled;
    std::string_view kept;
  };
  for (const Case& c :
       {Case{"f32[2,3]", "f32[2,3]{1,0}", "f32[2,3]"},
        Case{"(f32[2],b(s8[1,2,3]))", "(f32[2]{0}, b(s8[1,2,3]{2,1,0}))",
             "(f32[2], b(s8[1,2,3]))"},
        Case{"f32[2]{0}", "f32[2]{0}", "f32[2]{0}"}}) {
    EXPECT_EQ(ParseShape(c.text)->ToString(), c.filled);
    EXPECT_EQ(ParseShape(c.text, KeepingMissingLayouts())->ToString(), c.kept);
  }
  EXPECT_TRUE(ParseShape("f32[]")->has_layout());
  EXPECT_FALSE(ParseShape("f32[]", KeepingMissingLayouts())->has_layout());
  EXPECT_TRUE(ParseShape("f32[]{:}", KeepingMissingLayouts())->has_layout());
  ParseOptions lenient_keeping = KeepingMissingLayouts();
  lenient_keeping.lenient = true;
  EXPECT_FALSE(ParseShape("f32[2]{}", lenient_keeping)->has_layout());
  EXPECT_TRUE(ParseShape("f32[2]{}", Lenient())->has_layout());
  // An array without a layout is held to the rules as well.
  EXPECT_FALSE(ParseShape("f32[-1]", KeepingMissingLayouts()).ok());
}

TEST(Parser, ConsumeShapeLeavesTheRest) {
  struct Case {
    std::string_view text;
    std::string_view shape;
    std::string_view rest;
  };
  for (const Case& c : {
           Case{"f32[2]{0} add(x, y)", "f32[2]{0}", " add(x, y)"},
           Case{" f32[2] /*c*/ {\n x = 1}", "f32[2]{0}", " /*c*/ {\n x = 1}"},
           Case{"f32[2] {%a = f32[]}", "f32[2]{0}", " {%a = f32[]}"},
           Case{"f32[2] {1}", "", ""},
           Case{"f32[2]{0}{1,2}", "f32[2]{0}", "{1,2}"},
           Case{"f32[2]{}", "f32[2]{0}", "{}"},
           Case{"f32[2]<=4", "f32[2]{0}", "<=4"},
           Case{"(f32[2], ()){0}", "(f32[2]{0}, ())", "{0}"},
           Case{"token[] after-all()", "token[]", " after-all()"},
           Case{"token[]{ x }", "token[]", "{ x }"},
           Case{"b(f32[])) x", "b(f32[])", ") x"},
           Case{"f32[], s32[]", "f32[]", ", s32[]"},
       }) {
    std::string_view text = c.text;
    const absl::StatusOr<Shape> shape = ConsumeShape(&text);
    if (c.shape.empty()) {
      EXPECT_FALSE(shape.ok()) << c.text;
      EXPECT_EQ(text, c.text);
      continue;
    }
    ASSERT_THAT(shape, IsOk());
    EXPECT_EQ(shape->ToString(), c.shape) << c.text;
    EXPECT_EQ(text, c.rest);
  }
  std::string_view text = "f32[2]{} rest";
  EXPECT_THAT(ConsumeShape(&text, Lenient()), IsOk());
  EXPECT_EQ(text, " rest");
}

TEST(Parser, Layouts) {
  for (const Accepted& c : {
           Accepted{"{}", "{}"},
           Accepted{" < > ", "{}"},
           Accepted{"{:}", "{}"},
           Accepted{"{0:}", "{0}"},
           Accepted{"{1,0}", "{1,0}"},
           Accepted{"<1,0:T(2,2)>", "{1,0:T(2,2)}"},
           Accepted{"{:T(128)}", "{:T(128)}"},
           Accepted{"{3,2,1,0:T(42,123)(4,5)L(100)E(42)}",
                    "{3,2,1,0:T(42,123)(4,5)L(100)E(42)}"},
           Accepted{"{0:#(u32)}", "{0:#(u32)}"},
           Accepted{"{0:*(u16)#(u1)}", "{0:#(u1)*(u16)}"},
           Accepted{"{0:SC(0:9,10)}", "{0:SC(0:9,10)}"},
           Accepted{"{0:P(f32[8])S(2)}", "{0:S(2)P(f32[8]{0})}"},
           Accepted{"{0:P(( f32[8]{0:T(2)} ,(token[])))}",
                    "{0:P((f32[8]{0:T(2)}, (token[])))}"},
       }) {
    const absl::StatusOr<Layout> layout = ParseLayout(c.text);
    ASSERT_THAT(layout, IsOk());
    EXPECT_EQ(layout->ToString(), c.canonical) << c.text;
    EXPECT_EQ(*ParseLayout(c.canonical), *layout) << c.text;
  }
  EXPECT_EQ(*PhysicalShapeOf(*ParseLayout("{:P(f32[8]{0})}")),
            Shape::Array(F32, {8}, Layout({0})));
  EXPECT_EQ(ParseLayout("{:#(U8)}", Lenient())->ToString(), "{:#(u8)}");

  for (const Rejected& c : {
           Rejected{"", 1, "in layout: expected '{', found end of text"},
           Rejected{"{", 2,
                    "in layout: expected a dimension number, ':' or '}', found "
                    "end of text"},
           Rejected{"{1,0}x", 6,
                    "after the layout: expected end of text, found 'x'"},
           Rejected{"{1;0}", 3,
                    "in layout: expected ',', ':' or '}', found ';'"},
           Rejected{"{5,7}", 2, "minor_to_major[0] = 5 is outside [0, 2)"},
           Rejected{"{0,0}", 4, "minor_to_major {0,0} names dimension 0 twice"},
           Rejected{"{0:T(4)(0)}", 9,
                    "tiles[1][0] = 0 is neither positive nor '*'"},
           Rejected{"{0:SC(0:2,1)}", 11,
                    "split_configs[0] has the index 1 after 2, but its indices "
                    "must be positive and increase"},
           Rejected{"{0:E(-1)}", 6, "element size E(-1) is below 0"},
           Rejected{"{0:P(f32[8]{0:P(f32[1])})}", 15,
                    "in layout: P is read only in a layout without a shape"},
           Rejected{"{0:P(f32[8]{0}}", 15,
                    "in physical shape P: expected ')', found '}'"},
           Rejected{"{0:P()}", 6,
                    "in shape: expected a type or '(', found ')'"},
           Rejected{"{0:P}", 5, "in physical shape P: expected '(', found '}'"},
           Rejected{"{0:#}", 5, "in index type #: expected '(', found '}'"},
           Rejected{"{0:*(u8}", 8,
                    "in pointer type *: expected ')', found '}'"},
           Rejected{"{0:SC}", 6, "in split config SC: expected '(', found '}'"},
           Rejected{"{0:D}", 5, "in level types D: expected '(', found '}'"},
       }) {
    ExpectRejected(c, ParseLayout(c.text).status());
  }
}

TEST(Parser, Tiles) {
  for (const Accepted& c :
       {Accepted{"(8,128)", "(8,128)"}, Accepted{" ( * , 2 ) // c", "(*,2)"},
        Accepted{"(-9223372036854775808,0001)", "(*,1)"},
        Accepted{"(9223372036854775807,2)", "(9223372036854775807,2)"}}) {
    const absl::StatusOr<Tile> tile = ParseTile(c.text);
    ASSERT_THAT(tile, IsOk());
    EXPECT_EQ(tile->ToString(), c.canonical) << c.text;
    EXPECT_EQ(*ParseTile(c.canonical), *tile) << c.text;
  }
  EXPECT_EQ(*ParseTile("(*,2)"), Tile({Tile::kCombineDimension, 2}));

  for (const Rejected& c : {
           Rejected{"", 1, "in tile: expected '(', found end of text"},
           Rejected{"()", 2, "in tile: expected a dimension or '*', found ')'"},
           Rejected{"(8,128", 7,
                    "in tile: expected ',' or ')', found end of text"},
           Rejected{"(8)(2)", 4,
                    "after the tile: expected end of text, found '('"},
           Rejected{"(1,-5)", 4,
                    "tiles[0][1] = -5 is neither positive nor '*'"},
           Rejected{"(*,*)", 4,
                    "tiles[0] = (*,*) ends in '*', which has no dimension to "
                    "combine with"},
       }) {
    ExpectRejected(c, ParseTile(c.text).status());
  }
}

TEST(Parser, ProgramShapes) {
  const absl::StatusOr<ProgramShape> program = ParseProgramShape(
      "(x: f32[2]{0:T(8)}, %y.1 : (s32[], token[])) -> b(f32[4]{0})");
  ASSERT_THAT(program, IsOk());
  EXPECT_EQ(program->parameter_names, (std::vector<std::string>{"x", "y.1"}));
  ASSERT_EQ(program->parameters.size(), 2u);
  EXPECT_EQ(program->parameters[0], *ParseShape("f32[2]{0:T(8)}"));
  EXPECT_EQ(program->parameters[1], *ParseShape("(s32[], token[])"));
  EXPECT_EQ(program->result, *ParseShape("b(f32[4]{0})"));
  EXPECT_EQ(program->ToString(),
            "(x: f32[2], y.1: (s32[], token[])) -> b(f32[4])");
  EXPECT_EQ(ParseProgramShape(program->ToString())->ToString(),
            program->ToString());

  EXPECT_EQ(ParseProgramShape(" ( ) ->token[]")->ToString(), "() -> token[]");
  // A name may be what elsewhere is a type.
  EXPECT_EQ(ParseProgramShape("(f32: f32[], ROOT: s8[]) -> ()")->ToString(),
            "(f32: f32[], ROOT: s8[]) -> ()");
  EXPECT_FALSE(ParseProgramShape("() -> f32[]", KeepingMissingLayouts())
                   ->result.has_layout());
  EXPECT_THAT(ParseProgramShape("(x: F32[]{}) -> F32[]", Lenient()), IsOk());

  for (const Rejected& c : {
           Rejected{"", 1, "in program shape: expected '(', found end of text"},
           Rejected{"(f32[2]) -> f32[]", 5,
                    "in program shape: expected ':', found '['"},
           Rejected{"(x: f32[],) -> f32[]", 11,
                    "in program shape: expected a parameter name, found ')'"},
           Rejected{"(% x: f32[]) -> f32[]", 2,
                    "in program shape: expected a parameter name, found '%'"},
           Rejected{"(x: f32[] y: f32[]) -> f32[]", 11,
                    "in program shape: expected ',' or ')', found 'y'"},
           Rejected{"(x: f32[])", 11,
                    "in program shape: expected '->', found end of text"},
           Rejected{"(x: f32[]) -> ", 15,
                    "in shape: expected a type or '(', found end of text"},
           Rejected{"(x: f32[2]{5}) -> f32[]", 12,
                    "minor_to_major[0] = 5 is outside [0, 1)"},
           Rejected{"(x: f32[]) -> f32[] y", 21,
                    "after the program shape: expected end of text, found 'y'"},
       }) {
    ExpectRejected(c, ParseProgramShape(c.text).status());
  }
}

}  // namespace
}  // namespace tessera
