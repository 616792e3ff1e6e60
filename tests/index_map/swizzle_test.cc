// Swizzled maps, judged by an exclusive or of what the map gives without it.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/hash/hash_testing.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/index_map/batch_index_map.h"
#include "tessera/index_map/element_runs.h"
#include "tessera/index_map/index_map_builder.h"
#include "tessera/index_map/same_function.h"
#include "tessera/index_map/slice_positions.h"
#include "tessera/tests/status_matchers.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;
using Coordinate = IndexMap::Builder::Coordinate;
using Swizzle = IndexMap::BitSwizzle;
using Index = std::vector<int64_t>;

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

#ifdef TESSERA_SANITIZER
constexpr int kRounds = 100;
#else
constexpr int kRounds = 1500;
#endif

IndexMap RowMajor(const std::vector<int64_t>& bounds, int64_t alignment = 1) {
  IndexMap::Builder builder(bounds);
  std::vector<Coordinate> axes;
  for (size_t i = 0; i < bounds.size(); ++i) {
    axes.push_back(builder.Dimension(i));
  }
  return *std::move(builder).BuildRowMajor(axes, alignment);
}

IndexMap Strided(const std::vector<int64_t>& bounds,
                 const std::vector<int64_t>& strides, int64_t base = 0) {
  IndexMap::Builder builder(bounds);
  std::vector<IndexMap::Builder::StridedCoordinate> coordinates;
  for (size_t i = 0; i < bounds.size(); ++i) {
    coordinates.push_back({builder.Dimension(i), strides[i]});
  }
  return *std::move(builder).BuildStrided(coordinates, base);
}

// Bit by bit, unlike the library: bit i of what is taken goes to i - shift.
int64_t Reference(const Swizzle& swizzle, int64_t position) {
  int64_t result = position;
  for (int i = 0; i < swizzle.bits; ++i) {
    const int to = swizzle.base + i + std::max(-swizzle.shift, 0);
    const int64_t bit = position >> (to + swizzle.shift) & 1;
    result ^= bit << to;
  }
  return result;
}

std::vector<Index> AllIndices(const IndexMap& map) {
  std::vector<Index> all;
  for (int64_t n = 0; n < map.element_count(); ++n) {
    Index index(map.rank());
    int64_t rest = n;
    for (size_t d = index.size(); d-- > 0;) {
      index[d] = rest % map.bounds()[d];
      rest /= map.bounds()[d];
    }
    all.push_back(std::move(index));
  }
  return all;
}

// -- Random maps of every kind -----------------------------------------------

int64_t RandomSize(std::mt19937& random) {
  constexpr int64_t kSizes[] = {1, 2, 3, 4, 5, 6, 8, 12, 16};
  return kSizes[random() % std::size(kSizes)];
}

std::vector<int64_t> RandomBounds(std::mt19937& random) {
  std::vector<int64_t> bounds(random() % 4);
  for (int64_t& bound : bounds) bound = RandomSize(random);
  if (random() % 50 == 0) bounds.push_back(0);
  return bounds;
}

// Dimensions cut once or twice, some joined first, so that some sources are
// computed.
IndexMap RandomTiled(std::mt19937& random) {
  const std::vector<int64_t> bounds = RandomBounds(random);
  IndexMap::Builder builder(bounds);
  std::vector<Coordinate> coordinates;
  for (size_t i = 0; i < bounds.size(); ++i) {
    coordinates.push_back(builder.Dimension(i));
  }
  if (coordinates.size() > 1 && random() % 3 == 0) {
    const Coordinate minor = coordinates.back();
    coordinates.pop_back();
    coordinates.back() = builder.Join(coordinates.back(), minor);
  }
  std::vector<Coordinate> axes;
  for (const Coordinate& coordinate : coordinates) {
    auto parts = builder.Split(coordinate, 1 + random() % 8);
    axes.push_back(parts.first);
    if (random() % 2 == 0) {
      auto more = builder.Split(parts.second, 1 + random() % 4);
      axes.push_back(more.first);
      axes.push_back(more.second);
    } else {
      axes.push_back(parts.second);
    }
  }
  if (random() % 2 == 0) std::shuffle(axes.begin(), axes.end(), random);
  return *std::move(builder).BuildRowMajor(axes, 1 + random() % 40);
}

