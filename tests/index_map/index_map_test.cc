#include <atomic>
#include <cstdint>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "absl/hash/hash_testing.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/index_map/batch_index_map.h"
#include "tessera/index_map/index_map_builder.h"
#include "tessera/tests/status_matchers.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Coordinate = IndexMap::Builder::Coordinate;

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

// 3 x 5 in tiles of 2 x 2, as pictured in the header.
IndexMap TiledThreeByFive() {
  IndexMap::Builder builder({3, 5});
  auto rows = builder.Split(builder.Dimension(0), 2);
  auto columns = builder.Split(builder.Dimension(1), 2);
  absl::StatusOr<IndexMap> map = std::move(builder).BuildRowMajor(
      {rows.first, columns.first, rows.second, columns.second});
  return *map;
}

IndexMap RowMajor(std::vector<int64_t> bounds, int64_t alignment = 1) {
  IndexMap::Builder builder(bounds);
  std::vector<Coordinate> axes;
  for (size_t i = 0; i < bounds.size(); ++i) {
    axes.push_back(builder.Dimension(i));
  }
  return *std::move(builder).BuildRowMajor(axes, alignment);
}

TEST(IndexMap, ThePictureOfTheHeader) {
  const IndexMap map = TiledThreeByFive();
  const int64_t positions[3][5] = {
      {0, 1, 4, 5, 8}, {2, 3, 6, 7, 10}, {12, 13, 16, 17, 20}};
  for (int64_t i = 0; i < 3; ++i) {
    for (int64_t j = 0; j < 5; ++j) {
      EXPECT_EQ(map.LinearIndexUnchecked({i, j}), positions[i][j]);
    }
  }
  EXPECT_EQ(map.kind(), IndexMap::Kind::kMixedRadix);
  EXPECT_EQ(map.element_count(), 15);
  EXPECT_EQ(map.position_count(), 24);
}

TEST(IndexMap, ScalarIsOneElementAtZero) {
  const IndexMap map;
  EXPECT_EQ(map.rank(), 0);
  EXPECT_EQ(map.position_count(), 1);
  EXPECT_EQ(map.LinearIndexUnchecked({}), 0);
  EXPECT_EQ(*map.MultidimensionalIndex(0, {}), PositionKind::kElement);
  EXPECT_EQ(map.ToString(), "[] -> [0,1): 0");
}

TEST(IndexMap, NormalFormMergesWhatIsContiguous) {
  // Cutting by 4, then by 2, and putting the digits back changes nothing.
  IndexMap::Builder builder({3, 8});
  auto outer = builder.Split(builder.Dimension(1), 4);
  auto inner = builder.Split(outer.second, 2);
  absl::StatusOr<IndexMap> map = std::move(builder).BuildRowMajor(
      {builder.Dimension(0), outer.first, inner.first, inner.second});
  ASSERT_THAT(map, IsOk());
  EXPECT_EQ(*map, RowMajor({3, 8}));
  EXPECT_EQ(map->digits().size(), 2);
  EXPECT_EQ(map->terms().size(), 2);
}

TEST(IndexMap, RemainderOfRemainderIsExact) {
  // x -> (x div 8, (x mod 8) mod 3, (x mod 8) div 3): 3 does not divide 8, so
  // one of nine positions is padding.
  IndexMap::Builder builder({20});
  auto outer = builder.Split(builder.Dimension(0), 8);
  auto inner = builder.Split(outer.second, 3);
  absl::StatusOr<IndexMap> map = std::move(builder).BuildRowMajor(
      {outer.first, inner.second, inner.first});
  ASSERT_THAT(map, IsOk());
  EXPECT_FALSE(map->is_separable());
  EXPECT_EQ(map->position_count(), 27);
  for (int64_t x = 0; x < 20; ++x) {
    const int64_t position = x / 8 * 9 + x % 8 % 3 * 3 + x % 8 / 3;
    EXPECT_EQ(map->LinearIndexUnchecked({x}), position);
    int64_t back = -1;
    EXPECT_EQ(*map->MultidimensionalIndex(position, absl::MakeSpan(&back, 1)),
              PositionKind::kElement);
    EXPECT_EQ(back, x);
  }
  int64_t ignored;
  EXPECT_EQ(*map->MultidimensionalIndex(8, absl::MakeSpan(&ignored, 1)),
            PositionKind::kPadding);
  auto failed = map->FailedBounds(8);
  ASSERT_THAT(failed, IsOk());
  ASSERT_EQ(failed->size(), 1);
  EXPECT_THAT(failed->at(0).dimensions, ElementsAre(0));
  EXPECT_EQ(failed->at(0).value, 8);
  EXPECT_EQ(failed->at(0).bound, 8);
  EXPECT_EQ(map->ToString(),
            "[20] -> [0,27): 9*(i0 div 8) + 3*(j0 mod 3) + (j0 div 3), "
            "j0 = (i0 mod 8)");
}

