#include "tessera/any_layout/convert/xla_tenstorrent.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/index_map/same_function.h"
#include "tessera/index_util/for_each_index.h"
#include "tessera/index_util/to_index_map.h"
#include "tessera/parser/parser.h"
#include "tessera/tenstorrent/affine/affine_map_parser.h"
#include "tessera/tenstorrent/geometry.h"
#include "tessera/tenstorrent/placement.h"
#include "tessera/tenstorrent/tensor.h"
#include "tessera/tests/index_util/literal_shape.h"
#include "tessera/tests/literal/random_layouts.h"
#include "tessera/tests/status_matchers.h"

namespace tessera {
namespace {

using tenstorrent::AffineMap;
using tenstorrent::DataType;
using tenstorrent::ElementType;
using tenstorrent::Geometry;
using tenstorrent::MemorySpace;
using tenstorrent::MetalTensor;
using tenstorrent::OobValue;
using tenstorrent::ParseAffineMap;
using tenstorrent::ParseMetalTensor;
using tenstorrent::Placement;
using tenstorrent::TensorMemoryLayout;
using tenstorrent::TileShape;

TenstorrentOptions ByFaces() {
  TenstorrentOptions options;
  options.tile_order = TileOrder::kFaces;
  return options;
}

std::string MetalText(const std::string& shape,
                      const TenstorrentOptions& options = {}) {
  const absl::StatusOr<MetalTensor> tensor =
      ToMetalTensor(*ParseShape(shape), options);
  return tensor.ok() ? tensor->ToString()
                     : std::string(tensor.status().message());
}

std::string XlaText(const std::string& text,
                    const TenstorrentOptions& options = {}) {
  const absl::StatusOr<MetalTensor> tensor = ParseMetalTensor(text);
  if (!tensor.ok()) return tensor.status().ToString();
  const absl::StatusOr<Shape> shape = ToXlaShape(*tensor, options);
  return shape.ok() ? shape->ToString() : std::string(shape.status().message());
}

// A tensor of f32 on a grid of ones, the memref by the rules.
std::string XlaTextOf(const std::string& shape, const std::string& map,
                      const std::string& tile = "") {
  std::vector<int64_t> sizes;
  MetalTensor tensor;
  for (std::string_view rest = shape; !rest.empty();) {
    const size_t end = std::min(rest.find('x'), rest.size());
    int64_t size = 0;
    EXPECT_TRUE(absl::SimpleAtoi(AbslView(rest.substr(0, end)), &size));
    tensor.shape.push_back(size);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  tensor.layout.linear = *ParseAffineMap(map);
  tensor.layout.grid.assign(tensor.layout.linear.num_results(), 1);
  tensor.layout.memref.memory_space = MemorySpace::kDeviceDRAM;
  if (!tile.empty()) {
    const size_t x = tile.find('x');
    TileShape tile_shape;
    EXPECT_TRUE(
        absl::SimpleAtoi(AbslView(tile.substr(0, x)), &tile_shape.height));
    EXPECT_TRUE(
        absl::SimpleAtoi(AbslView(tile.substr(x + 1)), &tile_shape.width));
    tensor.layout.memref.element.tile = tile_shape;
  }
  const absl::StatusOr<Geometry> geometry = Geometry::Of(tensor);
  if (!geometry.ok()) return std::string(geometry.status().message());
  tensor.layout.memref.shape = geometry->memref;
  const absl::StatusOr<Shape> result = ToXlaShape(tensor);
  return result.ok() ? result->ToString()
                     : std::string(result.status().message());
}

// The map, the memref and the grid that a shape of f32 comes to, and the shape
// that comes back.
TEST(XlaTenstorrent, ShapesAsTensors) {
  struct Row {
    std::string shape, map, memref, back;
  };
  const std::vector<Row> rows = {
      {"f32[]", "() -> ()", "memref<f32>", "f32[]"},
      {"f32[7]{0}", "(d0) -> (d0)", "memref<7xf32>", "f32[7]{0}"},
      {"f32[4,6]{1,0}", "(d0, d1) -> (d0, d1)", "memref<4x6xf32>",
       "f32[4,6]{1,0}"},
      {"f32[4,6]{0,1}", "(d0, d1) -> (d1, d0)", "memref<6x4xf32>",
       "f32[4,6]{0,1}"},
      {"f32[4,1,6]{2,0,1}", "(d0, d1, d2) -> (d1, d0, d2)", "memref<1x4x6xf32>",
       "f32[4,1,6]{2,0,1}"},
      {"f32[100,200]{0,1:T(8,128)}", "(d0, d1) -> (d1, d0)",
       "memref<25x1x!tt.tile<8x128, f32>>", "f32[100,200]{0,1:T(8,128)}"},
      {"f32[4,6]{1,0:T(1,4)}", "(d0, d1) -> (d0, d1)",
       "memref<4x2x!tt.tile<1x4, f32>>", "f32[4,6]{1,0:T(1,4)}"},
      {"f32[4,6]{1,0:T(1,1)}", "(d0, d1) -> (d0, d1)",
       "memref<4x6x!tt.tile<1x1, f32>>", "f32[4,6]{1,0:T(1,1)}"},
      // Entries and dimensions that the other has none for.
      {"f32[]{:T(128)}", "() -> (0, 0)", "memref<1x1x!tt.tile<1x128, f32>>",
       "f32[]{:T(128)}"},
      {"f32[]{:T(8,128)}", "() -> (0, 0)", "memref<1x1x!tt.tile<8x128, f32>>",
       "f32[]{:T(8,128)}"},
      {"f32[1000]{0:T(256)}", "(d0) -> (0, d0)",
       "memref<1x4x!tt.tile<1x256, f32>>", "f32[1000]{0:T(256)}"},
      {"f32[1000]{0:T(8,128)}", "(d0) -> (0, d0)",
       "memref<1x8x!tt.tile<8x128, f32>>", "f32[1000]{0:T(8,128)}"},
      {"f32[1000]{0:T(1,8,128)}", "(d0) -> (0, d0)",
       "memref<1x8x!tt.tile<8x128, f32>>", "f32[1000]{0:T(8,128)}"},
      {"f32[4,6]{1,0:T(4)}", "(d0, d1) -> (d0, d1)",
       "memref<4x2x!tt.tile<1x4, f32>>", "f32[4,6]{1,0:T(1,4)}"},
      {"f32[2,4,6]{2,1,0:T(1,2,4)}", "(d0, d1, d2) -> (d0, d1, d2)",
       "memref<2x2x2x!tt.tile<2x4, f32>>", "f32[2,4,6]{2,1,0:T(2,4)}"},
      // Joined dimensions.
      {"f32[3,4,8]{2,1,0:T(*,8,8)}", "(d0, d1, d2) -> (d0 * 4 + d1, d2)",
       "memref<2x1x!tt.tile<8x8, f32>>", "f32[3,4,8]{2,1,0:T(*,8,8)}"},
      {"f32[3,4,8]{2,1,0:T(*,2,8)}", "(d0, d1, d2) -> (d0 * 4 + d1, d2)",
       "memref<6x1x!tt.tile<2x8, f32>>", "f32[3,4,8]{2,1,0:T(2,8)}"},
      {"f32[3,4,8]{2,1,0:T(*,16)}", "(d0, d1, d2) -> (d0, d1 * 8 + d2)",
       "memref<3x2x!tt.tile<1x16, f32>>", "f32[3,4,8]{2,1,0:T(*,16)}"},
      {"f32[3,4,8]{2,1,0:T(2,*,16)}", "(d0, d1, d2) -> (d0, d1 * 8 + d2)",
       "memref<2x2x!tt.tile<2x16, f32>>", "f32[3,4,8]{2,1,0:T(2,*,16)}"},
      {"f32[2,3,4,8]{3,2,1,0:T(*,4,*,8)}",
       "(d0, d1, d2, d3) -> (d0 * 3 + d1, d2 * 8 + d3)",
       "memref<2x4x!tt.tile<4x8, f32>>", "f32[2,3,4,8]{3,2,1,0:T(*,4,*,8)}"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.shape);
    const absl::StatusOr<MetalTensor> tensor =
        ToMetalTensor(*ParseShape(row.shape));
    ASSERT_THAT(tensor, IsOk());
    EXPECT_EQ(tensor->layout.linear.ToString(), row.map);
    std::string memref = row.memref;
    memref.insert(memref.size() - 1, ", #tt.memory_space<dram>");
    EXPECT_EQ(tensor->layout.memref.ToString(), memref);
    const absl::StatusOr<Shape> back = ToXlaShape(*tensor);
    ASSERT_THAT(back, IsOk());
    EXPECT_EQ(back->ToString(), row.back);
    EXPECT_TRUE(
        *SameFunction(*ToIndexMap(*ParseShape(row.shape)), *ToIndexMap(*back)));
    EXPECT_EQ(*ParseMetalTensor(tensor->ToString()), *tensor);
  }
}

TEST(XlaTenstorrent, TensorsAsShapes) {
  // Joining changes nothing where nothing is cut by it.
  EXPECT_EQ(XlaTextOf("2x3x64x128",
                      "(d0, d1, d2, d3) -> "
                      "(d0 * 192 + d1 * 64 + d2, d3)"),
            "f32[2,3,64,128]{3,2,1,0}");
  EXPECT_EQ(
      XlaTextOf("2x3x64x128",
                "(d0, d1, d2, d3) -> (d0 * 192 + d1 * 64 + d2, d3)", "32x32"),
      "f32[2,3,64,128]{3,2,1,0:T(32,32)}");
  EXPECT_EQ(
      XlaTextOf("2x3x60x128",
                "(d0, d1, d2, d3) -> (d0 * 180 + d1 * 60 + d2, d3)", "32x32"),
      "f32[2,3,60,128]{3,2,1,0:T(*,*,32,32)}");
  EXPECT_EQ(XlaTextOf("4x6", "(d0, d1) -> (d1 * 4 + d0)"), "f32[4,6]{0,1}");
  EXPECT_EQ(XlaTextOf("4x6", "(d0, d1) -> (0, d0, 0, d1)"), "f32[4,6]{1,0}");
  // Bumped strides that are the padding of a tile.
  EXPECT_EQ(XlaTextOf("2x8x32", "(d0, d1, d2) -> (d0 * 32 + d1, d2)", "32x32"),
            "f32[2,8,32]{2,1,0:T(32,32)}");
  EXPECT_EQ(
      XlaTextOf("2x3x5x32", "(d0, d1, d2, d3) -> (d0 * 16 + d1 * 5 + d2, d3)",
                "16x32"),
      "f32[2,3,5,32]{3,2,1,0:T(*,16,32)}");
  EXPECT_EQ(
      XlaTextOf("2x3x5x32", "(d0, d1, d2, d3) -> (d0 * 24 + d1 * 8 + d2, d3)",
                "8x32"),
      "f32[2,3,5,32]{3,2,1,0:T(8,32)}");
  EXPECT_EQ(XlaTextOf("3x5", "(d0, d1) -> (0, d0 * 8 + d1)", "1x8"),
            "f32[3,5]{1,0:T(1,8)}");
  EXPECT_EQ(XlaTextOf("3x1x5", "(d0, d1, d2) -> (d0 * 8 + d1, d2)", "8x8"),
            "f32[3,1,5]{2,1,0:T(8,8)}");
  // A dimension of size 1 stands where one is wanted, whatever the map says.
  EXPECT_EQ(XlaTextOf("3x5x1", "(d0, d1, d2) -> (d0, 0, d1)", "8x8"),
            "f32[3,5,1]{1,2,0:T(8,8)}");
  EXPECT_EQ(XlaTextOf("1x3", "(d0, d1) -> (d1 + d0 * 7)"), "f32[1,3]{1,0}");
  EXPECT_EQ(XlaTextOf("1x3", "(d0, d1) -> (d1)"), "f32[1,3]{1,0}");
  EXPECT_EQ(XlaTextOf("1x3", "(d0, d1) -> (d0, d1, d0)"), "f32[1,3]{1,0}");
}

TEST(XlaTenstorrent, WhatTtMlirHasNoWordFor) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"bf16[8,128]{1,0:T(8,128)(2,1)}",
       "tt-mlir cannot express the second tile (2,1); tiles of 8x128 are "
       "row-major"},
      {"f32[4,8,128]{2,1,0:T(2,8,128)}",
       "tt-mlir's tiles have two dimensions, and (2,8,128) cuts more"},
      {"f32[10]{0:T(8)L(64)}",
       "tt-mlir cannot express padding after the last tile, L(64)"},
      {"s4[10]{0:E(4)}",
       "tt-mlir cannot express an element size other than the type's, E(4)"},
      {"f32[10]{0:SC(0:5)}",
       "tt-mlir cannot express splits of an array on one core, SC"},
      {"f32[10]{0:M(8)}",
       "tt-mlir cannot express metadata before an array, M(8)"},
      {"f32[<=10,4]{1,0}",
       "dimension 0 is dynamic; tt-mlir's layouts are static"},
      {"f32[4,0]{1,0}",
       "dimension 1 is 0; an array without elements is not converted"},
      {"c64[4]{0}", "tt-mlir has no type for elements of c64"},
      {"f8e5m2[4]{0}", "tt-mlir has no type for elements of f8e5m2"},
      {"f64[4,4]{1,0:T(2,2)}", "no tiles of tt-mlir are of f64"},
      {"f32[4]{0:S(2)}", "no memory of tt-mlir is given for S(2)"},
      {"(f32[4]{0})", "(f32[4]{0}) is not an array"},
  };
  for (const auto& c : cases) {
    const absl::StatusOr<Shape> shape = ParseShape(c.first);
    ASSERT_THAT(shape, IsOk());
    const absl::StatusOr<MetalTensor> tensor = ToMetalTensor(*shape);
    ASSERT_FALSE(tensor.ok()) << c.first;
    EXPECT_EQ(tensor.status().message(), c.second);
    if (shape->IsArray()) {
      EXPECT_THAT(tensor, StatusIs(absl::StatusCode::kInvalidArgument));
    }
  }
  EXPECT_THAT(ToMetalTensor(Shape::Array(F32, {4})),
              StatusIs(absl::StatusCode::kFailedPrecondition));
  const Shape of_many_dimensions =
      Shape::Array(F32, Shape::Dimensions(2000, 1), Layout([] {
                     Layout::MinorToMajor minor_to_major(2000);
                     std::iota(minor_to_major.begin(), minor_to_major.end(), 0);
                     return minor_to_major;
                   }()));
  EXPECT_THAT(ToMetalTensor(of_many_dimensions),
              StatusIs(absl::StatusCode::kResourceExhausted));
}

