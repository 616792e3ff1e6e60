#include "tessera/cute/inverse.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "tessera/cute/layout.h"
#include "tessera/tests/cute/cute_values.h"
#include "tessera/tests/cute/literal_layout.h"
#include "tessera/tests/cute/random_cute_layouts.h"

namespace tessera {
namespace cute {
namespace {

RandomCuteOptions WithNegativeStrides() {
  RandomCuteOptions options = SmallLayouts();
  options.negative_strides = true;
  return options;
}

TEST(Inverse, Example) {
  EXPECT_EQ(TextOf(RightInverse(LayoutOf("(4,8):(8,1)"))), "(8,4):(4,1)");
  EXPECT_EQ(TextOf(RightInverse(LayoutOf("(2,4):(0,1)"))), "4:2");
  EXPECT_EQ(TextOf(LeftInverse(LayoutOf("4:2"))), "(2,4):(0,1)");
  EXPECT_EQ(TextOf(Nullspace(LayoutOf("(2,4,3):(1,0,2)"))), "4:2");
}

// The coalesced modes by rising stride.
std::vector<LiteralLayout> ModesByStride(const Layout& layout) {
  std::vector<LiteralLayout> modes = LayoutOfValues(ValuesOf(layout))->Leaves();
  std::stable_sort(modes.begin(), modes.end(),
                   [](const LiteralLayout& a, const LiteralLayout& b) {
                     return a.stride < b.stride;
                   });
  return modes;
}

TEST(RightInverse, GivesTheCoordinates) {
  ForEachRandomLayout(
      WithNegativeStrides(), [](const Layout& layout, RandomBits*) {
        const Layout inverse = *RightInverse(layout);
        const LiteralLayout literal = LiteralOf(layout);
        const std::vector<int64_t> coordinates = ValuesOf(inverse);
        for (size_t i = 0; i < coordinates.size(); ++i) {
          ASSERT_LT(coordinates[i], layout.size());
          ASSERT_EQ(literal.Evaluate(coordinates[i]), static_cast<int64_t>(i));
        }
        int64_t chained = 1;
        for (const LiteralLayout& mode : ModesByStride(layout)) {
          if (mode.stride == chained) chained *= mode.shape;
        }
        ASSERT_EQ(inverse.size(), chained);
      });
}

// A layout onto 0 ... size-1 has an inverse in the plain sense.
TEST(RightInverse, OfABijectionIsItsInverse) {
  int64_t bijections = 0;
  ForEachRandomLayout(SmallLayouts(), [&](const Layout& layout, RandomBits*) {
    const std::vector<int64_t> values = ValuesOf(layout);
    const std::vector<int64_t> offsets = OffsetsOf(layout);
    if (offsets.size() != values.size() ||
        offsets.back() + 1 != layout.size()) {
      return;
    }
    ++bijections;
    const Layout right = *RightInverse(layout);
    ASSERT_EQ(right.size(), layout.size());
    const absl::StatusOr<Layout> left = LeftInverse(layout);
    ASSERT_TRUE(left.ok()) << left.status();
    for (size_t i = 0; i < values.size(); ++i) {
      ASSERT_EQ(right(values[i]), static_cast<int64_t>(i));
      ASSERT_EQ((*left)(values[i]), static_cast<int64_t>(i));
    }
  });
  EXPECT_GT(bijections, Samples(10000) / 10);
}

// Whether each stride is a multiple of the extent before it, or else of the
// stride before it.
bool HasLeftInverse(const Layout& layout) {
  int64_t stride = 1;
  int64_t extent = 1;
  for (const LiteralLayout& mode : ModesByStride(layout)) {
    if (mode.stride == 0 || mode.shape == 1) continue;
    if (mode.stride < extent) return false;
    if (mode.stride % extent != 0 && mode.stride % stride != 0) return false;
    stride = mode.stride;
    extent = mode.shape * mode.stride;
  }
  return true;
}

TEST(LeftInverse, LeadsBack) {
  int64_t inverted = 0;
  int64_t refused = 0;
  ForEachRandomLayout(WithNegativeStrides(), [&](const Layout& layout,
                                                 RandomBits*) {
    const absl::StatusOr<Layout> inverse = LeftInverse(layout);
    ASSERT_EQ(inverse.ok(), HasLeftInverse(layout)) << TextOf(inverse);
    if (!inverse.ok()) {
      ++refused;
      ASSERT_EQ(inverse.status().code(), absl::StatusCode::kInvalidArgument);
      return;
    }
    ++inverted;
    SCOPED_TRACE(inverse->ToString());
    const std::vector<int64_t> values = ValuesOf(layout);
    const bool is_injective = OffsetsOf(layout).size() == values.size();
    const LiteralLayout literal = LiteralOf(layout);
    const LiteralLayout back = LiteralOf(*inverse);
    for (size_t i = 0; i < values.size(); ++i) {
      const int64_t coordinate = back.Evaluate(values[i]);
      ASSERT_EQ(literal.Evaluate(coordinate), values[i]) << i;
      ASSERT_TRUE(!is_injective || coordinate == static_cast<int64_t>(i)) << i;
    }
  });
  EXPECT_GT(inverted, Samples(10000) / 10);
  EXPECT_GT(refused, Samples(10000) / 10);
}

TEST(LeftInverse, Table) {
  const struct {
    absl::string_view layout;
    std::string expected;
  } kCases[] = {
      {"1:0", "1:0"},
      {"4:0", "1:0"},
      {"4:1", "4:1"},
      {"(4,3):(0,1)", "3:4"},
      {"(2,3):(1,3)", "(3,3):(1,2)"},
      {"(2,2):(1,6)", "(2,3,2):(1,0,2)"},
      {"(4,8):(8,1)", "(8,4):(4,1)"},
      {"(2,2):(2,3)",
       "error: no left inverse: the stride of the coalesced mode 2:3 is less "
       "than the extent 4 of those before it; its first step is the value 3 at "
       "coordinate 2"},
      {"(2,2):(2,5)",
       "error: no left inverse: the stride of the coalesced mode 2:5 is no "
       "multiple of the extent 4 of those before it, nor of the stride 2; its "
       "first step is the value 5 at coordinate 2"},
      {"(2,3):(1,-2)",
       "error: no left inverse: the stride of the coalesced mode 3:-2 is "
       "negative; its first step is the value -2 at coordinate 2"},
      {"4:1@0",
       "error: the values of 4:1@0 are coordinates; only offsets have an "
       "inverse"},
      {"2:4611686018427387904",
       "error: the extent of the coalesced mode 2:4611686018427387904 exceeds "
       "2^63-1"},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(TextOf(LeftInverse(LayoutOf(c.layout))), c.expected) << c.layout;
  }
  EXPECT_EQ(TextOf(RightInverse(LayoutOf("4:1@0"))),
            "error: the values of 4:1@0 are coordinates; only offsets have an "
            "inverse");
}

TEST(Nullspace, IsWhatDoesNotMove) {
  int64_t nontrivial = 0;
  ForEachRandomLayout(
      WithNegativeStrides(), [&](const Layout& layout, RandomBits*) {
        const Layout nullspace = Nullspace(layout);
        const LiteralLayout literal = LiteralOf(layout);
        int64_t size = 1;
        for (const LiteralLayout& leaf : literal.Leaves()) {
          if (leaf.stride == 0) size *= leaf.shape;
        }
        ASSERT_EQ(nullspace.size(), size);
        const std::vector<int64_t> coordinates = ValuesOf(nullspace);
        for (const int64_t coordinate : coordinates) {
          ASSERT_LT(coordinate, layout.size());
          ASSERT_EQ(literal.Evaluate(coordinate), 0);
        }
        ASSERT_EQ(static_cast<int64_t>(OffsetsOf(nullspace).size()), size);
        nontrivial += size > 1;
      });
  EXPECT_GT(nontrivial, Samples(10000) / 20);
}

}  // namespace
}  // namespace cute
}  // namespace tessera
