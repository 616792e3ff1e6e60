#include "tessera/cute/algebra/inverse.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cute/layout.h"
#include "tessera/tests/cute/cute_values.h"
#include "tessera/tests/cute/literal_layout.h"
#include "tessera/tests/cute/random_cute_layouts.h"
#include "tessera/tests/status_matchers.h"

namespace tessera::cute {
namespace {

RandomCuteOptions WithNegativeStrides() {
  RandomCuteOptions options = SmallLayouts();
  options.negative_strides = true;
  return options;
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
    ASSERT_THAT(left, IsOk());
    for (size_t i = 0; i < values.size(); ++i) {
      ASSERT_EQ(right(values[i]), static_cast<int64_t>(i));
      ASSERT_EQ((*left)(values[i]), static_cast<int64_t>(i));
    }
  });
  EXPECT_GT(bijections, Samples(10000) / 10);
}

// Whether each stride is a multiple of the extent before it, or else of the
// stride before it.
bool HasLeftInverseByDefinition(const Layout& layout) {
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
  int64_t past_the_definition = 0;
  int64_t refused = 0;
  int64_t ruled_out = 0;
  ForEachRandomLayout(WithNegativeStrides(), [&](const Layout& layout,
                                                 RandomBits*) {
    const absl::StatusOr<Layout> inverse = LeftInverse(layout);
    const std::vector<int64_t> values = ValuesOf(layout);
    const bool is_injective = OffsetsOf(layout).size() == values.size();
    if (!inverse.ok()) {
      ++refused;
      ASSERT_FALSE(HasLeftInverseByDefinition(layout));
      const std::string_view message = StdView(inverse.status().message());
      const bool is_ruled_out =
          tessera::StartsWith(message, "no left inverse: ");
      ruled_out += is_ruled_out;
      ASSERT_TRUE(is_ruled_out ||
                  tessera::StartsWith(message, "no left inverse was found: "))
          << message;
      ASSERT_TRUE(is_injective || !is_ruled_out) << message;
      return;
    }
    ++inverted;
    past_the_definition += !HasLeftInverseByDefinition(layout);
    SCOPED_TRACE(inverse->ToString());
    const LiteralLayout literal = LiteralOf(layout);
    const LiteralLayout back = LiteralOf(*inverse);
    for (size_t i = 0; i < values.size(); ++i) {
      const int64_t coordinate = back.Evaluate(values[i]);
      ASSERT_EQ(literal.Evaluate(coordinate), values[i]) << i;
      ASSERT_TRUE(!is_injective || coordinate == static_cast<int64_t>(i)) << i;
    }
  });
  EXPECT_GT(inverted, Samples(10000) / 10);
  EXPECT_GT(past_the_definition, Samples(10000) / 1000);
  EXPECT_GT(refused, Samples(10000) / 10);
  EXPECT_GT(ruled_out, Samples(10000) / 100);
}

// Whether a layout of small strides leads back from each value to its place in
// the list: any sizes whose product does not pass `largest`, and one mode more.
bool SomeLayoutLeadsBack(const std::vector<int64_t>& values, int64_t largest,
                         int64_t extent, std::vector<LiteralLayout>* modes) {
  constexpr int64_t kLargestStride = 8;
  const auto leads_back = [&] {
    const LiteralLayout layout = LiteralLayout::Tuple(*modes);
    for (size_t i = 0; i < values.size(); ++i) {
      if (layout.Evaluate(values[i]) != static_cast<int64_t>(i)) return false;
    }
    return true;
  };
  for (int64_t stride = -kLargestStride; stride <= kLargestStride; ++stride) {
    modes->push_back(LiteralLayout::Leaf(largest + 1, stride));
    const bool is_inverse = leads_back();
    modes->pop_back();
    if (is_inverse) return true;
    for (int64_t size = 2; size * extent <= largest; ++size) {
      modes->push_back(LiteralLayout::Leaf(size, stride));
      const bool found =
          SomeLayoutLeadsBack(values, largest, size * extent, modes);
      modes->pop_back();
      if (found) return true;
    }
  }
  return false;
}

// Calls `check` with the layouts of up to three modes whose strides rise or
// fall by no order, and whose values stay small.
void ForEachSmallLayout(absl::FunctionRef<void(const LiteralLayout&)> check) {
  constexpr int64_t kLargest = 9;
  for (int64_t modes = 1; modes <= 3; ++modes) {
    std::vector<int64_t> numbers(2 * modes, 1);
    while (true) {
      std::vector<LiteralLayout> leaves;
      int64_t largest = 0;
      for (int64_t k = 0; k < modes; ++k) {
        const int64_t size = numbers[2 * k] + 1;
        const int64_t stride = numbers[2 * k + 1];
        leaves.push_back(LiteralLayout::Leaf(size, stride));
        largest += (size - 1) * stride;
      }
      if (largest <= kLargest) check(LiteralLayout::Tuple(std::move(leaves)));
      size_t i = 0;
      while (i < numbers.size() && numbers[i] == (i % 2 == 0 ? 3 : kLargest)) {
        numbers[i++] = 1;
      }
      if (i == numbers.size()) break;
      ++numbers[i];
    }
  }
}