TEST(IndexMap, RemaindersInTheirOwnOrderNeedNoComputedSource) {
  // As above, but the digits of x mod 8 stand in order and make up x mod 8.
  IndexMap::Builder builder({20});
  auto outer = builder.Split(builder.Dimension(0), 8);
  auto inner = builder.Split(outer.second, 3);
  absl::StatusOr<IndexMap> map = std::move(builder).BuildRowMajor(
      {outer.first, inner.first, inner.second});
  ASSERT_THAT(map, IsOk());
  EXPECT_TRUE(map->is_separable());
  EXPECT_EQ(map->LinearIndexUnchecked({19}), 2 * 9 + 3);
  EXPECT_EQ(map->FailedBounds(8)->size(), 1);
}

TEST(IndexMap, JoinedDimensionsThatNeedNoJoinAreSeparable) {
  // x = 4*i0 + i1 cut by 2: i1 takes the remainder, so i0 is not cut at all.
  IndexMap::Builder builder({3, 4});
  auto joined = builder.Join(builder.Dimension(0), builder.Dimension(1));
  auto parts = builder.Split(joined, 2);
  absl::StatusOr<IndexMap> map =
      std::move(builder).BuildRowMajor({parts.second, parts.first});
  ASSERT_THAT(map, IsOk());
  EXPECT_TRUE(map->is_separable());
  for (int64_t i = 0; i < 3; ++i) {
    for (int64_t j = 0; j < 4; ++j) {
      const int64_t x = 4 * i + j;
      EXPECT_EQ(map->LinearIndexUnchecked({i, j}), x % 2 * 6 + x / 2);
    }
  }
}

TEST(IndexMap, JoinedDimensionsThatDoNotSeparateAreComputed) {
  IndexMap::Builder builder({3, 5});
  auto joined = builder.Join(builder.Dimension(0), builder.Dimension(1));
  auto parts = builder.Split(joined, 2);
  absl::StatusOr<IndexMap> map =
      std::move(builder).BuildRowMajor({parts.second, parts.first});
  ASSERT_THAT(map, IsOk());
  EXPECT_FALSE(map->is_separable());
  for (int64_t i = 0; i < 3; ++i) {
    for (int64_t j = 0; j < 5; ++j) {
      const int64_t x = 5 * i + j;
      EXPECT_EQ(map->LinearIndexUnchecked({i, j}), x % 2 * 8 + x / 2);
      std::vector<int64_t> index(2);
      EXPECT_EQ(
          *map->MultidimensionalIndex(x % 2 * 8 + x / 2, absl::MakeSpan(index)),
          PositionKind::kElement);
      EXPECT_THAT(index, ElementsAre(i, j));
    }
  }
  auto padding = map->PaddingByDimension();
  ASSERT_EQ(padding.size(), 1);
  EXPECT_THAT(padding[0].dimensions, ElementsAre(0, 1));
  EXPECT_EQ(padding[0].bound, 15);
  EXPECT_EQ(padding[0].padded, 16);
}

TEST(IndexMap, DimensionsWithoutElementsArePaddedTogether) {
  // s1[0,3,6]{0,2,1:T(*,4)}, and a product that does not fit.
  for (const int64_t bound : {int64_t{6}, int64_t{1} << 62}) {
    IndexMap::Builder builder({0, 3, bound});
    const auto joined =
        builder.Join(builder.Join(builder.Dimension(1), builder.Dimension(2)),
                     builder.Dimension(0));
    const auto parts = builder.Split(joined, 4);
    const absl::StatusOr<IndexMap> map =
        std::move(builder).BuildRowMajor({parts.first, parts.second});
    ASSERT_THAT(map, IsOk());
    EXPECT_EQ(map->position_count(), 0);
    const auto padding = map->PaddingByDimension();
    ASSERT_EQ(padding.size(), 1) << map->ToString();
    EXPECT_THAT(padding[0].dimensions, ElementsAre(0, 1, 2));
    EXPECT_EQ(padding[0].bound, 0);
    EXPECT_EQ(padding[0].padded, 0);
  }
}

