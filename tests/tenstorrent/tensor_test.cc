#include "tessera/tenstorrent/tensor.h"

#include <string>
#include <variant>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/tests/status_matchers.h"
#include "tessera/tests/tenstorrent/malformed_texts.h"

namespace tessera::tenstorrent {
namespace {

using ::testing::StartsWith;

constexpr char kMetal[] =
    "#tt.metal_layout<(d0, d1) -> (d0, d1), undef, <2x4>, "
    "memref<32x32xf32, #tt.memory_space<l1>>>";
constexpr char kAligned[] =
    "#ttcore.metal_layout<logical_shape = 64x128, dim_alignments = 32x32, "
    "collapsed_intervals = dense<> : tensor<0x2xi64>, l1, sharded>";
constexpr char kTtnn[] =
    "#ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, "
    "memref<2x4x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, "
    "<interleaved>>";

std::string TensorWith(const std::string& layout) {
  return absl::StrCat("tensor<64x128xbf16, ", layout, ">");
}

TEST(TensorText, ReadsALayoutBehindAnAlias) {
  const absl::StatusOr<TensorText> tensor = ReadTensorText(
      absl::StrCat("#layout = ", kTtnn, "\ntensor<64x128xbf16, #layout>"));
  ASSERT_THAT(tensor, IsOk());
  EXPECT_TRUE(std::holds_alternative<TtnnTensor>(*tensor));
  EXPECT_EQ(ToString(*tensor), TensorWith(kTtnn));
}

TEST(TensorText, ReadsEachForm) {
  const std::string metal = TensorWith(kMetal);
  const std::string aligned = TensorWith(kAligned);
  const std::string ttnn = TensorWith(kTtnn);
  EXPECT_EQ(std::get<MetalTensor>(*ReadTensorText(metal)),
            *ParseMetalTensor(metal));
  EXPECT_EQ(std::get<AlignedTensor>(*ReadTensorText(aligned)),
            *ParseAlignedTensor(aligned));
  EXPECT_EQ(std::get<TtnnTensor>(*ReadTensorText(ttnn)),
            *ParseTtnnTensor(ttnn));
}

TEST(TensorText, TheDialectsNameDecidesNothing) {
  std::string metal = TensorWith(kMetal);
  metal.replace(metal.find("#tt."), 4, "#ttcore.");
  EXPECT_EQ(ToString(*ReadTensorText(metal)), TensorWith(kMetal));
  std::string aligned = TensorWith(kAligned);
  aligned.replace(aligned.find("#ttcore."), 8, "#tt.");
  EXPECT_EQ(ToString(*ReadTensorText(aligned)), TensorWith(kAligned));
}

TEST(TensorText, RefusesAnythingElse) {
  const Abbreviations parts = {
      {"{metal}", kMetal},
      {"{layout}",
       "a layout, #tt.metal_layout<(d0) -> (d0), ...>, "
       "#ttcore.metal_layout<logical_shape = ...> or #ttnn.ttnn_layout<...>"},
  };
  const MalformedText cases[] = {
      {"^", "expected 'tensor', found end of text"},
      {"^{metal}", "expected 'tensor', found '#tt.metal_layout'"},
      {"tensor<8xf32^>", "expected ',' and {layout}, found '>'"},
      {"tensor<8xf32, ^#tt.device<>>", "expected {layout}, found '#tt.device'"},
      {"tensor<8xf32, ^#ttcore.tensor_mesh<\"mesh\">>",
       "expected {layout}, found '#ttcore.tensor_mesh', a mesh"},
      {"#l1 = #tt.memory_space<l1>\ntensor<8xf32, ^#l1>",
       "expected {layout}, found '#l1', a memory space"},
      {"tensor<8xf32, ^affine_map<(d0) -> (d0)>>",
       "expected {layout}, found 'affine_map', an affine map"},
      {"tensor<8xf32, {metal}^", "expected '>', found end of text"},
      {"tensor<8xf32, {metal}> ^>", "expected the end of the text, found '>'"},
  };
  for (const MalformedText& c : cases) {
    ExpectRefused(c, parts, ReadTensorText);
  }
}

TEST(VerifiedTensor, ABrokenRuleIsInTheWayOfLocations) {
  const absl::StatusOr<VerifiedTensor> tensor = ReadVerifiedTensor(
      "tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <3x2>, "
      "memref<32x32xf32, #tt.memory_space<l1>>>>");
  ASSERT_THAT(tensor, IsOk());
  const absl::Status status = PlacementOf(*tensor).status();
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kFailedPrecondition,
                               StartsWith("memref-shape: ")));
}

TEST(VerifiedTensor, WarningsOfLocationsAreSomeOfAll) {
  const absl::StatusOr<VerifiedTensor> tensor = ReadVerifiedTensor(
      "tensor<8x1x1x1x!ttcore.tile<32x32, f32>, #ttcore.metal_layout<"
      "logical_shape = 32x32, dim_alignments = 256x32, collapsed_intervals = "
      "dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, undef, l1, sharded, "
      "index_map = (d0, d1, d2, d3) -> (d1, d0, d3, d2)>>");
  ASSERT_THAT(tensor, IsOk());
  // The other one is of empty cells, which say nothing about a location.
  EXPECT_EQ(tensor->verification.warnings.size(), 2);
  const std::vector<Finding> warnings = LocationWarnings(tensor->verification);
  ASSERT_EQ(warnings.size(), 1);
  EXPECT_EQ(FindingText(warnings[0]),
            "memory-layout: the index_map takes the 8x1x1x1 of the tensor to a "
            "storage of 1x8x1x1: locations are those of the storage");
}

TEST(VerifiedTensor, AnIndexMapThatIsNotAppliedLeavesSizesAlone) {
  const absl::StatusOr<VerifiedTensor> tensor = ReadVerifiedTensor(
      "tensor<2x2x1x1x!ttcore.tile<32x32, bf16>, #ttcore.metal_layout<"
      "logical_shape = 50x64, dim_alignments = 32x32, collapsed_intervals = "
      "dense<[[0, -1]]> : tensor<1x2xi64>, undef, l1, index_map = (d0, d1, d2, "
      "d3) -> (d0, d0, d2, d3)>>");
  ASSERT_THAT(tensor, IsOk());
  EXPECT_TRUE(tensor->verification.ok());
  constexpr char kReason[] =
      "undecided: the index_map (d0, d1, d2, d3) -> (d0, d0, d2, d3) is not "
      "applied: it is not known to take the 2x2x1x1 of the tensor one-to-one "
      "onto a storage; the places of elements in the storage are not known";
  EXPECT_EQ(PlacementOf(*tensor).status(),
            absl::FailedPreconditionError(kReason));
  const std::vector<Finding> warnings = LocationWarnings(tensor->verification);
  ASSERT_EQ(warnings.size(), 1);
  EXPECT_EQ(FindingText(warnings[0]), kReason);
  const absl::StatusOr<const Placement*> sizes = SizesOf(*tensor);
  ASSERT_THAT(sizes, IsOk());
  EXPECT_EQ((*sizes)->geometry().bytes, 4 * 2048);
  EXPECT_EQ((*sizes)->counts().tile, 14 * 64);
}

}  // namespace
}  // namespace tessera::tenstorrent