IndexMap RandomStrided(std::mt19937& random) {
  const std::vector<int64_t> bounds = RandomBounds(random);
  std::vector<int64_t> strides;
  int64_t next = 1;
  int64_t base = random() % 3 == 0 ? random() % 20 : 0;
  // Every other map is nested, with a gap here and there.
  const bool is_nested = random() % 2 == 0;
  for (int64_t bound : bounds) {
    int64_t stride = is_nested ? next : static_cast<int64_t>(random() % 20);
    if (random() % 6 == 0) {
      stride = -stride;
      base -= std::max<int64_t>(bound - 1, 0) * stride;
    }
    strides.push_back(stride);
    next = std::max<int64_t>(next * bound + random() % 3, 1);
  }
  return Strided(bounds, strides, base);
}

IndexMap RandomMap(std::mt19937& random) {
  while (true) {
    IndexMap map =
        random() % 3 == 0 ? RandomStrided(random) : RandomTiled(random);
    if (random() % 6 == 0) map = *map.Scaled(1 + random() % 4, random() % 9);
    if (map.position_count() <= 3000) return map;
  }
}

Swizzle RandomSwizzle(std::mt19937& random) {
  Swizzle swizzle;
  swizzle.bits = random() % 4;
  swizzle.base = random() % 5;
  swizzle.shift = swizzle.bits + random() % 3;
  if (random() % 2 == 0) swizzle.shift = -swizzle.shift;
  return swizzle;
}

// A map, a swizzle, and the map swizzled by it.
struct Case {
  IndexMap plain;
  Swizzle swizzle;
  IndexMap map;

  std::string ToString() const {
    return plain.ToString() + " by " + std::to_string(swizzle.bits) + "," +
           std::to_string(swizzle.base) + "," + std::to_string(swizzle.shift);
  }
};

Case RandomCase(std::mt19937& random) {
  IndexMap plain = RandomMap(random);
  const Swizzle swizzle = RandomSwizzle(random);
  IndexMap map = *plain.Swizzled(swizzle);
  return {std::move(plain), swizzle, std::move(map)};
}

std::map<int64_t, Index> Elements(const IndexMap& map) {
  std::map<int64_t, Index> elements;
  for (Index& index : AllIndices(map)) {
    elements.emplace(map.LinearIndexUnchecked(index), std::move(index));
  }
  return elements;
}

// -- Laws --------------------------------------------------------------------

TEST(Swizzle, Example) {
  const IndexMap map = RowMajor({8, 8});
  absl::StatusOr<IndexMap> swizzled =
      map.Swizzled({/*bits=*/3, /*base=*/0, /*shift=*/3});
  ASSERT_THAT(swizzled, IsOk());
  EXPECT_EQ(swizzled->LinearIndexUnchecked({5, 1}), 44);
  EXPECT_EQ(swizzled->kind(), IndexMap::Kind::kMixedRadix);
  Index index(2);
  EXPECT_EQ(*swizzled->MultidimensionalIndex(44, absl::MakeSpan(index)),
            PositionKind::kElement);
  EXPECT_THAT(index, ElementsAre(5, 1));
  EXPECT_FALSE(swizzled->is_separable());
  EXPECT_EQ(swizzled->ToString(),
            "[8,8] -> [0,64): p ^ ((p & 0x38) >> 3), p = 8*i0 + i1");
  EXPECT_EQ(map.Swizzled({2, 0, -4})->ToString(),
            "[8,8] -> [0,64): p ^ ((p & 0x3) << 4), p = 8*i0 + i1");
}