TEST(IndexMap, AJoinMayBeUsedAfterItWasJoinedFurther) {
  IndexMap::Builder builder({3, 5, 7});
  auto pair = builder.Join(builder.Dimension(0), builder.Dimension(1));
  builder.Join(pair, builder.Dimension(2));  // not used
  auto parts = builder.Split(pair, 4);
  absl::StatusOr<IndexMap> map = std::move(builder).BuildRowMajor(
      {parts.second, parts.first, builder.Dimension(2)});
  ASSERT_THAT(map, IsOk());
  EXPECT_EQ(map->kind(), IndexMap::Kind::kMixedRadix);
  EXPECT_EQ(map->sources().size(), 4);
  EXPECT_EQ(map->LinearIndexUnchecked({2, 1, 6}), 3 * 28 + 2 * 7 + 6);
}

TEST(IndexMap, AJoinMayBeJoinedFurtherAndKeepItsRemainder) {
  // s8[180,3]{0,1:T(*,1)(4,4)}: what 1 leaves of the join is always 0, and is
  // padded to 4 beside its quotient.
  IndexMap::Builder builder({180, 3});
  auto joined = builder.Split(
      builder.Join(builder.Dimension(1), builder.Dimension(0)), 1);
  auto quotient = builder.Split(joined.first, 4);
  auto remainder = builder.Split(joined.second, 4);
  absl::StatusOr<IndexMap> map = std::move(builder).BuildRowMajor(
      {quotient.first, remainder.first, quotient.second, remainder.second});
  ASSERT_THAT(map, IsOk());
  EXPECT_EQ(map->kind(), IndexMap::Kind::kMixedRadix);
  EXPECT_EQ(map->LinearIndexUnchecked({5, 2}), (2 * 180 + 5) * 4);
}

TEST(IndexMap, AlignmentAddsATail) {
  const IndexMap map = RowMajor({7}, 100);
  EXPECT_EQ(map.position_count(), 100);
  EXPECT_EQ(map.tail_begin(), 7);
  int64_t index;
  EXPECT_EQ(*map.MultidimensionalIndex(6, absl::MakeSpan(&index, 1)),
            PositionKind::kElement);
  EXPECT_EQ(*map.MultidimensionalIndex(7, absl::MakeSpan(&index, 1)),
            PositionKind::kTail);
  EXPECT_EQ(*map.MultidimensionalIndex(99, absl::MakeSpan(&index, 1)),
            PositionKind::kTail);
}

TEST(IndexMap, WithoutElementsThereAreNoPositions) {
  for (const IndexMap& map :
       {RowMajor({0, 5}, 100), RowMajor({0, int64_t{1} << 62, 4})}) {
    EXPECT_EQ(map.element_count(), 0);
    EXPECT_EQ(map.position_count(), 0);
    std::vector<int64_t> index(map.rank());
    EXPECT_THAT(map.MultidimensionalIndex(0, absl::MakeSpan(index)),
                StatusIs(absl::StatusCode::kOutOfRange));
    EXPECT_THAT(map.LinearIndex(index),
                StatusIs(absl::StatusCode::kOutOfRange));
  }
}

TEST(IndexMap, ScaledLeavesGaps) {
  absl::StatusOr<IndexMap> bytes = TiledThreeByFive().Scaled(4, 8);
  ASSERT_THAT(bytes, IsOk());
  EXPECT_EQ(bytes->kind(), IndexMap::Kind::kInjective);
  EXPECT_EQ(bytes->position_count(), 104);
  EXPECT_EQ(*bytes->LinearIndex({2, 3}), 76);
  std::vector<int64_t> index(2);
  EXPECT_EQ(*bytes->MultidimensionalIndex(76, absl::MakeSpan(index)),
            PositionKind::kElement);
  EXPECT_THAT(index, ElementsAre(2, 3));
  EXPECT_EQ(*bytes->MultidimensionalIndex(77, absl::MakeSpan(index)),
            PositionKind::kGap);
  EXPECT_EQ(*bytes->MultidimensionalIndex(7, absl::MakeSpan(index)),
            PositionKind::kGap);
  EXPECT_EQ(*bytes->MultidimensionalIndex(8 + 4 * 9, absl::MakeSpan(index)),
            PositionKind::kPadding);
  EXPECT_THAT(TiledThreeByFive().Scaled(kMax / 8, 0),
              StatusIs(absl::StatusCode::kOutOfRange));
}

