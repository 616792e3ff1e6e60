#include "tessera/tenstorrent/internal/aligned_verification.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/tenstorrent/tensor.h"
#include "tessera/tests/status_matchers.h"

namespace tessera::tenstorrent {
namespace {

std::string Tensor(const std::string& shape, const std::string& logical,
                   const std::string& alignments, const std::string& intervals,
                   const std::string& element = "!ttcore.tile<32x32, f32>",
                   const std::string& rest = ", l1, sharded") {
  return absl::StrCat("tensor<", shape, "x", element,
                      ", #ttcore.metal_layout<logical_shape = ", logical,
                      ", dim_alignments = ", alignments,
                      ", collapsed_intervals = dense<", intervals, ">", rest,
                      ">>");
}

// Of the two intervals that most tensors have.
std::string TensorOf(const std::string& shape, const std::string& logical,
                     const std::string& alignments,
                     const std::string& intervals = "[[0, 2], [2, 3]]") {
  return Tensor(shape, logical, alignments, intervals + "> : tensor<2x2xi64",
                "!ttcore.tile<32x32, f32>");
}

Verification VerifyText(const std::string& text) {
  const absl::StatusOr<AlignedTensor> tensor = ParseAlignedTensor(text);
  EXPECT_THAT(tensor, IsOk());
  return tensor.ok() ? Verify(*tensor) : Verification();
}

std::string ToText(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& finding : findings) {
    absl::StrAppend(&text, text.empty() ? "" : "; ",
                    AbslView(NameOf(finding.rule)), ": ", finding.message);
  }
  return text;
}

TEST(AlignedVerification, Example) {
  const absl::StatusOr<AlignedTensor> tensor = ParseAlignedTensor(R"(
      tensor<3x4x1x1x!ttcore.tile<32x32, f32>, #ttcore.metal_layout<
          logical_shape = 2x33x128, dim_alignments = 1x32x32,
          collapsed_intervals = dense<[[0, 2], [2, 3]]> : tensor<2x2xi64>,
          l1, sharded>>)");
  ASSERT_THAT(tensor, IsOk());
  const Verification verification = Verify(*tensor);
  ASSERT_EQ(verification.errors.size(), 1);
  EXPECT_EQ(verification.errors[0].rule, Rule::kUnevenGrid);
  EXPECT_EQ(verification.errors[0].message,
            "Collapsed dimension must be evenly divisible by grid dimension, "
            "got 4 % 3 != 0 in dimension 0");
}

struct Case {
  const char* name;
  std::string text;
  std::string errors;
  std::string warnings;
};

class AlignedVerificationTest : public ::testing::TestWithParam<Case> {};

TEST_P(AlignedVerificationTest, FindsWhatIsWrong) {
  const Verification verification = VerifyText(GetParam().text);
  EXPECT_EQ(ToText(verification.errors), GetParam().errors);
  EXPECT_EQ(ToText(verification.warnings), GetParam().warnings);
}

const std::string kGaps =
    "gaps: 3968 of 12416 positions below the extent have no index";

INSTANTIATE_TEST_SUITE_P(
    Rules, AlignedVerificationTest,
    ::testing::Values(
        Case{"Good", TensorOf("4x4x1x1", "2x33x128", "1x32x32"), "", kGaps},
        Case{"Rank1",
             Tensor("1x1x1x4", "100", "32", "[[0, 1]]> : tensor<1x2xi64"), "",
             ""},
        Case{"Rank0", Tensor("1x1x1x1", "", "", "> : tensor<0x2xi64"), "", ""},
        Case{"TensorSize", TensorOf("4x4x1x1", "2x0x128", "1x32x32"),
             "memref-shape: the shard is 1x1, but the rules give 0x1", ""},
        Case{"NoElements", TensorOf("4x4x0x1", "2x0x128", "1x32x32"), "", ""},
        Case{"GridSize", TensorOf("0x4x1x1", "2x33x128", "1x32x32"),
             "grid-size: dimension 0 of the grid is 0; sizes are at least 1",
             ""},
        Case{"AlignmentsSize",
             TensorOf("1x1x1x1", "32x32", "1x32x32", "[[0, 1], [1, 2]]"),
             "dim-alignments: dim_alignments size (3) must match logical_shape "
             "rank (2)",
             ""},
        Case{"AlignmentsPositive",
             TensorOf("1x1x1x1", "32x32", "0x32", "[[0, 1], [1, 2]]"),
             "dim-alignments: dim_alignments[0] must be positive, got 0", ""},
        Case{"AlignmentsOfTiles",
             TensorOf("1x1x1x1", "8x32", "1x32", "[[0, 1], [1, 2]]"),
             "dim-alignments: physical dimension 0 is aligned to 8, which is "
             "not a multiple of the tile's 32",
             ""},
        Case{"StartTooLarge",
             Tensor("1x1x1x1", "32x32", "32x32", "[[5, 6]]> : tensor<1x2xi64"),
             "collapsed-intervals: collapsed_intervals start index 5 "
             "(normalized: 5) is out of bounds for logical_shape rank 2",
             ""},
        Case{
            "StartTooSmall",
            Tensor("1x1x1x1", "32x32", "32x32", "[[-10, 2]]> : tensor<1x2xi64"),
            "collapsed-intervals: collapsed_intervals start index -10 "
            "(normalized: -8) is out of bounds for logical_shape rank 2",
            ""},
        Case{"EndTooLarge",
             Tensor("1x1x1x1", "32x32", "32x32", "[[0, 10]]> : tensor<1x2xi64"),
             "collapsed-intervals: collapsed_intervals end index 10 "
             "(normalized: 10) is out of bounds for logical_shape rank 2",
             ""},
        Case{"StartPastEnd",
             Tensor("1x1x1x1", "32x32", "32x32", "[[1, 0]]> : tensor<1x2xi64"),
             "collapsed-intervals: collapsed_intervals start (1) must not "
             "exceed end (0)",
             ""},
        Case{"Overlap",
             TensorOf("4x4x1x1", "2x33x128", "1x32x32", "[[0, 2], [1, 3]]"),
             "collapsed-intervals: collapsed_intervals [0, 2] and [1, 3] share "
             "dimension 1",
             ""},
        Case{"LeftOutBefore",
             Tensor("4x4x1x1", "2x33x128", "1x32x32",
                    "[[1, 2]]> : tensor<1x2xi64"),
             "collapsed-intervals: collapsed_intervals leave out dimension 0, "
             "before [1, 2]; tt-mlir drops it silently",
             ""},
        Case{"LeftOutBetween",
             TensorOf("4x4x1x1", "2x33x128", "1x32x32", "[[0, 1], [2, 3]]"),
             "collapsed-intervals: collapsed_intervals leave out dimension 1, "
             "before [2, 3]; tt-mlir drops it silently",
             ""},
        Case{"SeveralAtOnce",
             TensorOf("0x1x1", "0x32", "0x1x0", "[[0, 5], [-7, 1]]"),
             "dim-alignments: dim_alignments size (3) must match "
             "logical_shape rank (2); dim-alignments: dim_alignments[0] must "
             "be positive, got 0; dim-alignments: dim_alignments[2] must be "
             "positive, got 0; collapsed-intervals: collapsed_intervals end "
             "index 5 (normalized: 5) is out of bounds for logical_shape rank "
             "2; collapsed-intervals: collapsed_intervals start index -7 "
             "(normalized: -5) is out of bounds for logical_shape rank 2",
             ""},
        Case{"TensorRankOdd", TensorOf("4x4x1", "2x33x128", "1x32x32"),
             "tensor-rank: the tensor has rank 3, but the layout has 2 "
             "physical dimensions, which make a grid and a shard of rank 2 "
             "each",
             ""},
        Case{"TensorRankOfOtherIntervals",
             TensorOf("1x4x4x1x1x1", "2x33x128", "1x32x32"),
             "tensor-rank: the tensor has rank 6, but the layout has 2 "
             "physical dimensions, which make a grid and a shard of rank 2 "
             "each",
             ""},
        Case{"TileRank",
             Tensor("1x1", "32x32", "32x32", "[[0, 2]]> : tensor<1x2xi64"),
             "tile-rank: a tile needs a shard of rank 2 or more, but the map "
             "has 1 results",
             ""},
        Case{"BlockFloat",
             Tensor("1x1x1x1", "32x32", "32x32", "> : tensor<0x2xi64",
                    "!ttcore.tile<20x32, bfp_bf8>"),
             "block-float: block floats are in tiles 16 or 32 wide and 1, 2, "
             "4, 8, 16 or 32 high, but this is !tt.tile<20x32, bfp_bf8>",
             ""},
        Case{"BlockFloatOfSmallTiles",
             Tensor("1x1x2x1", "32x32", "32x32", "> : tensor<0x2xi64",
                    "!ttcore.tile<16x32, bfp_bf8>"),
             "",
             "block-float: tt-mlir's block floats are in tiles of 32x32, but "
             "this is !tt.tile<16x32, bfp_bf8>: sizes and locations are those "
             "of Tenstorrent's runtime"},
        Case{"SizeOverflow",
             TensorOf("1x1x1x1", "4611686018427387904x32x32", "1x32x32"),
             "size-overflow: the size of a physical dimension exceeds 2^63-1",
             ""},
        Case{"Shard", TensorOf("4x4x2x1", "2x33x128", "1x32x32"),
             "memref-shape: the shard is 2x1, but the rules give 1x1", kGaps},
        Case{"UnevenGrid", TensorOf("4x3x1x1", "2x33x128", "1x32x32"),
             "uneven-grid: Collapsed dimension must be evenly divisible by "
             "grid dimension, got 4 % 3 != 0 in dimension 1",
             ""},
        Case{"EmptyCells",
             TensorOf("8x1x1x1", "32x32", "256x32", "[[0, 1], [1, 2]]"), "",
             "empty-cells: 7 of 8 cells hold no element"},
        Case{"ShardSize",
             TensorOf("1x1x32x32", "1024x1024", "32x32", "[[0, 1], [1, 2]]"),
             "",
             "shard-size: a shard takes 4194304 B, but the L1 of a core has "
             "1499136"},
        Case{"SystemMemoryByDefault",
             Tensor("1x1x32x32", "1024x1024", "32x32", "> : tensor<0x2xi64",
                    "!ttcore.tile<32x32, f32>", ", undef"),
             "", ""},
        Case{"IndexMap",
             Tensor("1x1x1x1", "32x32", "32x32", "> : tensor<0x2xi64",
                    "!ttcore.tile<32x32, f32>",
                    ", undef, l1, sharded, index_map = (d0, d1, d2, d3) -> "
                    "(d1, d0, d3, d2)"),
             "",
             "memory-layout: the index_map takes the 1x1x1x1 of the tensor to "
             "a storage of 1x1x1x1: locations are those of the storage"},
        Case{"IndexMapOfAnotherStorage",
             Tensor("4x2x1x3", "128x192", "32x32", "> : tensor<0x2xi64",
                    "!ttcore.tile<32x32, f32>",
                    ", undef, l1, sharded, index_map = (d0, d1, d2, d3) -> "
                    "(d1, d0, d3, d2)"),
             "",
             "memory-layout: the index_map takes the 4x2x1x3 of the tensor to "
             "a storage of 2x4x3x1: locations are those of the storage"},
        // A slice of something larger.
        Case{"IndexMapOfAPart",
             Tensor("1x1x1x1", "32x32", "32x32", "> : tensor<0x2xi64",
                    "!ttcore.tile<32x32, f32>",
                    ", undef, l1, sharded, index_map = (d0, d1, d2, d3) -> "
                    "(d0, d1, d2 + 10, d3 + 20)"),
             "",
             "undecided: the index_map (d0, d1, d2, d3) -> (d0, d1, d2 + 10, "
             "d3 + 20) is not applied: it is not known to take the 1x1x1x1 of "
             "the tensor one-to-one onto a storage; the places of elements in "
             "the storage are not known"},
        Case{"IndexMapOfAnotherRank",
             Tensor("1x1x1x1", "32x32", "32x32", "> : tensor<0x2xi64",
                    "!ttcore.tile<32x32, f32>",
                    ", undef, l1, sharded, index_map = (d0, d1, d2, d3, d4, "
                    "d5) -> (d0, d1, d3, d4, d5)"),
             "",
             "undecided: the index_map (d0, d1, d2, d3, d4, d5) -> (d0, d1, "
             "d3, d4, d5) is not applied: it takes 6 dims to 5 results, but "
             "grid and shard of the tensor have 4 dimensions; the places of "
             "elements in the storage are not known"},
        Case{"IndexMapWithASymbol",
             Tensor("1x1x1x1", "32x32", "32x32", "> : tensor<0x2xi64",
                    "!ttcore.tile<32x32, f32>",
                    ", undef, l1, sharded, index_map = (d0, d1, d2, d3)[s0] "
                    "-> (d0, d1, d2, d3 + s0)"),
             "",
             "undecided: the index_map (d0, d1, d2, d3)[s0] -> (d0, d1, d2, "
             "d3 + s0) is not applied: it has symbols; the places of elements "
             "in the storage are not known"},
        Case{"IndexMapOfNoElements",
             Tensor("4x4x0x1", "0x128", "32x32", "> : tensor<0x2xi64",
                    "!ttcore.tile<32x32, f32>",
                    ", undef, l1, sharded, index_map = (d0, d1, d2, d3) -> "
                    "(d1, d0, d3, d2)"),
             "", ""},
        Case{"Interleaved",
             Tensor("8x8x4x4", "1024x1024", "32x32",
                    "[[0, 1], [1, 2]]> : tensor<2x2xi64",
                    "!ttcore.tile<32x32, bf16>", ", dram, interleaved"),
             "", ""},
        Case{"InterleavedInL1",
             Tensor("1x1x1x1", "32x32", "32x32", "> : tensor<0x2xi64",
                    "!ttcore.tile<32x32, f32>", ", l1, interleaved"),
             "", ""},
        // A host has no banks.
        Case{"InterleavedInSystemMemory",
             Tensor("1x1x1x1", "32x32", "32x32", "> : tensor<0x2xi64",
                    "!ttcore.tile<32x32, f32>", ", system, interleaved"),
             "", ""},
        Case{"IndexMapOfIdentity",
             Tensor("1x1x1x1", "32x32", "32x32", "> : tensor<0x2xi64",
                    "!ttcore.tile<32x32, f32>",
                    ", undef, l1, sharded, index_map = map(4)"),
             "", ""}),
    [](const ::testing::TestParamInfo<Case>& info) { return info.param.name; });

TEST(AlignedVerification, TheMemRefAndPlacementAreThoseOfTheRules) {
  const Verification verification =
      VerifyText(TensorOf("4x4x2x1", "2x33x128", "1x32x32"));
  EXPECT_FALSE(verification.ok());
  EXPECT_EQ(verification.memref->ToString(),
            "memref<1x1x!tt.tile<32x32, f32>, #tt.memory_space<l1>>");
  ASSERT_TRUE(verification.placement.has_value());
  EXPECT_EQ(verification.placement->Locate({1, 0, 0})->cell(),
            (Dimensions{2, 0}));
}

}  // namespace
}  // namespace tessera::tenstorrent
