#include "tessera/tenstorrent/derive/aligned_derivation.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/tenstorrent/derive/collapse.h"
#include "tessera/tenstorrent/derive/strides.h"
#include "tessera/tenstorrent/placement.h"
#include "tessera/tenstorrent/rule.h"
#include "tessera/tests/literal/random_layouts.h"
#include "tessera/tests/status_matchers.h"

namespace tessera::tenstorrent {
namespace {

using Intervals = AlignedLayout::Intervals;

constexpr int64_t kLarge = int64_t{1} << 62;
const ElementType kTile = {DataType::kF32, TileShape{32, 32}};

AlignedLayout Layout(const Dimensions& shape, const Dimensions& alignments,
                     const Intervals& intervals) {
  AlignedLayout layout;
  layout.logical_shape = shape;
  layout.dim_alignments = alignments;
  layout.collapsed_intervals = intervals;
  return layout;
}

template <typename Value>
std::string ErrorOf(const absl::StatusOr<Value>& value) {
  if (value.ok()) return "no error";
  const std::optional<Rule> rule = RuleOf(value.status());
  return absl::StrCat(AbslView(rule.has_value() ? NameOf(*rule) : "no rule"),
                      ": ", value.status().message());
}

TEST(AlignedDerivation, PhysicalShapes) {
  struct Case {
    AlignedLayout layout;
    const char* map;
    Dimensions physical;
    Dimensions host_strides;
    Intervals intervals;
  };
  for (const Case& c : {
           // Grid-aware: 9 * 64 = 576 rows become 768.
           Case{Layout({9, 43, 7}, {256, 32, 32}, {{0, 2}, {2, 3}}),
                "(d0, d1, d2) -> (d0 * 64 + d1, d2)",
                {768, 32},
                {2048, 32, 1},
                {{0, 2}, {2, 3}}},
           // Negative bounds; a dimension behind is an interval of its own.
           Case{Layout({9, 43, 7}, {1, 1, 1}, {{0, -1}}),
                "(d0, d1, d2) -> (d0 * 43 + d1, d2)",
                {387, 7},
                {301, 7, 1},
                {{0, 2}, {2, 3}}},
           // In any order, and empty ones.
           Case{Layout({2, 3, 4}, {1, 1, 8}, {{1, 3}, {1, 1}, {0, 1}}),
                "(d0, d1, d2) -> (d0, d1 * 8 + d2)",
                {2, 24},
                {24, 8, 1},
                {{0, 1}, {1, 3}}},
           // No collapsing: dense<> : tensor<0x2xi64>.
           Case{Layout({2, 3, 4}, {1, 32, 32}, {}),
                "(d0, d1, d2) -> (d0, d1, d2)",
                {2, 32, 32},
                {1024, 32, 1},
                {{0, 1}, {1, 2}, {2, 3}}},
           // An alignment that is not a multiple of what is within: each rounds
           // up what it multiplies, 3 * 4 -> 15, 2 * 15 -> 30 -> 32.
           Case{Layout({2, 3, 4}, {32, 5, 2}, {{0, 3}}),
                "(d0, d1, d2) -> (d0 * 15 + d1 * 4 + d2)",
                {32},
                {15, 4, 1},
                {{0, 3}}},
           // A dimension of rows in front, where tiles would not lie else.
           Case{Layout({100}, {32}, DefaultCollapsedIntervals(1)),
                "(d0) -> (0, d0)",
                {32, 128},
                {1},
                {{0, 1}}},
           Case{Layout({}, {}, DefaultCollapsedIntervals(0)),
                "() -> (0, 0)",
                {32, 32},
                {},
                {}},
           Case{Layout({}, {}, {{0, 0}}), "() -> (0, 0)", {32, 32}, {}, {}},
       }) {
    const absl::StatusOr<AlignedDerivation> derivation =
        DeriveAligned(c.layout);
    ASSERT_THAT(derivation, IsOk());
    EXPECT_EQ(derivation->linear.ToString(), c.map);
    EXPECT_EQ(derivation->physical_shape, c.physical) << c.map;
    EXPECT_EQ(derivation->host_strides, c.host_strides) << c.map;
    EXPECT_EQ(derivation->intervals, c.intervals) << c.map;
    EXPECT_EQ(derivation->host_volume,
              *CheckedProduct(derivation->physical_shape));
  }
}

TEST(AlignedDerivation, DefaultAlignments) {
  struct Case {
    Dimensions shape;
    Intervals intervals;
    Dimensions grid;
    Dimensions alignments;
  };
  for (const Case& c : {
           Case{{2, 33, 128}, {{0, 2}, {2, 3}}, {}, {1, 32, 32}},
           Case{{4, 43, 7}, {{0, 2}, {2, 3}}, {8, 8}, {1, 32, 32}},
           Case{{9, 43, 7}, {{0, 2}, {2, 3}}, {8, 8}, {256, 32, 32}},
           Case{{9, 43, 7}, {{0, 2}, {2, 3}}, {1, 1}, {1, 32, 32}},
           Case{{64, 64}, {{0, 1}, {1, 2}}, {8, 8}, {32, 32}},
           Case{{128, 96}, {{0, 1}, {1, 2}}, {8, 8}, {32, 32}},
           Case{{512, 512}, {{0, 1}, {1, 2}}, {8, 8}, {256, 256}},
           Case{{7, 64, 64}, {}, {2, 1, 1}, {2, 32, 32}},
           Case{{100}, {{0, 0}, {0, 1}}, {1, 2}, {64}},
           Case{{100}, {{0, 1}}, {}, {32}},
           Case{{}, {}, {1, 1}, {}},
       }) {
    const absl::StatusOr<Dimensions> alignments =
        DefaultDimAlignments(c.shape, c.intervals, c.grid);
    ASSERT_THAT(alignments, IsOk());
    EXPECT_EQ(*alignments, c.alignments) << absl::StrJoin(c.shape, "x");
  }
  EXPECT_EQ(ErrorOf(DefaultDimAlignments({9, 43, 7}, {{0, 2}}, {8})),
            "tensor-rank: the grid has rank 1, but the layout has 2 physical "
            "dimensions");
  EXPECT_EQ(ErrorOf(DefaultDimAlignments({9, 43, 7}, {{0, 2}}, {8, 0})),
            "grid-size: dimension 1 of the grid is 0; sizes are at least 1");
  EXPECT_EQ(ErrorOf(DefaultDimAlignments({9, -1}, {}, {})),
            "tensor-size: dimension 1 of the logical shape is -1; sizes are at "
            "least 0");
  EXPECT_EQ(ErrorOf(DefaultDimAlignments({9, 9}, {{3, 4}}, {})),
            "collapsed-intervals: collapsed_intervals start index 3 "
            "(normalized: 3) is out of bounds for logical_shape rank 2");
}

TEST(AlignedDerivation, TensorsOfTheReference) {
  struct Case {
    AlignedLayout layout;
    ElementType element;
    Dimensions grid;
    const char* shape;
  };
  for (const Case& c : {
           Case{Layout({2, 33, 128}, {1, 32, 32}, {{0, 2}, {2, 3}}),
                kTile,
                {4, 4},
                "4x4x1x1"},
           Case{Layout({9, 43, 7}, {256, 32, 32}, {{0, 2}, {2, 3}}),
                kTile,
                {8, 1},
                "8x1x3x1"},
           Case{Layout({4, 43, 7}, {1, 32, 32}, {{0, 2}, {2, 3}}),
                kTile,
                {8, 1},
                "8x1x1x1"},
           Case{Layout({4, 43, 7}, {1, 32, 32}, {{0, 2}, {2, 3}}),
                {},
                {8, 1},
                "8x1x32x32"},
           // One row of tiles of which one row is used.
           Case{Layout({100}, {32}, {{0, 1}}), kTile, {1, 4}, "1x4x1x1"},
           Case{Layout({}, {}, {}), kTile, {1, 1}, "1x1x1x1"},
           Case{Layout({3, 64, 96}, {1, 32, 32}, {}),
                kTile,
                {3, 2, 1},
                "3x2x1x1x1x3"},
       }) {
    const absl::StatusOr<AlignedTensor> tensor =
        DeriveAlignedTensor(c.layout, c.element, c.grid);
    ASSERT_THAT(tensor, IsOk());
    EXPECT_EQ(absl::StrJoin(tensor->shape, "x"), c.shape);
  }
}

TEST(AlignedDerivation, AlignmentsAreTilePadding) {
  // 100 rows aligned to 256, of which the rules of the document would make 128.
  const absl::StatusOr<AlignedTensor> tensor =
      DeriveAlignedTensor(Layout({100, 32}, {256, 32}, {}), kTile, {2, 1});
  ASSERT_THAT(tensor, IsOk());
  const Placement placement = *Placement::Create(*GeometryOf(*tensor));
  EXPECT_EQ(placement.counts().elements, 3200);
  EXPECT_EQ(placement.counts().tile, (256 - 100) * 32);
  EXPECT_EQ(placement.counts().grid, 0);
  EXPECT_EQ(placement.counts().gap, 0);
  EXPECT_EQ(placement.At({1, 0}, {0, 0})->kind, PositionKind::kPadding);
  // Between the matrices of a collapsed interval is a gap.
  const Placement collapsed =
      *Placement::Create(*GeometryOf(*DeriveAlignedTensor(
          Layout({2, 33, 128}, {1, 32, 32}, {{0, 2}, {2, 3}}), kTile, {4, 4})));
  EXPECT_EQ(collapsed.counts().gap, (64 - 33) * 128);
  EXPECT_EQ(collapsed.counts().tile, (128 - 97) * 128);
  EXPECT_EQ(collapsed.Locate({1, 32, 127})->cell(), (Dimensions{3, 3}));
  EXPECT_EQ(collapsed.Locate({1, 32, 127})->offset(), (Dimensions{0, 31}));
}

TEST(AlignedDerivation, Errors) {
  const AlignedLayout layout =
      Layout({2, 33, 128}, {1, 32, 32}, {{0, 2}, {2, 3}});
  EXPECT_EQ(ErrorOf(DeriveAlignedTensor(layout, kTile, {3, 4})),
            "uneven-grid: Collapsed dimension must be evenly divisible by grid "
            "dimension, got 4 % 3 != 0 in dimension 0");
  EXPECT_EQ(ErrorOf(DeriveAlignedTensor(layout, kTile, {1, 1, 4})),
            "tensor-rank: the tensor has rank 6, but the layout has 2 physical "
            "dimensions, which make a grid and a shard of rank 2 each");
  EXPECT_EQ(ErrorOf(DeriveAlignedTensor(layout, kTile, {0, 4})),
            "grid-size: dimension 0 of the grid is 0; sizes are at least 1");
  EXPECT_EQ(ErrorOf(DeriveAlignedTensor(
                layout, {DataType::kBfpF8, TileShape{20, 32}}, {4, 4})),
            "block-float: block floats are in tiles 16 or 32 wide and 1, 2, 4, "
            "8, 16 or 32 high, but this is !tt.tile<20x32, bfp_f8>");
  EXPECT_EQ(
      ErrorOf(DeriveAlignedTensor(Layout({8, 8}, {1, 32}, {}), kTile, {1, 1})),
      "dim-alignments: physical dimension 0 is aligned to 8, which is not a "
      "multiple of the tile's 32");
  EXPECT_EQ(ErrorOf(DeriveAlignedTensor(Layout({8, 32}, {1, 1}, {{0, 2}}),
                                        kTile, {1})),
            "tile-rank: a tile needs a shard of rank 2 or more, but the map "
            "has 1 results");
  for (const AlignedLayout& large : {
           Layout({kLarge, 2}, {1, 1}, {}),
           Layout({kLarge, kLarge}, {1, 1}, {{0, 2}}),
           Layout({2, kLarge + 1}, {1, kLarge}, {{0, 2}}),
           Layout({kLarge}, {1}, {}),
       }) {
    const absl::StatusOr<AlignedDerivation> derivation = DeriveAligned(large);
    EXPECT_EQ(RuleOf(derivation.status()), Rule::kSizeOverflow)
        << derivation.status();
    EXPECT_THAT(derivation, StatusIs(absl::StatusCode::kOutOfRange));
  }
  AlignedLayout wide;
  wide.logical_shape.assign(1025, 1);
  wide.dim_alignments.assign(1025, 1);
  EXPECT_EQ(ErrorOf(DeriveAligned(wide)),
            "no rule: the logical shape has 1025 dimensions; at most 1024 are "
            "supported");
}

// -- Against the definition --------------------------------------------------

int64_t RoundUp(int64_t value, int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

bool Advance(const Dimensions& bounds, Dimensions* index) {
  for (size_t i = bounds.size(); i-- > 0;) {
    if (++(*index)[i] < bounds[i]) return true;
    (*index)[i] = 0;
  }
  return false;
}

TEST(AlignedDerivation, BothWaysAgainstTheDefinition) {
  RandomBits random(TestSeed());
  std::map<PositionKind, int64_t> kinds;
  int64_t tilized = 0, collapsed = 0, spread = 0;
  for (int n = 0; n < 600; ++n) {
    // Intervals over random dimensions.
    const int64_t rank = Uniform(0, 4, &random);
    AlignedLayout layout;
    Intervals groups;
    for (int64_t dim = 0; dim < rank; ++dim) {
      layout.logical_shape.push_back(Uniform(1, rank > 2 ? 4 : 8, &random));
      const bool joins = !groups.empty() && Uniform(0, 1, &random) == 0;
      if (!joins) groups.push_back({dim, dim});
      groups.back().second = dim + 1;
      collapsed += joins;
    }
    for (const AlignedLayout::Interval& group : groups) {
      const bool is_last_of_one =
          group.second == rank && group.first + 1 == rank;
      // The last ones may be left to themselves.
      if (is_last_of_one && Uniform(0, 1, &random) == 0) break;
      layout.collapsed_intervals.push_back(
          {group.first - (Uniform(0, 1, &random) == 0 ? rank : 0),
           group.second - (group.second < rank && Uniform(0, 1, &random) == 0
                               ? rank
                               : 0)});
    }
    ElementType element;
    TileShape tile = {1, 1};
    const bool has_tiles =
        (groups.size() >= 2 || rank < 2) && Uniform(0, 1, &random) == 0;
    if (has_tiles) {
      // 32 rows, and columns, are synthetic.
      tile.height = rank < 2 ? int64_t{4} << Uniform(0, 1, &random)
                             : Uniform(1, 4, &random);
      tile.width = rank < 1 ? int64_t{1} << Uniform(0, 2, &random)
                            : Uniform(1, 4, &random);
      element = {DataType::kBF16, tile};
      ++tilized;
    }
    // Alignments, of the first dimension of a group so that tiles divide.
    layout.dim_alignments.assign(rank, 1);
    for (int64_t& alignment : layout.dim_alignments) {
      alignment = Uniform(1, 5, &random);
    }
    for (size_t back = 1; back <= groups.size() && back <= 2; ++back) {
      const int64_t side = back == 1 ? tile.width : tile.height;
      layout.dim_alignments[groups[groups.size() - back].first] =
          side * Uniform(1, 3, &random);
    }
    SCOPED_TRACE(layout.ToString());
    SCOPED_TRACE(element.ToString());

    // The physical shape, a dimension at a time.
    std::vector<int64_t> physical;
    for (int64_t i = rank; i < 2; ++i) physical.push_back(32);
    for (const AlignedLayout::Interval& group : groups) {
      int64_t size = 1;
      for (int64_t dim = group.second; dim-- > group.first;) {
        size = RoundUp(size * layout.logical_shape[dim],
                       layout.dim_alignments[dim]);
      }
      physical.push_back(size);
    }
    const int64_t results = physical.size();
    std::vector<int64_t> tiles(results, 1);
    if (has_tiles) {
      tiles[results - 2] = tile.height;
      tiles[results - 1] = tile.width;
    }
    Dimensions grid;
    for (int64_t i = 0; i < results; ++i) {
      std::vector<int64_t> divisors;
      for (int64_t g = 1; g <= 6; ++g) {
        if (physical[i] / tiles[i] % g == 0) divisors.push_back(g);
      }
      grid.push_back(divisors[Uniform(0, divisors.size() - 1, &random)]);
      spread += grid[i] > 1;
    }

    const absl::StatusOr<AlignedTensor> tensor =
        DeriveAlignedTensor(layout, element, grid);
    ASSERT_THAT(tensor, IsOk());
    const absl::StatusOr<Geometry> geometry = GeometryOf(*tensor);
    ASSERT_THAT(geometry, IsOk());
    Dimensions shard, memref;
    for (int64_t i = 0; i < results; ++i) {
      shard.push_back(physical[i] / grid[i]);
      memref.push_back(shard[i] / tiles[i]);
    }
    ASSERT_EQ(geometry->shard, shard);
    ASSERT_EQ(geometry->memref, memref);
    Dimensions shape = grid;
    shape.insert(shape.end(), memref.begin(), memref.end());
    ASSERT_EQ(tensor->shape, shape);
    const absl::StatusOr<Placement> placement = Placement::Create(*geometry);
    ASSERT_THAT(placement, IsOk());

    // Every index, by the aligned sizes of the dimensions within its own.
    const AlignedDerivation derivation = *DeriveAligned(layout);
    std::map<Dimensions, Dimensions> elements;
    Dimensions index(rank, 0), last_position;
    std::set<int64_t> on_host;
    do {
      Dimensions position;
      for (int64_t i = rank; i < 2; ++i) position.push_back(0);
      for (const AlignedLayout::Interval& group : groups) {
        int64_t p = 0, size = 1;
        for (int64_t dim = group.second; dim-- > group.first;) {
          p += index[dim] * size;
          size = RoundUp(size * layout.logical_shape[dim],
                         layout.dim_alignments[dim]);
        }
        position.push_back(p);
      }
      last_position = position;
      ASSERT_TRUE(elements.emplace(position, index).second);
      const Location location = *placement->Locate(index);
      ASSERT_EQ(location.physical(), position);
      int64_t host = 0, tile_number = 0;
      for (int64_t i = 0; i < results; ++i) {
        const int64_t offset = position[i] % shard[i];
        host = host * physical[i] + position[i];
        ASSERT_EQ(location.cell()[i], position[i] / shard[i]);
        ASSERT_EQ(location.offset()[i], offset);
        ASSERT_EQ(location.tile()[i], offset / tiles[i]);
        tile_number = tile_number * memref[i] + offset / tiles[i];
      }
      const int64_t in_tile =
          (position[results - 1] % tile.width) +
          (has_tiles && results > 1
               ? position[results - 2] % tile.height * tile.width
               : 0);
      ASSERT_EQ(
          location.linear_in_shard(),
          tile_number * tile.height * tile.width + (has_tiles ? in_tile : 0));
      int64_t by_strides = 0;
      for (int64_t dim = 0; dim < rank; ++dim) {
        by_strides += index[dim] * derivation.host_strides[dim];
      }
      ASSERT_EQ(by_strides, host);
      ASSERT_LT(host, derivation.host_volume);
    } while (Advance(layout.logical_shape, &index));

    // Every place.
    Dimensions bounds = grid;
    for (int64_t i = 0; i < results; ++i) bounds.push_back(shard[i]);
    Dimensions place(bounds.size(), 0);
    PlaceCounts counts;
    do {
      const Dimensions cell(place.begin(), place.begin() + results);
      const Dimensions offset(place.begin() + results, place.end());
      Dimensions position;
      bool is_past = false;
      for (int64_t i = 0; i < results; ++i) {
        position.push_back(cell[i] * shard[i] + offset[i]);
        is_past = is_past || position[i] > last_position[i];
      }
      const auto element_at = elements.find(position);
      const PositionKind expected = element_at != elements.end()
                                        ? PositionKind::kElement
                                    : is_past ? PositionKind::kPadding
                                              : PositionKind::kGap;
      const absl::StatusOr<Place> found = placement->At(cell, offset);
      ASSERT_THAT(found, IsOk());
      ASSERT_EQ(NameOf(found->kind), NameOf(expected))
          << absl::StrJoin(position, ",");
      if (expected == PositionKind::kElement) {
        ASSERT_EQ(found->index, element_at->second);
      }
      ++kinds[expected];
      counts.elements += expected == PositionKind::kElement;
      counts.tile += expected == PositionKind::kPadding;
      counts.gap += expected == PositionKind::kGap;
    } while (Advance(bounds, &place));
    ASSERT_EQ(placement->counts().elements, counts.elements);
    ASSERT_EQ(placement->counts().tile, counts.tile);
    ASSERT_EQ(placement->counts().grid, 0);
    ASSERT_EQ(placement->counts().gap, counts.gap);

    // The map is the document's collapse with bumped strides.
    if (rank >= 2) {
      std::vector<CollapseInterval> intervals;
      for (const AlignedLayout::Interval& group : groups) {
        intervals.push_back({group.first, group.second});
      }
      const AffineMap packed =
          *CollapsedMap(layout.logical_shape, intervals, results);
      ASSERT_EQ(*BumpedMap(packed, layout.logical_shape, layout.dim_alignments),
                geometry->linear);
    }
  }
  EXPECT_GT(tilized, 100);
  EXPECT_GT(collapsed, 100);
  EXPECT_GT(spread, 100);
  EXPECT_GT(kinds[PositionKind::kElement], 100);
  EXPECT_GT(kinds[PositionKind::kPadding], 100);
  EXPECT_GT(kinds[PositionKind::kGap], 100);
}

}  // namespace
}  // namespace tessera::tenstorrent
