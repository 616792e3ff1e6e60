#include "tessera/index_map/same_function.h"

#include <cstdint>
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

IndexMap RowMajor(std::vector<int64_t> bounds) {
  IndexMap::Builder builder(bounds);
  std::vector<Coordinate> axes;
  for (size_t i = 0; i < bounds.size(); ++i) {
    axes.push_back(builder.Dimension(i));
  }
  return *std::move(builder).BuildRowMajor(axes);
}

IndexMap Tiled(int64_t rows, int64_t columns, int64_t tile_rows,
               int64_t tile_columns) {
  IndexMap::Builder builder({rows, columns});
  auto r = builder.Split(builder.Dimension(0), tile_rows);
  auto c = builder.Split(builder.Dimension(1), tile_columns);
  return *std::move(builder).BuildRowMajor(
      {r.first, c.first, r.second, c.second});
}

// One dimension cut by `first`, its remainder by `second`, the two digits of
// the remainder exchanged: not separable unless second divides first.
IndexMap CutTwice(int64_t bound, int64_t first, int64_t second) {
  IndexMap::Builder builder({bound});
  auto outer = builder.Split(builder.Dimension(0), first);
  auto inner = builder.Split(outer.second, second);
  return *std::move(builder).BuildRowMajor(
      {outer.first, inner.second, inner.first});
}

// Two dimensions joined in either order, cut by `divisor`, digits exchanged.
// `in_two_steps`: the same function, with one more computed source.
IndexMap JoinedAndCut(int64_t rows, int64_t columns, int64_t divisor,
                      bool in_two_steps = false) {
  IndexMap::Builder builder({rows, columns});
  auto joined = builder.Join(builder.Dimension(0), builder.Dimension(1));
  if (in_two_steps) joined = builder.Sum({{joined, 1}});
  auto parts = builder.Split(joined, divisor);
  return *std::move(builder).BuildRowMajor({parts.second, parts.first});
}

TEST(SameFunction, PaddingBesideDoesNotMatter) {
  // One column of tiles: rows follow one another either way.
  EXPECT_TRUE(*SameFunction(Tiled(9, 128, 8, 128), Tiled(9, 128, 16, 128)));
  EXPECT_FALSE(*SameFunction(Tiled(9, 127, 8, 128), RowMajor({9, 127})));
  EXPECT_FALSE(*SameFunction(RowMajor({6}), RowMajor({7})));
  EXPECT_TRUE(*SameFunction(Tiled(0, 5, 8, 128), RowMajor({0, 5})));
}

TEST(SameFunction, ComputedSourcesAreComparedOverOnePeriod) {
  constexpr int64_t kLarge = int64_t{1} << 40;
  EXPECT_TRUE(*SameFunction(CutTwice(kLarge, 8, 3), CutTwice(kLarge, 8, 3)));
  EXPECT_FALSE(*SameFunction(CutTwice(kLarge, 8, 3), CutTwice(kLarge, 8, 5)));
  // Differ in their 101st period of 10 at the earliest, were they equal before.
  EXPECT_FALSE(*SameFunction(CutTwice(kLarge, 10, 4), CutTwice(kLarge, 20, 4)));
}

TEST(SameFunction, RefusesBeyondItsLimitAndSaysWhy) {
  absl::StatusOr<bool> same =
      SameFunction(JoinedAndCut(3001, 3001, 7),
                   JoinedAndCut(3001, 3001, 7, /*in_two_steps=*/true),
                   {/*evaluation_limit=*/1000});
  EXPECT_THAT(
      same,
      StatusIs(absl::StatusCode::kResourceExhausted,
               "comparing the two maps along 2 joined dimensions takes 9006001 "
               "evaluations; the limit is 1000"));
  EXPECT_FALSE(*SameFunction(JoinedAndCut(3001, 3001, 7),
                             JoinedAndCut(3001, 3001, 11),
                             {/*evaluation_limit=*/1000}));
}

// Every pair of small maps of each kind, against their values.
TEST(SameFunction, AgreesWithValuesOnAllSmallPairs) {
  std::vector<std::vector<IndexMap>> families(2);
  for (int64_t first = 1; first <= 9; ++first) {
    for (int64_t second = 1; second <= 6; ++second) {
      families[0].push_back(CutTwice(11, first, second));
    }
    families[1].push_back(JoinedAndCut(3, 4, first));
    for (int64_t tile = 1; tile <= 5; ++tile) {
      families[1].push_back(Tiled(3, 4, tile, first));
    }
  }
  int equal = 0;
  for (const std::vector<IndexMap>& family : families) {
    for (const IndexMap& a : family) {
      for (const IndexMap& b : family) {
        bool same = true;
        std::vector<int64_t> index(a.rank(), 0);
        for (int64_t n = 0; n < a.element_count(); ++n) {
          int64_t rest = n;
          for (size_t d = index.size(); d-- > 0;) {
            index[d] = rest % a.bounds()[d];
            rest /= a.bounds()[d];
          }
          same = same &&
                 a.LinearIndexUnchecked(index) == b.LinearIndexUnchecked(index);
        }
        equal += same;
        ASSERT_EQ(*SameFunction(a, b), same) << a.ToString() << "\n"
                                             << b.ToString();
      }
    }
  }
  EXPECT_GT(equal, 200);
}

}  // namespace
}  // namespace tessera