TEST(Swizzle, ForwardIsTheExclusiveOr) {
  std::mt19937 random(20261201);
  int swizzled = 0, computed = 0;
  for (int round = 0; round < kRounds; ++round) {
    const Case c = RandomCase(random);
    SCOPED_TRACE(c.ToString());
    swizzled += c.map.is_swizzled();
    computed += c.map.is_swizzled() && !c.plain.is_separable();
    const std::vector<Index> indices = AllIndices(c.map);
    std::vector<int64_t> expected, rows;
    std::vector<std::vector<int64_t>> columns(c.map.rank());
    for (const Index& index : indices) {
      expected.push_back(
          Reference(c.swizzle, c.plain.LinearIndexUnchecked(index)));
      rows.insert(rows.end(), index.begin(), index.end());
      for (size_t d = 0; d < index.size(); ++d) columns[d].push_back(index[d]);
      ASSERT_EQ(c.map.LinearIndexUnchecked(index), expected.back());
      ASSERT_EQ(*c.map.LinearIndex(index), expected.back());
    }
    std::vector<const int64_t*> coordinates;
    for (const auto& column : columns) coordinates.push_back(column.data());
    std::vector<int64_t> got(indices.size());
    const BatchIndexMap batches(c.map);
    ASSERT_THAT(batches.LinearIndices(coordinates, absl::MakeSpan(got)),
                IsOk());
    ASSERT_EQ(got, expected);
    got.assign(got.size(), -1);
    ASSERT_THAT(batches.LinearIndicesOfRows(rows, absl::MakeSpan(got)), IsOk());
    ASSERT_EQ(got, expected);
  }
  EXPECT_GT(swizzled, kRounds / 4);
  EXPECT_GT(computed, kRounds / 50);
}

TEST(Swizzle, PositionsAreThoseOfTheDigitsMoved) {
  std::mt19937 random(20261202);
  int grown = 0, kinds[4] = {}, mixed_radix = 0;
  for (int round = 0; round < kRounds; ++round) {
    const Case c = RandomCase(random);
    SCOPED_TRACE(c.ToString());
    // swizzle() may do less where nothing is.
    int64_t largest = c.plain.tail_begin() - 1;
    if (c.map.is_swizzled()) largest = 0;
    for (int64_t p = 0; p < c.plain.tail_begin(); ++p) {
      const int64_t moved = c.map.swizzle().Apply(p);
      ASSERT_EQ(moved, Reference(c.map.swizzle(), p));
      largest = std::max(largest, moved);
    }
    ASSERT_EQ(c.map.tail_begin(), largest + 1);
    ASSERT_EQ(c.map.position_count(),
              std::max(c.plain.position_count(), largest + 1));
    grown += c.map.position_count() > c.plain.position_count();
    // Where every position is one of digits, swizzle() does all.
    if (c.plain.kind() == IndexMap::Kind::kMixedRadix &&
        c.plain.element_count() > 0) {
      for (int64_t p = 0; p < c.plain.tail_begin(); ++p) {
        ASSERT_EQ(c.map.swizzle().Apply(p), Reference(c.swizzle, p));
      }
    }
    if (c.plain.kind() == IndexMap::Kind::kGeneral) {
      ASSERT_EQ(c.map.kind(), IndexMap::Kind::kGeneral);
      Index index(c.map.rank());
      ASSERT_THAT(c.map.MultidimensionalIndex(0, absl::MakeSpan(index)),
                  StatusIs(absl::StatusCode::kFailedPrecondition));
      continue;
    }
    ASSERT_EQ(c.map.kind() == IndexMap::Kind::kMixedRadix,
              c.plain.kind() == IndexMap::Kind::kMixedRadix &&
                  c.map.tail_begin() == c.plain.tail_begin());
    mixed_radix +=
        c.map.is_swizzled() && c.map.kind() == IndexMap::Kind::kMixedRadix;

    std::vector<int64_t> positions, expected_rows;
    std::vector<PositionKind> expected_kinds;
    for (int64_t q = 0; q < c.map.position_count(); ++q) {
      const int64_t p = Reference(c.map.swizzle(), q);
      Index expected(c.map.rank()), index(c.map.rank());
      PositionKind kind = PositionKind::kGap;
      std::vector<IndexMap::FailedBound> failed;
      if (q >= c.map.tail_begin()) {
        kind = PositionKind::kTail;
      } else if (p < c.plain.tail_begin()) {
        kind = *c.plain.MultidimensionalIndex(p, absl::MakeSpan(expected));
        failed = *c.plain.FailedBounds(p);
      }
      if (kind == PositionKind::kElement || kind == PositionKind::kPadding) {
        ASSERT_EQ(Reference(c.swizzle, p), q);
      }
      ASSERT_EQ(*c.map.MultidimensionalIndex(q, absl::MakeSpan(index)), kind)
          << q;
      ++kinds[static_cast<int>(kind)];
      if (kind == PositionKind::kElement) {
        ASSERT_EQ(index, expected);
        ASSERT_EQ(c.map.LinearIndexUnchecked(index), q);
      }
      ASSERT_EQ(c.map.FailedBounds(q)->size(), failed.size());
      for (size_t i = 0; i < failed.size(); ++i) {
        const IndexMap::FailedBound got = c.map.FailedBounds(q)->at(i);
        ASSERT_EQ(got.dimensions, failed[i].dimensions);
        ASSERT_EQ(got.value, failed[i].value);
        ASSERT_EQ(got.bound, failed[i].bound);
      }
      positions.push_back(q);
      expected_kinds.push_back(kind);
    }

    const BatchIndexMap batches(c.map);
    std::vector<PositionKind> got_kinds(positions.size());
    std::vector<int64_t> rows(positions.size() * c.map.rank());
    ASSERT_THAT(batches.MultidimensionalIndicesAsRows(
                    positions, absl::MakeSpan(rows), absl::MakeSpan(got_kinds)),
                IsOk());
    ASSERT_EQ(got_kinds, expected_kinds);
    std::vector<std::vector<int64_t>> columns(
        c.map.rank(), std::vector<int64_t>(positions.size()));
    std::vector<int64_t*> coordinates;
    for (auto& column : columns) coordinates.push_back(column.data());
    got_kinds.assign(got_kinds.size(), PositionKind::kTail);
    ASSERT_THAT(batches.MultidimensionalIndices(positions, coordinates,
                                                absl::MakeSpan(got_kinds)),
                IsOk());
    ASSERT_EQ(got_kinds, expected_kinds);
    for (size_t i = 0; i < positions.size(); ++i) {
      if (expected_kinds[i] != PositionKind::kElement) continue;
      Index row, column;
      for (int64_t d = 0; d < c.map.rank(); ++d) {
        row.push_back(rows[i * c.map.rank() + d]);
        column.push_back(columns[d][i]);
      }
      ASSERT_EQ(c.map.LinearIndexUnchecked(row), positions[i]);
      ASSERT_EQ(column, row);
    }
    Index index(c.map.rank());
    ASSERT_THAT(c.map.MultidimensionalIndex(c.map.position_count(),
                                            absl::MakeSpan(index)),
                StatusIs(absl::StatusCode::kOutOfRange));
  }
  EXPECT_GT(grown, kRounds / 50);
  EXPECT_GT(mixed_radix, kRounds / 50);
  for (int count : kinds) EXPECT_GT(count, kRounds);
}

