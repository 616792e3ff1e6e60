#include "tessera/index_map/element_runs.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/index_map/index_map_builder.h"
#include "tessera/tests/status_matchers.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;

IndexMap Tiled(int64_t rows, int64_t columns, int64_t tile_rows,
               int64_t tile_columns, int64_t alignment = 1) {
  IndexMap::Builder builder({rows, columns});
  auto r = builder.Split(builder.Dimension(0), tile_rows);
  auto c = builder.Split(builder.Dimension(1), tile_columns);
  return *std::move(builder).BuildRowMajor(
      {r.first, c.first, r.second, c.second}, alignment);
}

std::vector<PositionRange> AllPadding(const IndexMap& map) {
  std::vector<PositionRange> all;
  absl::StatusOr<PaddingRanges> padding = PaddingRanges::Create(map);
  PositionRange range;
  while (padding->Next(&range)) all.push_back(range);
  return all;
}

TEST(PaddingRanges, OfTilesThatReachPastBothBounds) {
  EXPECT_THAT(AllPadding(Tiled(3, 5, 2, 2)),
              ElementsAre(PositionRange{9, 10}, PositionRange{11, 12},
                          PositionRange{14, 16}, PositionRange{18, 20},
                          PositionRange{21, 24}));
}

TEST(ElementRuns, AnEmptySliceHasNone) {
  const IndexMap map = Tiled(3, 5, 2, 2);
  absl::StatusOr<ElementRuns> runs = ElementRuns::Create(map, {1, 2}, {1, 5});
  ASSERT_THAT(runs, IsOk());
  ElementRun run;
  EXPECT_FALSE(runs->Next(&run));
}

