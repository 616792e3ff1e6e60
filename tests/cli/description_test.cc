#include "tessera/cli/description.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/layout/layout.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;

TEST(Description, Example) {
  const Shape shape = Shape::Array(
      BF16, {9, 130}, Layout({1, 0}).WithTiles({Tile({8, 128}), Tile({2, 1})}));
  absl::StatusOr<Description> description = Describe(shape);
  ASSERT_TRUE(description.ok());
  EXPECT_EQ(description->total.padded_bytes, 8192);
  EXPECT_THAT(description->leaves[0].expanded_shape,
              ElementsAre(2, 2, 4, 128, 2, 1));
  EXPECT_EQ(DescriptionToJson(*description)["elements"], 1170);
}

}  // namespace
}  // namespace tessera
