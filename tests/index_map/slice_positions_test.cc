// What the generator hands out, judged by asking the map for every index of the
// slice.

#include "tessera/index_map/slice_positions.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/index_map/dimension_digits.h"
#include "tessera/index_map/index_map_builder.h"
#include "tessera/tests/status_matchers.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;
using Order = SlicePositions::Order;
using Builder = IndexMap::Builder;
using Coordinate = Builder::Coordinate;
using Index = std::vector<int64_t>;

#ifdef TESSERA_SANITIZER
constexpr int kRounds = 300;
#else
constexpr int kRounds = 3000;
#endif

// Tiles of rows x columns, the rows of a tile cut again into groups of `packed`
// that lie side by side: T(rows,columns)(packed,1).
IndexMap Tiled(const Index& bounds, int64_t rows, int64_t columns,
               int64_t packed = 1) {
  Builder builder(bounds);
  const int64_t rank = static_cast<int64_t>(bounds.size());
  std::vector<Coordinate> axes;
  for (int64_t i = 0; i + 2 < rank; ++i) axes.push_back(builder.Dimension(i));
  const auto r = builder.Split(builder.Dimension(rank - 2), rows);
  const auto c = builder.Split(builder.Dimension(rank - 1), columns);
  const auto pairs = builder.Split(r.second, packed);
  axes.insert(axes.end(),
              {r.first, c.first, pairs.first, c.second, pairs.second});
  return *std::move(builder).BuildRowMajor(axes);
}

struct Element {
  int64_t position;
  Index index;

  friend bool operator==(const Element& a, const Element& b) {
    return a.position == b.position && a.index == b.index;
  }
};

std::ostream& operator<<(std::ostream& out, const Element& element) {
  return out << "{" << absl::StrJoin(element.index, ",") << "}@"
             << element.position;
}

// By asking for each.
std::vector<Element> Expected(const IndexMap& map, const Index& start,
                              const Index& limit, Order order) {
  std::vector<Element> elements;
  for (size_t d = 0; d < start.size(); ++d) {
    if (start[d] == limit[d]) return elements;
  }
  Index index = start;
  while (true) {
    elements.push_back({*map.LinearIndex(index), index});
    size_t d = index.size();
    for (; d > 0; --d) {
      if (++index[d - 1] < limit[d - 1]) break;
      index[d - 1] = start[d - 1];
    }
    if (d == 0) break;
  }
  if (order == Order::kMemory) {
    std::sort(elements.begin(), elements.end(),
              [](const Element& a, const Element& b) {
                return a.position < b.position;
              });
  }
  return elements;
}

// Asks for up to `most` at a time, and for indices now and then.
std::vector<Element> Got(SlicePositions slice, size_t rank, size_t most,
                         std::mt19937& random) {
  std::vector<Element> elements;
  while (true) {
    const size_t size = 1 + random() % most;
    std::vector<int64_t> positions(size, -1);
    std::vector<Index> coordinates(rank, Index(size, -1));
    std::vector<int64_t*> pointers;
    for (Index& coordinate : coordinates) pointers.push_back(coordinate.data());
    const int64_t before = slice.remaining();
    const size_t count = slice.Next(absl::MakeSpan(positions), pointers);
    EXPECT_EQ(static_cast<int64_t>(count), before - slice.remaining());
    for (size_t i = 0; i < count; ++i) {
      Index index;
      for (size_t d = 0; d < rank; ++d) index.push_back(coordinates[d][i]);
      elements.push_back({positions[i], std::move(index)});
    }
    if (count < size) break;
  }
  EXPECT_EQ(slice.remaining(), 0);
  return elements;
}

std::vector<int64_t> GotPositions(SlicePositions slice, size_t size) {
  std::vector<int64_t> all, positions(size);
  while (const size_t count = slice.Next(absl::MakeSpan(positions))) {
    all.insert(all.end(), positions.begin(), positions.begin() + count);
  }
  return all;
}

TEST(DimensionDigits, Example) {
  const IndexMap map = Tiled({3, 5}, 2, 2);
  EXPECT_THAT(*DigitsOfDimension(map, 1),
              ElementsAre(DimensionDigit{1, 1}, DimensionDigit{2, 4}));
  EXPECT_THAT(*DigitsOfDimension(IndexMap(Tiled({1, 1}, 2, 2)), 0),
              ElementsAre(DimensionDigit{1, 0}));
}

TEST(DimensionDigits, DivisorsThatDoNotDivideOneAnotherHaveNone) {
  Builder builder({100});
  const auto by_four = builder.Split(builder.Dimension(0), 4);
  const auto by_six = builder.Split(builder.Dimension(0), 6);
  const IndexMap map = *std::move(builder).BuildStrided(
      {{by_four.first, 1000}, {by_six.first, 1}});
  EXPECT_FALSE(DigitsOfDimension(map, 0).has_value());
}