TEST(ElementRuns, RefusesSlicesOutsideTheBounds) {
  const IndexMap map = Tiled(3, 5, 2, 2);
  EXPECT_EQ(ElementRuns::Create(map, {0, 2}, {2, 6}).status().message(),
            "slice[1] = [2, 6) is not within [0, 5)");
  EXPECT_THAT(ElementRuns::Create(map, {0}, {2}),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(ElementRuns::Create(map, {2, 0}, {1, 1}),
              StatusIs(absl::StatusCode::kOutOfRange));
}

TEST(PaddingRanges, ManyTilesAreOneRange) {
  // 2^40 whole tiles, then one with a single element, then a tail: found
  // without visiting the tiles.
  const int64_t rows = (int64_t{1} << 43) + 1;
  const IndexMap map = Tiled(rows, 128, 8, 128, /*alignment=*/4096);
  const int64_t elements = rows * 128;
  EXPECT_THAT(AllPadding(map),
              ElementsAre(PositionRange{elements, map.position_count()}));
  EXPECT_EQ(*DataEnd(map), elements);
}

TEST(PaddingRanges, GapsCountToo) {
  const IndexMap bytes = *Tiled(1, 3, 1, 2).Scaled(2, 3);
  EXPECT_THAT(AllPadding(bytes),
              ElementsAre(PositionRange{0, 3}, PositionRange{4, 5},
                          PositionRange{6, 7}, PositionRange{8, 11}));
}

TEST(DataEnd, IsAMaximumNotTheLastElement) {
  // bf16[200]{0:T(256)(128)(2,1)}: 127 lies at 254, 199 at 143.
  IndexMap::Builder builder({200});
  auto outer = builder.Split(builder.Dimension(0), 256);
  auto rows = builder.Split(outer.second, 128);
  auto pairs = builder.Split(rows.first, 2);
  absl::StatusOr<IndexMap> map = std::move(builder).BuildRowMajor(
      {outer.first, pairs.first, rows.second, pairs.second});
  ASSERT_THAT(map, IsOk());
  EXPECT_EQ(map->LinearIndexUnchecked({127}), 254);
  EXPECT_EQ(map->LinearIndexUnchecked({199}), 143);
  EXPECT_EQ(*DataEnd(*map), 255);
  EXPECT_EQ(*DataEnd(IndexMap()), 1);
  EXPECT_EQ(*DataEnd(Tiled(0, 5, 8, 128)), 0);
}

TEST(DataEnd, GivesUpAtItsLimitAndSaysSo) {
  absl::StatusOr<int64_t> end = DataEnd(Tiled(1000, 1000, 8, 128), 3);
  EXPECT_THAT(end, StatusIs(absl::StatusCode::kResourceExhausted,
                            "the last element was not found in 3 steps"));
}

// A million positions in runs of a few.
TEST(PositionWalks, EndAtTheirStepLimitAndSaySo) {
  IndexMap::Builder builder({1000, 1000});
  auto rows = builder.Split(builder.Dimension(0), 7);
  auto columns = builder.Split(builder.Dimension(1), 11);
  auto parts = builder.Split(builder.Join(rows.second, columns.second), 5);
  absl::StatusOr<IndexMap> map = std::move(builder).BuildRowMajor(
      {parts.second, rows.first, columns.first, parts.first});
  ASSERT_THAT(map, IsOk());

  absl::StatusOr<ElementRuns> runs =
      ElementRuns::Create(*map, {0, 0}, {1000, 1000}, /*step_limit=*/100);
  ASSERT_THAT(runs, IsOk());
  ElementRun run;
  while (runs->Next(&run)) {
  }
  EXPECT_TRUE(runs->is_exhausted());

  absl::StatusOr<PaddingRanges> padding =
      PaddingRanges::Create(*map, /*step_limit=*/100);
  ASSERT_THAT(padding, IsOk());
  PositionRange range;
  while (padding->Next(&range)) EXPECT_LT(range.end, map->position_count());
  EXPECT_TRUE(padding->is_exhausted());

  absl::StatusOr<ElementRuns> all = ElementRuns::Create(*map);
  int64_t elements = 0;
  while (all->Next(&run)) elements += run.length;
  EXPECT_FALSE(all->is_exhausted());
  EXPECT_EQ(elements, map->element_count());
}

TEST(PositionWalks, ReachTheLastPosition) {
  // One more value of the first digit would be at 2^63.
  constexpr int64_t kHalf = int64_t{1} << 62;
  IndexMap::Builder builder({2, 2});
  absl::StatusOr<IndexMap> map = std::move(builder).BuildStrided(
      {{builder.Dimension(0), kHalf}, {builder.Dimension(1), 1}});
  ASSERT_THAT(map, IsOk());
  EXPECT_EQ(*DataEnd(*map), kHalf + 2);
  EXPECT_THAT(AllPadding(*map), ElementsAre(PositionRange{2, kHalf}));
}

TEST(PositionWalks, NeedAnInverse) {
  IndexMap::Builder builder({2, 3});
  absl::StatusOr<IndexMap> map = std::move(builder).BuildStrided(
      {{builder.Dimension(0), 0}, {builder.Dimension(1), 1}});
  ASSERT_THAT(map, IsOk());
  for (absl::StatusCode code : {ElementRuns::Create(*map).status().code(),
                                PaddingRanges::Create(*map).status().code(),
                                DataEnd(*map).status().code()}) {
    EXPECT_EQ(code, absl::StatusCode::kFailedPrecondition);
  }
}

// A digit that another one repeats, at every unit: what lies at a position is
// padding unless the two agree.
TEST(PaddingRanges, OfDigitsThatRepeatOthers) {
  constexpr int64_t kBound = 24;
  for (int64_t divisor = 1; divisor <= 4; ++divisor) {
    for (int64_t modulus = 2; modulus <= 6; ++modulus) {
      for (const bool is_major : {false, true}) {
        SCOPED_TRACE(testing::Message()
                     << divisor << " " << modulus << " " << is_major);
        IndexMap::Builder builder({kBound});
        const IndexMap::Builder::Coordinate whole = builder.Dimension(0);
        const IndexMap::Builder::Coordinate sum = builder.Sum({{whole, 1}});
        const IndexMap::Builder::Coordinate part =
            builder.Part(whole, divisor, modulus);
        const IndexMap map = *std::move(builder).BuildRowMajor(
            is_major ? std::vector<IndexMap::Builder::Coordinate>{part, sum}
                     : std::vector<IndexMap::Builder::Coordinate>{sum, part});
        std::vector<bool> expected(map.position_count(), true);
        for (int64_t x = 0; x < kBound; ++x) {
          expected[*map.LinearIndex({x})] = false;
        }
        std::vector<bool> is_padding(map.position_count());
        PaddingRanges padding = *PaddingRanges::Create(map);
        PositionRange range;
        while (padding.Next(&range)) {
          std::fill(is_padding.begin() + range.begin,
                    is_padding.begin() + range.end, true);
        }
        EXPECT_EQ(is_padding, expected);
      }
    }
  }
}

}  // namespace
}  // namespace tessera
