#include "tessera/cute/algebra/collision.h"

#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/cute/internal/exact_layout.h"
#include "tessera/cute/layout.h"
#include "tessera/tests/cute/cute_values.h"
#include "tessera/tests/cute/literal_layout.h"
#include "tessera/tests/cute/random_cute_layouts.h"
#include "tessera/tests/status_matchers.h"

namespace tessera::cute {
namespace {

using Coordinates = std::pair<int64_t, int64_t>;

TEST(FindCollision, Example) {
  EXPECT_EQ(FindCollision(LayoutOf("(2,2):(1,1)"), 100)->value(),
            Coordinates(1, 2));
  EXPECT_FALSE(FindCollision(LayoutOf("(2,2):(2,3)"), 100)->has_value());
}

TEST(FindCollision, FindsOneWhereThereIsOne) {
  RandomCuteOptions options = SmallLayouts();
  options.negative_strides = true;
  int64_t found = 0;
  ForEachRandomLayout(options, [&](const Layout& layout, RandomBits*) {
    const auto collision = FindCollision(layout, layout.size());
    ASSERT_THAT(collision, IsOk());
    ASSERT_EQ(collision->has_value(),
              static_cast<int64_t>(OffsetsOf(layout).size()) < layout.size());
    if (!collision->has_value()) return;
    ++found;
    const auto [first, second] = **collision;
    ASSERT_LT(first, second);
    ASSERT_GE(first, 0);
    ASSERT_LT(second, layout.size());
    const LiteralLayout literal = LiteralOf(layout);
    ASSERT_EQ(literal.Evaluate(first), literal.Evaluate(second));
  });
  EXPECT_GT(found, Samples(10000) / 10);
}

TEST(FindCollision, IsDecidedFromStridesWhereItCan) {
  // No offset is looked at.
  EXPECT_FALSE(
      FindCollision(LayoutOf("(1000000,1000000):(1000000,1)"), 0)->has_value());
  EXPECT_EQ(FindCollision(LayoutOf("(1000000,1000000):(1,0)"), 0)->value(),
            Coordinates(0, 1000000));
  const auto undecided = FindCollision(LayoutOf("(3,2):(2,3)"), 5);
  EXPECT_THAT(
      undecided,
      StatusIs(absl::StatusCode::kResourceExhausted,
               "whether two coordinates of (3,2):(2,3) share an offset takes 6 "
               "offsets to decide, and max_evaluations is 5"));
  EXPECT_FALSE(FindCollision(LayoutOf("(3,2):(2,3)"), 6)->has_value());
}

}  // namespace
}  // namespace tessera::cute
