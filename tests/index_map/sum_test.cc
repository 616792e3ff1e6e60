// Sums of coordinates with any strides: the gaps between what indices make, the
// dimensions that are part of several, and the coordinates that fail.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/index_map/element_runs.h"
#include "tessera/index_map/index_map_builder.h"
#include "tessera/index_map/same_function.h"
#include "tessera/tests/literal/random_layouts.h"
#include "tessera/tests/status_matchers.h"

namespace tessera {
namespace {

using Builder = IndexMap::Builder;
using Coordinate = Builder::Coordinate;
using Kind = IndexMap::Kind;

TEST(IndexMapSum, Example) {
  // 2 x 8 in rows of 8, each 32 after the one before.
  Builder builder({2, 8});
  const Coordinate sum =
      builder.Sum({{builder.Dimension(0), 32}, {builder.Dimension(1), 1}});
  EXPECT_EQ(sum.bound, 40);
  const IndexMap map =
      *std::move(builder).BuildRowMajor({Builder::Widen(sum, 64)});
  EXPECT_EQ(map.kind(), Kind::kMixedRadix);
  EXPECT_EQ(map.position_count(), 64);
  EXPECT_EQ(*map.LinearIndex({1, 3}), 35);
  std::vector<int64_t> index(2);
  EXPECT_EQ(*map.MultidimensionalIndex(35, absl::MakeSpan(index)),
            PositionKind::kElement);
  EXPECT_EQ(index, (std::vector<int64_t>{1, 3}));
  // Between the rows it is the dimension that has no such index.
  EXPECT_EQ(*map.MultidimensionalIndex(8, absl::MakeSpan(index)),
            PositionKind::kPadding);
  ASSERT_EQ(map.FailedBounds(8)->size(), 1);
  EXPECT_EQ(map.FailedBounds(8)->front().source, 1);
  EXPECT_EQ(map.FailedBounds(8)->front().value, 8);
  // After them, the sum.
  ASSERT_EQ(map.FailedBounds(40)->size(), 1);
  EXPECT_EQ(map.FailedBounds(40)->front().source, sum.source);
  EXPECT_EQ(map.FailedBounds(40)->front().bound, 40);
}

TEST(IndexMapSum, NoStrideOfOneLeavesGaps) {
  Builder builder({3});
  const Coordinate sum = builder.Sum({{builder.Dimension(0), 4}}, 2);
  const IndexMap map = *std::move(builder).BuildRowMajor({sum});
  EXPECT_EQ(map.base(), 0);
  EXPECT_EQ(map.kind(), Kind::kInjective);
  EXPECT_EQ(*map.LinearIndex({0}), 2);
  EXPECT_EQ(*map.LinearIndex({2}), 10);
  EXPECT_EQ(map.position_count(), 11);
  std::vector<int64_t> index(1);
  EXPECT_EQ(*map.MultidimensionalIndex(0, absl::MakeSpan(index)),
            PositionKind::kGap);
  EXPECT_EQ(*map.MultidimensionalIndex(3, absl::MakeSpan(index)),
            PositionKind::kGap);
  EXPECT_TRUE(map.FailedBounds(3)->empty());
  EXPECT_EQ(map.ToString(), "[3] -> [0,11): j0, j0 = 4*i0 + 2");
}

TEST(IndexMapSum, ARepeatedDimensionIsRealOnTheDiagonalOnly) {
  Builder builder({3});
  const Coordinate row = builder.Sum({{builder.Dimension(0), 1}});
  const Coordinate column = builder.Sum({{builder.Dimension(0), 1}});
  EXPECT_NE(row.source, column.source);
  const IndexMap map = *std::move(builder).BuildRowMajor({row, column});
  EXPECT_EQ(map.kind(), Kind::kInjective);
  std::vector<int64_t> index(1);
  for (int64_t p = 0; p < 9; ++p) {
    EXPECT_EQ(*map.MultidimensionalIndex(p, absl::MakeSpan(index)),
              p % 4 == 0 ? PositionKind::kElement : PositionKind::kGap);
  }
  ElementRuns runs = *ElementRuns::Create(map);
  ElementRun run;
  std::vector<int64_t> begins;
  while (runs.Next(&run)) {
    begins.push_back(run.position);
    EXPECT_EQ(run.length, 1);
  }
  EXPECT_EQ(begins, (std::vector<int64_t>{0, 4, 8}));
}

TEST(IndexMapSum, SumsThatOverlapHaveNoInverse) {
  Builder builder({9, 9});
  const Coordinate sum =
      builder.Sum({{builder.Dimension(0), 8}, {builder.Dimension(1), 1}});
  const IndexMap map = *std::move(builder).BuildRowMajor({sum});
  EXPECT_EQ(map.kind(), Kind::kGeneral);
  EXPECT_EQ(*map.LinearIndex({0, 8}), 8);
  EXPECT_EQ(*map.LinearIndex({1, 0}), 8);
}

TEST(IndexMapSum, Refusals) {
  {
    Builder builder({2});
    const Coordinate sum = builder.Sum({{builder.Dimension(0), -1}}, 5);
    EXPECT_EQ(std::move(builder).BuildRowMajor({sum}).status().message(),
              "a stride or the offset of a sum of coordinates is negative");
  }
  {
    Builder builder({3});
    const Coordinate sum =
        builder.Sum({{builder.Dimension(0), int64_t{1} << 62}});
    const absl::Status status =
        std::move(builder).BuildRowMajor({sum}).status();
    EXPECT_THAT(status,
                StatusIs(absl::StatusCode::kOutOfRange,
                         "the values of a sum of coordinates exceed 2^63-2"));
  }
}

// An array of a few dimensions, each axis a sum of them, cut as the shards of a
// grid and the tiles of a shard are.
struct Axis {
  std::vector<int64_t> strides;  // of every dimension, 0 if it has no part
  int64_t offset = 0;
  int64_t shard = 1;
  int64_t tile = 1;
  int64_t cells = 1;
};

struct RandomSums {
  std::vector<int64_t> bounds;
  std::vector<Axis> axes;
  bool are_separate = true;  // no dimension is part of two