std::string TensorOf(const std::string& head, const std::string& map,
                     const std::string& rest) {
  return absl::StrCat("tensor<", head, ", #tt.metal_layout<", map, ", ", rest,
                      ">>");
}

TEST(XlaTenstorrent, WhatXlaHasNoWordFor) {
  const std::string two = "(d0, d1) -> (d0, d1)";
  const std::string dram = ", #tt.memory_space<dram>>";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {TensorOf("53x63xf32", two, "undef, <3x2>, memref<18x32xf32" + dram),
       "XLA cannot express an array on several cores; the grid is 3x2"},
      {TensorOf("4x4xf32", two, "zero, <1x1>, memref<4x4xf32" + dram),
       "XLA cannot express what padding holds; it is zero, but by the option "
       "undef"},
      {TensorOf("4x4xf32", two,
                "undef, <1x1>, memref<4x4xf32" + dram + ", interleaved"),
       "XLA cannot express a memory layout; there is interleaved, but by the "
       "option no memory layout"},
      {TensorOf("4x4xf32", two,
                "undef, <1x1>, memref<4x4xf32, #tt.memory_space<mmio>>"),
       "no memory space of XLA is given for mmio"},
      {TensorOf("4x4xf32", two,
                "undef, <1x1>, memref<1x1x!tt.tile<32x32, bfp_bf8>" + dram),
       "XLA has no type for elements of !tt.tile<32x32, bfp_bf8>; block floats "
       "share exponents"},
      {TensorOf("4x4xf32", two,
                "undef, <1x1>, memref<1x1x!tt.tile<32x32, bf16>" + dram),
       "XLA cannot express elements that are stored as another type; the "
       "tensor is of f32, its memory of !tt.tile<32x32, bf16>"},
      {TensorOf("4x4xi32", two, "undef, <1x1>, memref<4x4xi32" + dram),
       "elements are of i32, but by the option XLA's s32 is si32"},
      {TensorOf("4x4xf32", two, "undef, <1x1>, memref<4x5xf32" + dram),
       "the memref is 4x5, but the rules give 4x4"},
      {TensorOf("4x4xf32", two, "undef, <1>, memref<4x4xf32" + dram),
       "the map has 2 results, but the grid has rank 1"},
  };
  for (const auto& c : cases) EXPECT_EQ(XlaText(c.first), c.second) << c.first;

  EXPECT_EQ(
      XlaTextOf("2x8x32", "(d0, d1, d2) -> (d0 * 32 + d1, d2)"),
      "result 0 steps by 32 along d0, within which there are 8 positions; of "
      "gaps only the padding of rows to a tile is converted");
  EXPECT_EQ(
      XlaTextOf("2x8x32", "(d0, d1, d2) -> (d0 * 64 + d1, d2)", "32x32"),
      "result 0 steps by 64 along d0, within which there are 8 positions; of "
      "gaps only the padding of rows to a tile is converted");
  EXPECT_EQ(XlaTextOf("4x2", "(d0, d1) -> (d0, d1 * 2)"),
            "result 1 steps by 2 along d1, within which there are 1 positions; "
            "of gaps only the padding of rows to a tile is converted");
  EXPECT_EQ(XlaTextOf("3x5", "(d0, d1) -> (d0, d1 + 1)"),
            "XLA cannot express padding before an array; result 1 begins at "
            "1");
  EXPECT_EQ(XlaTextOf("8x96", "(d0, d1) -> (d0 * 96 + d1, d1)"),
            "XLA cannot express dims in several results; d1 is in results 0 "
            "and 1");
  EXPECT_EQ(XlaTextOf("3x5", "(d0, d1) -> (d0)"),
            "d1 is not in any result of the map");
  EXPECT_EQ(XlaTextOf("8x4", "(d0, d1) -> (d0 floordiv 2, d0 mod 2, d1)"),
            "result 0 of the map, d0 floordiv 2, is not a sum of dims; its "
            "order is not looked for");
  EXPECT_EQ(XlaTextOf("3x5", "(d0, d1) -> (d0, 0, d1)", "8x8"),
            "result 1 of the map has no dimension, not even one of size 1, "
            "that a tile of XLA could cut");
  EXPECT_EQ(XlaTextOf("3x5", "(d0, d1) -> (d0, d1, 0)", "8x8"),
            "result 2 of the map has no dimension, not even one of size 1, "
            "that a tile of XLA could cut");
  MetalTensor no_tile = *ToMetalTensor(*ParseShape("f32[4,4]{1,0:T(2,2)}"));
  no_tile.layout.memref.element.tile = TileShape{0, 2};
  EXPECT_EQ(ToXlaShape(no_tile).status().message(),
            "a tile is 0x2; sizes are at least 1");
}

