#include "tessera/cli/explanation.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/layout/layout.h"
#include "tessera/shape/shape.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;

TEST(Explanation, Example) {
  const Shape shape =
      Shape::Array(F32, {3, 5}, Layout({1, 0}).WithTiles({Tile({2, 2})}));
  EXPECT_THAT(
      ExplainSteps(*DeriveLinearIndex(shape, {2, 3})),
      ElementsAre(
          "physical index (2,3) within (3,5)",
          "tile (2,2): (2,3) div (2,2) = (1,1), (2,3) mod (2,2) = (0,1)",
          "index (1,1,0,1) within (2,3,2,2)",
          "linear_index((1,1,0,1), (2,3,2,2)) = ((1*3+1)*2+0)*2+1 = 17"));
}

}  // namespace
}  // namespace tessera