TEST(Swizzle, PaddingIsPaidForAsBefore) {
  std::mt19937 random(20261203);
  for (int round = 0; round < kRounds; ++round) {
    const Case c = RandomCase(random);
    SCOPED_TRACE(c.ToString());
    const auto before = c.plain.PaddingByDimension();
    const auto after = c.map.PaddingByDimension();
    ASSERT_EQ(after.size(), before.size());
    int64_t product = 1;
    for (size_t i = 0; i < after.size(); ++i) {
      ASSERT_EQ(after[i].dimensions, before[i].dimensions);
      ASSERT_EQ(after[i].bound, before[i].bound);
      ASSERT_EQ(after[i].padded, before[i].padded);
      product *= after[i].padded;
    }
    if (c.map.kind() == IndexMap::Kind::kMixedRadix &&
        c.map.element_count() != 0) {
      ASSERT_EQ(product, c.map.tail_begin());
    }
  }
}

TEST(Swizzle, ScaledMovesItUpOrRefuses) {
  std::mt19937 random(20261204);
  int scaled_maps = 0, refused = 0;
  for (int round = 0; round < kRounds; ++round) {
    const Case c = RandomCase(random);
    const int64_t factor = random() % 4 == 0 ? 3 : int64_t{1} << random() % 4;
    const int64_t block = factor << c.map.swizzle().end();
    const int64_t offset = random() % 3 * block +
                           (random() % 2 == 0 ? random() % (2 * factor) : 0);
    SCOPED_TRACE(c.ToString() + " times " + std::to_string(factor) + " after " +
                 std::to_string(offset));
    const absl::StatusOr<IndexMap> scaled = c.map.Scaled(factor, offset);
    if (!scaled.ok()) {
      ++refused;
      ASSERT_THAT(scaled, StatusIs(absl::StatusCode::kUnimplemented));
      ASSERT_TRUE(c.map.is_swizzled());
      ASSERT_TRUE(factor == 3 || offset % block >= factor);
      continue;
    }
    scaled_maps += c.map.is_swizzled();
    ASSERT_EQ(scaled->position_count(),
              c.map.position_count() * factor + offset);
    ASSERT_EQ(scaled->tail_begin(), c.map.tail_begin() * factor + offset);
    for (const Index& index : AllIndices(c.map)) {
      ASSERT_EQ(scaled->LinearIndexUnchecked(index),
                c.map.LinearIndexUnchecked(index) * factor + offset);
    }
    if (c.map.kind() == IndexMap::Kind::kGeneral) continue;
    Index index(c.map.rank()), expected(c.map.rank());
    for (int64_t q = 0; q < scaled->position_count(); ++q) {
      const int64_t before = (q - offset) / factor;
      PositionKind kind =
          q >= scaled->tail_begin() ? PositionKind::kTail : PositionKind::kGap;
      if (q >= offset && (q - offset) % factor == 0) {
        kind = *c.map.MultidimensionalIndex(before, absl::MakeSpan(expected));
      }
      ASSERT_EQ(*scaled->MultidimensionalIndex(q, absl::MakeSpan(index)), kind)
          << q;
      if (kind == PositionKind::kElement) {
        ASSERT_EQ(index, expected);
      }
    }
  }
  EXPECT_GT(scaled_maps, kRounds / 10);
  EXPECT_GT(refused, kRounds / 10);
}