TEST(XlaTenstorrent, Types) {
  TenstorrentOptions signless;
  signless.signless_scalars = true;
  for (const auto& [xla, scalar, signless_scalar, tile] : std::vector<
           std::tuple<std::string, std::string, std::string, std::string>>{
           {"pred", "i1", "i1", "i1"},
           {"f16", "f16", "f16", "f16"},
           {"bf16", "bf16", "bf16", "bf16"},
           {"f32", "f32", "f32", "f32"},
           {"f64", "f64", "f64", ""},
           {"s8", "si8", "i8", ""},
           {"s16", "si16", "i16", ""},
           {"s32", "si32", "i32", "si32"},
           {"s64", "si64", "i64", ""},
           {"u8", "ui8", "ui8", "u8"},
           {"u16", "ui16", "ui16", "u16"},
           {"u32", "ui32", "ui32", "u32"},
           {"u64", "ui64", "ui64", ""}}) {
    for (const TenstorrentOptions& options : {TenstorrentOptions(), signless}) {
      const std::string& own =
          options.signless_scalars ? signless_scalar : scalar;
      for (const std::string layout : {"{1,0}", "{1,0:T(2,2)}"}) {
        const Shape shape = *ParseShape(xla + "[4,4]" + layout);
        const absl::StatusOr<MetalTensor> tensor =
            ToMetalTensor(shape, options);
        const bool is_tiled = layout != "{1,0}";
        ASSERT_EQ(tensor.ok(), !is_tiled || !tile.empty()) << xla;
        if (!tensor.ok()) continue;
        EXPECT_EQ(tensor->element.ToString(), own);
        EXPECT_EQ(tensor->layout.memref.element.ToString(),
                  is_tiled ? absl::StrCat("!tt.tile<2x2, ", tile, ">") : own);
        EXPECT_EQ(*ToXlaShape(*tensor, options), shape);
        EXPECT_EQ(
            ToXlaShape(*tensor, options.signless_scalars ? TenstorrentOptions()
                                                         : signless)
                .ok(),
            scalar == signless_scalar);
      }
    }
  }
}

