#include "tessera/cute/algebra/complement.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/cute/algebra/filter.h"
#include "tessera/cute/layout.h"
#include "tessera/tests/cute/cute_values.h"
#include "tessera/tests/cute/literal_layout.h"
#include "tessera/tests/cute/random_cute_layouts.h"
#include "tessera/tests/status_matchers.h"

namespace tessera::cute {
namespace {

std::string Complemented(std::string_view layout, int64_t cotarget) {
  return TextOf(Complement(LayoutOf(layout), cotarget));
}

// The modes that move, by rising stride.
std::vector<LiteralLayout> Moving(const Layout& layout) {
  std::vector<LiteralLayout> moving;
  for (const LiteralLayout& leaf : LiteralOf(layout).Leaves()) {
    if (leaf.shape > 1 && leaf.stride != 0) moving.push_back(leaf);
  }
  std::stable_sort(moving.begin(), moving.end(),
                   [](const LiteralLayout& a, const LiteralLayout& b) {
                     return a.stride < b.stride;
                   });
  return moving;
}

struct Definition {
  bool exists = true;    // each stride is at least the extent before it
  bool is_chain = true;  // and a multiple of it
  int64_t extent = 1;
  std::vector<LiteralLayout> holes;
};

Definition Define(const Layout& layout) {
  Definition result;
  for (const LiteralLayout& mode : Moving(layout)) {
    if (mode.stride < result.extent) result.exists = false;
    if (mode.stride % result.extent != 0) result.is_chain = false;
    result.holes.push_back(
        LiteralLayout::Leaf(mode.stride / result.extent, result.extent));
    result.extent = mode.shape * mode.stride;
  }
  return result;
}

int64_t RoundUp(int64_t x, int64_t multiple) {
  return (x + multiple - 1) / multiple * multiple;
}

RandomCuteOptions Options() {
  RandomCuteOptions options;
  options.max_size = 60;
  return options;
}

TEST(Complement, IsItsDefinition) {
  int64_t refused = 0;
  ForEachRandomLayout(Options(), [&](const Layout& layout, RandomBits* random) {
    const int64_t cotarget = Uniform(1, 2 * layout.cosize() + 3, random);
    Definition definition = Define(layout);
    const absl::StatusOr<Layout> result = Complement(layout, cotarget);
    ASSERT_EQ(result.ok(), definition.exists) << TextOf(result);
    if (!result.ok()) {
      ++refused;
      ASSERT_THAT(result, StatusIs(absl::StatusCode::kInvalidArgument));
      return;
    }
    definition.holes.push_back(LiteralLayout::Leaf(
        RoundUp(cotarget, definition.extent) / definition.extent,
        definition.extent));
    const LiteralLayout expected = LiteralLayout::Tuple(definition.holes);
    ASSERT_EQ(TextOf(result), LayoutOfValues(expected.Values())->ToString())
        << cotarget;
  });
  EXPECT_GT(refused, Samples(10000) / 20);
}

TEST(Complement, IsOrderedAndDisjoint) {
  int64_t chains = 0;
  ForEachRandomLayout(Options(), [&](const Layout& layout, RandomBits* random) {
    const int64_t cotarget = Uniform(1, 2 * layout.cosize() + 3, random);
    const absl::StatusOr<Layout> result = Complement(layout, cotarget);
    if (!result.ok()) return;
    const std::vector<int64_t> offsets = OffsetsOf(layout);
    const std::vector<int64_t> rest = ValuesOf(*result);
    for (size_t i = 1; i < rest.size(); ++i) {
      ASSERT_LT(rest[i - 1], rest[i]) << cotarget;
      ASSERT_FALSE(std::binary_search(offsets.begin(), offsets.end(), rest[i]))
          << cotarget;
    }
    const Layout both = *Layout::Concatenate({layout, *result});
    const std::vector<int64_t> sums = OffsetsOf(both);
    ASSERT_EQ(sums.size(), offsets.size() * rest.size()) << cotarget;

    const Definition definition = Define(layout);
    const int64_t reach = RoundUp(cotarget, definition.extent);
    ASSERT_LE(result->cosize(), reach) << cotarget;
    if (definition.is_chain) {
      ++chains;
      ASSERT_EQ(both.cosize(), reach) << cotarget;
      ASSERT_EQ(static_cast<int64_t>(sums.size()), reach) << cotarget;
    }
  });
  EXPECT_GT(chains, Samples(10000) / 10);
}

// The documented bounds, with the cosize for the extent: cosize(R) <=
// round_up(M, cosize(A)) and cosize((A,R)) >= M.
TEST(Complement, DocumentedBoundsAreFalse) {
  EXPECT_EQ(Complemented("2:5", 12), "(5,2):(1,10)");
  EXPECT_EQ(LayoutOf("(5,2):(1,10)").cosize(), 15);
  EXPECT_GT(15, RoundUp(12, LayoutOf("2:5").cosize()));
  // Also where each stride is a multiple of the extent before it.
  EXPECT_EQ(Complemented("2:4", 9), "(4,2):(1,8)");
  EXPECT_EQ(LayoutOf("(4,2):(1,8)").cosize(), 12);
  EXPECT_GT(12, RoundUp(9, LayoutOf("2:4").cosize()));

  EXPECT_EQ(Complemented("(2,2):(5,2)", 40), "(2,4):(1,10)");
  EXPECT_EQ(LayoutOf("((2,2),(2,4)):((5,2),(1,10))").cosize(), 39);
}

TEST(Complement, OfOneArgumentEndsWithTheLayout) {
  ForEachRandomLayout(Options(), [](const Layout& layout, RandomBits*) {
    const absl::StatusOr<Layout> result = Complement(layout);
    EXPECT_EQ(TextOf(result),
              TextOf(Complement(layout, Filter(layout).cosize())));
  });
}

TEST(UnboundedComplement, GoesOnAsLongAsNeeded) {
  ForEachRandomLayout(Options(), [](const Layout& layout, RandomBits* random) {
    const absl::StatusOr<Layout> unbounded = UnboundedComplement(layout);
    const absl::StatusOr<Layout> bounded =
        Complement(layout, Uniform(1, 4 * layout.cosize(), random));
    ASSERT_EQ(unbounded.ok(), bounded.ok());
    if (!bounded.ok()) return;
    const LiteralLayout goes_on = LiteralOf(*unbounded);
    const std::vector<int64_t> values = ValuesOf(*bounded);
    for (size_t i = 0; i < values.size(); ++i) {
      ASSERT_EQ(goes_on.Evaluate(i), values[i]) << i;
    }
  });
}

TEST(Complement, Table) {
  const struct {
    std::string_view layout;
    int64_t cotarget;
    std::string expected;
  } kCases[] = {
      {"1:0", 7, "7:1"},
      {"():()", 7, "7:1"},
      {"4:0", 8, "8:1"},
      {"(1,4):(77,2)", 16, "(2,2):(1,8)"},
      {"(1,4):(-77,2)", 16, "(2,2):(1,8)"},
      {"2:5", 1, "5:1"},
      {"4:2", 0, "error: the cotarget 0 is less than 1"},
      {"4:2", -9, "error: the cotarget -9 is less than 1"},
      {"(2,4):(1,-2)", 24,
       "error: the complement needs plain offsets >= 0; mode 1 of A, 4:-2, "
       "has others"},
      {"(2,4):(1@0,1@1)", 24,
       "error: the complement needs plain offsets >= 0; mode 0 of A, 2:1@0, "
       "has others"},
      {"(4,(2,2)):(9,(2,3))", 24,
       "error: the stride of mode 1,1 of A, 2:3, is less than the extent 4 "
       "that mode 1,0 of A, 2:2, reaches: the value 3 at coordinate (0,(0,1)) "
       "lies within"},
      // The extent is 2^63, but nothing lies past it.
      {"2:4611686018427387904", 1, "4611686018427387904:1"},
      {"3:2", 9223372036854775806, "(2,1537228672809129301):(1,6)"},
      {"3:2", 9223372036854775807,
       "error: the cosize exceeds 2^63-1 at the mode 1537228672809129302:6"},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(Complemented(c.layout, c.cotarget), c.expected)
        << c.layout << ", " << c.cotarget;
  }
}

}  // namespace
}  // namespace tessera::cute