TEST(IndexMap, NamesIndicesThatShareAPosition) {
  const struct {
    std::vector<int64_t> strides;
    std::string message;
  } cases[] = {
      {{0, 1},
       "the map has no unique inverse: the indices (0,0) and (1,0) share "
       "position 0"},
      {{1, 0},
       "the map has no unique inverse: the indices (0,0) and (0,1) share "
       "position 0"},
      {{2, 1},
       "the map has no unique inverse: a coordinate does not reach the "
       "position or reaches it twice, or strides overlap"},
  };
  for (const auto& c : cases) {
    IndexMap::Builder builder({2, 3});
    const absl::StatusOr<IndexMap> map =
        std::move(builder).BuildStrided({{builder.Dimension(0), c.strides[0]},
                                         {builder.Dimension(1), c.strides[1]}});
    ASSERT_THAT(map, IsOk());
    std::vector<int64_t> index(2);
    EXPECT_EQ(
        map->MultidimensionalIndex(0, absl::MakeSpan(index)).status().message(),
        c.message);
  }
}

TEST(IndexMap, StridedMapsKnowTheirKind) {
  struct Case {
    const char* name;
    std::vector<int64_t> strides;
    int64_t base;
    IndexMap::Kind kind;
    int64_t position_count;
  };
  // Bounds 2 and 3.
  const Case cases[] = {
      {"column major", {1, 2}, 0, IndexMap::Kind::kMixedRadix, 6},
      {"gaps", {1, 5}, 0, IndexMap::Kind::kInjective, 12},
      {"broadcast", {0, 1}, 0, IndexMap::Kind::kGeneral, 3},
      {"overlap", {2, 1}, 0, IndexMap::Kind::kGeneral, 5},
      {"rows reversed", {-3, 1}, 3, IndexMap::Kind::kInjective, 6},
      {"all reversed", {-3, -1}, 5, IndexMap::Kind::kInjective, 6},
      {"columns reversed, with gaps",
       {9, -2},
       6,
       IndexMap::Kind::kInjective,
       16},
      {"reversed and overlapping", {-2, 1}, 2, IndexMap::Kind::kGeneral, 5},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    IndexMap::Builder builder({2, 3});
    absl::StatusOr<IndexMap> map =
        std::move(builder).BuildStrided({{builder.Dimension(0), c.strides[0]},
                                         {builder.Dimension(1), c.strides[1]}},
                                        c.base);
    ASSERT_THAT(map, IsOk());
    EXPECT_EQ(map->kind(), c.kind);
    EXPECT_EQ(map->position_count(), c.position_count);
    std::vector<int64_t> index(2);
    int64_t elements = 0;
    for (int64_t p = 0; p < map->position_count(); ++p) {
      const absl::StatusOr<PositionKind> kind =
          map->MultidimensionalIndex(p, absl::MakeSpan(index));
      ASSERT_EQ(kind.ok(), c.kind != IndexMap::Kind::kGeneral);
      elements += kind.ok() && *kind == PositionKind::kElement;
    }
    EXPECT_EQ(elements, c.kind == IndexMap::Kind::kGeneral ? 0 : 6);
    for (int64_t i = 0; i < 2; ++i) {
      for (int64_t j = 0; j < 3; ++j) {
        const int64_t position = map->LinearIndexUnchecked({i, j});
        EXPECT_EQ(position, c.base + i * c.strides[0] + j * c.strides[1]);
        if (c.kind == IndexMap::Kind::kGeneral) continue;
        EXPECT_EQ(*map->MultidimensionalIndex(position, absl::MakeSpan(index)),
                  PositionKind::kElement);
        EXPECT_THAT(index, testing::ElementsAre(i, j));
      }
    }
  }
}

TEST(IndexMap, NegativeStridesCountFromTheBase) {
  IndexMap::Builder builder({4});
  absl::StatusOr<IndexMap> map =
      std::move(builder).BuildStrided({{builder.Dimension(0), -2}}, /*base=*/6);
  ASSERT_THAT(map, IsOk());
  EXPECT_EQ(*map->LinearIndex({3}), 0);
  EXPECT_EQ(map->position_count(), 7);
  IndexMap::Builder below({4});
  EXPECT_THAT(
      std::move(below).BuildStrided({{below.Dimension(0), -2}}, /*base=*/5),
      StatusIs(absl::StatusCode::kOutOfRange));
}