TEST(XlaTenstorrent, WhatOptionsCarry) {
  const Shape shape = *ParseShape("f32[4,4]{1,0:T(2,2)S(3)}");
  TenstorrentOptions options;
  options.memory_spaces = {{3, MemorySpace::kSystemMMIO}};
  options.oob_value = OobValue::kNegInf;
  options.memory_layout = TensorMemoryLayout::kSingleBank;
  const MetalTensor tensor = *ToMetalTensor(shape, options);
  EXPECT_EQ(tensor.layout.memref.memory_space, MemorySpace::kSystemMMIO);
  EXPECT_EQ(tensor.layout.oob_value, OobValue::kNegInf);
  EXPECT_EQ(tensor.layout.memory_layout, TensorMemoryLayout::kSingleBank);
  EXPECT_EQ(*ToXlaShape(tensor, options), shape);
  EXPECT_FALSE(ToXlaShape(tensor).ok());
  for (const auto& [xla, space] : TenstorrentOptions().memory_spaces) {
    const Shape in_space = *ParseShape(absl::StrCat("f32[4]{0:S(", xla, ")}"));
    const MetalTensor converted = *ToMetalTensor(in_space);
    EXPECT_EQ(converted.layout.memref.memory_space, space);
    EXPECT_EQ(*ToXlaShape(converted), in_space);
  }
}

