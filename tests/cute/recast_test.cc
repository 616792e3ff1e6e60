#include "tessera/cute/algebra/recast.h"

#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/cute/layout.h"
#include "tessera/tests/cute/cute_values.h"
#include "tessera/tests/cute/random_cute_layouts.h"
#include "tessera/tests/status_matchers.h"

namespace tessera::cute {
namespace {

TEST(Recast, UpUndoesDown) {
  RandomCuteOptions options = SmallLayouts();
  options.negative_strides = true;
  ForEachRandomLayout(options, [](const Layout& layout, RandomBits* random) {
    const int64_t n = Uniform(1, 12, random);
    const absl::StatusOr<Layout> up = Upcast(*Downcast(layout, n), n);
    bool has_positive = false;
    bool has_backward_unit = false;
    for (const Layout::Leaf& leaf : layout.leaves()) {
      has_positive |= leaf.size > 1 && leaf.stride > 0;
      has_backward_unit |= leaf.stride == -1;
    }
    if (!up.ok() && has_positive && has_backward_unit) return;
    // What overlaps within a wide element is refused.
    int64_t units = 0;
    for (const Layout::Leaf& leaf : layout.leaves()) {
      units += std::abs(leaf.stride) == 1;
    }
    if (!up.ok() && units > 1) return;
    ASSERT_EQ(TextOf(up), TextOf(layout)) << n;
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

// Each narrow element lies in the wide one that the law names.
TEST(Upcast, EveryNarrowElementIsInItsWideOne) {
  int64_t count = 0;
  ForEachRandomLayout(
      SmallLayouts(), [&](const Layout& layout, RandomBits* random) {
        const int64_t n = Uniform(2, 12, random);
        const absl::StatusOr<Layout> result = Upcast(layout, n);
        if (!result.ok()) {
          ASSERT_THAT(result, StatusIs(absl::StatusCode::kInvalidArgument));
          return;
        }
        ++count;
        for (int64_t i = 0; i < layout.size(); ++i) {
          int64_t rest = i;
          int64_t wide = 0;
          for (size_t k = 0; k < layout.leaves().size(); ++k) {
            const Layout::Leaf& leaf = layout.leaves()[k];
            const int64_t within =
                leaf.stride == 0 || leaf.stride >= n ? 1 : n / leaf.stride;
            wide += rest % leaf.size / within * result->leaves()[k].stride;
            rest /= leaf.size;
          }
          ASSERT_EQ(wide, layout(i) / n) << layout.ToString() << " by " << n;
        }
      });
  EXPECT_GT(count, Samples(10000) / 20);
}

TEST(Upcast, ModesThatReachPastAWideElementTogether) {
  EXPECT_EQ(TextOf(Upcast(LayoutOf("(4,3):(3,2)"), 6)),
            "error: mode 1 of the layout, 3:2, with the modes before it "
            "reaches past elements that are 6 times as wide, at coordinate 2");
  EXPECT_EQ(TextOf(Upcast(LayoutOf("(2,2):(1,2)"), 4)), "(1,1):(1,1)");
  EXPECT_EQ(TextOf(Upcast(LayoutOf("4:-1"), 2)), "2:-1");
  EXPECT_EQ(TextOf(Upcast(LayoutOf("(4,1):(2,3)"), 2)), "(4,1):(1,2)");
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
    std::string_view layout;
    int64_t up;
    int64_t down;
    std::string expected;
  } kCases[] = {
      {"(4,8):(1,4)", 4, 1, "(1,8):(1,1)"},
      {"(4,8):(2,8)", 4, 1, "(2,8):(1,2)"},
      {"(4,8):(0,-4)", 4, 1, "(4,8):(0,-1)"},
      {"(4,8):(-1,4)", 2, 1,
       "error: mode 0 of the layout, 4:-1, runs backwards, unlike other modes, "
       "within elements that are 2 times as wide, at coordinate 1"},
      {"(4,8):(-1,-4)", 2, 1, "(2,8):(-1,-2)"},
      {"(4,(3,8)):(1,(4,12))", 1, 3, "(12,(3,8)):(1,(12,36))"},
      {"(8,2):(1@0,1@1)", 1, 2, "(16,4):(1@0,1@1)"},
      {"(4,(2,6)):(1,(9,4))", 2, 1,
       "error: mode 1,0 of the layout, 2:9, does not divide into elements "
       "that are 2 times as wide, at coordinate 0"},
      {"3:1", 2, 1, "2:1"},
      {"6:3", 4, 1,
       "error: the layout, 6:3, does not divide into elements that are 4 times "
       "as wide, at coordinate 0"},
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
  EXPECT_THAT(Downcast(LayoutOf("2:4611686018427387904"), 2),
              StatusIs(absl::StatusCode::kOutOfRange));
  EXPECT_EQ(TextOf(Recast(LayoutOf("4:1"), 0, 8)),
            "error: an element has at least 1 bit, not 0");
}

}  // namespace
}  // namespace tessera::cute
