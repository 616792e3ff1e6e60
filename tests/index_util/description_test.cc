#include "tessera/index_util/description.h"

#include <cstdint>
#include <limits>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "tessera/layout/layout.h"
#include "tessera/parser/parser.h"

namespace tessera {
namespace {

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

TEST(Description, OnlyUnboundedArraysMakeItUnbounded) {
  EXPECT_TRUE(Describe(*ParseShape("(f32[2]{0}, token[])"))->is_bounded);
  EXPECT_FALSE(Describe(*ParseShape("(f32[?]{0}, s8[3]{0})"))->is_bounded);
  EXPECT_EQ(Describe(*ParseShape("(f32[?]{0}, s8[3]{0})"))->total.padded_bytes,
            3);
}

}  // namespace
}  // namespace tessera
