#include "tessera/tenstorrent/geometry.h"

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/tenstorrent/rule.h"
#include "tessera/tests/status_matchers.h"

namespace tessera {
namespace tenstorrent {
namespace {

TEST(Geometry, TilesFirst) {
  const absl::StatusOr<Geometry> geometry =
      Geometry::Create({53, 63}, AffineMap::Identity(2), {3, 2},
                       ElementType{DataType::kBF16, TileShape{32, 32}},
                       DivisionOrder::kTileFirst);
  ASSERT_THAT(geometry, IsOk());
  EXPECT_EQ(geometry->memref, (Dimensions{1, 1}));
  EXPECT_EQ(geometry->shard, (Dimensions{32, 32}));
  EXPECT_EQ(geometry->CellsInUse(), (Dimensions{2, 2}));
}

TEST(Geometry, ElementsThatDoNotExist) {
  const auto error = [](const ElementType& element) {
    const absl::Status status =
        Geometry::Create({4, 4}, AffineMap::Identity(2), {1, 1}, element,
                         DivisionOrder::kGridFirst)
            .status();
    return absl::StrCat(NameOf(*RuleOf(status)), ": ", status.message());
  };
  EXPECT_EQ(error({DataType::kF64, TileShape{32, 32}}),
            "tile-type: no tile is made of f64");
  EXPECT_EQ(error({DataType::kBfpBf8}),
            "block-float: block floats are in tiles of 32x32, but the elements "
            "are scalars");
  EXPECT_EQ(error({DataType::kF32, TileShape{0, 32}}),
            "tile-rank: the tile is 0x32; sizes are at least 1");
}

}  // namespace
}  // namespace tenstorrent
}  // namespace tessera
