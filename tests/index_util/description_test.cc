#include "tessera/index_util/description.h"

#include <cstdint>
#include <limits>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/layout/layout.h"
#include "tessera/tests/status_matchers.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;

TEST(Description, Example) {
  const Shape array = Shape::Array(
      BF16, {9, 130}, Layout({1, 0}).WithTiles({Tile({8, 128}), Tile({2, 1})}));
  const absl::StatusOr<Description> description =
      Describe(Shape::Tuple({array, Shape::Token()}));
  ASSERT_THAT(description, IsOk());
  EXPECT_EQ(description->total.padded_bytes, 8192);
  EXPECT_THAT(description->leaves[0].expanded_shape,
              ElementsAre(2, 2, 4, 128, 2, 1));
  EXPECT_FALSE(description->leaves[1].array.has_value());
}

// Each fits, the sum does not; the elements alone would.
TEST(Description, SumsThatDoNotFitAreRefused) {
  const Shape large = Shape::Array(F32, {(int64_t{1} << 61) - 1}, Layout({0}));
  const Shape small = Shape::Array(S8, {3}, Layout({0}));
  EXPECT_EQ(Describe(Shape::Tuple({large, small}))->total.padded_bytes,
            std::numeric_limits<int64_t>::max());
  EXPECT_EQ(Describe(Shape::Tuple({large, large})).status(),
            absl::OutOfRangeError(
                "the bytes of all arrays up to {1}, 9223372036854775804 + "
                "9223372036854775804, exceed 2^63-1"));
  const Shape padded =
      Shape::Array(S8, {1}, Layout({0}).WithTiles({Tile({4})}));
  EXPECT_EQ(Describe(Shape::Tuple({large, padded})).status(),
            absl::OutOfRangeError(
                "the padded bytes of all arrays up to {1}, 9223372036854775804 "
                "+ 4, exceed 2^63-1"));
}

}  // namespace
}  // namespace tessera
