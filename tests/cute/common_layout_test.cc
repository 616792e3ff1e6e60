#include "tessera/cute/algebra/common_layout.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/cute/layout.h"
#include "tessera/tests/cute/cute_values.h"
#include "tessera/tests/cute/literal_layout.h"
#include "tessera/tests/cute/random_cute_layouts.h"
#include "tessera/tests/status_matchers.h"

namespace tessera::cute {
namespace {

// How far A and B have 0, 1, 2, ... at the same coordinates.
int64_t CommonRun(const std::vector<int64_t>& a,
                  const std::vector<int64_t>& b) {
  for (int64_t i = 0;; ++i) {
    bool is_common = false;
    for (size_t c = 0; c < std::min(a.size(), b.size()); ++c) {
      is_common |= a[c] == i && b[c] == i;
    }
    if (!is_common) return i;
  }
}

TEST(MaxCommonLayout, IsContiguousInBoth) {
  RandomCuteOptions options;
  options.max_size = 60;
  int64_t longer = 0;
  ForEachRandomLayout(options, [&](const Layout& a, RandomBits* random) {
    // Half of the time b is a with one stride changed.
    Layout b = LayoutOf(RandomCuteLayout(options, random));
    if (Uniform(0, 1, random) == 0) {
      Layout::Leaves leaves = a.leaves();
      leaves[Uniform(0, leaves.size() - 1, random)].stride =
          Uniform(0, 20, random);
      Layout::Builder builder;
      builder.AppendFlat(leaves);
      b = *std::move(builder).Build();
    }
    SCOPED_TRACE(b.ToString());
    const absl::StatusOr<Layout> common = MaxCommonLayout(a, b);
    ASSERT_THAT(common, IsOk());
    const LiteralLayout literal_a = LiteralOf(a);
    const LiteralLayout literal_b = LiteralOf(b);
    const std::vector<int64_t> coordinates = ValuesOf(*common);
    for (size_t i = 0; i < coordinates.size(); ++i) {
      ASSERT_EQ(literal_a.Evaluate(coordinates[i]), static_cast<int64_t>(i));
      ASSERT_EQ(literal_b.Evaluate(coordinates[i]), static_cast<int64_t>(i));
    }
    ASSERT_EQ(*MaxCommonVector(a, b), common->size());
    if (a.size() == b.size()) {
      ASSERT_LE(common->size(), CommonRun(ValuesOf(a), ValuesOf(b)));
    }
    longer += common->size() > 1;
  });
  EXPECT_GT(longer, Samples(10000) / 20);
}

TEST(MaxCommonLayout, Table) {
  const struct {
    std::string_view a;
    std::string_view b;
    std::string expected;
  } kCases[] = {
      {"(4,8):(1,4)", "(4,8):(1,4)", "32:1"},
      {"(4,8):(8,1)", "(4,8):(8,1)", "(8,4):(4,1)"},
      {"(4,8):(8,1)", "(4,8):(1,4)", "1:0"},
      {"(4,8):(2,1)", "(4,8):(1,4)", "1:0"},
      {"(2,2,2):(1,2,8)", "(2,2,2):(1,2,4)", "4:1"},
      // The inverse of b goes on where a has no layout.
      {"(3,5):(1,100)", "(3,5):(1,3)", "3:1"},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(TextOf(MaxCommonLayout(LayoutOf(c.a), LayoutOf(c.b))), c.expected)
        << c.a << ", " << c.b;
  }
}

// k*n is an offset iff all of k*n ... k*n + n-1 are, and no offset is outside
// such a block.
TEST(MaxAlignment, OffsetsComeInAlignedBlocks) {
  RandomCuteOptions options = SmallLayouts();
  options.negative_strides = true;
  int64_t aligned = 0;
  ForEachRandomLayout(options, [&](const Layout& layout, RandomBits*) {
    const int64_t n = *MaxAlignment(layout);
    ASSERT_GE(n, 1);
    const std::vector<int64_t> offsets = OffsetsOf(layout);
    ASSERT_EQ(offsets.size() % n, 0u) << n;
    for (size_t i = 0; i < offsets.size(); ++i) {
      if (i % n == 0) {
        ASSERT_EQ(offsets[i] % n, 0) << n;
      } else {
        ASSERT_EQ(offsets[i], offsets[i - 1] + 1) << n;
      }
    }
    aligned += n > 1;
  });
  EXPECT_GT(aligned, Samples(10000) / 10);
}

TEST(MaxAlignment, Table) {
  const struct {
    std::string_view layout;
    std::string expected;
  } kCases[] = {
      {"1:0", "1"},
      {"8:1", "8"},
      {"8:2", "1"},
      {"(4,3):(1,6)", "2"},
      {"(4,3):(1,8)", "4"},
      {"(4,3):(1,-8)", "4"},
      {"(4,3):(0,1)", "3"},
      {"(4,4):(1,2)", "2"},
      {"(2,3,2):(1,2,12)", "6"},
      {"4:1@0",
       "error: the values of 4:1@0 are coordinates, which are not contiguous "
       "in "
       "memory"},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(TextOf(MaxAlignment(LayoutOf(c.layout))), c.expected) << c.layout;
  }
}

}  // namespace
}  // namespace tessera::cute
