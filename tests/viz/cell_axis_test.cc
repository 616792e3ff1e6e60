#include "tessera/viz/cell_axis.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tessera/index_util/to_index_map.h"
#include "tessera/parser/parser.h"
#include "tests/viz/random_maps.h"

namespace tessera {
namespace {

IndexMap MapOf(const std::string& shape) {
  return *ToIndexMap(*ParseShape(shape));
}

TEST(CellAxis, Example) {
  const CellAxis columns(MapOf("f32[3,5]{1,0:T(2,2)}"), 1, {0, 0});
  EXPECT_EQ(columns.count(), 6);
  EXPECT_EQ(columns.CoordinateOf(5), 5);
  EXPECT_EQ(columns.PositionsOf(5), 2 * 4 + 1);

  const CellAxis blocks(MapOf("s8[20]{0:T(8)(3)}"), 0, {0});
  EXPECT_EQ(blocks.count(), 27);
  EXPECT_EQ(blocks.CellOf(8), 9);
  EXPECT_EQ(blocks.CoordinateOf(8), -1);

  const CellAxis joined(MapOf("f32[2,7,3,5]{3,2,1,0:T(*,2,2)}"), 2,
                        {0, 1, 0, 0});
  EXPECT_EQ(joined.phase(), 3);
  EXPECT_EQ(joined.count(), 3);
  EXPECT_FALSE(joined.counts_padding());
}

TEST(CellAxis, PaddingWithinPadding) {
  // Tiles of 8 in tiles of 3 in tiles of 2: every 3 take 4, every 8 take 12.
  const CellAxis axis(MapOf("s8[20]{0:T(8)(3)(2)}"), 0, {0});
  EXPECT_EQ(axis.count(), 36);
  std::vector<int64_t> coordinates;
  for (int64_t cell = 0; cell < 12; ++cell) {
    coordinates.push_back(axis.CoordinateOf(cell));
  }
  EXPECT_EQ(coordinates,
            (std::vector<int64_t>{0, 1, 2, -1, 3, 4, 5, -1, 6, 7, -1, -1}));
}

TEST(CellAxis, PaddingBesideEachCoordinate) {
  // Tiles of one element, each in a tile of 2.
  const CellAxis axis(MapOf("s8[3]{0:T(1)(2)}"), 0, {0});
  EXPECT_EQ(axis.count(), 6);
  std::vector<int64_t> coordinates;
  for (int64_t cell = 0; cell < axis.count(); ++cell) {
    coordinates.push_back(axis.CoordinateOf(cell));
  }
  EXPECT_EQ(coordinates, (std::vector<int64_t>{0, -1, 1, -1, 2, -1}));
}

TEST(CellAxis, DimensionsThatAreDrawnTogetherHaveNoPhase) {
  const IndexMap map = MapOf("f32[7,3]{1,0:T(*,2)}");
  EXPECT_EQ(CellAxis(map, 1, {1, 0}).phase(), 3);
  EXPECT_EQ(CellAxis(map, 1, {1, 0}, /*across=*/0).phase(), 0);
  EXPECT_TRUE(CellAxis(map, 1, {1, 0}, /*across=*/0).digits().size() <= 1);
}

// Cells and coordinates are one another's inverse, in order; what a cell adds
// to positions is what its coordinate does; digits say the same.
TEST(CellAxis, LawsOfRandomLayouts) {
  RandomBits random(TestSeed());
  int64_t between = 0;
  for (int i = 0; i < 2000; ++i) {
    const IndexMap map = RandomMap(&random);
    if (map.element_count() == 0 || map.rank() == 0) continue;
    const int64_t dimension = Uniform(0, map.rank() - 1, &random);
    const std::vector<int64_t> zero(map.rank());
    const CellAxis axis(map, dimension, zero);
    ASSERT_GE(axis.count(), axis.bound());
    int64_t last = -1;
    for (int64_t x = 0; x < axis.bound(); ++x) {
      const int64_t cell = axis.CellOf(x);
      EXPECT_GT(cell, last);
      EXPECT_LT(cell, axis.count());
      EXPECT_EQ(axis.CoordinateOf(cell), x) << map.ToString();
      last = cell;
      if (!axis.counts_padding()) continue;
      std::vector<int64_t> index = zero;
      index[dimension] = x;
      EXPECT_EQ(map.swizzle().Apply(map.LinearIndexUnchecked(index)) -
                    map.swizzle().Apply(map.LinearIndexUnchecked(zero)),
                axis.PositionsOf(cell))
          << map.ToString();
    }
    std::set<int64_t> positions;
    for (int64_t cell = 0; cell < axis.count(); ++cell) {
      const int64_t coordinate = axis.CoordinateOf(cell);
      between += coordinate < 0;
      if (0 <= coordinate && coordinate < axis.bound()) {
        EXPECT_EQ(axis.CellOf(coordinate), cell);
      }
      if (axis.counts_padding()) {
        EXPECT_TRUE(positions.insert(axis.PositionsOf(cell)).second)
            << map.ToString();
      }
    }
  }
  EXPECT_GT(between, 500);
}

}  // namespace
}  // namespace tessera