TEST(XlaTenstorrent, Faces) {
  const TenstorrentOptions faces = ByFaces();
  for (const char* shape : {
           "bf16[64,64]{1,0:T(32,32)(16,16)}",
           "bf16[3,40,100]{1,2,0:T(8,32)(8,16)}",
           "bf16[64,64]{1,0:T(16,16)}",
           "bf16[64,64]{1,0:T(20,32)}",
           // One face above the other is row-major.
           "bf16[64,64]{1,0:T(32,16)}",
           "bf16[64,64]{1,0:T(1,128)}",
           "bf16[64,64]{1,0}",
       }) {
    const absl::StatusOr<MetalTensor> tensor =
        ToMetalTensor(*ParseShape(shape), faces);
    ASSERT_THAT(tensor, IsOk());
    EXPECT_EQ(ToXlaShape(*tensor, faces)->ToString(), shape);
    const IndexMap map = *ToIndexMap(*ParseShape(shape), PositionUnit::kBytes);
    const Placement placement = *Placement::Create(*Geometry::Of(*tensor));
    const absl::Status walked =
        ForEachIndex(*ParseShape(shape), [&](absl::Span<const int64_t> index) {
          EXPECT_EQ(map.LinearIndexUnchecked(index),
                    placement.Locate(index)->byte());
          return !HasFailure();
        });
    EXPECT_THAT(walked, IsOk());
  }
  EXPECT_EQ(MetalText("f32[64,64]{1,0:T(32,32)}", faces),
            "tiles of 32x32 by faces of 16x16 have a second tile (16,16), but "
            "there is none");
  EXPECT_EQ(MetalText("f32[64,64]{1,0:T(32,32)(16,16)(2,1)}", faces),
            "tiles of 32x32 by faces of 16x16 have one second tile, (16,16), "
            "and not (16,16)(2,1)");
  EXPECT_EQ(MetalText("f32[64,64]{1,0:T(32,32)(2,1)}", faces),
            "tiles of 32x32 by faces of 16x16 have one second tile, (16,16), "
            "and not (2,1)");
  EXPECT_EQ(MetalText("f32[64,64]{1,0:T(32,32)(16,16)}"),
            "tt-mlir cannot express the second tile (16,16); tiles of 32x32 "
            "are row-major");
}