TEST(Swizzle, BitsThatNoPositionHasAreLeftOut) {
  // Positions below 64 have no bit 7.
  EXPECT_EQ(*RowMajor({8, 8}).Swizzled({3, 4, 3}), RowMajor({8, 8}));
  // 8*i0 + i1 with i1 < 4 has no bit 2, and of bits 2..4 only 3 and 4 remain.
  const IndexMap gaps = Strided({4, 4}, {8, 1});
  EXPECT_EQ(*gaps.Swizzled({1, 0, 2}), gaps);
  EXPECT_EQ(gaps.Swizzled({3, 0, 2 + 1})->swizzle(), (Swizzle{2, 0, 3}));
  EXPECT_EQ(gaps.Swizzled({3, 2, -4})->swizzle(), (Swizzle{2, 3, -4}));
  // Nothing is left to swizzle where nothing is.
  EXPECT_EQ(*RowMajor({0, 8}).Swizzled({3, 0, 3}), RowMajor({0, 8}));
  EXPECT_EQ(*IndexMap().Swizzled({3, 0, 3}), IndexMap());
}

TEST(Swizzle, ErrorsNameTheValueAndTheRule) {
  const IndexMap map = RowMajor({8, 8});
  struct ErrorCase {
    Swizzle swizzle;
    absl::Status status;
  };
  const ErrorCase cases[] = {
      {{-1, 0, 3},
       absl::InvalidArgumentError(
           "a swizzle of -1 bits at bit 0 has a negative number")},
      {{3, -2, 3},
       absl::InvalidArgumentError(
           "a swizzle of 3 bits at bit -2 has a negative number")},
      {{3, 0, 2},
       absl::InvalidArgumentError(
           "a swizzle of 3 bits by 2 takes bits that it changes")},
      {{3, 0, -2},
       absl::InvalidArgumentError(
           "a swizzle of 3 bits by -2 takes bits that it changes")},
      {{1, 0, 0},
       absl::InvalidArgumentError(
           "a swizzle of 1 bits by 0 takes bits that it changes")},
      {{3, 58, 3},
       absl::OutOfRangeError(
           "a swizzle of 3 bits at bit 58 by 3 reaches past bit 62")},
      {{1, 0, std::numeric_limits<int32_t>::min()},
       absl::OutOfRangeError("a swizzle of 1 bits at bit 0 by -2147483648 "
                             "reaches past bit 62")},
  };
  for (const ErrorCase& c : cases) {
    EXPECT_EQ(map.Swizzled(c.swizzle).status(), c.status);
  }
  EXPECT_EQ(RowMajor({kMax}).Swizzled({1, 0, -1}).status(),
            absl::OutOfRangeError("the swizzle makes a position past 2^63-2"));

  const IndexMap swizzled = *map.Swizzled({3, 0, 3});
  EXPECT_EQ(swizzled.Swizzled({1, 0, 1}).status(),
            absl::UnimplementedError("the map is swizzled already, and a sum "
                                     "is swizzled only once"));
  EXPECT_EQ(*swizzled.Swizzled({0, 4, 3}), swizzled);

  EXPECT_EQ(swizzled.Scaled(3, 0).status(),
            absl::UnimplementedError(
                "the bits of swizzled positions do not stay together in units "
                "of 1/3, which is not a power of two"));
  EXPECT_EQ(swizzled.Scaled(2, 64).status(),
            absl::UnimplementedError(
                "after an offset of 64 swizzled positions are only swizzled if "
                "it leaves less than 2 divided by 128"));
  EXPECT_EQ(swizzled.Scaled(2, 128)->LinearIndexUnchecked({5, 1}), 128 + 88);
  EXPECT_THAT(swizzled.Scaled(kMax / 8, 0),
              StatusIs(absl::StatusCode::kOutOfRange));
}

