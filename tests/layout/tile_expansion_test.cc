#include "tessera/layout/tile_expansion.h"

#include <cstdint>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;

constexpr int64_t kStar = Tile::kCombineDimension;

TEST(TileExpansion, Example) {
  EXPECT_THAT(*ExpandedBounds({3, 5}, {Tile({2, 2})}), ElementsAre(2, 3, 2, 2));
}

TEST(TileExpansion, TilesApplyOneAfterTheOther) {
  EXPECT_THAT(*ExpandedBounds({9, 130}, {}), ElementsAre(9, 130));
  EXPECT_THAT(*ExpandedBounds({9, 130}, {Tile({8, 128}), Tile({2, 1})}),
              ElementsAre(2, 2, 4, 128, 2, 1));
  // Dimensions that a tile does not reach stay as they are.
  EXPECT_THAT(*ExpandedBounds({7, 9, 130}, {Tile({128})}),
              ElementsAre(7, 9, 2, 128));
  // One that reaches further gets axes of bound 1 in front.
  EXPECT_THAT(*ExpandedBounds({3}, {Tile({8, 128})}),
              ElementsAre(1, 1, 8, 128));
  EXPECT_THAT(*ExpandedBounds({}, {Tile({128})}), ElementsAre(1, 128));
}

TEST(TileExpansion, StarsJoin) {
  EXPECT_THAT(
      *ExpandedBounds({2, 7, 8, 11, 10}, {Tile({kStar, kStar, 2, kStar, 3})}),
      ElementsAre(56, 37, 2, 3));
  EXPECT_EQ(ExpandedBounds({int64_t{1} << 62, 2}, {Tile({kStar, 4})}).status(),
            absl::OutOfRangeError("the tile's * joins dimensions of "
                                  "4611686018427387904 and 2, whose product "
                                  "exceeds 2^63-1"));
  // With nothing, wherever it stands among those that are joined.
  for (const std::vector<int64_t>& bounds :
       {std::vector<int64_t>{int64_t{1} << 62, 2, 0},
        std::vector<int64_t>{int64_t{1} << 62, 0, 2},
        std::vector<int64_t>{0, int64_t{1} << 62, 2}}) {
    EXPECT_THAT(*ExpandedBounds(bounds, {Tile({kStar, kStar, 4})}),
                ElementsAre(0, 4));
  }
  EXPECT_FALSE(
      ExpandedBounds({int64_t{1} << 62, 2, 0}, {Tile({kStar, 4, 4})}).ok());
}

}  // namespace
}  // namespace tessera
