#include "tessera/cute/recast.h"

#include <cstdint>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "tessera/cute/layout.h"
#include "tessera/tests/cute/cute_values.h"
#include "tessera/tests/cute/random_cute_layouts.h"

namespace tessera {
namespace cute {
namespace {

TEST(Recast, Example) {
  const Layout layout = LayoutOf("(4,8):(1,4)");
  EXPECT_EQ(TextOf(Upcast(layout, 2)), "(2,8):(1,2)");
  EXPECT_EQ(TextOf(Downcast(layout, 2)), "(8,8):(1,8)");
  EXPECT_EQ(TextOf(Recast(layout, 16, 32)), "(2,8):(1,2)");
}

TEST(Recast, UpUndoesDown) {
  RandomCuteOptions options = SmallLayouts();
  options.negative_strides = true;
  ForEachRandomLayout(options, [](const Layout& layout, RandomBits* random) {
    const int64_t n = Uniform(1, 12, random);
    ASSERT_EQ(TextOf(Upcast(*Downcast(layout, n), n)), TextOf(layout)) << n;
  });
}

TEST(Downcast, OffsetsAreTheNarrowPartsOfEachElement) {
  int64_t contiguous = 0;
  ForEachRandomLayout(
      SmallLayouts(), [&](const Layout& layout, RandomBits* random) {
        const int64_t n = Uniform(2, 6, random);
        // Only a mode of stride 1 says where an element's parts are.
        int64_t unit_modes = 0;
        for (const Layout::Leaf& leaf : layout.leaves()) {
          unit_modes += leaf.stride == 1;
        }
        if (unit_modes != 1) return;
        ++contiguous;
        std::set<int64_t> parts;
        for (const int64_t offset : OffsetsOf(layout)) {
          for (int64_t k = 0; k < n; ++k) parts.insert(offset * n + k);
        }
        ASSERT_EQ(OffsetsOf(*Downcast(layout, n)),
                  std::vector<int64_t>(parts.begin(), parts.end()))
            << n;
      });
  EXPECT_GT(contiguous, Samples(10000) / 10);
}

// Offsets divide, if at most one mode is within a wide element.
TEST(Upcast, OffsetsAreDivided) {
  int64_t count = 0;
  ForEachRandomLayout(
      SmallLayouts(), [&](const Layout& layout, RandomBits* random) {
        const int64_t n = Uniform(2, 6, random);
        const absl::StatusOr<Layout> result = Upcast(layout, n);
        if (!result.ok()) {
          ASSERT_EQ(result.status().code(), absl::StatusCode::kInvalidArgument);
          return;
        }
        int64_t narrow_modes = 0;
        for (const Layout::Leaf& leaf : layout.leaves()) {
          narrow_modes += leaf.stride != 0 && leaf.stride < n;
        }
        if (narrow_modes > 1) return;
        count += narrow_modes;
        std::set<int64_t> divided;
        for (const int64_t offset : OffsetsOf(layout))
          divided.insert(offset / n);
        ASSERT_EQ(OffsetsOf(*result),
                  std::vector<int64_t>(divided.begin(), divided.end()))
            << n;
      });
  EXPECT_GT(count, Samples(10000) / 100);
}

// Two modes within a wide element can carry, or fill it in turns: 6 narrow
// elements, 0, 3, 2, 5, 4 and 7, are in two wide ones, which the definition
// does not see.
TEST(Upcast, OfTwoNarrowModesDropsOffsets) {
  const Layout layout = LayoutOf("(2,3):(3,2)");
  const std::vector<int64_t> kValues = {0, 3, 2, 5, 4, 7};
  EXPECT_EQ(ValuesOf(layout), kValues);
  EXPECT_EQ(TextOf(Upcast(layout, 6)), "(1,1):(1,1)");
}

TEST(Recast, IsDownAndUpWithoutCommonFactors) {
  ForEachRandomLayout(
      SmallLayouts(), [](const Layout& layout, RandomBits* random) {
        const int64_t from = Uniform(1, 24, random);
        const int64_t to = Uniform(1, 24, random);
        const int64_t common = std::gcd(from, to);
        ASSERT_EQ(TextOf(Recast(layout, from, to)),
                  TextOf(Upcast(*Downcast(layout, from / common), to / common)))
            << from << " to " << to;
      });
}

TEST(Recast, Table) {
  const struct {
    absl::string_view layout;
    int64_t up;
    int64_t down;
    std::string expected;
  } kCases[] = {
      {"(4,8):(1,4)", 4, 1, "(1,8):(1,1)"},
      {"(4,8):(2,8)", 4, 1, "(2,8):(1,2)"},
      {"(4,8):(0,-4)", 4, 1, "(4,8):(0,-1)"},
      {"(4,8):(-1,4)", 2, 1, "(2,8):(-1,2)"},
      {"(4,(3,8)):(1,(4,12))", 1, 3, "(12,(3,8)):(1,(12,36))"},
      {"(8,2):(1@0,1@1)", 1, 2, "(16,4):(1@0,1@1)"},
      {"(4,(2,6)):(1,(9,4))", 2, 1,
       "error: mode 1,0 of the layout, 2:9, is no whole number of elements "
       "that are 2 times as wide; at coordinate 1 it is within one"},
      {"3:1", 2, 1,
       "error: the layout, 3:1, is no whole number of elements that are 2 "
       "times as wide; at coordinate 2 it is within one"},
      {"6:3", 4, 1,
       "error: the layout, 6:3, is no whole number of elements that are 4 "
       "times as wide; at coordinate 1 it is within one"},
      {"4:1", 0, 1, "error: the factor 0 is less than 1"},
      {"4:1", 1, -1, "error: the factor -1 is less than 1"},
  };
  for (const auto& c : kCases) {
    const Layout layout = LayoutOf(c.layout);
    EXPECT_EQ(
        TextOf(c.down == 1 ? Upcast(layout, c.up) : Downcast(layout, c.down)),
        c.expected)
        << c.layout;
  }
  EXPECT_EQ(Downcast(LayoutOf("2:4611686018427387904"), 2).status().code(),
            absl::StatusCode::kOutOfRange);
  EXPECT_EQ(TextOf(Recast(LayoutOf("4:1"), 0, 8)),
            "error: an element has at least 1 bit, not 0");
}

}  // namespace
}  // namespace cute
}  // namespace tessera