TEST(SlicePositions, ScalarsAndEmptySlices) {
  const IndexMap scalar;
  for (const Order order : {Order::kLogical, Order::kMemory}) {
    EXPECT_THAT(GotPositions(*SlicePositions::Create(scalar, order), 5),
                ElementsAre(0));
    const IndexMap map = Tiled({3, 5}, 2, 2);
    EXPECT_THAT(
        GotPositions(*SlicePositions::Create(map, {1, 5}, {3, 5}, order), 5),
        ElementsAre());
    const IndexMap empty = Tiled({0, 5}, 2, 2);
    EXPECT_THAT(GotPositions(*SlicePositions::Create(empty, order), 5),
                ElementsAre());
    SlicePositions nothing_asked = *SlicePositions::Create(map, order);
    EXPECT_EQ(nothing_asked.Next({}), 0);
    EXPECT_EQ(nothing_asked.remaining(), 15);
  }
}

TEST(SlicePositions, RefusesSlicesOutsideTheBounds) {
  const IndexMap map = Tiled({3, 5}, 2, 2);
  const auto error = [&map](const Index& start, const Index& limit) {
    return SlicePositions::Create(map, start, limit, Order::kLogical).status();
  };
  EXPECT_EQ(error({0, 2}, {2, 6}).message(),
            "slice[1] = [2, 6) is not within [0, 5)");
  EXPECT_EQ(error({0, 2}, {2, 6}).code(), absl::StatusCode::kOutOfRange);
  EXPECT_EQ(error({2, 0}, {1, 1}).message(),
            "slice[0] = [2, 1) is not within [0, 3)");
  EXPECT_EQ(error({-1, 0}, {1, 1}).message(),
            "slice[0] = [-1, 1) is not within [0, 3)");
  EXPECT_EQ(error({0}, {1, 1}).message(),
            "the start of the slice has 1 entry, but the array has 2 "
            "dimensions");
  EXPECT_EQ(error({0, 0}, {1, 1, 1}).message(),
            "the limit of the slice has 3 entries, but the array has 2 "
            "dimensions");
  EXPECT_EQ(error({0}, {1, 1}).code(), absl::StatusCode::kInvalidArgument);
}

TEST(SlicePositions, MemoryOrderNeedsAnInverse) {
  Builder builder({2, 3});
  const IndexMap map = *std::move(builder).BuildStrided(
      {{builder.Dimension(0), 0}, {builder.Dimension(1), 1}});
  const absl::Status status =
      SlicePositions::Create(map, Order::kMemory).status();
  EXPECT_THAT(
      status,
      StatusIs(
          absl::StatusCode::kFailedPrecondition,
          "the map has no unique inverse, so its positions cannot be walked"));
  EXPECT_THAT(GotPositions(*SlicePositions::Create(map, Order::kLogical), 4),
              ElementsAre(0, 1, 2, 0, 1, 2));
}

// -- Against asking for each -------------------------------------------------

int64_t RandomSize(std::mt19937& random) {
  constexpr int64_t kSizes[] = {1, 2, 3, 4, 5, 7, 8, 12, 16, 31, 60, 130};
  return kSizes[random() % std::size(kSizes)];
}

Index RandomBounds(std::mt19937& random) {
  while (true) {
    Index bounds(random() % 5);
    int64_t count = 1;
    for (int64_t& bound : bounds) count *= bound = RandomSize(random);
    if (random() % 50 == 0) bounds.push_back(0);
    if (random() % 10 == 0) bounds.assign(1, 1 + random() % 20000);
    if (count <= 20000) return bounds;
  }
}

// Dimensions cut up to three times; some joined first, or cut in ways that make
// computed sources; some behind a coordinate that is always 0.
IndexMap RandomTiled(std::mt19937& random) {
  const Index bounds = RandomBounds(random);
  Builder builder(bounds);
  std::vector<Coordinate> coordinates, axes;
  for (size_t i = 0; i < bounds.size(); ++i) {
    coordinates.push_back(builder.Dimension(static_cast<int64_t>(i)));
  }
  if (coordinates.size() > 1 && random() % 4 == 0) {
    const Coordinate minor = coordinates.back();
    coordinates.pop_back();
    coordinates.back() = builder.Join(coordinates.back(), minor);
  }
  if (random() % 6 == 0) coordinates.push_back(builder.Unit());
  const bool nests = random() % 4 != 0;
  for (Coordinate coordinate : coordinates) {
    int64_t tile = int64_t{1} << (random() % 11);
    for (int cuts = static_cast<int>(random() % 4); cuts > 0; --cuts) {
      if (!nests) tile = 1 + static_cast<int64_t>(random() % 9);
      const auto parts = builder.Split(coordinate, tile);
      axes.push_back(parts.first);
      coordinate = parts.second;
      tile = std::max<int64_t>(1, tile >> (random() % 4));
    }
    axes.push_back(coordinate);
  }
  if (random() % 2 == 0) std::shuffle(axes.begin(), axes.end(), random);
  return *std::move(builder).BuildRowMajor(
      axes, 1 + static_cast<int64_t>(random() % 40));
}

