#include "tessera/convert/shard_cute.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/convert/tile_order.h"
#include "tessera/tenstorrent/geometry.h"
#include "tessera/tenstorrent/placement.h"
#include "tessera/tests/literal/random_layouts.h"
#include "tessera/tests/status_matchers.h"

namespace tessera {
namespace {

using tenstorrent::AffineMap;
using tenstorrent::DataType;
using tenstorrent::Dimensions;
using tenstorrent::DivisionOrder;
using tenstorrent::ElementType;
using tenstorrent::Geometry;
using tenstorrent::Location;
using tenstorrent::Placement;
using tenstorrent::TileShape;

Geometry GeometryOf(const std::vector<int64_t>& shape,
                    const std::vector<int64_t>& grid,
                    const ElementType& element,
                    DivisionOrder order = DivisionOrder::kGridFirst) {
  return *Geometry::Create(shape, AffineMap::Identity(shape.size()), grid,
                           element, order);
}

ElementType Tiles(int64_t height, int64_t width) {
  return {DataType::kBF16, TileShape{height, width}};
}

std::string Text(const Geometry& geometry,
                 TileOrder order = TileOrder::kRowMajor) {
  const absl::StatusOr<CuteLayoutOfShape> cute = ToCuteLayout(geometry, order);
  if (!cute.ok()) return std::string(cute.status().message());
  return cute->layout.ToString() +
         (cute->is_exact() ? "" : " where " + cute->Predicate());
}

TEST(ShardCute, Layouts) {
  const ElementType scalar = {DataType::kF32};
  EXPECT_EQ(Text(GeometryOf({}, {}, scalar)), "():()");
  EXPECT_EQ(Text(GeometryOf({128}, {4}, scalar)), "(32):(1)");
  EXPECT_EQ(Text(GeometryOf({53, 63}, {3, 2}, scalar)), "(18,32):(32,1)");
  EXPECT_EQ(Text(GeometryOf({4, 1, 6}, {2, 1, 1}, scalar)), "(2,1,6):(6,0,1)");
  EXPECT_EQ(Text(GeometryOf({2, 96, 32}, {2, 1, 1}, Tiles(32, 32))),
            "(1,(32,3),32):(0,(32,1024),1)");
  EXPECT_EQ(
      Text(GeometryOf({64, 64}, {1, 1}, Tiles(16, 32)), TileOrder::kFaces),
      "((16,4),((16,2),2)):((16,1024),((1,256),512))");
  EXPECT_EQ(
      Text(GeometryOf({32, 32}, {1, 1}, Tiles(32, 32)), TileOrder::kFaces),
      "((16,2),(16,2)):((16,512),(1,256))");
  // A tile without faces has no order but one.
  EXPECT_EQ(
      Text(GeometryOf({40, 32}, {1, 1}, Tiles(20, 32)), TileOrder::kFaces),
      "((20,2),32):((32,640),1)");
  // Whole tiles over the grid: all of a shard is allocated for elements.
  EXPECT_EQ(Text(GeometryOf({53, 63}, {3, 2}, Tiles(32, 32),
                            DivisionOrder::kTileFirst)),
            "(32,32):(32,1)");
}

// The bounds of one cell.
TEST(ShardCute, ValidBoxAsBounds) {
  const Geometry geometry = GeometryOf({53, 63}, {3, 2}, Tiles(32, 32));
  CuteLayoutOfShape cute = *ToCuteLayout(geometry);
  const Dimensions box = *Placement::Create(geometry)->ValidBox({2, 1});
  cute.bounds.assign(box.begin(), box.end());
  EXPECT_EQ(cute.Predicate(), "i0 < 17 && i1 < 31");
}

TEST(ShardCute, LargeShards) {
  const int64_t half = int64_t{1} << 31;
  EXPECT_EQ(Text(GeometryOf({half, half / 4}, {1, 1}, Tiles(32, 32))),
            "((32,67108864),(32,16777216)):((32,17179869184),(1,1024))");
}

// Every offset that a shard allocates, in both orders.
TEST(ShardCute, RandomGeometries) {
#ifdef TESSERA_SANITIZER
  constexpr int kGeometries = 100;
#else
  constexpr int kGeometries = 1000;
#endif
  RandomBits random(TestSeed());
  int64_t tiled = 0, faced = 0, cut = 0;
  for (int n = 0; n < kGeometries; ++n) {
    const int64_t rank = Uniform(1, 4, &random);
    std::vector<int64_t> shape, grid;
    ElementType element = {DataType::kBF16};
    const bool has_faces = rank >= 2 && Uniform(0, 3, &random) == 0;
    if (has_faces) {
      element = Tiles(8 * Uniform(1, 4, &random), 16 * Uniform(1, 3, &random));
    } else if (rank >= 2 && Uniform(0, 2, &random) > 0) {
      element = Tiles(Uniform(1, 5, &random), Uniform(1, 5, &random));
    }
    for (int64_t i = 0; i < rank; ++i) {
      const bool is_tiled = has_faces && i + 2 >= rank;
      shape.push_back(Uniform(1, is_tiled ? 70 : rank > 2 ? 6 : 20, &random));
      grid.push_back(Uniform(1, 3, &random));
    }
    const DivisionOrder order = Uniform(0, 2, &random) == 0
                                    ? DivisionOrder::kTileFirst
                                    : DivisionOrder::kGridFirst;
    const Geometry geometry = GeometryOf(shape, grid, element, order);
    SCOPED_TRACE(absl::StrCat(absl::StrJoin(shape, "x"), " on ",
                              absl::StrJoin(grid, "x"), " of ",
                              element.ToString()));
    const absl::StatusOr<Placement> placement = Placement::Create(geometry);
    ASSERT_THAT(placement, IsOk());
    const absl::StatusOr<CuteLayoutOfShape> cute = ToCuteLayout(geometry);
    const absl::StatusOr<CuteLayoutOfShape> faces =
        ToCuteLayout(geometry, TileOrder::kFaces);
    ASSERT_THAT(cute, IsOk());
    ASSERT_THAT(faces, IsOk());
    int64_t allocated = 1;
    for (const int64_t size : geometry.AllocatedShard()) allocated *= size;
    ASSERT_EQ(cute->layout.size(), allocated);
    ASSERT_EQ(cute->layout.cosize(), allocated);
    ASSERT_EQ(faces->layout.cosize(), allocated);
    for (int64_t number = 0; number < allocated; ++number) {
      const Location location = placement->LocationOf(number);
      ASSERT_EQ(cute->layout.At(location.offset()), location.linear_in_shard());
      ASSERT_EQ(faces->layout.At(location.offset()) * 2, location.byte());
      bool is_within = true;
      for (int64_t i = 0; i < rank; ++i) {
        is_within = is_within && location.offset()[i] < cute->bounds[i];
      }
      // What the rounding up to tiles allocates in a shard, or in none.
      ASSERT_EQ(is_within,
                order == DivisionOrder::kTileFirst ||
                    placement->At(number).kind != PositionKind::kPadding);
    }
    tiled += element.is_tile();
    faced += faces->layout != cute->layout;
    cut += !cute->is_exact();
  }
  EXPECT_GT(tiled, kGeometries / 4);
  EXPECT_GT(faced, kGeometries / 10);
  EXPECT_GT(cut, kGeometries / 10);
}

}  // namespace
}  // namespace tessera
