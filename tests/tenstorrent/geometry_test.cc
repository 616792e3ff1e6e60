#include "tessera/tenstorrent/geometry.h"

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/tenstorrent/affine/affine_map_parser.h"
#include "tessera/tenstorrent/internal/size_checks.h"
#include "tessera/tenstorrent/rule.h"
#include "tessera/tests/status_matchers.h"

namespace tessera::tenstorrent {
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

TEST(Geometry, WithoutElementsThereAreNoBytes) {
  const struct {
    Dimensions shape;
    const char* map;
    Dimensions extent;
    Dimensions memref;
  } kCases[] = {
      {{0, 64}, "(d0, d1) -> (d0, d1)", {0, 64}, {0, 2}},
      {{64, 0}, "(d0, d1) -> (d0, d1)", {64, 0}, {2, 0}},
      {{0, 0}, "(d0, d1) -> (d0, d1)", {0, 0}, {0, 0}},
      {{5, 0, 64}, "(d0, d1, d2) -> (d0 * 32 + d1, d2)", {0, 64}, {0, 2}},
      {{0, 5, 64}, "(d0, d1, d2) -> (d0 * 32 + d1, d2)", {0, 64}, {0, 2}},
      {{0}, "(d0) -> (0, d0)", {1, 0}, {1, 0}},
      // It has to be nowhere, if the map leaves the dimension out.
      {{0, 64}, "(d0, d1) -> (0, d1)", {0, 0}, {0, 0}},
  };
  for (const auto& c : kCases) {
    for (const DivisionOrder order :
         {DivisionOrder::kGridFirst, DivisionOrder::kTileFirst}) {
      const absl::StatusOr<Geometry> geometry = Geometry::Create(
          c.shape, *ParseAffineMap(c.map), {1, 1},
          ElementType{DataType::kBF16, TileShape{32, 32}}, order);
      ASSERT_THAT(geometry, IsOk()) << c.map;
      EXPECT_EQ(geometry->extent, c.extent) << c.map;
      EXPECT_EQ(geometry->memref, c.memref) << c.map;
      EXPECT_EQ(geometry->bytes, 0) << c.map;
      EXPECT_EQ(KnownProduct(geometry->CellsInUse()), 0) << c.map;
    }
  }
  const absl::Status negative =
      Geometry::Create({-1, 64}, AffineMap::Identity(2), {1, 1}, {},
                       DivisionOrder::kGridFirst)
          .status();
  EXPECT_EQ(RuleOf(negative), Rule::kTensorSize);
  EXPECT_EQ(negative.message(),
            "dimension 0 of the tensor is -1; sizes are at least 0");
}

TEST(Geometry, ElementsThatDoNotExist) {
  const auto error = [](const ElementType& element) {
    const absl::Status status =
        Geometry::Create({4, 4}, AffineMap::Identity(2), {1, 1}, element,
                         DivisionOrder::kGridFirst)
            .status();
    return absl::StrCat(AbslView(NameOf(*RuleOf(status))), ": ",
                        status.message());
  };
  EXPECT_EQ(error({DataType::kF64, TileShape{32, 32}}),
            "tile-type: tiles cannot have elements of type f64");
  EXPECT_EQ(error({DataType::kBfpBf8}),
            "block-float: block floats are in tiles, but the elements are "
            "scalars");
  EXPECT_EQ(error({DataType::kBfpBf8, TileShape{20, 32}}),
            "block-float: block floats are in tiles 16 or 32 wide and 1, 2, 4, "
            "8, 16 or 32 high, but this is !tt.tile<20x32, bfp_bf8>");
  EXPECT_EQ(error({DataType::kF32, TileShape{0, 32}}),
            "tile-rank: the tile is 0x32; sizes are at least 1");
}

}  // namespace
}  // namespace tessera::tenstorrent