TEST(XlaTenstorrent, LargeSizes) {
  EXPECT_EQ(MetalText("u8[576460752303423488]{0}"),
            "tensor<576460752303423488xui8, #tt.metal_layout<(d0) -> (d0), "
            "undef, <1>, memref<576460752303423488xui8, "
            "#tt.memory_space<dram>>>>");
  EXPECT_EQ(XlaTextOf("144115188075855872", "(d0) -> (d0)"),
            "f32[144115188075855872]{0}");
  // Its bytes can be counted, though its bits can not.
  EXPECT_EQ(XlaTextOf("1152921504606846976", "(d0) -> (d0)"),
            "f32[1152921504606846976]{0}");
  EXPECT_EQ(XlaTextOf("2305843009213693951x2", "(d0, d1) -> (d0 * 3 + d1)"),
            "the memory of all shards exceeds 2^63-1");
}

// -- The law -----------------------------------------------------------------

// Every element of the shape has the number that it has in the tensor, counted
// row-major, and there are as many positions as places.
void ExpectSameNumbers(const Shape& shape, const Placement& placement) {
  const IndexMap map = *ToIndexMap(shape);
  EXPECT_EQ(map.position_count(), placement.counts().all());
  const absl::Status walked =
      ForEachIndex(shape, [&](absl::Span<const int64_t> index) {
        EXPECT_EQ(map.LinearIndexUnchecked(index),
                  placement.Locate(index)->linear_in_shard());
        return !testing::Test::HasFailure();
      });
  EXPECT_THAT(walked, IsOk());
}

