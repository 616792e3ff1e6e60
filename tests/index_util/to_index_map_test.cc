#include "tessera/index_util/to_index_map.h"

#include <cstdint>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/index_util/array_sizes.h"
#include "tessera/index_util/derivation.h"
#include "tessera/index_util/tiled_index.h"
#include "tessera/parser/parser.h"
#include "tessera/tests/status_matchers.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Shape Parse(const char* text) {
  absl::StatusOr<Shape> shape = ParseShape(text);
  EXPECT_THAT(shape, IsOk());
  return *std::move(shape);
}

TEST(ToIndexMap, BytesAndBitsCountTheMetadataPrefix) {
  const Shape shape = Parse("f32[<=100,8]{1,0:T(8,128)M(1024)}");
  EXPECT_EQ(*ToIndexMap(shape)->LinearIndex({0, 1}), 1);
  EXPECT_EQ(*ToIndexMap(shape, PositionUnit::kBytes)->LinearIndex({0, 1}),
            1028);
  EXPECT_EQ(*ToIndexMap(shape, PositionUnit::kBits)->LinearIndex({0, 1}), 8224);
}

TEST(ToIndexMap, PackedElementsHaveBitsButNoBytes) {
  const Shape shape = Parse("s4[3,3]{1,0:E(4)}");
  EXPECT_EQ(*ToIndexMap(shape, PositionUnit::kBits)->LinearIndex({1, 1}), 16);
  absl::Status status = ToIndexMap(shape, PositionUnit::kBytes).status();
  EXPECT_THAT(
      status,
      StatusIs(absl::StatusCode::kFailedPrecondition,
               HasSubstr("elements of 4 bits, which do not begin on whole")));
  // Without E it takes a byte.
  EXPECT_EQ(*ToIndexMap(Parse("s4[3,3]{1,0}"), PositionUnit::kBytes)
                 ->LinearIndex({1, 1}),
            4);
}

TEST(ToIndexMap, RefusesWhatHasNoPositions) {
  struct Case {
    Shape shape;
    absl::StatusCode code;
    const char* words;
  };
  const Case cases[] = {
      {Parse("(f32[2],s32[])"), absl::StatusCode::kFailedPrecondition,
       "is not an array"},
      {Shape::Token(), absl::StatusCode::kFailedPrecondition,
       "token[] is not an array"},
      {Parse("f32[?,2]"), absl::StatusCode::kFailedPrecondition,
       "has an unbounded dimension"},
      {Shape::Array(F32, {2, 3}), absl::StatusCode::kFailedPrecondition,
       "f32[2,3] has no layout; ParseShape fills in the "
       "default, GetDefaultLayoutForShape returns it"},
      {Shape::Array(F32, {2, 3}, Layout({0, 0})),
       absl::StatusCode::kInvalidArgument, "minor_to_major"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.shape.ToString());
    absl::Status status = ToIndexMap(c.shape).status();
    EXPECT_THAT(status, StatusIs(c.code, HasSubstr(c.words)));
  }
}

// Where XLA's DelinearizeIndexForNestedTiling brings back 7 of 8 wrong.
TEST(TiledIndex, SecondTileOfHigherRankRoundTrips) {
  const Shape shape = Parse("f32[8]{0:T(4)(2,2,2)}");
  for (int64_t i = 0; i < 8; ++i) {
    const int64_t position = *TiledLinearIndex(shape, {i});
    EXPECT_THAT(**TiledMultidimensionalIndex(shape, position), ElementsAre(i));
  }
}

TEST(Derivation, ShowsJoinedAndInsertedAxes) {
  absl::StatusOr<Derivation> derivation =
      DeriveLinearIndex(Parse("f32[2,7]{1,0:T(4,*,3)}"), {1, 6});
  ASSERT_THAT(derivation, IsOk());
  EXPECT_THAT(derivation->tiles[0].tiled.bounds, ElementsAre(1, 14));
  EXPECT_THAT(derivation->tiles[0].tiled.index, ElementsAre(0, 13));
  EXPECT_THAT(derivation->tiles[0].divisors, ElementsAre(4, 3));
  EXPECT_THAT(derivation->tiles[0].expanded.bounds, ElementsAre(1, 5, 4, 3));
  EXPECT_THAT(derivation->tiles[0].expanded.index, ElementsAre(0, 4, 0, 1));
}

// f32[8]{0:T(1)(1)...}
Shape UnderTilesOfOne(int tiles) {
  return Shape::Array(F32, {8},
                      Layout({0}).WithTiles(Layout::Tiles(tiles, Tile({1}))));
}

TEST(Derivation, TooManyAxesToWriteDownAreRefused) {
  // 1000 tiles take 2 + 3 + ... + 1001 axes, 16,000 some 128 million.
  const Shape shape = UnderTilesOfOne(1000);
  EXPECT_EQ(DeriveLinearIndex(shape, {5})->linear_index, 5);
  EXPECT_EQ(ExpandedBoundsByTile(shape)->back(), *ExpandedBounds(shape));

  const absl::Status too_many = absl::ResourceExhaustedError(
      "the derivation has more than 1048576 axes, those "
      "after each tile (16000) together");
  const Shape larger = UnderTilesOfOne(16000);
  EXPECT_EQ(DeriveLinearIndex(larger, {5}).status(), too_many);
  EXPECT_EQ(ExpandedBoundsByTile(larger).status(), too_many);
  EXPECT_EQ(ExpandedBounds(larger)->size(), 16001);
}

TEST(ArraySizes, NamesWhoPays) {
  absl::StatusOr<ArraySizes> sizes =
      ComputeArraySizes(Parse("f32[28,1,1]{2,1,0:T(2,128)}"));
  ASSERT_THAT(sizes, IsOk());
  ASSERT_EQ(sizes->dimension_padding.size(), 3);
  EXPECT_EQ(sizes->dimension_padding[0].padded, 28);
  EXPECT_EQ(sizes->dimension_padding[1].padded, 2);
  EXPECT_EQ(sizes->dimension_padding[2].padded, 128);

  // A tile of more dimensions than the array: the rest is blamed on none.
  sizes = ComputeArraySizes(Parse("f32[3]{0:T(8,128)}"));
  ASSERT_EQ(sizes->dimension_padding.size(), 2);
  EXPECT_EQ(sizes->dimension_padding[0].padded, 128);
  EXPECT_TRUE(sizes->dimension_padding[1].dimensions.empty());
  EXPECT_EQ(sizes->dimension_padding[1].padded, 8);

  sizes = ComputeArraySizes(Parse("f32[7]{0:L(100)}"));
  EXPECT_EQ(sizes->tail_elements, 93);
  EXPECT_EQ(ComputeArraySizes(Parse("f32[0]{0:L(100)}"))->padded_bytes, 0);
}

TEST(ToIndexMap, APrefixMayReachTheLastBit) {
  const Shape shape = Parse("s4[1]{0:E(4)M(1152921504606846975)}");
  const absl::StatusOr<IndexMap> map = ToIndexMap(shape, PositionUnit::kBits);
  ASSERT_TRUE(map.ok()) << map.status();
  EXPECT_EQ(*map->LinearIndex({0}), 9223372036854775800);
}

TEST(ToIndexMap, AScalarWithoutALayoutHasNone) {
  EXPECT_EQ(ToIndexMap(Shape::Array(F32, {})).status().code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(ToIndexMap(Shape::Array(F32, {2})).status().code(),
            absl::StatusCode::kFailedPrecondition);
}

}  // namespace
}  // namespace tessera