TEST(Swizzle, ReachesTheLastBit) {
  const IndexMap map = *RowMajor({2}).Swizzled({1, 0, -62});
  EXPECT_EQ(map.position_count(), (int64_t{1} << 62) + 2);
  EXPECT_EQ(*map.LinearIndex({1}), (int64_t{1} << 62) + 1);
  EXPECT_EQ(*DataEnd(map), map.position_count());
  EXPECT_THAT(map.Scaled(2, 0), StatusIs(absl::StatusCode::kOutOfRange));

  // The swizzle moves up to the sign bit and no further.
  const IndexMap high =
      *RowMajor({4}).Swizzled({1, 0, 1})->Scaled(int64_t{1} << 60, 0);
  EXPECT_EQ(*high.LinearIndex({2}), int64_t{3} << 60);
  EXPECT_EQ(*high.LinearIndex({3}), int64_t{2} << 60);
}

TEST(Swizzle, HashIsConsistentWithEquality) {
  const IndexMap map = RowMajor({8, 8});
  EXPECT_TRUE(absl::VerifyTypeImplementsAbslHashCorrectly(
      {map, *map.Swizzled({3, 0, 3}), *map.Swizzled({2, 0, 3}),
       *map.Swizzled({2, 1, 3}), *map.Swizzled({2, 0, 4}),
       *map.Swizzled({2, 0, -4}), *map.Swizzled({3, 4, 3}),
       *map.Swizzled({3, 0, 3})->Scaled(2, 0)}));
  EXPECT_EQ(*map.Swizzled({3, 0, 3}), *map.Swizzled({3, 0, 3}));
  EXPECT_NE(*map.Swizzled({3, 0, 3}), map);
}

// -- Walks over positions ----------------------------------------------------

// Adds a position past all of `ranges` to them.
void Append(int64_t position, std::vector<PositionRange>* ranges) {
  if (ranges->empty() || ranges->back().end != position) {
    ranges->push_back({position, position});
  }
  ++ranges->back().end;
}