// "No" means no, by brute force.
TEST(LeftInverse, IsRuledOutOnlyWhereThereIsNone) {
  int64_t inverted = 0;
  int64_t ruled_out = 0;
  ForEachSmallLayout([&](const LiteralLayout& layout) {
    const std::vector<int64_t> values = layout.Values();
    if (OffsetsOf(LayoutOf(layout)).size() != values.size()) return;
    SCOPED_TRACE(layout.ToString());
    const absl::StatusOr<Layout> inverse = LeftInverse(LayoutOf(layout));
    if (inverse.ok()) {
      ++inverted;
      const LiteralLayout back = LiteralOf(*inverse);
      for (size_t i = 0; i < values.size(); ++i) {
        ASSERT_EQ(back.Evaluate(values[i]), static_cast<int64_t>(i));
      }
      return;
    }
    ++ruled_out;
    ASSERT_THAT(inverse, StatusIs(absl::StatusCode::kInvalidArgument));
    ASSERT_TRUE(tessera::StartsWith(StdView(inverse.status().message()),
                                    "no left inverse: "));
    const int64_t largest = *std::max_element(values.begin(), values.end());
    std::vector<LiteralLayout> modes;
    ASSERT_FALSE(SomeLayoutLeadsBack(values, largest, 1, &modes))
        << LiteralLayout::Tuple(modes).ToString();
  });
  EXPECT_GT(inverted, 50);
  EXPECT_GT(ruled_out, 10);
}

TEST(LeftInverse, Table) {
  const struct {
    std::string_view layout;
    std::string expected;
  } kCases[] = {
      {"1:0", "1:0"},
      {"4:0", "4:0"},
      {"4:1", "4:1"},
      {"(4,3):(0,1)", "3:4"},
      {"(2,3):(1,3)", "(3,3):(1,2)"},
      {"(2,2):(1,6)", "(6,2):(1,2)"},
      // Modes overlap, and the definition gives an inverse all the same.
      {"(4,2):(2,4)", "(2,2,2):(0,1,4)"},
      {"(4,8):(8,1)", "(8,4):(4,1)"},
      // The definition objects, and yet there is one.
      {"(4,2):(3,100)", "(3,11,4):(4,1,0)"},
      {"(1000,2):(3,10000)", "(3,4333):(-2333,1)"},
      {"(2,2):(4,5)", "(4,3):(1,1)"},
      {"(2,2):(2,3)", "(2,3):(1,1)"},
      {"(2,2):(2,5)", "(2,4):(0,1)"},
      {"4:-1", "4:-1"},
      {"(3,2):(0,-1)", "2:-3"},
      {"(4,4):(3,4)",
       "error: no left inverse: the stride of the coalesced mode 4:4 is less "
       "than the extent 12 of those before it; its first step is the value 4 "
       "at coordinate 4"},
      {"(300,300):(301,303)",
       "error: no left inverse was found: the stride of the coalesced mode "
       "300:303 is less than the extent 90300 of those before it; its first "
       "step is the value 303 at coordinate 300; to rule one out takes more "
       "than 65536 offsets or 1048576 steps"},
      {"(2,2):(1,-1)",
       "error: no left inverse was found: the stride of the coalesced mode "
       "2:-1 is negative; its first step is the value -1 at coordinate 2; the "
       "coordinates 0 and 3 share an offset, and for such layouts the search "
       "is not complete"},
      {"(2,3):(1,-2)",
       "error: no left inverse: the stride of the coalesced mode 3:-2 is "
       "negative; its first step is the value -2 at coordinate 2"},
      // From coordinates.
      {"4:1@0", "(4):(1)"},
      {"(4,8):(1@1,1@0)", "(8,4):(4,1)"},
      {"((2,3),4):((2@0,1@0@1),1@1@1)", "((2,2),(3,4)):((0,1),(2,6))"},
      {"(4,4):(3@0,4@0)",
       "error: no left inverse was found: the stride of the coalesced mode "
       "4:4@0 is less than the extent 12 of those before it; its first step is "
       "the value 4 at coordinate 4"},
      {"2:4611686018427387904",
       "error: the extent of the coalesced mode 2:4611686018427387904 exceeds "
       "2^63-1"},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(TextOf(LeftInverse(LayoutOf(c.layout))), c.expected) << c.layout;
  }
}

TEST(RightInverse, OfCoordinates) {
  EXPECT_EQ(TextOf(RightInverse(LayoutOf("4:1@0"))), "(4):(1)");
  EXPECT_EQ(TextOf(RightInverse(LayoutOf("(4,8):(1@0,1@1)"))), "(4,8):(1,4)");
  EXPECT_EQ(TextOf(RightInverse(LayoutOf("(4,8):(1@1,1@0)"))), "(8,4):(4,1)");
  EXPECT_EQ(TextOf(RightInverse(LayoutOf("(4,(2,3)):(1@1,(2@0,1@0))"))),
            "(3,4):(8,1)");
  // A mode that nothing moves.
  EXPECT_EQ(TextOf(RightInverse(LayoutOf("4:1@1"))), "(1,4):(0,1)");
  EXPECT_EQ(TextOf(RightInverse(LayoutOf("(4,(2,3)):(1@1,(1@0@0,1@1@0))"))),
            "((2,3),4):((4,8),1)");
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
}  // namespace tessera::cute