// Nested strides with gaps, or any strides; some of either are negative.
IndexMap RandomStrided(std::mt19937& random) {
  const Index bounds = RandomBounds(random);
  Builder builder(bounds);
  std::vector<Builder::StridedCoordinate> coordinates;
  int64_t next = 1, base = static_cast<int64_t>(random() % 9);
  const bool is_nested = random() % 3 != 0;
  for (size_t i = 0; i < bounds.size(); ++i) {
    const auto parts = builder.Split(builder.Dimension(static_cast<int64_t>(i)),
                                     1 + static_cast<int64_t>(random() % 9));
    for (const Coordinate& part : {parts.second, parts.first}) {
      int64_t stride = next;
      next = next * part.bound + static_cast<int64_t>(random() % 3);
      if (!is_nested) stride = static_cast<int64_t>(random() % 40) - 9;
      if (is_nested && random() % 5 == 0) stride = -stride;
      if (stride < 0) base -= std::max<int64_t>(0, part.bound - 1) * stride;
      coordinates.push_back({part, stride});
    }
  }
  return *std::move(builder).BuildStrided(coordinates, base);
}

IndexMap RandomMap(std::mt19937& random) {
  IndexMap map =
      random() % 3 == 0 ? RandomStrided(random) : RandomTiled(random);
  if (random() % 6 == 0) {
    map = *map.Scaled(1 + static_cast<int64_t>(random() % 4),
                      static_cast<int64_t>(random() % 9));
  }
  if (random() % 6 == 0) {
    const int bits = static_cast<int>(random() % 4);
    map = *map.Swizzled({bits, static_cast<int>(random() % 5),
                         bits + static_cast<int>(random() % 3)});
  }
  return map;
}

TEST(SlicePositions, AreThoseOfTheIndices) {
  std::mt19937 random(20261206);
  int64_t large = 0, in_memory_order = 0;
  for (int round = 0; round < kRounds; ++round) {
    const IndexMap map = RandomMap(random);
    Index start, limit;
    const bool is_whole = random() % 4 == 0;
    for (const int64_t bound : map.bounds()) {
      int64_t a = static_cast<int64_t>(random()) % (bound + 1);
      int64_t b = static_cast<int64_t>(random()) % (bound + 1);
      if (is_whole) a = 0, b = bound;
      start.push_back(std::min(a, b));
      limit.push_back(std::max(a, b));
    }
    SCOPED_TRACE(absl::StrCat("round ", round, ": ", map.ToString(), " from ",
                              absl::StrJoin(start, ","), " to ",
                              absl::StrJoin(limit, ",")));
    for (const Order order : {Order::kLogical, Order::kMemory}) {
      if (order == Order::kMemory && map.kind() == IndexMap::Kind::kGeneral) {
        continue;
      }
      absl::StatusOr<SlicePositions> slice =
          SlicePositions::Create(map, start, limit, order);
      ASSERT_THAT(slice, IsOk());
      const std::vector<Element> expected = Expected(map, start, limit, order);
      large += expected.size() > 4096;
      in_memory_order += order == Order::kMemory;
      ASSERT_EQ(slice->remaining(), static_cast<int64_t>(expected.size()));
      const size_t most = size_t{1} << (random() % 13);
      ASSERT_EQ(Got(*slice, map.bounds().size(), most, random), expected);
      std::vector<int64_t> positions;
      for (const Element& element : expected) {
        positions.push_back(element.position);
      }
      ASSERT_EQ(GotPositions(*slice, most), positions);
    }
  }
  EXPECT_GT(large, kRounds / 20);
  EXPECT_GT(in_memory_order, kRounds / 2);
}