  std::string ToString() const {
    std::string text = absl::StrCat("[", absl::StrJoin(bounds, ","), "]");
    for (const Axis& axis : axes) {
      absl::StrAppend(&text, " (", absl::StrJoin(axis.strides, ","), ")+",
                      axis.offset, " shard ", axis.shard, " tile ", axis.tile,
                      " cells ", axis.cells);
    }
    return text;
  }
};

int64_t Ceil(int64_t a, int64_t b) { return (a + b - 1) / b; }

RandomSums Random(RandomBits* random) {
  RandomSums sums;
  const int64_t rank = Uniform(1, 3, random);
  for (int64_t i = 0; i < rank; ++i) {
    sums.bounds.push_back(Uniform(1, 5, random));
  }
  sums.axes.resize(Uniform(1, 2, random));
  for (Axis& axis : sums.axes) axis.strides.assign(rank, 0);
  std::vector<int64_t> next(sums.axes.size(), 1);
  auto add = [&](size_t axis, int64_t dimension) {
    if (Uniform(0, 3, random) == 0) next[axis] += Uniform(1, 6, random);
    sums.axes[axis].strides[dimension] = next[axis];
    next[axis] += (sums.bounds[dimension] - 1) * next[axis];
  };
  for (int64_t i = rank; i-- > 0;) {
    const size_t axis = Uniform(0, sums.axes.size() - 1, random);
    add(axis, i);
    if (sums.axes.size() > 1 && Uniform(0, 5, random) == 0) {
      add(1 - axis, i);
      sums.are_separate = sums.are_separate && sums.bounds[i] == 1;
    }
  }
  for (Axis& axis : sums.axes) {
    if (Uniform(0, 4, random) == 0) axis.offset = Uniform(1, 4, random);
    int64_t extent = axis.offset + 1;
    for (int64_t i = 0; i < rank; ++i) {
      extent += (sums.bounds[i] - 1) * axis.strides[i];
    }
    const int64_t grid = Uniform(1, 5, random);
    axis.shard = Ceil(extent, grid);
    axis.cells = grid;
    axis.tile = Uniform(0, 1, random) == 0 ? 1 : Uniform(2, 6, random);
  }
  return sums;
}

struct Built {
  IndexMap map;
  std::vector<int32_t> sum_sources;
  std::vector<int32_t> tile_sources;
};

Built Build(const RandomSums& sums) {
  Builder builder(sums.bounds);
  Built built;
  std::vector<Coordinate> cells, tiles, within;
  for (const Axis& axis : sums.axes) {
    std::vector<Builder::StridedCoordinate> parts;
    for (size_t i = 0; i < sums.bounds.size(); ++i) {
      parts.push_back({builder.Dimension(i), axis.strides[i]});
    }
    const Coordinate sum = builder.Sum(parts, axis.offset);
    const auto [cell, in_shard] = builder.Split(sum, axis.shard);
    const auto [tile, in_tile] = builder.Split(in_shard, axis.tile);
    cells.push_back(Builder::Widen(cell, axis.cells));
    tiles.push_back(tile);
    within.push_back(in_tile);
    built.sum_sources.push_back(sum.source);
    built.tile_sources.push_back(in_tile.source);
  }
  std::vector<Coordinate> all = cells;
  all.insert(all.end(), tiles.begin(), tiles.end());
  all.insert(all.end(), within.begin(), within.end());
  absl::StatusOr<IndexMap> map = std::move(builder).BuildRowMajor(all);
  EXPECT_THAT(map, IsOk());
  built.map = *std::move(map);
  return built;
}

// What the definition says of one index.
int64_t LiteralPosition(const RandomSums& sums,
                        const std::vector<int64_t>& index) {
  std::vector<std::pair<int64_t, int64_t>> digits[3];
  for (const Axis& axis : sums.axes) {
    int64_t p = axis.offset;
    for (size_t i = 0; i < index.size(); ++i) p += index[i] * axis.strides[i];
    const int64_t o = p % axis.shard;
    digits[0].push_back({p / axis.shard, axis.cells});
    digits[1].push_back({o / axis.tile, Ceil(axis.shard, axis.tile)});
    digits[2].push_back({o % axis.tile, axis.tile});
  }
  int64_t position = 0;
  for (const auto& part : digits) {
    for (const auto& [digit, bound] : part) position = position * bound + digit;
  }
  return position;
}

// Tile, grid or gap, from the position alone.
std::string LiteralKind(const RandomSums& sums, int64_t position) {
  const size_t n = sums.axes.size();
  std::vector<int64_t> in_tile(n), tile(n), cell(n);
  for (size_t i = n; i-- > 0;) {
    in_tile[i] = position % sums.axes[i].tile;
    position /= sums.axes[i].tile;
  }
  for (size_t i = n; i-- > 0;) {
    const int64_t tiles = Ceil(sums.axes[i].shard, sums.axes[i].tile);
    tile[i] = position % tiles;
    position /= tiles;
  }
  for (size_t i = n; i-- > 0;) {
    cell[i] = position % sums.axes[i].cells;
    position /= sums.axes[i].cells;
  }
  std::string kind = "gap";
  for (size_t i = 0; i < n; ++i) {
    const Axis& axis = sums.axes[i];
    const int64_t o = tile[i] * axis.tile + in_tile[i];
    int64_t extent = axis.offset + 1;
    for (size_t d = 0; d < sums.bounds.size(); ++d) {
      extent += (sums.bounds[d] - 1) * axis.strides[d];
    }
    if (o >= axis.shard) return "tile";
    if (cell[i] * axis.shard + o >= extent) kind = "grid";
  }
  return kind;
}

std::string KindOf(const Built& built, int64_t position) {
  std::string kind = "gap";
  const std::vector<IndexMap::FailedBound> all =
      *built.map.FailedBounds(position);
  for (const IndexMap::FailedBound& failed : all) {
    for (size_t i = 0; i < built.sum_sources.size(); ++i) {
      if (failed.source == built.sum_sources[i]) {
        if (kind == "gap") kind = "grid";
      } else if (failed.source == built.tile_sources[i]) {
        kind = "tile";
      }
    }
  }
  return kind;
}

// Moves to the next index; false after the last.
bool Advance(const std::vector<int64_t>& start,
             const std::vector<int64_t>& limit, std::vector<int64_t>& index) {
  for (size_t i = index.size(); i-- > 0;) {
    if (++index[i] < limit[i]) return true;
    index[i] = start[i];
  }
  return false;
}

TEST(IndexMapSum, BothWaysAgainstTheDefinition) {
  RandomBits random(TestSeed());
  int64_t repeated = 0, gaps = 0;
  for (int64_t n = 0; n < 3000; ++n) {
    const RandomSums sums = Random(&random);
    SCOPED_TRACE(sums.ToString());
    const Built built = Build(sums);
    ASSERT_NE(built.map.kind(), Kind::kGeneral);
    std::map<int64_t, std::vector<int64_t>> elements;
    const std::vector<int64_t> zeros(sums.bounds.size(), 0);
    std::vector<int64_t> index = zeros;
    do {
      const int64_t position = LiteralPosition(sums, index);
      ASSERT_EQ(*built.map.LinearIndex(index), position);
      ASSERT_TRUE(elements.emplace(position, index).second);
    } while (Advance(zeros, sums.bounds, index));
    for (int64_t p = 0; p < built.map.position_count(); ++p) {
      const PositionKind kind =
          *built.map.MultidimensionalIndex(p, absl::MakeSpan(index));
      const auto element = elements.find(p);
      if (element != elements.end()) {
        ASSERT_EQ(kind, PositionKind::kElement) << p;
        ASSERT_EQ(index, element->second) << p;
        ASSERT_TRUE(built.map.FailedBounds(p)->empty());
        continue;
      }
      ASSERT_TRUE(kind == PositionKind::kPadding || kind == PositionKind::kGap);
      ASSERT_EQ(KindOf(built, p), LiteralKind(sums, p)) << p;
      ASSERT_EQ(built.map.FailedBounds(p)->empty(), kind == PositionKind::kGap);
      ASSERT_FALSE(kind == PositionKind::kGap &&
                   built.map.kind() == Kind::kMixedRadix);
      gaps += kind == PositionKind::kGap;
    }
    repeated += !sums.are_separate;
    if (built.map.kind() == Kind::kMixedRadix) {
      ASSERT_TRUE(sums.are_separate);
    }
  }
  EXPECT_GT(repeated, 50);
  EXPECT_GT(gaps, 1000);
}

TEST(IndexMapSum, RunsOfSlicesAndPaddingAgainstTheInverse) {
  RandomBits random(TestSeed());
  for (int64_t n = 0; n < 3000; ++n) {
    const RandomSums sums = Random(&random);
    SCOPED_TRACE(sums.ToString());
    const IndexMap map = Build(sums).map;
    std::vector<int64_t> start, limit;
    for (int64_t bound : sums.bounds) {
      start.push_back(Uniform(0, bound - 1, &random));
      limit.push_back(Uniform(start.back() + 1, bound, &random));
    }
    std::vector<bool> in_slice(map.position_count());
    std::vector<int64_t> index = start;
    do {
      in_slice[LiteralPosition(sums, index)] = true;
    } while (Advance(start, limit, index));
    std::vector<bool> in_runs(map.position_count());
    ElementRuns runs = *ElementRuns::Create(map, start, limit);
    ElementRun run;
    while (runs.Next(&run)) {
      for (int64_t i = 0; i < run.length; ++i) {
        ASSERT_FALSE(in_runs[run.position + i]);
        in_runs[run.position + i] = true;
      }
      ASSERT_TRUE(run.position == 0 || !in_slice[run.position - 1]);
    }
    ASSERT_EQ(in_runs, in_slice);

    std::vector<bool> is_element(map.position_count(), true);
    PaddingRanges padding = *PaddingRanges::Create(map);
    PositionRange range;
    while (padding.Next(&range)) {
      std::fill(is_element.begin() + range.begin,
                is_element.begin() + range.end, false);
    }
    for (int64_t p = 0; p < map.position_count(); ++p) {
      ASSERT_EQ(is_element[p],
                map.MultidimensionalIndexUnchecked(p, absl::MakeSpan(index)) ==
                    PositionKind::kElement)
          << p;
    }
  }
}

TEST(IndexMapSum, AMapIsTheFunctionOfItsSums) {
  RandomBits random(TestSeed());
  for (int64_t n = 0; n < 500; ++n) {
    const RandomSums sums = Random(&random);
    SCOPED_TRACE(sums.ToString());
    const IndexMap map = Build(sums).map;
    ASSERT_EQ(map, Build(sums).map);
    ASSERT_TRUE(*SameFunction(map, Build(sums).map));
    RandomSums moved = sums;
    moved.axes[0].offset += 1;
    const IndexMap other = Build(moved).map;
    bool same = true;
    const std::vector<int64_t> zeros(sums.bounds.size(), 0);
    std::vector<int64_t> index = zeros;
    do {
      same = same && *map.LinearIndex(index) == *other.LinearIndex(index);
    } while (Advance(zeros, sums.bounds, index));
    ASSERT_EQ(*SameFunction(map, other), same);
  }
}

// The terms of a sum reach the dimensions where its strides allow it.
TEST(IndexMapSum, PlainCollapsingIsSeparable) {
  Builder builder({2, 3, 64, 128});
  const Coordinate rows = builder.Sum({{builder.Dimension(0), 192},
                                       {builder.Dimension(1), 64},
                                       {builder.Dimension(2), 1}});
  const Coordinate columns = builder.Sum({{builder.Dimension(3), 1}});
  const auto [y, in_rows] = builder.Split(rows, 192);
  const auto [x, in_columns] = builder.Split(columns, 32);
  const IndexMap map =
      *std::move(builder).BuildRowMajor({y, x, in_rows, in_columns});
  EXPECT_EQ(map.kind(), Kind::kMixedRadix);
  EXPECT_TRUE(map.is_separable());
  EXPECT_EQ(*map.LinearIndex({1, 1, 6, 100}),
            ((1 * 4 + 3) * 192 + 70) * 32 + 4);
}

TEST(IndexMapSum, RemaindersThatFillTheirStrideLeaveNoGaps) {
  Builder builder({4, 8});
  const auto [high, low] = builder.Split(builder.Dimension(1), 4);
  const Coordinate sum = builder.Sum({{builder.Dimension(0), 4}, {low, 1}});
  const auto [upper, lower] = builder.Split(sum, 8);
  const IndexMap map = *std::move(builder).BuildRowMajor({lower, high, upper});
  EXPECT_EQ(map.kind(), Kind::kMixedRadix) << map.ToString();
  std::vector<int64_t> index(2);
  for (int64_t p = 0; p < map.position_count(); ++p) {
    EXPECT_EQ(*map.MultidimensionalIndex(p, absl::MakeSpan(index)),
              PositionKind::kElement);
    EXPECT_EQ(*map.LinearIndex(index), p);
  }
}

}  // namespace
}  // namespace tessera
