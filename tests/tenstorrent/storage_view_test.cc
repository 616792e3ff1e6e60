#include "tessera/tenstorrent/internal/storage_view.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/tenstorrent/affine/affine_map_parser.h"
#include "tessera/tenstorrent/internal/size_checks.h"
#include "tessera/tenstorrent/placement.h"
#include "tessera/tenstorrent/rule.h"
#include "tessera/tenstorrent/tensor.h"
#include "tessera/tenstorrent/to_index_map.h"
#include "tessera/tests/status_matchers.h"

namespace tessera::tenstorrent {
namespace {

const ElementType kTile = {DataType::kBF16, TileShape{32, 32}};

Geometry GeometryOf(const Dimensions& shape, const Dimensions& grid,
                    const ElementType& element, const std::string& index_map) {
  Geometry geometry =
      *Geometry::Create(shape, AffineMap::Identity(shape.size()), grid, element,
                        DivisionOrder::kTileFirst);
  geometry.index_map = *ParseAffineMap(index_map);
  return geometry;
}

TEST(StorageView, Example) {
  const Geometry geometry = GeometryOf({128, 64}, {4, 2}, kTile,
                                       "(d0, d1, d2, d3) -> (d1, d0, d2, d3)");
  const absl::StatusOr<StorageView> view = StorageViewOf(geometry);
  ASSERT_THAT(view, IsOk());
  EXPECT_EQ(view->grid, (Dimensions{2, 4}));
  EXPECT_EQ(view->memref, (Dimensions{1, 1}));
  EXPECT_EQ(view->to_storage.LinearIndexUnchecked({2 * 1024}), 1024);
}

// The text of tt-mlir#5916: element (0,32) is in cell (0,1) of the tensor and
// so in cell (1,0) of the storage.
TEST(StorageView, ATransposedGridOfTtMlir) {
  const absl::StatusOr<VerifiedTensor> tensor = ReadVerifiedTensor(
      "tensor<2x2x1x1x!ttcore.tile<32x32, bf16>, #ttcore.metal_layout<"
      "logical_shape = 64x64, dim_alignments = 32x32, collapsed_intervals = "
      "dense<[[0, -1]]> : tensor<1x2xi64>, undef, l1, index_map = (d0, d1, d2, "
      "d3) -> (d1, d0, d3, d2)>>");
  ASSERT_THAT(tensor, IsOk());
  const absl::StatusOr<IndexMap> map = ToIndexMap(*tensor);
  ASSERT_THAT(map, IsOk());
  EXPECT_TRUE(map->is_separable());
  EXPECT_EQ(*map->LinearIndex({0, 32}), 2048);
  EXPECT_EQ(*map->LinearIndex({32, 0}), 1024);
  EXPECT_EQ(*map->LinearIndex({33, 34}), 3 * 1024 + 16 + 2);
  const absl::StatusOr<IndexMap> bytes =
      ToIndexMap(*tensor, PositionUnit::kBytes);
  ASSERT_THAT(bytes, IsOk());
  EXPECT_EQ(*bytes->LinearIndex({0, 32}), 4096);
  const Placement& placement = **PlacementOf(*tensor);
  EXPECT_EQ(placement.Locate({0, 32})->cell(), (Dimensions{1, 0}));
  EXPECT_EQ(placement.Locate({0, 32})->physical(), (Dimensions{0, 32}));
  EXPECT_EQ(placement.At({1, 0}, {3, 4})->index, (Dimensions{3, 36}));
}

// Compares all that a placement says with what the map makes of each element's
// place in the tensor's own grid.
void ExpectByHand(const Geometry& geometry) {
  Geometry plain = geometry;
  plain.index_map.reset();
  const absl::StatusOr<Placement> before = Placement::Create(plain);
  const absl::StatusOr<Placement> after = Placement::Create(geometry);
  ASSERT_THAT(before, IsOk());
  ASSERT_THAT(after, IsOk());
  const Dimensions grid = after->storage_grid();
  const Dimensions memref = after->storage_memref();
  const TileShape tile = geometry.element.tile_or_unit();
  const int64_t in_tile = tile.height * tile.width;
  std::set<int64_t> numbers;
  for (int64_t number = 0; number < before->counts().all(); ++number) {
    const Location old = before->LocationOf(number);
    Dimensions place = old.cell();
    const Dimensions of_memref = old.tile();
    place.insert(place.end(), of_memref.begin(), of_memref.end());
    const AffineMap::Indices storage = *geometry.index_map->Evaluate(place);
    const Dimensions cell(storage.begin(), storage.begin() + grid.size());
    const Dimensions element(storage.begin() + grid.size(), storage.end());
    const int64_t expected =
        (RowMajorNumber(cell, grid) * KnownProduct(memref) +
         RowMajorNumber(element, memref)) *
            in_tile +
        old.in_face().position;
    numbers.insert(expected);
    const Location location = after->LocationOf(expected);
    ASSERT_EQ(location.in_view().number(), number);
    ASSERT_EQ(location.cell(), cell);
    ASSERT_EQ(location.tile(), element);
    ASSERT_EQ(location.physical(), old.physical());
    const Place place_before = before->At(number),
                place_after = after->At(expected);
    ASSERT_EQ(place_after.kind, place_before.kind);
    ASSERT_EQ(place_after.index, place_before.index);
    ASSERT_EQ(after->At(cell, location.offset())->index, place_before.index);
    ASSERT_EQ(after->AtTile(cell, element, location.in_tile())->index,
              place_before.index);
    if (place_before.kind != PositionKind::kElement) continue;
    ASSERT_EQ(*after->map().LinearIndex(place_before.index), expected);
    ASSERT_EQ(after->Locate(place_before.index)->byte(), location.byte());
  }
  EXPECT_EQ(numbers.size(), before->counts().all());
  EXPECT_EQ(after->map().position_count(), before->counts().all());
  // The runs of padding are as many places of the same kinds.
  for (const PositionKind kind :
       {PositionKind::kPadding, PositionKind::kGridPadding}) {
    PaddingOfKind runs = after->Padding(kind);
    PositionRange range;
    int64_t count = 0;
    while (runs.Next(&range)) {
      for (int64_t n = range.begin; n < range.end; ++n, ++count) {
        ASSERT_EQ(after->At(n).kind, kind) << n;
      }
    }
    EXPECT_EQ(count, kind == PositionKind::kPadding ? after->counts().tile
                                                    : after->counts().grid);
  }
  if (!IsBlockFloat(geometry.element.data_type)) return;
  // Exponents stand before each tile of the storage.
  const IndexMap with_exponents = *ToMapWithExponents(*after);
  const int64_t exponents = 16;
  const Dimensions last = [&] {
    Dimensions index = geometry.shape;
    for (int64_t& coordinate : index) --coordinate;
    return index;
  }();
  const int64_t number = *after->map().LinearIndex(last);
  EXPECT_EQ(
      *with_exponents.LinearIndex(last),
      number / in_tile * (in_tile + exponents) + exponents + number % in_tile);
}

TEST(StorageView, EveryPlaceIsWhereTheMapTakesIt) {
  const ElementType scalar{DataType::kF32};
  const ElementType small{DataType::kBfpBf8, TileShape{4, 16}};
  const ElementType wide{DataType::kBF16, TileShape{2, 4}};
  const struct {
    Dimensions shape;
    Dimensions grid;
    ElementType element;
    const char* map;
  } kCases[] = {
      // Permutations: of the grid, of the shard, of both, and of all.
      {{7, 11}, {4, 2}, scalar, "(d0, d1, d2, d3) -> (d1, d0, d2, d3)"},
      {{7, 11}, {4, 2}, scalar, "(d0, d1, d2, d3) -> (d0, d1, d3, d2)"},
      {{7, 11}, {4, 2}, scalar, "(d0, d1, d2, d3) -> (d1, d0, d3, d2)"},
      {{7, 11}, {4, 2}, scalar, "(d0, d1, d2, d3) -> (d2, d3, d0, d1)"},
      {{13, 50}, {2, 3}, small, "(d0, d1, d2, d3) -> (d1, d0, d3, d2)"},
      {{13, 9}, {2, 1}, wide, "(d0, d1, d2, d3) -> (d1, d0, d3, d2)"},
      {{3, 5, 7},
       {1, 2, 3},
       scalar,
       "(d0, d1, d2, d3, d4, d5) -> (d0, d2, d1, d3, d5, d4)"},
      // A dimension of size 1 may stand anywhere, or be 0.
      {{7, 3}, {4, 1}, scalar, "(d0, d1, d2, d3) -> (0, d0, d2, d3)"},
      // Virtual grids, as GridSelection.cpp writes them.
      {{2, 33},
       {1, 16},
       scalar,
       "(d0, d1, d2, d3) -> (d1 floordiv 4, d1 mod 4, d2, d3)"},
      {{33, 2},
       {12, 1},
       scalar,
       "(d0, d1, d2, d3) -> (((d0 + d1) floordiv 2) mod 6, (d0 + d1) mod 2, "
       "d2, d3)"},
      // Interleaved in DRAM, as TTIRToD2M.cpp writes it.
      {{32, 32},
       {4, 4},
       wide,
       "(d0, d1, d2, d3) -> (0, 0, (d0 * 4 + d2 + (d1 * 2 + d3) floordiv 8) "
       "mod 16, (d1 * 2 + d3) mod 8)"},
      // Blocks of other sizes: 2x4 shards on 4x2 seen as 8x1 on 1x8.
      {{8, 8},
       {1, 8},
       scalar,
       "(d0, d1, d2, d3) -> (d2 floordiv 2, d1 floordiv 4, d2 mod 2, d1 mod "
       "4)"},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.map);
    ExpectByHand(GeometryOf(c.shape, c.grid, c.element, c.map));
  }
}

TEST(StorageView, WhatIsNotOneToOneIsNotApplied) {
  for (const char* map : {
           "(d0, d1, d2, d3) -> (d0, d0, d2, d3)",        // twice
           "(d0, d1, d2, d3) -> (d0, d1, d2, d3 + 1)",    // a part
           "(d0, d1, d2, d3) -> (d0, d1, d2, d3 * 2)",    // every other one
           "(d0, d1, d2, d3) -> (d0, d1, d2, d3 mod 2)",  // again and again
           "(d0, d1, d2, d3) -> (d0, d1, d2, 5 - d3)",    // falling
           "(d0, d1, d2, d3) -> (d0, d1, d2, d3 - 1)",
           "(d0, d1, d2, d3) -> (d0, d1, d2)",
           "(d0, d1, d2) -> (d0, d1, d2, d2)",
           "(d0, d1, d2, d3)[s0] -> (d0, d1, d2, d3 + s0)",
           "(d0, d1, d2, d3) -> (d0, d1, d2, d3 * 4611686018427387904)",
       }) {
    const absl::Status status =
        Placement::Create(GeometryOf({8, 12}, {2, 2}, {DataType::kF32}, map))
            .status();
    EXPECT_THAT(status,
                StatusIs(absl::StatusCode::kUnimplemented,
                         testing::StartsWith(absl::StrCat(
                             "the index_map ", ParseAffineMap(map)->ToString(),
                             " is not applied: "))))
        << map;
    EXPECT_EQ(RuleOf(status), Rule::kUndecided) << map;
  }
}

TEST(StorageView, LocationsOutsideOfTheStorageAreErrors) {
  const absl::StatusOr<Placement> placement =
      Placement::Create(GeometryOf({7, 11}, {4, 2}, {DataType::kF32},
                                   "(d0, d1, d2, d3) -> (d1, d0, d3, d2)"));
  ASSERT_THAT(placement, IsOk());
  EXPECT_EQ(placement->storage_grid(), (Dimensions{2, 4}));
  EXPECT_EQ(placement->storage_memref(), (Dimensions{6, 2}));
  EXPECT_EQ(placement->At({2, 0}, {0, 0}).status(),
            absl::OutOfRangeError("cell[0] = 2 is outside [0, 2)"));
  EXPECT_EQ(placement->At({1, 3}, {0, 2}).status(),
            absl::OutOfRangeError("offset[1] = 2 is outside [0, 2)"));
  EXPECT_EQ(placement->AtTile({1, 3}, {6, 0}, {}).status(),
            absl::OutOfRangeError("tile[0] = 6 is outside [0, 6)"));
  // Of the tensor's own cells.
  EXPECT_EQ(*placement->ValidBox({3, 1}), (Dimensions{1, 5}));
  EXPECT_EQ(placement->empty_cells(), 0);
}

}  // namespace
}  // namespace tessera::tenstorrent