// Every element is where it is, and what comes back puts it there again.
// Returns whether it was converted.
bool KeepsTheLaw(const Shape& shape) {
  const absl::StatusOr<MetalTensor> tensor = ToMetalTensor(shape);
  if (!tensor.ok()) return false;
  SCOPED_TRACE(tensor->ToString());
  const absl::StatusOr<Placement> placement =
      Placement::Create(*Geometry::Of(*tensor));
  EXPECT_THAT(placement, IsOk());
  if (!placement.ok()) return true;
  ExpectSameNumbers(shape, *placement);
  const absl::StatusOr<Shape> back = ToXlaShape(*tensor);
  EXPECT_THAT(back, IsOk());
  if (!back.ok()) return true;
  const absl::Span<const Tile> tiles = shape.layout().tiles();
  const bool is_plain =
      tiles.empty() ||
      (shape.rank() >= 2 && tiles[0].dimensions().size() == 2 &&
       tiles[0].dimension(0) != Tile::kCombineDimension);
  if (is_plain) {
    EXPECT_EQ(*back, shape) << back->ToString();
  }
  const IndexMap again = *ToIndexMap(*back);
  const IndexMap map = *ToIndexMap(shape);
  EXPECT_TRUE(*SameFunction(map, again)) << back->ToString();
  EXPECT_EQ(map.position_count(), again.position_count());
  const bool has_results_of_one_dim = tensor->layout.linear.is_permutation();
  if (has_results_of_one_dim) {
    EXPECT_EQ(*ToMetalTensor(*back), *tensor);
  }
  return true;
}

TEST(XlaTenstorrent, AllSmallShapes) {
#ifdef TESSERA_SANITIZER
  constexpr int64_t kParts = 40;
#else
  constexpr int64_t kParts = 1;
#endif
  int64_t all = 0, converted = 0;
  for (int64_t levels = 0; levels <= 1; ++levels) {
    SmallLayouts family;
    family.tile_levels = levels;
    family.max_tile_rank = 4;
    family.tile_entries = {1, 2, 3, LiteralLayout::kCombine};
    family.max_bound = 3;
    all += ForEachSmallLayout(family, 0, kParts, [&](const LiteralLayout& l) {
      if (testing::Test::HasFailure()) return;
      const Shape bytes = ToShape(l);
      const Shape shape =
          Shape::Array(F32,
                       Shape::Dimensions(bytes.dimensions().begin(),
                                         bytes.dimensions().end()),
                       bytes.layout());
      SCOPED_TRACE(shape.ToString());
      converted += KeepsTheLaw(shape);
    });
  }
  RecordProperty("all", all);
  RecordProperty("converted", converted);
  EXPECT_GT(converted, all / 10);
}

TEST(XlaTenstorrent, RandomShapes) {
#ifdef TESSERA_SANITIZER
  constexpr int kShapes = 300;
#else
  constexpr int kShapes = 3000;
#endif
  RandomBits random(TestSeed());
  constexpr PrimitiveType kTypes[] = {F32, BF16, F16, S32, U32, U16, U8, PRED};
  for (int n = 0; n < kShapes; ++n) {
    const int64_t rank = 1 + n % 5;
    const int64_t largest = std::vector<int64_t>{0, 200, 40, 12, 7, 5}[rank];
    Shape::Dimensions dimensions;
    Layout::Parts parts;
    for (int64_t i = 0; i < rank; ++i) {
      dimensions.push_back(Uniform(1, largest, &random));
      parts.minor_to_major.push_back(rank - 1 - i);
    }
    if (Uniform(0, 1, &random) == 0) {
      std::shuffle(parts.minor_to_major.begin(), parts.minor_to_major.end(),
                   random);
    }
    if (Uniform(0, 3, &random) > 0) {
      parts.tiles.push_back(
          Uniform(0, 3, &random) == 0
              ? Tile({32, 32})
              : Tile({Uniform(1, 9, &random), Uniform(1, 9, &random)}));
    }
    const Shape shape = Shape::Array(kTypes[n % 8], dimensions, Layout(parts));
    SCOPED_TRACE(shape.ToString());
    ASSERT_TRUE(KeepsTheLaw(shape));
    ASSERT_FALSE(HasFailure());
  }
}