TEST(SwizzledWalks, VisitWhatLiesThere) {
  std::mt19937 random(20261205);
  int walked = 0;
  for (int round = 0; round < kRounds; ++round) {
    const Case c = RandomCase(random);
    SCOPED_TRACE(c.ToString());
    if (c.map.kind() == IndexMap::Kind::kGeneral) {
      ASSERT_THAT(SlicePositions::Create(c.map, SlicePositions::Order::kMemory),
                  StatusIs(absl::StatusCode::kFailedPrecondition));
      continue;
    }
    walked += c.map.is_swizzled();
    const std::map<int64_t, Index> elements = Elements(c.map);

    absl::StatusOr<SlicePositions> order =
        SlicePositions::Create(c.map, SlicePositions::Order::kMemory);
    Index next(c.map.rank());
    std::vector<int64_t*> pointers;
    for (int64_t& coordinate : next) pointers.push_back(&coordinate);
    int64_t position = -1;
    for (const auto& element : elements) {
      ASSERT_EQ(order->Next(absl::MakeSpan(&position, 1), pointers), 1);
      ASSERT_EQ(position, element.first);
      ASSERT_EQ(next, element.second);
    }
    ASSERT_EQ(order->Next(absl::MakeSpan(&position, 1)), 0);

    ASSERT_EQ(*DataEnd(c.map),
              elements.empty() ? 0 : elements.rbegin()->first + 1);

    std::vector<PositionRange> expected_padding;
    for (int64_t q = 0; q < c.map.position_count(); ++q) {
      if (elements.count(q) == 0) Append(q, &expected_padding);
    }
    absl::StatusOr<PaddingRanges> padding = PaddingRanges::Create(c.map);
    PositionRange range;
    for (const PositionRange& expected : expected_padding) {
      ASSERT_TRUE(padding->Next(&range));
      ASSERT_EQ(range, expected);
    }
    ASSERT_FALSE(padding->Next(&range));

    Index start, limit;
    for (int64_t bound : c.map.bounds()) {
      const int64_t a = random() % (bound + 1), b = random() % (bound + 1);
      start.push_back(std::min(a, b));
      limit.push_back(std::max(a, b));
    }
    auto is_within = [&](const Index& index) {
      for (size_t d = 0; d < index.size(); ++d) {
        if (index[d] < start[d] || index[d] >= limit[d]) return false;
      }
      return true;
    };
    std::vector<PositionRange> expected_runs;
    for (const auto& element : elements) {
      if (is_within(element.second)) Append(element.first, &expected_runs);
    }
    absl::StatusOr<ElementRuns> runs = ElementRuns::Create(c.map, start, limit);
    ElementRun run;
    for (const PositionRange& expected : expected_runs) {
      ASSERT_TRUE(runs->Next(&run));
      ASSERT_EQ(run.position, expected.begin);
      ASSERT_EQ(run.length, expected.end - expected.begin);
      ASSERT_EQ(Index(run.first_index.begin(), run.first_index.end()),
                elements.at(run.position));
    }
    ASSERT_FALSE(runs->Next(&run));
  }
  EXPECT_GT(walked, kRounds / 6);
}

// Walks over swizzled tiles of 2^40 positions answer at once.
TEST(SwizzledWalks, DoNotVisitWhatIsWhole) {
  constexpr int64_t kRows = (int64_t{1} << 33) - 3;
  constexpr int64_t kPowerOfTwo = int64_t{1} << 40;
  const std::pair<Swizzle, int64_t> cases[] = {
      {{3, 4, 3}, kPowerOfTwo - 3 * 128},  // every row stays where it is
      {{3, 4, -3}, kPowerOfTwo},           // 7 is added to row -8
      {{3, 0, -30}, kPowerOfTwo},
  };
  for (const auto& [swizzle, data_end] : cases) {
    const IndexMap map = *RowMajor({kRows, 128}).Swizzled(swizzle);
    EXPECT_EQ(*DataEnd(map), data_end);
    EXPECT_EQ(map.tail_begin(), data_end);

    absl::StatusOr<ElementRuns> runs =
        ElementRuns::Create(map, {0, 0}, {kRows, 128}, /*step_limit=*/100000);
    ElementRun run;
    ASSERT_TRUE(runs->Next(&run));
    EXPECT_EQ(run.position, 0);
    EXPECT_GE(run.length, int64_t{1} << 28);
    EXPECT_FALSE(runs->is_exhausted());
  }
}

TEST(SwizzledWalks, PassOverWhatIsEmpty) {
  // 100 elements, every odd one 2^40 positions away.
  const IndexMap map = *RowMajor({100}).Swizzled({1, 0, -40});
  EXPECT_EQ(map.position_count(), (int64_t{1} << 40) + 100);
  absl::StatusOr<PaddingRanges> padding =
      PaddingRanges::Create(map, /*step_limit=*/100000);
  PositionRange range;
  int64_t empty = 0;
  while (padding->Next(&range)) empty += range.end - range.begin;
  EXPECT_FALSE(padding->is_exhausted());
  EXPECT_EQ(empty, int64_t{1} << 40);
}

