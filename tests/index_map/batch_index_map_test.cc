// Batches against single calls, over maps of every kind.

#include "tessera/index_map/batch_index_map.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/index_map/algebra.h"
#include "tessera/index_map/index_map_builder.h"
#include "tessera/tests/status_matchers.h"
#include "tessera/tests/vectors/each_vector_target.h"

namespace tessera {
namespace {

using Coordinate = IndexMap::Builder::Coordinate;

IndexMap TiledThreeByFive() {
  IndexMap::Builder builder({3, 5});
  auto rows = builder.Split(builder.Dimension(0), 2);
  auto columns = builder.Split(builder.Dimension(1), 2);
  return *std::move(builder).BuildRowMajor(
      {rows.first, columns.first, rows.second, columns.second});
}

// Returns a part of the map, the map with other bounds, or the map after
// another; or the map itself.
absl::StatusOr<IndexMap> RandomChange(const IndexMap& map,
                                      std::mt19937_64& random) {
  const auto below = [&random](int64_t end) {
    return static_cast<int64_t>(random() % static_cast<uint64_t>(end));
  };
  switch (random() % 6) {
    case 0: {
      std::vector<int64_t> start, limit;
      for (const int64_t bound : map.bounds()) {
        start.push_back(below(2) * below(bound));
        limit.push_back(start.back() + 1 +
                        below(2) * below(bound - start.back()));
      }
      return Sliced(map, start, limit);
    }
    case 1:
      return Reshaped(map, {1, map.element_count()});
    case 2: {
      const absl::StatusOr<IndexMap> flat =
          Reshaped(map, {map.element_count()});
      if (!flat.ok()) return flat;
      const int64_t bound = 1 + below(map.element_count());
      IndexMap::Builder builder({bound});
      const absl::StatusOr<IndexMap> inner =
          std::move(builder).BuildRowMajor({builder.Dimension(0)});
      return inner.ok() ? Composed(*flat, *inner) : inner;
    }
    default:
      return map;
  }
}

// Cut and joined at random, then laid out row by row or with any strides, some
// of them swizzled or changed.
absl::StatusOr<IndexMap> RandomMap(std::mt19937_64& random, bool is_large) {
  const auto size = [&random, is_large] {
    constexpr int64_t kSmall[] = {1, 2, 3, 4, 5, 7, 8, 12, 16, 24, 33, 128};
    constexpr int64_t kLarge[] = {3000000007, 65536, 98304, 1000003, 77};
    if (is_large && random() % 3 == 0) {
      return kLarge[random() % std::size(kLarge)];
    }
    return kSmall[random() % std::size(kSmall)];
  };
  std::vector<int64_t> bounds(random() % 5);
  for (int64_t& bound : bounds) bound = size();
  IndexMap::Builder builder(bounds);
  std::vector<Coordinate> axes;
  for (size_t d = 0; d < bounds.size(); ++d) {
    axes.push_back(builder.Dimension(static_cast<int64_t>(d)));
  }
  const auto take = [&axes, &random] {
    std::swap(axes[random() % axes.size()], axes.back());
    const Coordinate axis = axes.back();
    axes.pop_back();
    return axis;
  };
  for (uint64_t cuts = random() % 5; cuts > 0 && !axes.empty(); --cuts) {
    const Coordinate first = take();
    if (random() % 3 == 0 && !axes.empty()) {
      axes.push_back(builder.Join(first, take()));
    } else if (random() % 8 == 0) {
      axes.push_back(builder.Sum(
          {{first, 1 + static_cast<int64_t>(random() % 3)}}, random() % 3));
    } else {
      auto parts = builder.Split(first, size());
      axes.push_back(parts.first);
      axes.push_back(parts.second);
    }
  }
  std::shuffle(axes.begin(), axes.end(), random);
  absl::StatusOr<IndexMap> map = IndexMap();
  if (random() % 4 == 0) {
    std::vector<IndexMap::Builder::StridedCoordinate> strided;
    for (const Coordinate& axis : axes) {
      strided.push_back({axis, static_cast<int64_t>(random() % 64) - 8});
    }
    map = std::move(builder).BuildStrided(strided, int64_t{1} << 42);
    // Once more where positions may fit 32 bits.
    if (map.ok() && !is_large) {
      IndexMap::Builder plain(bounds);
      std::vector<IndexMap::Builder::StridedCoordinate> dimensions;
      for (size_t d = 0; d < bounds.size(); ++d) {
        dimensions.push_back({plain.Dimension(static_cast<int64_t>(d)),
                              static_cast<int64_t>(random() % 1000)});
      }
      if (random() % 2 == 0) {
        map = std::move(plain).BuildStrided(dimensions, 5);
      }
    }
  } else {
    map = std::move(builder).BuildRowMajor(axes, 1 + random() % 9);
  }
  if (map.ok() && random() % 4 == 0) {
    const int32_t bits = 1 + random() % 3;
    map = map->Swizzled({bits, static_cast<int32_t>(random() % 4),
                         random() % 2 == 0 ? bits : -bits});
  }
  return map.ok() ? RandomChange(*map, random) : map;
}

// What lies where, by single calls.
template <typename Int>
struct Samples {
  std::vector<std::vector<Int>> columns;
  std::vector<Int> rows;
  std::vector<Int> positions;

