#include "tessera/tenstorrent/verified_tensor.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tessera {
namespace tenstorrent {
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

TEST(VerifiedTensor, WarningsOfLocationsAreSomeOfAll) {
  const absl::StatusOr<VerifiedTensor> tensor = ReadVerifiedTensor(
      "tensor<8x1x1x1x!ttcore.tile<32x32, f32>, #ttcore.metal_layout<"
      "logical_shape = 32x32, dim_alignments = 256x32, collapsed_intervals = "
      "dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, undef, l1, sharded, "
      "index_map = (d0, d1, d2, d3) -> (d1, d0, d3, d2)>>");
  ASSERT_TRUE(tensor.ok()) << tensor.status();
  // The other one is of empty cells, which say nothing about a location.
  EXPECT_EQ(tensor->verification.warnings.size(), 2);
  const std::vector<Finding> warnings = LocationWarnings(tensor->verification);
  ASSERT_EQ(warnings.size(), 1);
  EXPECT_EQ(FindingText(warnings[0]),
            "undecided: the index_map is left out: locations are those of the "
            "storage that it views in another order");
}

}  // namespace
}  // namespace tenstorrent
}  // namespace tessera
