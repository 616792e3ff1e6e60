#include "tessera/index_map/algebra.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/index_map/index_map_builder.h"
#include "tessera/tests/status_matchers.h"

namespace tessera {
namespace {

using Coordinate = IndexMap::Builder::Coordinate;
using Index = std::vector<int64_t>;

// 3 x 5 in tiles of 2 x 2, as pictured in index_map/index_map.h.
IndexMap TiledMap() {
  IndexMap::Builder builder({3, 5});
  const auto rows = builder.Split(builder.Dimension(0), 2);
  const auto columns = builder.Split(builder.Dimension(1), 2);
  return *std::move(builder).BuildRowMajor(
      {rows.first, columns.first, rows.second, columns.second});
}

// Calls `use` with every index within `bounds`.
void ForEachIndex(absl::Span<const int64_t> bounds,
                  const std::function<void(const Index&)>& use) {
  for (const int64_t bound : bounds) {
    if (bound == 0) return;
  }
  Index index(bounds.size(), 0);
  while (true) {
    use(index);
    size_t i = index.size();
    while (i > 0 && ++index[i - 1] == bounds[i - 1]) index[--i] = 0;
    if (i == 0) return;
  }
}

int64_t ElementsOf(absl::Span<const int64_t> bounds) {
  return std::accumulate(bounds.begin(), bounds.end(), int64_t{1},
                         std::multiplies<int64_t>());
}

Index FromRowMajor(int64_t number, absl::Span<const int64_t> bounds) {
  Index index(bounds.size());
  for (size_t i = bounds.size(); i-- > 0;) {
    index[i] = number % bounds[i];
    number /= bounds[i];
  }
  return index;
}

int64_t ToRowMajor(const Index& index, absl::Span<const int64_t> bounds) {
  int64_t number = 0;
  for (size_t i = 0; i < bounds.size(); ++i) {
    number = number * bounds[i] + index[i];
  }
  return number;
}

// Tiled once or twice, by sizes that do and do not divide, with joined
// dimensions, sums, padding and swizzles.
IndexMap RandomMap(std::mt19937& random) {
  auto pick = [&random](int64_t below) {
    return static_cast<int64_t>(random() % below);
  };
  Index bounds(1 + pick(3));
  for (int64_t& bound : bounds) bound = 1 + pick(7);
  IndexMap::Builder builder(bounds);
  std::vector<Coordinate> rest;
  for (size_t i = 0; i < bounds.size(); ++i) {
    rest.push_back(builder.Dimension(i));
  }
  if (rest.size() > 1 && pick(3) == 0) {
    const Coordinate joined = builder.Join(rest[0], rest[1]);
    rest.erase(rest.begin());
    rest[0] = joined;
  } else if (rest.size() > 1 && pick(4) == 0) {
    const Coordinate sum =
        builder.Sum({{rest[0], rest[1].bound + pick(3)}, {rest[1], 1}},
                    /*offset=*/pick(3));
    rest.erase(rest.begin());
    rest[0] = sum;
  }
  std::vector<Coordinate> quotients, remainders;
  for (const Coordinate& coordinate : rest) {
    const auto parts = builder.Split(coordinate, 1 + pick(4));
    quotients.push_back(parts.first);
    const auto more = builder.Split(parts.second, 1 + pick(3));
    remainders.push_back(more.first);
    remainders.push_back(more.second);
  }
  quotients.insert(quotients.end(), remainders.begin(), remainders.end());
  if (pick(6) == 0) {
    // The same, some coordinates reversed.
    std::vector<IndexMap::Builder::StridedCoordinate> strided;
    int64_t stride = 1, base = 0;
    for (size_t i = quotients.size(); i-- > 0;) {
      const bool is_reversed = pick(2) == 0;
      strided.push_back({quotients[i], is_reversed ? -stride : stride});
      if (is_reversed) base += (quotients[i].bound - 1) * stride;
      stride *= quotients[i].bound;
    }
    return *std::move(builder).BuildStrided(strided, base);
  }
  const IndexMap map =
      *std::move(builder).BuildRowMajor(quotients, 1 + pick(3));
  if (pick(4) != 0) return map;
  const absl::StatusOr<IndexMap> swizzled = map.Swizzled({1, 0, 1});
  return swizzled.ok() ? *swizzled : map;
}

bool HasNegativeStrides(const IndexMap& map) {
  return std::any_of(map.digits().begin(), map.digits().end(),
                     [](const auto& digit) { return digit.stride < 0; });
}

// `map` is `expected`, both ways.
void ExpectFunction(const IndexMap& map, const IndexMap& old,
                    const std::function<Index(const Index&)>& old_index) {
  EXPECT_EQ(map.position_count(), old.position_count());
  std::vector<Index> at(map.position_count());
  ForEachIndex(map.bounds(), [&](const Index& index) {
    const int64_t position = map.LinearIndexUnchecked(index);
    ASSERT_EQ(position, old.LinearIndexUnchecked(old_index(index)))
        << map.ToString() << " of " << old.ToString();
    at[position] = index;
  });
  if (old.kind() == IndexMap::Kind::kGeneral || map.element_count() == 0) {
    return;
  }
  ASSERT_NE(map.kind(), IndexMap::Kind::kGeneral)
      << map.ToString() << " of " << old.ToString();
  Index index(map.rank());
  for (int64_t p = 0; p < map.position_count(); ++p) {
    const absl::StatusOr<PositionKind> kind =
        map.MultidimensionalIndex(p, absl::MakeSpan(index));
    ASSERT_THAT(kind, IsOk());
    const bool is_element =
        !at[p].empty() || (map.rank() == 0 && map.element_count() == 1 &&
                           p == map.LinearIndexUnchecked({}));
    ASSERT_EQ(*kind == PositionKind::kElement, is_element)
        << p << " of " << map.ToString() << " of " << old.ToString();
    if (is_element) {
      ASSERT_EQ(index, at[p]);
    }
  }
}

TEST(IndexMapAlgebra, PermutedIsTheOldMapOfThePermutedIndex) {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    const IndexMap map = RandomMap(random);
    std::vector<int64_t> dimensions(map.rank());
    std::iota(dimensions.begin(), dimensions.end(), 0);
    std::shuffle(dimensions.begin(), dimensions.end(), random);
    const absl::StatusOr<IndexMap> permuted = Permuted(map, dimensions);
    ASSERT_THAT(permuted, IsOk());
    EXPECT_EQ(permuted->kind(), map.kind());
    ExpectFunction(*permuted, map, [&](const Index& y) {
      Index x(y.size());
      for (size_t i = 0; i < y.size(); ++i) x[dimensions[i]] = y[i];
      return x;
    });
  }
}

// A random factorization of `elements`, with ones in between.
std::vector<int64_t> RandomBounds(int64_t elements, std::mt19937& random) {
  std::vector<int64_t> bounds;
  while (elements > 1) {
    int64_t factor = 1 + random() % elements;
    while (elements % factor != 0) --factor;
    bounds.push_back(factor);
    elements /= factor;
  }
  if (bounds.empty() || random() % 3 == 0) bounds.push_back(1);
  return bounds;
}

TEST(IndexMapAlgebra, ReshapedIsTheOldMapOfTheSameRowMajorNumber) {
  std::mt19937 random(2);
  for (int round = 0; round < 2000; ++round) {
    const IndexMap map = RandomMap(random);
    const absl::StatusOr<IndexMap> reshaped =
        Reshaped(map, RandomBounds(ElementsOf(map.bounds()), random));
    ASSERT_THAT(reshaped, IsOk());
    ExpectFunction(*reshaped, map, [&](const Index& y) {
      return FromRowMajor(ToRowMajor(y, reshaped->bounds()), map.bounds());
    });
  }
}

TEST(IndexMapAlgebra, SlicedIsTheOldMapOfTheShiftedIndex) {
  std::mt19937 random(3);
  for (int round = 0; round < 2000; ++round) {
    const IndexMap map = RandomMap(random);
    Index start(map.rank()), limit(map.rank());
    for (int64_t i = 0; i < map.rank(); ++i) {
      start[i] = random() % map.bounds()[i];
      limit[i] = start[i] + random() % (map.bounds()[i] - start[i] + 1);
    }
    const absl::StatusOr<IndexMap> sliced = Sliced(map, start, limit);
    ASSERT_THAT(sliced, IsOk());
    ExpectFunction(*sliced, map, [&](const Index& y) {
      Index x(y.size());
      for (size_t i = 0; i < y.size(); ++i) x[i] = y[i] + start[i];
      return x;
    });
  }
}

TEST(IndexMapAlgebra, ComposedIsOneMapAfterTheOther) {
  std::mt19937 random(4);
  int composed_maps = 0;
  for (int round = 0; round < 2000; ++round) {
    const IndexMap inner = RandomMap(random);
    IndexMap::Builder builder(
        {inner.tail_begin() + static_cast<int64_t>(random() % 5)});
    const auto parts = builder.Split(builder.Dimension(0),
                                     1 + static_cast<int64_t>(random() % 6));
    const IndexMap outer =
        *std::move(builder).BuildRowMajor({parts.second, parts.first});
    const absl::StatusOr<IndexMap> composed = Composed(outer, inner);
    if (inner.is_swizzled() || HasNegativeStrides(inner)) {
      EXPECT_THAT(composed, StatusIs(absl::StatusCode::kUnimplemented));
      continue;
    }
    ASSERT_THAT(composed, IsOk());
    ++composed_maps;
    ForEachIndex(inner.bounds(), [&](const Index& index) {
      ASSERT_EQ(composed->LinearIndexUnchecked(index),
                outer.LinearIndexUnchecked({inner.LinearIndexUnchecked(index)}))
          << composed->ToString();
    });
  }
  EXPECT_GT(composed_maps, 1000);
}

TEST(IndexMapAlgebra, SlicesAtWholeTilesStaySumsOfDimensions) {
  IndexMap::Builder builder({64, 256});
  const auto rows = builder.Split(builder.Dimension(0), 8);
  const auto columns = builder.Split(builder.Dimension(1), 128);
  const IndexMap map = *std::move(builder).BuildRowMajor(
      {rows.first, columns.first, rows.second, columns.second});
  const absl::StatusOr<IndexMap> sliced = Sliced(map, {16, 128}, {40, 256});
  ASSERT_THAT(sliced, IsOk());
  EXPECT_TRUE(sliced->is_separable()) << sliced->ToString();
}

TEST(IndexMapAlgebra, ArraysWithoutElements) {
  IndexMap::Builder builder({3, 0});
  const IndexMap map = *std::move(builder).BuildRowMajor(
      {builder.Dimension(0), builder.Dimension(1)});
  const absl::StatusOr<IndexMap> permuted = Permuted(map, {1, 0});
  EXPECT_EQ(permuted->bounds(), absl::MakeConstSpan(Index({0, 3})));
  EXPECT_EQ(Reshaped(map, {0, 7, 2})->element_count(), 0);
  EXPECT_EQ(Sliced(map, {1, 0}, {3, 0})->element_count(), 0);
  EXPECT_EQ(Sliced(TiledMap(), {1, 2}, {1, 5})->element_count(), 0);
}

TEST(IndexMapAlgebra, Refusals) {
  const IndexMap map = TiledMap();
  struct Case {
    absl::StatusOr<IndexMap> result;
    absl::StatusCode code;
    std::string message;
  };
  const Case cases[] = {
      {Permuted(map, {0, 0}), absl::StatusCode::kInvalidArgument,
       "{0,0} is not a permutation of the 2 dimensions"},
      {Permuted(map, {0}), absl::StatusCode::kInvalidArgument,
       "{0} is not a permutation of the 2 dimensions"},
      {Permuted(map, {2, 0}), absl::StatusCode::kInvalidArgument,
       "{2,0} is not a permutation of the 2 dimensions"},
      {Reshaped(map, {4, 4}), absl::StatusCode::kInvalidArgument,
       "[4,4] does not have the 15 elements of [3,5]"},
      {Reshaped(map, {-3, -5}), absl::StatusCode::kInvalidArgument,
       "bound -3 is negative"},
      {Sliced(map, {0}, {3}), absl::StatusCode::kInvalidArgument,
       "a slice from 1 to 1 coordinates, but the array has 2 dimensions"},
      {Sliced(map, {0, 2}, {3, 1}), absl::StatusCode::kOutOfRange,
       "the slice [2, 1) of dimension 1 is not within [0, 5)"},
      {Sliced(map, {0, 0}, {4, 1}), absl::StatusCode::kOutOfRange,
       "the slice [0, 4) of dimension 0 is not within [0, 3)"},
      {Composed(map, map), absl::StatusCode::kInvalidArgument,
       "the outer map has 2 dimensions, but a position is a single coordinate"},
      {Composed(*Reshaped(map, {15}), map), absl::StatusCode::kOutOfRange,
       "the inner map has positions up to 23, past the bound of the outer, "
       "15"},
  };
  for (const Case& c : cases) {
    EXPECT_THAT(c.result, StatusIs(c.code, c.message)) << c.message;
  }
}

}  // namespace
}  // namespace tessera