// Every slice of tiles that stand over on all sides.
TEST(SlicePositions, EverySliceOfSmallTiles) {
  std::mt19937 random(1);
  for (const IndexMap& map :
       {Tiled({3, 5, 7}, 2, 3), Tiled({2, 7, 5}, 4, 4, 2)}) {
    const auto bounds = map.bounds();
    Index start(3), limit(3);
    for (start[0] = 0; start[0] < bounds[0]; ++start[0]) {
      for (limit[0] = start[0] + 1; limit[0] <= bounds[0]; ++limit[0]) {
        for (start[1] = 0; start[1] < bounds[1]; ++start[1]) {
          for (limit[1] = start[1] + 1; limit[1] <= bounds[1]; ++limit[1]) {
            for (start[2] = 0; start[2] < bounds[2]; ++start[2]) {
              for (limit[2] = start[2] + 1; limit[2] <= bounds[2]; ++limit[2]) {
                for (const Order order : {Order::kLogical, Order::kMemory}) {
                  ASSERT_EQ(
                      Got(*SlicePositions::Create(map, start, limit, order), 3,
                          9, random),
                      Expected(map, start, limit, order));
                }
              }
            }
          }
        }
      }
    }
  }
}

// Slices that cut through tiles at every side, of many tiles.
TEST(SlicePositions, SidesOfLargeTiles) {
  std::mt19937 random(2);
  for (const IndexMap& map :
       {Tiled({50, 1001}, 8, 128), Tiled({3, 50, 700}, 8, 128, 2),
        Tiled({2, 2, 40, 600}, 16, 128, 4), Tiled({2, 3000}, 1, 1024),
        Tiled({10, 3000}, 2, 1500), Tiled({10, 5000}, 2, 2503)}) {
    for (int round = 0; round < 20; ++round) {
      Index start, limit;
      for (const int64_t bound : map.bounds()) {
        const int64_t a = static_cast<int64_t>(random()) % bound;
        const int64_t b = static_cast<int64_t>(random()) % bound;
        start.push_back(std::min(a, b));
        limit.push_back(std::max(a, b) + 1);
      }
      for (const Order order : {Order::kLogical, Order::kMemory}) {
        ASSERT_EQ(Got(*SlicePositions::Create(map, start, limit, order),
                      start.size(), 2000, random),
                  Expected(map, start, limit, order))
            << map.ToString() << " from " << absl::StrJoin(start, ",") << " to "
            << absl::StrJoin(limit, ",");
      }
    }
  }
}

// 2^62 elements: the first come at once, and slices far inside as well.
TEST(SlicePositions, OfHugeArrays) {
  const int64_t bound = int64_t{1} << 31;
  const IndexMap map = Tiled({bound, bound}, 8, 128, 2);
  std::mt19937 random(3);
  for (const Order order : {Order::kLogical, Order::kMemory}) {
    absl::StatusOr<SlicePositions> all = SlicePositions::Create(map, order);
    ASSERT_THAT(all, IsOk());
    EXPECT_EQ(all->remaining(), int64_t{1} << 62);
    std::vector<int64_t> positions(5000), rows(5000), columns(5000);
    EXPECT_EQ(
        all->Next(absl::MakeSpan(positions), {rows.data(), columns.data()}),
        5000);
    for (size_t i = 0; i < positions.size(); ++i) {
      ASSERT_EQ(positions[i], *map.LinearIndex({rows[i], columns[i]}));
      const int64_t n = static_cast<int64_t>(i);
      if (order == Order::kMemory) {
        ASSERT_EQ(positions[i], n);
      } else {
        ASSERT_EQ(columns[i], n);
      }
    }
    // In the last tiles, where positions are near 2^62.
    const Index start = {bound - 20, bound - 300}, limit = {bound - 1, bound};
    EXPECT_EQ(
        Got(*SlicePositions::Create(map, start, limit, order), 2, 700, random),
        Expected(map, start, limit, order));
    // A column: as much is left out as there is.
    absl::StatusOr<SlicePositions> column =
        SlicePositions::Create(map, {0, bound - 1}, {bound, bound}, order);
    EXPECT_EQ(
        column->Next(absl::MakeSpan(positions), {rows.data(), columns.data()}),
        5000);
    for (size_t i = 0; i < positions.size(); ++i) {
      ASSERT_EQ(rows[i], static_cast<int64_t>(i));
      ASSERT_EQ(columns[i], bound - 1);
      ASSERT_EQ(positions[i], *map.LinearIndex({rows[i], columns[i]}));
    }
  }
}

TEST(SlicePositions, ReachTheLastPosition) {
  constexpr int64_t kHalf = int64_t{1} << 62;
  Builder builder({2, 2});
  const IndexMap map = *std::move(builder).BuildStrided(
      {{builder.Dimension(0), kHalf}, {builder.Dimension(1), 1}});
  for (const Order order : {Order::kLogical, Order::kMemory}) {
    EXPECT_THAT(GotPositions(*SlicePositions::Create(map, order), 3),
                ElementsAre(0, 1, kHalf, kHalf + 1));
  }
}

}  // namespace
}  // namespace tessera
