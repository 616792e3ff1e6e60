#include "tessera/cute/internal/layout_through.h"

#include <cstdint>
#include <limits>
#include <vector>

#include "gtest/gtest.h"
#include "tessera/cute/layout.h"
#include "tessera/tests/cute/cute_values.h"
#include "tessera/tests/cute/literal_layout.h"
#include "tessera/tests/cute/random_cute_layouts.h"

namespace tessera::cute {
namespace {

using Points = std::vector<LayoutPoint>;

LayoutThrough Find(const Points& points, int64_t max_steps) {
  return FindLayoutThrough(points, max_steps);
}

TEST(LayoutThrough, Example) {
  EXPECT_EQ(TextOf(*Find({{0, 0}, {4, 1}, {5, 2}, {9, 3}}, 1000).layout),
            "(4,3):(1,1)");
  const LayoutThrough none = Find({{0, 0}, {1, 1}, {2, 1}, {3, 3}}, 1000);
  EXPECT_FALSE(none.layout.has_value());
  EXPECT_TRUE(none.is_decided);
}

// Points of a layout lie on one.
TEST(LayoutThrough, FindsWhatThereIs) {
  RandomCuteOptions options = SmallLayouts();
  options.negative_strides = true;
  int64_t found = 0;
  ForEachRandomLayout(options, [&](const Layout& layout, RandomBits* random) {
    const LiteralLayout literal = LiteralOf(layout);
    Points points = {{0, 0}};
    for (int64_t coordinate = 1; coordinate < layout.size(); ++coordinate) {
      if (Uniform(0, 2, random) == 0) {
        points.push_back({coordinate, literal.Evaluate(coordinate)});
      }
    }
    const LayoutThrough result = Find(points, int64_t{1} << 20);
    if (!result.layout.has_value()) {
      ASSERT_FALSE(result.is_decided);
      return;
    }
    ++found;
    SCOPED_TRACE(result.layout->ToString());
    ASSERT_GT(result.layout->size(), points.back().coordinate);
    const LiteralLayout other = LiteralOf(*result.layout);
    for (const LayoutPoint& point : points) {
      ASSERT_EQ(other.Evaluate(point.coordinate), point.value)
          << point.coordinate;
    }
  });
  EXPECT_GT(found, Samples(10000) * 9 / 10);
}

TEST(LayoutThrough, GivesUpWhereItIsTold) {
  const Points points = {{0, 0}, {4, 1}, {5, 2}, {9, 3}};
  const LayoutThrough result = Find(points, 10);
  EXPECT_FALSE(result.layout.has_value());
  EXPECT_FALSE(result.is_decided);
}

TEST(LayoutThrough, LargeNumbers) {
  constexpr int64_t kLargest = std::numeric_limits<int64_t>::max();
  constexpr int64_t kValue = int64_t{1} << 62;
  const std::vector<Points> kCases = {
      {{0, 0}, {kLargest - 1, 1}, {kLargest, 3}},
      {{0, 0}, {1, 1}, {kLargest, 3}},
      {{0, 0}, {1, kValue}, {2, -kValue}, {3, kValue}},
      {{0, 0}, {1, -kValue}, {kLargest - 1, kValue}, {kLargest, -kValue}},
  };
  for (const Points& points : kCases) {
    const LayoutThrough result = Find(points, int64_t{1} << 20);
    if (!result.layout.has_value()) continue;
    const LiteralLayout literal = LiteralOf(*result.layout);
    for (const LayoutPoint& point : points) {
      EXPECT_EQ(literal.Evaluate(point.coordinate), point.value);
    }
  }
}

}  // namespace
}  // namespace tessera::cute