TEST(IndexMap, ErrorsNameTheValueAndTheRule) {
  const IndexMap map = TiledThreeByFive();
  EXPECT_EQ(map.LinearIndex({2, 7}).status().message(),
            "index[1] = 7 is outside [0, 5)");
  EXPECT_THAT(map.LinearIndex({2, -1}),
              StatusIs(absl::StatusCode::kOutOfRange));
  EXPECT_EQ(map.LinearIndex({2}).status().message(),
            "the index has 1 entry, but the array has 2 dimensions");
  std::vector<int64_t> index(2);
  EXPECT_EQ(
      map.MultidimensionalIndex(24, absl::MakeSpan(index)).status().message(),
      "linear index 24 is outside [0, 24)");
  EXPECT_THAT(map.FailedBounds(-1), StatusIs(absl::StatusCode::kOutOfRange));
  EXPECT_THAT(map.MultidimensionalIndex(0, {}),
              StatusIs(absl::StatusCode::kInvalidArgument));

  IndexMap::Builder large({kMax});
  auto parts = large.Split(large.Dimension(0), 1000);
  EXPECT_EQ(
      std::move(large).BuildRowMajor({parts.first, parts.second}).status(),
      absl::OutOfRangeError("the product of the physical bounds, "
                            "9223372036854776 x 1000, exceeds 2^63-1"));
  IndexMap::Builder negative({-3});
  EXPECT_EQ(std::move(negative).BuildRowMajor({}).status().message(),
            "bound 0 is negative: -3");
}

TEST(IndexMap, BatchesAgreeWithSingleCalls) {
  const IndexMap map = TiledThreeByFive();
  const BatchIndexMap batches(map);
  std::vector<int64_t> rows, columns, flat, expected;
  // Longer than a block, so that block edges are crossed.
  for (int64_t n = 0; n < 3000; ++n) {
    rows.push_back(n % 3);
    columns.push_back(n / 3 % 5);
    flat.push_back(rows.back());
    flat.push_back(columns.back());
    expected.push_back(map.LinearIndexUnchecked({rows.back(), columns.back()}));
  }
  const int64_t* coordinates[] = {rows.data(), columns.data()};
  std::vector<int64_t> got(3000);
  ASSERT_THAT(batches.LinearIndices(coordinates, absl::MakeSpan(got)), IsOk());
  EXPECT_EQ(got, expected);
  got.assign(3000, -1);
  ASSERT_THAT(batches.LinearIndicesOfRows(flat, absl::MakeSpan(got)), IsOk());
  EXPECT_EQ(got, expected);

  std::vector<int64_t> back(6000);
  std::vector<PositionKind> kinds(3000);
  ASSERT_THAT(batches.MultidimensionalIndicesAsRows(
                  expected, absl::MakeSpan(back), absl::MakeSpan(kinds)),
              IsOk());
  EXPECT_EQ(back, flat);
  EXPECT_EQ(kinds, std::vector<PositionKind>(3000, PositionKind::kElement));

  columns[2999] = 5;
  absl::Status status = batches.LinearIndices(coordinates, absl::MakeSpan(got));
  EXPECT_THAT(status,
              StatusIs(absl::StatusCode::kOutOfRange,
                       "index number 2999: index[1] = 5 is outside [0, 5)"));
}

// Functions are compiled at their first call, whichever thread makes it.
TEST(IndexMap, ThreadsMayMakeTheFirstCallTogether) {
  for (int round = 0; round < 100; ++round) {
    const IndexMap map = TiledThreeByFive();
    std::atomic<bool> may_start = {false};
    std::atomic<int> wrong = {0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        while (!may_start) std::this_thread::yield();
        std::vector<int64_t> index(2);
        if (map.MultidimensionalIndexUnchecked(17, absl::MakeSpan(index)) !=
                PositionKind::kElement ||
            index != std::vector<int64_t>({2, 3}) ||
            map.LinearIndexUnchecked(index) != 17) {
          ++wrong;
        }
      });
    }
    may_start = true;
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, 0);
  }
}

TEST(IndexMap, HashIsConsistentWithEquality) {
  EXPECT_TRUE(absl::VerifyTypeImplementsAbslHashCorrectly(
      {IndexMap(), TiledThreeByFive(), RowMajor({3, 5}), RowMajor({15}),
       RowMajor({3, 5}, 16), *RowMajor({3, 5}).Scaled(4, 0)}));
}

TEST(IndexMap, DigitsOfAnotherMapNeedNoComputedSource) {
  IndexMap::Builder tiles({10, 12});
  const auto [row, in_row] = tiles.Split(tiles.Dimension(0), 4);
  const auto [column, in_column] = tiles.Split(tiles.Dimension(1), 8);
  const IndexMap tiled =
      *std::move(tiles).BuildRowMajor({row, column, in_row, in_column});
  IndexMap::Builder builder({10, 12});
  const IndexMap same = *IndexMap::Builder({10, 12}).BuildMapped(
      tiled, {builder.Dimension(0), builder.Dimension(1)});
  EXPECT_EQ(same.ToString(), tiled.ToString());
  EXPECT_EQ(same.sources().size(), 2);
}

}  // namespace
}  // namespace tessera
