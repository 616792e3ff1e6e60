#include "tessera/cli/description.h"

#include "gtest/gtest.h"
#include "tessera/layout/layout.h"

namespace tessera {
namespace {

TEST(Description, Example) {
  const Shape shape = Shape::Array(
      BF16, {9, 130}, Layout({1, 0}).WithTiles({Tile({8, 128}), Tile({2, 1})}));
  absl::StatusOr<Description> description = Describe(shape);
  ASSERT_TRUE(description.ok());
  EXPECT_EQ(DescriptionToJson(*description)["elements"], 1170);
}

}  // namespace
}  // namespace tessera
