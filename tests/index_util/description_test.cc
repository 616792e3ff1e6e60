#include "tessera/index_util/description.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/layout/layout.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;

TEST(Description, Example) {
  const Shape array = Shape::Array(
      BF16, {9, 130}, Layout({1, 0}).WithTiles({Tile({8, 128}), Tile({2, 1})}));
  const absl::StatusOr<Description> description =
      Describe(Shape::Tuple({array, Shape::Token()}));
  ASSERT_TRUE(description.ok());
  EXPECT_EQ(description->total.padded_bytes, 8192);
  EXPECT_THAT(description->leaves[0].expanded_shape,
              ElementsAre(2, 2, 4, 128, 2, 1));
  EXPECT_FALSE(description->leaves[1].array.has_value());
}

}  // namespace
}  // namespace tessera
