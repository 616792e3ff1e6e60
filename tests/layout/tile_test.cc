#include "tessera/layout/tile.h"

#include <cstdint>
#include <limits>

#include "absl/hash/hash_testing.h"
#include "gtest/gtest.h"

namespace tessera {
namespace {

TEST(Tile, PrintsWhatItHolds) {
  constexpr int64_t kStar = Tile::kCombineDimension;
  EXPECT_EQ(Tile().ToString(), "()");
  EXPECT_EQ(Tile({1024}).ToString(), "(1024)");
  EXPECT_EQ(Tile({kStar, kStar, 2, kStar, 3}).ToString(), "(*,*,2,*,3)");
  EXPECT_EQ(Tile({-2, 0}).ToString(), "(-2,0)");
  EXPECT_EQ(Tile({std::numeric_limits<int64_t>::max()}).ToString(),
            "(9223372036854775807)");
}

TEST(Tile, EqualityAndHash) {
  EXPECT_TRUE(absl::VerifyTypeImplementsAbslHashCorrectly({
      Tile(),
      Tile({8}),
      Tile({8, 128}),
      Tile(Tile::Dimensions{8, 128}),
      Tile({128, 8}),
      Tile({Tile::kCombineDimension, 128}),
      Tile({1, 2, 3, 4}),
  }));
  EXPECT_EQ(Tile({8, 128}), Tile(Tile::Dimensions{8, 128}));
  EXPECT_NE(Tile({8, 128}), Tile({128, 8}));
}

}  // namespace
}  // namespace tessera