TEST(SwizzledWalks, EndAtTheirStepLimitAndSaySo) {
  const IndexMap map = *RowMajor({1000, 1000}).Swizzled({3, 0, 3});
  absl::StatusOr<ElementRuns> runs =
      ElementRuns::Create(map, {0, 1}, {1000, 999}, /*step_limit=*/100);
  ElementRun run;
  while (runs->Next(&run)) {
  }
  EXPECT_TRUE(runs->is_exhausted());
  EXPECT_THAT(DataEnd(map, 3), StatusIs(absl::StatusCode::kResourceExhausted));
}

// -- SameFunction ------------------------------------------------------------

TEST(SameSwizzledFunction, AgreesWithValues) {
  std::mt19937 random(20261206);
  const std::vector<IndexMap> plain = {
      RowMajor({4, 8}),
      RowMajor({4, 8}, 64),
      Strided({4, 8}, {16, 1}),
      Strided({4, 8}, {16, 1}, 64),
      Strided({4, 8}, {16, 1}, 72),
      Strided({4, 8}, {1, 4}),
      Strided({4, 8}, {0, 3}),
      *RowMajor({4, 8}).Scaled(3, 0),
  };
  std::vector<IndexMap> maps = plain;
  for (const IndexMap& map : plain) {
    for (const Swizzle& swizzle :
         {Swizzle{1, 0, 3}, Swizzle{2, 0, 3}, Swizzle{2, 0, 4},
          Swizzle{1, 3, 3}, Swizzle{1, 0, -4}, Swizzle{2, 1, -3},
          Swizzle{1, 0, 1}, Swizzle{3, 2, 4}}) {
      maps.push_back(*map.Swizzled(swizzle));
    }
  }
  int equal = 0, unlike = 0;
  for (const IndexMap& a : maps) {
    for (const IndexMap& b : maps) {
      bool same = true;
      for (const Index& index : AllIndices(a)) {
        same = same &&
               a.LinearIndexUnchecked(index) == b.LinearIndexUnchecked(index);
      }
      equal += same;
      unlike += same && a.swizzle() != b.swizzle();
      ASSERT_EQ(*SameFunction(a, b), same) << a.ToString() << "\n"
                                           << b.ToString();
    }
  }
  EXPECT_GT(equal, 100);
  EXPECT_GT(unlike, 1);
}

TEST(SameSwizzledFunction, IsDecidedOnLargeMaps) {
  const int64_t large = int64_t{1} << 40;
  const IndexMap map = RowMajor({large, 64});
  const IndexMap column_major = Strided({large, 64}, {1, large});
  EXPECT_TRUE(
      *SameFunction(*map.Swizzled({3, 4, 3}), *map.Swizzled({3, 4, 3})));
  EXPECT_FALSE(*SameFunction(*map.Swizzled({3, 4, 3}),
                             *column_major.Swizzled({3, 4, 3})));
  EXPECT_FALSE(*SameFunction(map, *map.Swizzled({3, 4, 3})));
  EXPECT_FALSE(
      *SameFunction(*map.Swizzled({3, 4, 4}), *map.Swizzled({3, 4, 3})));
  // Bit 3 is never set.
  const IndexMap gaps = Strided({large, 8}, {16, 1});
  EXPECT_TRUE(*SameFunction(gaps, *gaps.Swizzled({1, 0, 3})));
}

TEST(SameSwizzledFunction, RefusesBeyondItsLimitAndSaysWhy) {
  // Bits 0 and 1 are always alike.
  const IndexMap map = Strided({1 << 20, 2}, {8, 3});
  absl::StatusOr<bool> same =
      SameFunction(*map.Swizzled({1, 0, -2}), *map.Swizzled({1, 1, -1}),
                   {/*evaluation_limit=*/1000});
  EXPECT_EQ(same.status(),
            absl::ResourceExhaustedError(
                "comparing the two maps of different swizzles takes 2097152 "
                "evaluations; the limit is 1000"));
  EXPECT_TRUE(
      *SameFunction(*map.Swizzled({1, 0, -2}), *map.Swizzled({1, 1, -1})));
}

}  // namespace
}  // namespace tessera