  std::vector<const Int*> pointers() const {
    std::vector<const Int*> pointers;
    for (const std::vector<Int>& column : columns) {
      pointers.push_back(column.data());
    }
    return pointers;
  }
};

template <typename Int>
Samples<Int> RandomSamples(const IndexMap& map, size_t count,
                           std::mt19937_64& random) {
  Samples<Int> samples;
  samples.columns.resize(map.rank());
  std::vector<int64_t> index(map.rank());
  for (size_t i = 0; i < count; ++i) {
    for (int64_t d = 0; d < map.rank(); ++d) {
      // The ends are where most goes wrong.
      index[d] = random() % 4 == 0
                     ? map.bounds()[d] - 1
                     : static_cast<int64_t>(
                           random() % static_cast<uint64_t>(map.bounds()[d]));
      index[d] = std::min<int64_t>(index[d], std::numeric_limits<Int>::max());
      samples.columns[d].push_back(static_cast<Int>(index[d]));
      samples.rows.push_back(static_cast<Int>(index[d]));
    }
    samples.positions.push_back(
        static_cast<Int>(map.LinearIndexUnchecked(index)));
  }
  return samples;
}

template <typename Int>
void ExpectForward(const BatchIndexMap& batches, size_t count,
                   std::mt19937_64& random) {
  const IndexMap& map = batches.map();
  Samples<Int> samples = RandomSamples<Int>(map, count, random);
  std::vector<Int> got(count, -1);
  absl::Status status = batches.LinearIndices(
      absl::MakeConstSpan(samples.pointers()), absl::MakeSpan(got));
  ASSERT_THAT(status, IsOk());
  ASSERT_EQ(got, samples.positions);
  got.assign(count, -1);
  status = batches.LinearIndicesOfRows(absl::MakeConstSpan(samples.rows),
                                       absl::MakeSpan(got));
  ASSERT_THAT(status, IsOk());
  ASSERT_EQ(got, samples.positions);
  got.assign(count, -1);
  batches.LinearIndicesUnchecked(absl::MakeConstSpan(samples.pointers()),
                                 absl::MakeSpan(got));
  ASSERT_EQ(got, samples.positions);
  got.assign(count, -1);
  batches.LinearIndicesOfRowsUnchecked(absl::MakeConstSpan(samples.rows),
                                       absl::MakeSpan(got));
  ASSERT_EQ(got, samples.positions);

  if (count == 0 || map.rank() == 0) return;
  // Of two bad indices, the first is named.
  const size_t first = random() % count;
  const size_t second = first + random() % (count - first);
  const size_t d = random() % static_cast<size_t>(map.rank());
  Int bad = std::numeric_limits<Int>::min();
  if (random() % 3 == 0) bad = -1;
  if (random() % 3 == 0 && map.bounds()[d] <= std::numeric_limits<Int>::max()) {
    bad = static_cast<Int>(map.bounds()[d]);
  }
  for (const size_t i : {second, first}) {
    samples.columns[d][i] = bad;
    samples.rows[i * static_cast<size_t>(map.rank()) + d] = bad;
  }
  const std::string message =
      "index number " + std::to_string(first) + ": index[" + std::to_string(d) +
      "] = " + std::to_string(bad) + " is outside [0, " +
      std::to_string(map.bounds()[d]) + ")";
  EXPECT_EQ(batches.LinearIndices(absl::MakeConstSpan(samples.pointers()),
                                  absl::MakeSpan(got)),
            absl::OutOfRangeError(message));
  EXPECT_EQ(batches.LinearIndicesOfRows(absl::MakeConstSpan(samples.rows),
                                        absl::MakeSpan(got)),
            absl::OutOfRangeError(message));
}

template <typename Int>
void ExpectInverse(const BatchIndexMap& batches, size_t count,
                   std::mt19937_64& random) {
  const IndexMap& map = batches.map();
  const size_t rank = static_cast<size_t>(map.rank());
  std::vector<Int> positions;
  std::vector<int64_t> index(rank);
  for (size_t i = 0; i < count; ++i) {
    for (size_t d = 0; d < rank; ++d) {
      index[d] = static_cast<int64_t>(random() %
                                      static_cast<uint64_t>(map.bounds()[d]));
    }
    const int64_t any = static_cast<int64_t>(
        random() % static_cast<uint64_t>(map.position_count()));
    const int64_t of_element = map.LinearIndexUnchecked(index);
    positions.push_back(static_cast<Int>(i % 8 == 0   ? map.position_count() - 1
                                         : i % 2 == 0 ? any
                                                      : of_element));
  }
  std::vector<std::vector<Int>> columns(rank, std::vector<Int>(count));
  std::vector<Int*> pointers;
  for (std::vector<Int>& column : columns) pointers.push_back(column.data());
  std::vector<Int> rows(count * rank);
  std::vector<PositionKind> kinds(count), row_kinds(count);
  absl::Status status = batches.MultidimensionalIndices(
      absl::MakeConstSpan(positions), absl::MakeConstSpan(pointers),
      absl::MakeSpan(kinds));
  if (map.kind() == IndexMap::Kind::kGeneral && count > 0) {
    EXPECT_THAT(status, StatusIs(absl::StatusCode::kFailedPrecondition));
    return;
  }
  ASSERT_THAT(status, IsOk());
  std::vector<std::vector<Int>> unchecked(rank, std::vector<Int>(count));
  std::vector<Int*> unchecked_pointers;
  for (std::vector<Int>& column : unchecked) {
    unchecked_pointers.push_back(column.data());
  }
  std::vector<PositionKind> unchecked_kinds(count);
  batches.MultidimensionalIndicesUnchecked(
      absl::MakeConstSpan(positions), absl::MakeConstSpan(unchecked_pointers),
      absl::MakeSpan(unchecked_kinds));
  status = batches.MultidimensionalIndicesAsRows(absl::MakeConstSpan(positions),
                                                 absl::MakeSpan(rows),
                                                 absl::MakeSpan(row_kinds));
  ASSERT_THAT(status, IsOk());
  for (size_t i = 0; i < count; ++i) {
    const PositionKind kind =
        map.MultidimensionalIndexUnchecked(positions[i], absl::MakeSpan(index));
    ASSERT_EQ(kinds[i], kind) << positions[i];
    ASSERT_EQ(row_kinds[i], kind) << positions[i];
    ASSERT_EQ(unchecked_kinds[i], kind) << positions[i];
    if (kind != PositionKind::kElement) continue;
    for (size_t d = 0; d < rank; ++d) {
      ASSERT_EQ(columns[d][i], index[d]) << positions[i];
      ASSERT_EQ(rows[i * rank + d], index[d]) << positions[i];
      ASSERT_EQ(unchecked[d][i], index[d]) << positions[i];
    }
  }
  if (count == 0) return;
  const size_t bad = random() % count;
  positions[bad] = -1;
  if (random() % 2 == 0 &&
      map.position_count() <= std::numeric_limits<Int>::max()) {
    positions[bad] = static_cast<Int>(map.position_count());
  }
  const absl::Status expected = absl::OutOfRangeError(
      "index number " + std::to_string(bad) + ": linear index " +
      std::to_string(positions[bad]) + " is outside [0, " +
      std::to_string(map.position_count()) + ")");
  EXPECT_EQ(batches.MultidimensionalIndices(absl::MakeConstSpan(positions),
                                            absl::MakeConstSpan(pointers),
                                            absl::MakeSpan(kinds)),
            expected);
  EXPECT_EQ(batches.MultidimensionalIndicesAsRows(
                absl::MakeConstSpan(positions), absl::MakeSpan(rows),
                absl::MakeSpan(row_kinds)),
            expected);
}

void ExpectAgreement() {
  std::mt19937_64 random(20261122);
  int mixed_radix = 0, not_separable = 0, swizzled = 0, narrow = 0, wide = 0;
  constexpr size_t kCounts[] = {0, 1, 7, 15, 16, 17, 100, 255, 600, 1100};
  for (int round = 0; round < 4000; ++round) {
    const absl::StatusOr<IndexMap> map = RandomMap(random, round % 2 == 0);
    if (!map.ok()) continue;  // more than 2^63-1 positions
    SCOPED_TRACE(map->ToString());
    const BatchIndexMap batches(*map);
    const size_t count = kCounts[random() % std::size(kCounts)];
    mixed_radix += map->kind() == IndexMap::Kind::kMixedRadix;
    swizzled += map->is_swizzled();
    not_separable += !map->is_separable() && !map->is_swizzled();
    ExpectForward<int64_t>(batches, count, random);
    ExpectInverse<int64_t>(batches, count, random);
    if (batches.fits_32_bits()) {
      ++narrow;
      ExpectForward<int32_t>(batches, count, random);
      ExpectInverse<int32_t>(batches, count, random);
    } else {
      ++wide;
    }
    if (testing::Test::HasFatalFailure()) return;
  }
  EXPECT_GT(mixed_radix, 1000);
  EXPECT_GT(not_separable, 100);
  EXPECT_GT(swizzled, 300);
  EXPECT_GT(narrow, 1000);
  EXPECT_GT(wide, 500);
}

TEST(BatchIndexMap, AgreesWithSingleCalls) {
  ForEachVectorTarget(ExpectAgreement);
}

TEST(BatchIndexMap, AConstantCoordinateHasGaps) {
  IndexMap::Builder builder({2});
  const auto parts = builder.Split(builder.Dimension(0), 2);
  const auto more = builder.Split(parts.second, 4);
  const IndexMap map =
      *std::move(builder).BuildRowMajor({parts.first, more.first, more.second});
  const BatchIndexMap batches(*Sliced(map, {0}, {1}));
  const std::vector<int64_t> positions(16, 1);
  std::vector<int64_t> indices(16);
  std::vector<PositionKind> kinds(16);
  ASSERT_THAT(batches.MultidimensionalIndicesAsRows(
                  positions, absl::MakeSpan(indices), absl::MakeSpan(kinds)),
              IsOk());
  EXPECT_THAT(kinds, testing::Each(PositionKind::kGap));
}

TEST(BatchIndexMap, SaysWhatDoesNotFit) {
  const BatchIndexMap batches(TiledThreeByFive());
  const std::vector<int64_t> column(3);
  std::vector<int64_t> positions(3), indices(6);
  std::vector<PositionKind> kinds(3);
  EXPECT_EQ(batches.LinearIndices({column.data()}, absl::MakeSpan(positions)),
            absl::InvalidArgumentError("there are coordinates of 1 dimensions "
                                       "but the array has 2"));
  EXPECT_EQ(batches.LinearIndicesOfRows(column, absl::MakeSpan(positions)),
            absl::InvalidArgumentError(
                "3 entries are not 3 indices of 2 dimensions"));
  EXPECT_EQ(batches.MultidimensionalIndices(positions, {indices.data()},
                                            absl::MakeSpan(kinds)),
            absl::InvalidArgumentError(
                "there is room for 1 dimensions, but 2 are needed"));
  EXPECT_EQ(
      batches.MultidimensionalIndicesAsRows(
          positions, absl::MakeSpan(indices).subspan(1), absl::MakeSpan(kinds)),
      absl::InvalidArgumentError(
          "there is room for 5 index entries, but 6 are needed"));
  EXPECT_EQ(
      batches.MultidimensionalIndicesAsRows(positions, absl::MakeSpan(indices),
                                            absl::MakeSpan(kinds).subspan(1)),
      absl::InvalidArgumentError(
          "there is room for 2 kinds, but 3 are needed"));
}

TEST(BatchIndexMap, PositionsPast32BitsAreRefusedThere) {
  IndexMap::Builder builder({int64_t{1} << 31, 2});
  const std::vector<Coordinate> axes = {builder.Dimension(0),
                                        builder.Dimension(1)};
  const BatchIndexMap batches(*std::move(builder).BuildRowMajor(axes));
  EXPECT_FALSE(batches.fits_32_bits());
  const std::vector<int32_t> column(1);
  std::vector<int32_t> positions(1), indices(2);
  std::vector<PositionKind> kinds(1);
  const absl::Status expected = absl::OutOfRangeError(
      "4294967296 positions do not fit integers of 32 bits");
  EXPECT_EQ(batches.LinearIndices({column.data(), column.data()},
                                  absl::MakeSpan(positions)),
            expected);
  EXPECT_EQ(batches.LinearIndicesOfRows(indices, absl::MakeSpan(positions)),
            expected);
  EXPECT_EQ(batches.MultidimensionalIndicesAsRows(
                positions, absl::MakeSpan(indices), absl::MakeSpan(kinds)),
            expected);
}

// 2^31 positions are the most that 32 bits tell.
TEST(BatchIndexMap, TheLastPositionOf32Bits) {
  IndexMap::Builder builder({int64_t{1} << 30, 2});
  const std::vector<Coordinate> axes = {builder.Dimension(0),
                                        builder.Dimension(1)};
  const BatchIndexMap batches(*std::move(builder).BuildRowMajor(axes));
  const std::vector<int32_t> rows(20, (1 << 30) - 1), columns(20, 1);
  std::vector<int32_t> positions(20);
  ASSERT_THAT(batches.LinearIndices({rows.data(), columns.data()},
                                    absl::MakeSpan(positions)),
              IsOk());
  EXPECT_EQ(positions,
            std::vector<int32_t>(20, std::numeric_limits<int32_t>::max()));
  std::vector<int32_t> back(40);
  std::vector<PositionKind> kinds(20);
  ASSERT_THAT(batches.MultidimensionalIndicesAsRows(
                  positions, absl::MakeSpan(back), absl::MakeSpan(kinds)),
              IsOk());
  EXPECT_EQ(back[38], (1 << 30) - 1);
  EXPECT_EQ(back[39], 1);
}

TEST(BatchIndexMap, WithoutElementsEverythingIsOutside) {
  IndexMap::Builder builder({3, 0});
  const std::vector<Coordinate> axes = {builder.Dimension(0),
                                        builder.Dimension(1)};
  const BatchIndexMap batches(*std::move(builder).BuildRowMajor(axes));
  const std::vector<int64_t> rows(20), columns(20);
  std::vector<int64_t> positions(20);
  EXPECT_EQ(
      batches.LinearIndices({rows.data(), columns.data()},
                            absl::MakeSpan(positions)),
      absl::OutOfRangeError("index number 0: index[1] = 0 is outside [0, 0)"));
}

}  // namespace
}  // namespace tessera
