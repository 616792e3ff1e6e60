#include "tessera/strided/parse.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/tests/status_matchers.h"

namespace tessera {
namespace {

using Numbers = std::vector<int64_t>;

// The canonical text, or the error with its place.
std::string AnswerTo(std::string_view text) {
  const absl::StatusOr<StridedArray> array = ParseStridedArray(text);
  if (array.ok()) return array->ToString();
  const auto diagnostic = DiagnosticOf(array.status());
  if (!diagnostic.has_value()) return "no place";
  return absl::StrCat(diagnostic->column, ": ", diagnostic->message);
}

TEST(ParseStridedArray, ReadsBothNotations) {
  const StridedArray identity = *ParseStridedArray("memref<4x8xf32>");
  EXPECT_EQ(identity.strides, (Numbers{8, 1}));
  EXPECT_TRUE(identity.IsRowMajor());

  const StridedArray memref = *ParseStridedArray(
      "memref<4x8xf32, strided<[16, 2], offset: 3>, 1 : i32>");
  EXPECT_EQ(memref.element_type, F32);
  EXPECT_EQ(memref.dimensions, (Numbers{4, 8}));
  EXPECT_EQ(memref.strides, (Numbers{16, 2}));
  EXPECT_EQ(memref.offset, 3);
  EXPECT_EQ(memref.memory_space, "1 : i32");

  const StridedArray bytes =
      *ParseStridedArray("f32[4,8] strides (64, 8) bytes");
  EXPECT_EQ(bytes.strides, (Numbers{16, 2}));
  EXPECT_EQ(bytes.offset, 0);

  StridedArray elements = *ParseStridedArray(
      "float32[4,8] strides (16, 2) elements, offset 3 elements");
  EXPECT_NE(elements, memref);
  elements.notation = StridedArray::Notation::kMemref;
  elements.memory_space = "1 : i32";
  EXPECT_EQ(elements, memref);
}

TEST(ParseStridedArray, CanonicalTexts) {
  const struct {
    std::string_view text;
    std::string_view canonical;
  } cases[] = {
      // Memrefs.
      {"memref<4x8xf32>", "memref<4x8xf32>"},
      {"memref<f32>", "memref<f32>"},
      {"memref < 4 x 8 x f32 , strided < [ 16,2 ] , offset : 3 > >",
       "memref<4x8xf32, strided<[16, 2], offset: 3>>"},
      {"memref<4x8xf32, strided<[8, 1]>>", "memref<4x8xf32>"},
      {"memref<4x8xf32, strided<[8, 1], offset: 0>>", "memref<4x8xf32>"},
      {"memref<4x8xf32, strided<[8, 1], offset: 5>>",
       "memref<4x8xf32, strided<[8, 1], offset: 5>>"},
      {"memref<f32, strided<[], offset: 7>>",
       "memref<f32, strided<[], offset: 7>>"},
      {"memref<f32, strided<[]>>", "memref<f32>"},
      {"memref<4xf32, strided<[-1], offset: 3>>",
       "memref<4xf32, strided<[-1], offset: 3>>"},
      {"memref<4x8xf32, strided<[0, 1]>>", "memref<4x8xf32, strided<[0, 1]>>"},
      {"memref<0x8xf32>", "memref<0x8xf32>"},
      {"memref<4x0x3xf32>", "memref<4x0x3xf32>"},
      {"memref<0x8xf32, strided<[-9, 1]>>",
       "memref<0x8xf32, strided<[-9, 1]>>"},
      {"memref<4xi1>", "memref<4xi1>"},
      {"memref<4xi8>", "memref<4xi8>"},
      {"memref<4xsi8>", "memref<4xsi8>"},
      {"memref<4xui8>", "memref<4xui8>"},
      {"memref<4xi4>", "memref<4xi4>"},
      {"memref<4xi64>", "memref<4xi64>"},
      {"memref<4xbf16>", "memref<4xbf16>"},
      {"memref<4xf8E4M3FN>", "memref<4xf8E4M3FN>"},
      {"memref<4xf8E4M3B11FNUZ>", "memref<4xf8E4M3B11FNUZ>"},
      {"memref<4xf4E2M1FN>", "memref<4xf4E2M1FN>"},
      {"memref<4xcomplex<f32>>", "memref<4xcomplex<f32>>"},
      {"memref<4xcomplex< f64 >, 2>", "memref<4xcomplex<f64>, 2>"},
      {"memref<4xf32, 1>", "memref<4xf32, 1>"},
      {"memref<4xf32, 1 : i32 >", "memref<4xf32, 1 : i32>"},
      {"memref<4xf32, \"fast>\">", "memref<4xf32, \"fast>\">"},
      {"memref<4xf32, #gpu.address_space<workgroup>>",
       "memref<4xf32, #gpu.address_space<workgroup>>"},
      {"memref<4xf32, strided<[2]>, #a.b<[1, \"]\"]>>",
       "memref<4xf32, strided<[2]>, #a.b<[1, \"]\"]>>"},
      // With units.
      {"f32[4,8] strides (64, 8) bytes", "f32[4,8] strides (64, 8) bytes"},
      {" F32 [ 4 , 8 ] strides(64,8)bytes offset 12 bytes",
       "f32[4,8] strides (64, 8) bytes, offset 12 bytes"},
      {"f32[4,8] strides (16, 2) elements, offset 3 elements",
       "f32[4,8] strides (64, 8) bytes, offset 12 bytes"},
      {"f32[4,8] strides (16, 2) elements, offset 12 bytes",
       "f32[4,8] strides (64, 8) bytes, offset 12 bytes"},
      {"f32[1] strides (1) element, offset 1 element",
       "f32[1] strides (4) bytes, offset 4 bytes"},
      {"u8[2] strides (1) byte", "u8[2] strides (1) bytes"},
      {"float64[5] strides (8,) bytes", "f64[5] strides (8) bytes"},
      {"bfloat16[5] strides (2) bytes", "bf16[5] strides (2) bytes"},
      {"bool[5] strides (1) bytes", "pred[5] strides (1) bytes"},
      {"complex64[5] strides (8) bytes", "c64[5] strides (8) bytes"},
      {"s4[5] strides (1) bytes", "s4[5] strides (1) bytes"},
      {"f32[] strides () bytes", "f32[] strides () bytes"},
      {"f32[] strides () bytes, offset 8 bytes",
       "f32[] strides () bytes, offset 8 bytes"},
      {"f32[0,8] strides (32, 4) bytes", "f32[0,8] strides (32, 4) bytes"},
      {"f32[4,8] strides (0, 4) bytes", "f32[4,8] strides (0, 4) bytes"},
      // Without an offset, the buffer begins with the lowest element.
      {"f32[4] strides (-4) bytes",
       "f32[4] strides (-4) bytes, offset 12 bytes"},
      {"f32[4,8] strides (-32, -4) bytes",
       "f32[4,8] strides (-32, -4) bytes, offset 124 bytes"},
      {"f32[1] strides (-4) bytes", "f32[1] strides (-4) bytes"},
      {"f32[0,4] strides (-4, -4) bytes", "f32[0,4] strides (-4, -4) bytes"},
      {"f32[4] strides (-4) bytes, offset 20 bytes",
       "f32[4] strides (-4) bytes, offset 20 bytes"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(AnswerTo(c.text), c.canonical) << c.text;
    const absl::StatusOr<StridedArray> array = ParseStridedArray(c.text);
    const absl::StatusOr<StridedArray> again = ParseStridedArray(c.canonical);
    ASSERT_TRUE(array.ok() && again.ok()) << c.text;
    EXPECT_EQ(*array, *again) << c.text;
    EXPECT_EQ(AnswerTo(c.canonical), c.canonical);
  }
}

TEST(ParseStridedArray, ErrorsSayWhereAndWhy) {
  const struct {
    std::string_view text;
    std::string_view error;
  } cases[] = {
      {"",
       "1: expected memref<...> or an element type of XLA or NumPy (f32, bf16, "
       "s8, pred, float32, ...), found end of text"},
      {"g32[4] strides (4) bytes",
       "1: expected memref<...> or an element type of XLA or NumPy (f32, bf16, "
       "s8, pred, float32, ...), found 'g32'"},
      // Memrefs.
      {"memref", "7: expected '<', found end of text"},
      {"memref<>",
       "8: expected a size or an element type (f64, f32, f16, bf16, f8E4M3FN, "
       "i64, i32, i16, i8, i4, i1, si8, ui8, complex<f32> or the like), found "
       "'>'"},
      {"memref<4x>",
       "10: expected a size or an element type (f64, f32, f16, bf16, f8E4M3FN, "
       "i64, i32, i16, i8, i4, i1, si8, ui8, complex<f32> or the like), found "
       "'>'"},
      {"memref<*xf32>", "8: a memref of '*' has no rank, and so no positions"},
      {"memref<4x?xf32>",
       "10: a size of '?' is dynamic; only known sizes have a layout"},
      {"memref<4xf32, strided<[?]>>",
       "24: a stride of '?' is dynamic; only known strides and offsets have "
       "positions"},
      {"memref<4xf32, strided<[1], offset: ?>>",
       "36: an offset of '?' is dynamic; only known strides and offsets have "
       "positions"},
      {"memref<9223372036854775808xf32>", "8: the size exceeds 2^63-1"},
      {"memref<4xf32, strided<[9223372036854775808]>>",
       "24: the number exceeds 2^63-1"},
      {"memref<4xindex>",
       "10: the size of an index depends on the target; only elements of a "
       "known size have positions"},
      {"memref<4xf128>",
       "10: expected a size or an element type (f64, f32, f16, bf16, f8E4M3FN, "
       "i64, i32, i16, i8, i4, i1, si8, ui8, complex<f32> or the like), found "
       "'f128'"},
      {"memref<4xfloat32>",
       "10: expected a size or an element type (f64, f32, f16, bf16, f8E4M3FN, "
       "i64, i32, i16, i8, i4, i1, si8, ui8, complex<f32> or the like), found "
       "'float32'"},
      {"memref<4x8xf32, affine_map<(d0, d1) -> (d1, d0)>>",
       "17: an affine_map may be any function; a layout that has strides is "
       "written strided<...>"},
      {"memref<4x8xf32, #map>",
       "17: #map is an alias, whose definition is not in the text"},
      {"memref<4x8xf32, fast>",
       "17: expected strided<...> or a memory space (an integer, a string or "
       "#dialect.name<...>), found 'fast'"},
      {"memref<4xf32, strided<[1]>, fast>",
       "29: expected a memory space (an integer, a string or "
       "#dialect.name<...>), found 'fast'"},
      {"memref<4xf32, 1, strided<[1]>>",
       "18: expected '>' after a memory "
       "space"},
      {"memref<4x8xf32, strided<[16]>>",
       "26: expected a stride for each of 2 dimensions, found 1"},
      {"memref<4xf32, strided<[1], of: 3>>",
       "28: expected 'offset', found "
       "'of'"},
      {"memref<4xf32, strided<[1>>", "25: expected ',' or ']', found '>'"},
      {"memref<4xf32", "13: expected '>', found end of text"},
      {"memref<4xf32> x", "15: expected end of text, found 'x'"},
      {"memref<4xf32, strided<[-1]>>",
       "15: the lowest element lies before the buffer: with these strides the "
       "offset must be at least 3, and it is 0"},
      {"memref<2xf32, strided<[1], offset: -1>>",
       "15: the lowest element lies before the buffer: with these strides the "
       "offset must be at least 0, and it is -1"},
      {"memref<3xf64, strided<[4611686018427387904]>>",
       "15: stride 0, 4611686018427387904 elements of 8 bytes, exceeds 2^63-1 "
       "bytes"},
      {"memref<9xi8, strided<[4611686018427387904]>>",
       "14: the strides reach further than 2^63-1"},
      {"memref<2xi8, strided<[4611686018427387904], offset: "
       "4611686018427387904>>",
       "14: the buffer exceeds 2^63-1 bytes"},
      {"memref<4294967296x4294967296xi8, strided<[0, 0]>>",
       "34: the product of the dimensions, 4294967296 x 4294967296, exceeds "
       "2^63-1"},
      {"memref<0x4294967296x4294967296xi8>",
       "1: the row-major strides exceed 2^63-1"},
      // With units.
      {"f32[4,8]", "9: expected 'strides', found end of text"},
      {"f32[4,8]{1,0} strides (64, 8) bytes",
       "9: expected 'strides', found '{'"},
      {"f32[?] strides (4) bytes",
       "5: a size of '?' is dynamic; only known sizes have a layout"},
      {"f32[<=4] strides (4) bytes", "5: expected a size, found '<'"},
      {"f32[4 strides (4) bytes", "7: expected ',' or ']', found 'strides'"},
      {"f32[4] strides 4 bytes", "16: expected '(', found '4'"},
      {"f32[4] strides (4 bytes", "19: expected ',' or ')', found 'bytes'"},
      {"f32[4] strides (?) bytes",
       "17: a stride of '?' is dynamic; only known strides and offsets have "
       "positions"},
      {"f32[4] strides (4)",
       "19: expected the unit, bytes or elements, found end of text"},
      {"f32[4] strides (4) bits",
       "20: expected the unit, bytes or elements, found 'bits'"},
      {"f32[4,8] strides (64, 6) bytes",
       "23: stride 1, 6 bytes, is not a multiple of the 4 bytes of an element "
       "of "
       "f32"},
      {"bf16[4] strides (-3) bytes",
       "18: stride 0, -3 bytes, is not a multiple of the 2 bytes of an element "
       "of "
       "bf16"},
      {"f32[4] strides (4) bytes, offset 6 bytes",
       "34: the offset, 6 bytes, is not a multiple of the 4 bytes of an "
       "element "
       "of f32"},
      {"f32[4] strides (4) bytes, offset 8",
       "35: expected the unit, bytes or elements, found end of text"},
      {"f32[4] strides (4) bytes,", "26: expected 'offset', found end of text"},
      {"f32[4,8] strides (4) bytes",
       "19: expected a stride for each of 2 dimensions, found 1"},
      {"f32[4] strides (-4) bytes, offset 8 bytes",
       "8: the lowest element lies before the buffer: with these strides the "
       "offset must be at least 12 bytes, and it is 8"},
      {"f32[4] strides (9223372036854775807) elements",
       "8: stride 0, 9223372036854775807 elements of 4 bytes, exceeds 2^63-1 "
       "bytes"},
      {"u8[4] strides (-9223372036854775807) bytes",
       "7: the strides reach further than 2^63-1"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(AnswerTo(c.text), std::string(c.error)) << c.text;
  }
}

TEST(ParseStridedArray, CodesTellKindsOfErrors) {
  const struct {
    std::string_view text;
    absl::StatusCode code;
  } cases[] = {
      {"memref<4x?xf32>", absl::StatusCode::kInvalidArgument},
      {"memref<4xf32, affine_map<(d0) -> (d0)>>",
       absl::StatusCode::kUnimplemented},
      {"memref<9223372036854775808xf32>", absl::StatusCode::kOutOfRange},
      {"memref<4xf32, strided<[-1]>>", absl::StatusCode::kOutOfRange},
      {"f32[4] strides (6) bytes", absl::StatusCode::kInvalidArgument},
  };
  for (const auto& c : cases) {
    EXPECT_THAT(ParseStridedArray(c.text), StatusIs(c.code)) << c.text;
  }
}

}  // namespace
}  // namespace tessera
