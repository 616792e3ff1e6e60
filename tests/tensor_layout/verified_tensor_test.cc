#include "tessera/tensor_layout/verified_tensor.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tessera {
namespace tensor_layout {
namespace {

using ::testing::ElementsAre;
using ::testing::StartsWith;

TEST(VerifiedTensor, Example) {
  const absl::StatusOr<VerifiedTensor> tensor = ReadVerifiedTensor(
      "tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <3x2>, "
      "memref<18x32xf32, #tt.memory_space<l1>>>>");
  ASSERT_TRUE(tensor.ok());
  EXPECT_TRUE(tensor->verification.ok());
  const absl::StatusOr<const Placement*> placement = PlacementOf(*tensor);
  ASSERT_TRUE(placement.ok());
  EXPECT_THAT((*placement)->Locate({18, 40})->cell, ElementsAre(1, 1));
}

TEST(VerifiedTensor, ABrokenRuleIsInTheWayOfLocations) {
  const absl::StatusOr<VerifiedTensor> tensor = ReadVerifiedTensor(
      "tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <3x2>, "
      "memref<32x32xf32, #tt.memory_space<l1>>>>");
  ASSERT_TRUE(tensor.ok());
  const absl::Status status = PlacementOf(*tensor).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()), StartsWith("memref-shape: "));
}

}  // namespace
}  // namespace tensor_layout
}  // namespace tessera