// Tensors with results that join dimensions, with strides bumped or not, with
// constants and with dimensions of size 1 anywhere.
TEST(XlaTenstorrent, RandomTensors) {
#ifdef TESSERA_SANITIZER
  constexpr int kTensors = 1000;
#else
  constexpr int kTensors = 20000;
#endif
  RandomBits random(TestSeed());
  int64_t converted = 0, joined = 0, bumped = 0, refused = 0;
  for (int n = 0; n < kTensors; ++n) {
    const int64_t rank = Uniform(1, 4, &random);
    const int64_t results = Uniform(1, 4, &random);
    MetalTensor tensor;
    for (int64_t i = 0; i < rank; ++i) {
      tensor.shape.push_back(Uniform(1, 5, &random));
    }
    if (results >= 2 && Uniform(0, 3, &random) > 0) {
      tensor.layout.memref.element.tile =
          TileShape{Uniform(1, 4, &random), Uniform(1, 4, &random)};
    }
    // Dimensions in some order, each in some result, in row-major order there.
    std::vector<int64_t> dims(rank);
    std::iota(dims.begin(), dims.end(), 0);
    std::shuffle(dims.begin(), dims.end(), random);
    std::vector<std::string> texts(results);
    std::vector<int64_t> steps(results, 1);
    bool is_bumped = false, is_joined = false, has_empty_result = false;
    for (const int64_t dim : dims) {
      if (tensor.shape[dim] == 1 && Uniform(0, 3, &random) == 0) continue;
      const int64_t i = Uniform(0, results - 1, &random);
      if (!texts[i].empty()) {
        is_joined = true;
        if (Uniform(0, 2, &random) == 0) {
          const int64_t to = Uniform(2, 4, &random);
          const int64_t step = (steps[i] + to - 1) / to * to;
          is_bumped |= step != steps[i];
          steps[i] = step;
        }
      }
      absl::StrAppend(&texts[i], texts[i].empty() ? "" : " + ", "d", dim, " * ",
                      steps[i]);
      steps[i] *= tensor.shape[dim];
    }
    for (std::string& text : texts) {
      has_empty_result |= text.empty();
      if (text.empty()) text = "0";
    }
    std::vector<std::string> names;
    for (int64_t i = 0; i < rank; ++i) names.push_back(absl::StrCat("d", i));
    tensor.layout.linear =
        *ParseAffineMap(absl::StrCat("(", absl::StrJoin(names, ", "), ") -> (",
                                     absl::StrJoin(texts, ", "), ")"));
    tensor.layout.grid.assign(results, 1);
    tensor.layout.memref.memory_space = MemorySpace::kDeviceDRAM;
    const Geometry geometry = *Geometry::Of(tensor);
    tensor.layout.memref.shape = geometry.memref;
    SCOPED_TRACE(tensor.ToString());
    const absl::StatusOr<Shape> shape = ToXlaShape(tensor);
    if (!shape.ok()) {
      // Packed results fail only where a tile has no dimension to cut.
      ASSERT_THAT(shape, StatusIs(absl::StatusCode::kUnimplemented));
      ASSERT_TRUE(is_bumped || has_empty_result) << shape.status();
      ++refused;
      continue;
    }
    const absl::StatusOr<Placement> placement = Placement::Create(geometry);
    ASSERT_THAT(placement, IsOk());
    ExpectSameNumbers(*shape, *placement);
    // By faces, it is the map.
    TenstorrentOptions faces;
    faces.tile_order = TileOrder::kFaces;
    const absl::StatusOr<Shape> by_faces = ToXlaShape(tensor, faces);
    ASSERT_THAT(by_faces, IsOk());
    ASSERT_TRUE(*SameFunction(*ToIndexMap(*by_faces), placement->map()))
        << by_faces->ToString();
    ASSERT_TRUE(KeepsTheLaw(*shape)) << shape->ToString();
    ASSERT_FALSE(HasFailure());
    if (tensor.layout.linear.is_permutation()) {
      ASSERT_EQ(*ToMetalTensor(*shape), tensor);
    }
    ++converted;
    joined += is_joined;
    bumped += is_bumped;
  }
  RecordProperty("converted", converted);
  RecordProperty("joined", joined);
  RecordProperty("bumped", bumped);
  RecordProperty("refused", refused);
  EXPECT_GT(converted, kTensors / 2);
  EXPECT_GT(joined, kTensors / 10);
  EXPECT_GT(bumped, kTensors / 50);
}

}  // namespace
}  // namespace tessera
