// Worked numbers: 31 shapes with their expanded bounds, linear indices and
// sizes; whole maps; and the examples of the two public documents. Every number
// follows the definition (all tiles, tail padding, packed elements). Where
// XLA's own helpers answer otherwise, a comment says so.

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/index_map/index_map.h"
#include "tessera/index_util/array_sizes.h"
#include "tessera/index_util/derivation.h"
#include "tessera/index_util/to_index_map.h"
#include "tessera/parser/parser.h"
#include "tessera/tests/status_matchers.h"

namespace tessera {
namespace {

struct Element {
  std::vector<int64_t> index;
  int64_t linear_index;
};

struct Example {
  const char* name;
  const char* shape;
  std::vector<int64_t> expanded_bounds;
  std::vector<Element> elements;
  int64_t tile_positions;  // before the tail padding L
  int64_t padded_bytes;
  int64_t data_end_bytes;
  int64_t unpadded_bytes;
};

const std::vector<Example>& Examples() {
  static const auto* const examples = new std::vector<Example>{
      {"ColumnMajor",
       "f32[2,3]{0,1}",
       {3, 2},
       {{{1, 2}, 5}, {{0, 1}, 2}},
       6,
       24,
       24,
       24},
      {"FigureOne",
       "f32[3,5]{1,0:T(2,2)}",
       {2, 3, 2, 2},
       {{{2, 3}, 17}, {{0, 4}, 8}, {{2, 4}, 20}},
       24,
       96,
       84,
       60},
      // LayoutUtil::LinearIndex says 6 for (1,2).
      {"FigureTwo",
       "f32[4,8]{1,0:T(2,4)(2,1)}",
       {2, 2, 1, 4, 2, 1},
       {{{1, 2}, 5}, {{3, 7}, 31}},
       32,
       128,
       128,
       128},
      {"ColumnMajorTiled",
       "f32[10,20]{0,1:T(8,128)}",
       {3, 1, 8, 128},
       {{{9, 19}, 2441}},
       3072,
       12288,
       9768,
       800},
      {"SeveralTilesEachWay",
       "f32[300,200]{1,0:T(8,128)}",
       {38, 2, 8, 128},
       {{{10, 130}, 3330}, {{299, 199}, 77255}},
       77824,
       311296,
       309024,
       240000},
      // LayoutUtil::LinearIndex: 389 and 3272.
      {"PackedPairs",
       "bf16[16,256]{1,0:T(8,128)(2,1)}",
       {2, 2, 4, 128, 2, 1},
       {{{3, 5}, 267}, {{9, 200}, 3217}},
       4096,
       8192,
       8192,
       8192},
      {"TheShapesDocument",
       "bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)}",
       {1, 8, 160, 128, 4, 128, 2, 1},
       {{{1, 0, 0, 0}, 20971520}, {{7, 0, 1279, 16383}, 167772159}},
       167772160,
       335544320,
       335544320,
       335544320},
      // LayoutUtil::LinearIndex returns the index itself for rank 1.
      {"ThreeLevels",
       "bf16[2048]{0:T(1024)(128)(2,1)}",
       {2, 4, 128, 2, 1},
       {{{128}, 1}, {{1}, 2}, {{129}, 3}, {{1025}, 1026}},
       2048,
       4096,
       4096,
       4096},
      // ShapeUtil::ArrayDataSize: 200.
      {"ThreeLevelsPadded",
       "bf16[100]{0:T(256)(128)(2,1)}",
       {1, 1, 128, 2, 1},
       {{{1}, 2}, {{99}, 198}},
       256,
       512,
       398,
       200},
      // The last element, 143, is not the last in memory, 254.
      {"DataEndIsAMaximum",
       "bf16[200]{0:T(256)(128)(2,1)}",
       {1, 1, 128, 2, 1},
       {{{127}, 254}, {{128}, 1}, {{199}, 143}},
       256,
       512,
       510,
       400},
      {"OneLargeTile",
       "f32[100]{0:T(1024)}",
       {1, 1024},
       {{{99}, 99}},
       1024,
       4096,
       400,
       400},
      {"PackedQuadruples",
       "s8[40,200]{1,0:T(8,128)(4,1)}",
       {5, 2, 2, 128, 4, 1},
       {{{6, 130}, 1546}, {{39, 199}, 10015}},
       10240,
       10240,
       10016,
       8000},
      {"PackedNibbles",
       "s4[100,300]{1,0:T(64,128)(8,1)E(4)}",
       {2, 3, 8, 128, 8, 1},
       {{{13, 257}, 17421}, {{99, 299}, 45403}},
       49152,
       24576,
       22702,
       15000},
      {"NibblesPacked", "s4[3,3]{1,0:E(4)}", {3, 3}, {{{2, 2}, 8}}, 9, 5, 5, 5},
      {"NibblesUnpacked", "s4[3,3]{1,0}", {3, 3}, {{{2, 2}, 8}}, 9, 9, 9, 9},
      // LayoutUtil::LinearIndex: 21547.
      {"PackedBits",
       "pred[100,300]{1,0:T(32,128)(32,1)E(1)}",
       {4, 3, 1, 128, 32, 1},
       {{{40, 299}, 21864}, {{99, 299}, 46435}},
       49152,
       6144,
       5805,
       3750},
      // Unpadded as TPU's compiler prints it, a byte each; ByteSizeOf says
      // 2048.
      {"WidenedElements",
       "pred[8,8,8]{0,2,1:T(8,128)E(32)}",
       {8, 1, 1, 8, 128},
       {{{1, 2, 3}, 2433}},
       8192,
       32768,
       32288,
       512},
      {"TiledScalar", "u32[]{:T(128)}", {1, 128}, {{{}, 0}}, 128, 512, 4, 4},
      {"TileOfHigherRank",
       "f32[3]{0:T(8,128)}",
       {1, 1, 8, 128},
       {{{2}, 2}},
       1024,
       4096,
       12,
       12},
      // LayoutUtil::LinearIndex: 5, 2 and 7.
      {"TileOfHigherRankThatMoves",
       "f32[8]{0:T(2,2)}",
       {1, 4, 2, 2},
       {{{5}, 9}, {{2}, 4}, {{7}, 13}},
       16,
       64,
       56,
       32},
      // Every function of XLA reads the `*` as a size.
      {"CombinedDimensions",
       "f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}",
       {56, 37, 2, 3},
       {{{0, 1, 2, 3, 4}, 1177}, {{1, 6, 7, 10, 9}, 12430}},
       12432,
       49728,
       49724,
       49280},
      {"CombinedMinorDimensions",
       "bf16[2,3,1004]{2,1,0:T(2,*,128)}",
       {1, 24, 2, 128},
       {{{1, 1, 500}, 3040}, {{1, 2, 1003}, 6083}},
       6144,
       12288,
       12168,
       12048},
      {"TailPadding",
       "f32[4,33]{1,0:T(8)L(1024)}",
       {4, 5, 8},
       {{{3, 32}, 152}},
       160,
       4096,
       612,
       528},
      // ShapeUtil::ArraySize: 28, for want of a tile.
      {"TailPaddingWithoutTiles",
       "f32[7]{0:L(100)}",
       {7},
       {{{6}, 6}},
       7,
       400,
       28,
       28},
      // Splits move nothing.
      {"Splits",
       "f32[150,200,100]{0,1,2:T(8,128)SC(0:30)(1:40,130)}",
       {100, 25, 2, 8, 128},
       {{{149, 199, 99}, 5119893}},
       5120000,
       20480000,
       20479576,
       12000000},
      {"BoundedDimension",
       "f32[<=100,8]{1,0:T(8,128)M(1024)}",
       {13, 1, 8, 128},
       {{{99, 7}, 12679}},
       13312,
       53248,
       50720,
       3200},
      // ShapeUtil::ArraySize: 16384, without what the second tile pads.
      {"SecondTilePads",
       "f32[10,200]{1,0:T(8,128)(3,1)}",
       {2, 2, 3, 128, 3, 1},
       {{{9, 199}, 3670}},
       4608,
       18432,
       14684,
       8000},
      {"TallTiles",
       "f32[5,3]{0,1:T(2,128)}",
       {2, 1, 2, 128},
       {{{4, 2}, 260}},
       512,
       2048,
       1044,
       60},
      {"RaggedPackedPairs",
       "bf16[9,130]{1,0:T(8,128)(2,1)}",
       {2, 2, 4, 128, 2, 1},
       {{{8, 129}, 3074}},
       4096,
       8192,
       6150,
       2340},
      // ShapeUtil::ArrayDataSize: -492.
      {"NoElements", "f32[0,5]{1,0:T(8,128)}", {0, 1, 8, 128}, {}, 0, 0, 0, 0},
      // "16.00G, unpadded 512.00M", as a TPU compiler printed it.
      {"ThirtyTwofold",
       "s32[2048,1,128,128,4]{4,3,2,0,1:T(8,128)}",
       {1, 2048, 128, 16, 1, 8, 128},
       {{{2047, 0, 127, 127, 3}, 4294967171}},
       4294967296,
       17179869184,
       17179868688,
       536870912},
      {"UnitMinorDimensions",
       "f32[28,1,1]{2,1,0:T(2,128)}",
       {28, 1, 1, 2, 128},
       {{{27, 0, 0}, 6912}},
       7168,
       28672,
       27652,
       112},
  };
  return *examples;
}

Shape Parse(const char* text) {
  absl::StatusOr<Shape> shape = ParseShape(text);
  EXPECT_THAT(shape, IsOk());
  return *std::move(shape);
}

class WorkedExample : public ::testing::TestWithParam<Example> {};

TEST_P(WorkedExample, ExpandedBounds) {
  auto bounds = ExpandedBoundsByTile(Parse(GetParam().shape));
  ASSERT_THAT(bounds, IsOk());
  EXPECT_EQ(bounds->back(), GetParam().expanded_bounds);
}

TEST_P(WorkedExample, IndicesBothWays) {
  const Shape shape = Parse(GetParam().shape);
  absl::StatusOr<IndexMap> map = ToIndexMap(shape);
  ASSERT_THAT(map, IsOk());
  for (const Element& element : GetParam().elements) {
    EXPECT_EQ(*map->LinearIndex(element.index), element.linear_index);
    EXPECT_EQ(DeriveLinearIndex(shape, element.index)->linear_index,
              element.linear_index);
    std::vector<int64_t> index(map->rank());
    EXPECT_EQ(*map->MultidimensionalIndex(element.linear_index,
                                          absl::MakeSpan(index)),
              PositionKind::kElement);
    EXPECT_EQ(index, element.index);
  }
}

TEST_P(WorkedExample, Sizes) {
  absl::StatusOr<ArraySizes> sizes = ComputeArraySizes(Parse(GetParam().shape));
  ASSERT_THAT(sizes, IsOk());
  EXPECT_EQ(sizes->physical_elements - sizes->tail_elements,
            GetParam().tile_positions);
  EXPECT_EQ(sizes->padded_bytes, GetParam().padded_bytes);
  EXPECT_EQ(sizes->data_end_bytes, GetParam().data_end_bytes);
  EXPECT_EQ(sizes->unpadded_bytes, GetParam().unpadded_bytes);
}

INSTANTIATE_TEST_SUITE_P(All, WorkedExample, ::testing::ValuesIn(Examples()),
                         [](const auto& info) {
                           return std::string(info.param.name);
                         });

std::vector<std::vector<int64_t>> WholeMap(const char* text) {
  const Shape shape = Parse(text);
  const IndexMap map = *ToIndexMap(shape);
  std::vector<std::vector<int64_t>> rows(shape.dimensions(0));
  for (int64_t i = 0; i < shape.dimensions(0); ++i) {
    for (int64_t j = 0; j < shape.dimensions(1); ++j) {
      rows[i].push_back(*map.LinearIndex({i, j}));
    }
  }
  return rows;
}

using Rows = std::vector<std::vector<int64_t>>;

TEST(WholeMaps, FigureOneOfTheTiledLayoutDocument) {
  EXPECT_EQ(WholeMap("f32[3,5]{1,0:T(2,2)}"),
            (Rows{{0, 1, 4, 5, 8}, {2, 3, 6, 7, 10}, {12, 13, 16, 17, 20}}));
}

TEST(WholeMaps, FigureTwoOfTheTiledLayoutDocument) {
  EXPECT_EQ(WholeMap("f32[4,8]{1,0:T(2,4)(2,1)}"),
            (Rows{{0, 2, 4, 6, 8, 10, 12, 14},
                  {1, 3, 5, 7, 9, 11, 13, 15},
                  {16, 18, 20, 22, 24, 26, 28, 30},
                  {17, 19, 21, 23, 25, 27, 29, 31}}));
}

// a b c     {0,1}: a d b e c f     {1,0}: a b c d e f
// d e f
TEST(WholeMaps, TwoByThreeOfTheShapesDocument) {
  EXPECT_EQ(WholeMap("f32[2,3]{0,1}"), (Rows{{0, 2, 4}, {1, 3, 5}}));
  EXPECT_EQ(WholeMap("f32[2,3]{1,0}"), (Rows{{0, 1, 2}, {3, 4, 5}}));
}

// Combining (2,7,8) and (11,10) and tiling by (2,3) is what tiling the combined
// array does.
TEST(WholeMaps, CombinedDimensionsEqualTheCombinedArray) {
  const IndexMap combined =
      *ToIndexMap(Parse("f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}"));
  const IndexMap flat = *ToIndexMap(Parse("f32[112,110]{1,0:T(2,3)}"));
  for (int64_t row = 0; row < 112; ++row) {
    for (int64_t column = 0; column < 110; ++column) {
      ASSERT_EQ(*combined.LinearIndex(
                    {row / 56, row / 8 % 7, row % 8, column / 10, column % 10}),
                *flat.LinearIndex({row, column}));
    }
  }
}

// Values that XLA's own layout tests assert.
TEST(WholeMaps, ValuesOfXlaTests) {
  EXPECT_EQ(*ToIndexMap(Parse("bf16[2,8,128]{2,1,0:T(8,128)(2,1)}"))
                 ->LinearIndex({0, 2, 0}),
            256);
  EXPECT_EQ(*ToIndexMap(Parse("f32[8,4]{1,0:T(2,2)}"))->LinearIndex({3, 1}),
            11);
  EXPECT_EQ(ComputeArraySizes(Parse("s4[9216,6144]{1,0:T(64,128)(8,1)E(4)}"))
                ->padded_bytes,
            28311552);
  EXPECT_EQ(ComputeArraySizes(Parse("f32[32,128,32,64]{3,0,2,1:T(8,128)}"))
                ->padded_bytes,
            64 << 20);
}

}  // namespace
}  // namespace tessera
