#include "tessera/tenstorrent/verification.h"

#include <cstdint>
#include <optional>
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

std::string Tensor(const std::string& shape, const std::string& map,
                   const std::string& grid, const std::string& memref,
                   const std::string& space = "l1") {
  return absl::StrCat("tensor<", shape, "xf32, #tt.metal_layout<", map,
                      ", undef, <", grid, ">, memref<", memref,
                      ", #tt.memory_space<", space, ">>>>");
}

Verification VerifyText(const std::string& text,
                        const VerificationOptions& options = {}) {
  const absl::StatusOr<MetalTensor> tensor = ParseMetalTensor(text);
  EXPECT_THAT(tensor, IsOk());
  return tensor.ok() ? Verify(*tensor, options) : Verification();
}

std::string ToText(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& finding : findings) {
    absl::StrAppend(&text, text.empty() ? "" : "; ",
                    AbslView(NameOf(finding.rule)), ": ", finding.message);
  }
  return text;
}

struct Case {
  const char* name;
  std::string text;
  std::string errors;
  std::string warnings;
};

class VerificationTest : public ::testing::TestWithParam<Case> {};

TEST_P(VerificationTest, FindsWhatIsWrong) {
  const Verification verification = VerifyText(GetParam().text);
  EXPECT_EQ(ToText(verification.errors), GetParam().errors);
  EXPECT_EQ(ToText(verification.warnings), GetParam().warnings);
  EXPECT_EQ(verification.ok(), GetParam().errors.empty());
}

const std::string kIdentity = "(d0, d1) -> (d0, d1)";

INSTANTIATE_TEST_SUITE_P(
    Rules, VerificationTest,
    ::testing::Values(
        Case{"Good", Tensor("8x300", kIdentity, "1x2", "8x150xf32"), "", ""},
        Case{"TensorSize", Tensor("8x0", kIdentity, "1x2", "8x1xf32"),
             "memref-shape: the memref is 8x1, but the rules give 8x0", ""},
        Case{"NoElements", Tensor("8x0", kIdentity, "1x2", "8x0xf32"), "", ""},
        Case{"NoElementsInTiles",
             Tensor("8x0", kIdentity, "1x2", "1x0x!tt.tile<32x32, bfp_bf8>"),
             "", ""},
        Case{"GridSize", Tensor("8x300", kIdentity, "0x2", "8x150xf32"),
             "grid-size: dimension 0 of the grid is 0; sizes are at least 1",
             ""},
        Case{"MapSymbols",
             Tensor("8x300", "(d0, d1)[s0] -> (d0 + s0, d1)", "1x2",
                    "8x150xf32"),
             "map-symbols: the map has 1 symbols; nothing in a layout gives "
             "them a value",
             ""},
        Case{"MapDims", Tensor("2x8x300", kIdentity, "1x2", "8x150xf32"),
             "map-dims: the map takes 2 dims, but the tensor has rank 3", ""},
        Case{"MapResults", Tensor("8x300", kIdentity, "1x1x2", "1x8x150xf32"),
             "map-results: the map has 2 results, but the grid has rank 3", ""},
        Case{"MemRefRank", Tensor("8x300", kIdentity, "1x2", "1x8x150xf32"),
             "memref-rank: the memref has rank 3, but the grid has rank 2", ""},
        Case{"SeveralAtOnce", Tensor("2x8x300", kIdentity, "0x1x2", "8xf32"),
             "grid-size: dimension 0 of the grid is 0; sizes are at least 1; "
             "map-dims: the map takes 2 dims, but the tensor has rank 3; "
             "map-results: the map has 2 results, but the grid has rank 3; "
             "memref-rank: the memref has rank 1, but the grid has rank 3",
             ""},
        Case{"TileRank",
             Tensor("300", "(d0) -> (d0)", "2", "5x!tt.tile<32x32, bf16>"),
             "tile-rank: a tile needs a shard of rank 2 or more, but the map "
             "has 1 results",
             ""},
        Case{"BlockFloat",
             Tensor("32x32", kIdentity, "1x1", "2x1x!tt.tile<20x32, bfp_bf8>"),
             "block-float: block floats are in tiles 16 or 32 wide and 1, 2, "
             "4, 8, 16 or 32 high, but this is !tt.tile<20x32, bfp_bf8>",
             ""},
        Case{"BlockFloatOfSmallTiles",
             Tensor("32x32", kIdentity, "1x1", "2x1x!tt.tile<16x32, bfp_bf8>"),
             "",
             "block-float: tt-mlir's block floats are in tiles of 32x32, but "
             "this is !tt.tile<16x32, bfp_bf8>: sizes and locations are those "
             "of Tenstorrent's runtime"},
        Case{"TileType",
             Tensor("32x32", kIdentity, "1x1", "1x1x!tt.tile<32x32, u8>"), "",
             ""},
        Case{"DigitsOfADim",
             Tensor("8", "(d0) -> (d0 floordiv 4, d0 mod 4)", "1x1", "2x4xf32"),
             "", ""},
        Case{"ARemainderThatChangesNothing",
             Tensor("4x5", "(d0, d1) -> (d0 mod 8 + d1 * 4)", "1", "20xf32"),
             "", ""},
        Case{"OneSumCutTwice",
             Tensor("16x6",
                    "(d0, d1) -> ((d0 * 6 + d1) floordiv 4, (d0 * 6 + d1) mod "
                    "4)",
                    "1x1", "24x4xf32"),
             "", ""},
        Case{"FallingOntoOneAnother",
             Tensor("2x2", "(d0, d1) -> ((-d0) mod 8)", "1", "8xf32"),
             "position-twice: the indices [0,0] and [0,1] share the position "
             "(0)",
             ""},
        Case{"FallingOntoAnother",
             Tensor("4", "(d0) -> (d0 - d0 mod 2)", "1", "3xf32"),
             "position-twice: the indices [0] and [1] share the position (0)",
             ""},
        Case{"SizeOverflow",
             Tensor("8x300", "(d0, d1) -> (d0 * 4611686018427387904, d1)",
                    "1x2", "8x150xf32"),
             "size-overflow: the position of the last index exceeds 2^63-1",
             ""},
        Case{"BytesOverflow",
             Tensor("4294967296x2147483647", kIdentity, "1x1",
                    "4294967296x2147483647xf32"),
             "size-overflow: the memory of all shards exceeds 2^63-1", ""},
        Case{"PositionBelow", Tensor("8", "(d0) -> (d0 - 3)", "1", "5xf32"),
             "position-below: index [0] is at -3 in result 0; positions are "
             "not negative",
             ""},
        Case{"LastPositionBelow", Tensor("8", "(d0) -> (-d0)", "1", "8xf32"),
             "position-below: the last index is at -7 in result 0; positions "
             "are not negative",
             ""},
        Case{"PositionPast", Tensor("6", "(d0) -> (5 - d0)", "1", "1xf32"),
             "position-past: index [0] is at 5 in result 0, past the last "
             "index at 0; the extent is the position of the last index plus 1",
             ""},
        Case{"PositionPastOfALargeTensor",
             Tensor("1073741824x4", "(d0, d1) -> (d0 * 3 - d1 * 2)", "1",
                    "3221225464xf32"),
             "position-below: index [0,1] is at -2 in result 0; positions are "
             "not negative",
             ""},
        Case{"PositionPastByRange",
             Tensor("2x4294967296", "(d0, d1) -> (d1 - d0 + 1)", "1",
                    "4294967296xf32"),
             "position-past: result 0 rises to 4294967296, past the last index "
             "at 4294967295; the extent is the position of the last index plus "
             "1",
             ""},
        Case{"PositionTwice",
             Tensor("3x9", "(d0, d1) -> (d0 * 8 + d1)", "1", "25xf32"),
             "position-twice: the indices [0,8] and [1,0] share the position "
             "(8)",
             ""},
        Case{"PositionTwiceOfAMissingDim",
             Tensor("3x9", "(d0, d1) -> (d1)", "1", "9xf32"),
             "position-twice: the indices [0,0] and [1,0] share the position "
             "(0)",
             ""},
        Case{"PositionTwiceByTrying",
             Tensor("4x4x2", "(d0, d1, d2) -> (d0 * 5 + d1 * 3 + d2)", "1",
                    "26xf32"),
             "position-twice: the indices [0,2,0] and [1,0,1] share the "
             "position (6)",
             ""},
        Case{"MemRefShape",
             Tensor("64x128", "(d0, d1) -> (d1, d0)", "1x1", "64x128xf32"),
             "memref-shape: the memref is 64x128, but the rules give 128x64",
             ""},
        Case{"MemRefShapeOfATestOfTtMlir",
             Tensor("256x1", kIdentity, "4x1", "64x32xf32"),
             "memref-shape: the memref is 64x32, but the rules give 64x1; this "
             "is the tile-padded shape kept after untilizing",
             ""},
        Case{"RepeatedDims",
             Tensor("4x4", "(d0, d1) -> (d0 * 4 + d1, d1)", "1x1", "16x4xf32"),
             "",
             "repeated-dims: d1 is in results 0 and 1; 4x over-allocation; "
             "gaps: 48 of 64 positions below the extent have no index"},
        Case{"EmptyCells", Tensor("5x7", kIdentity, "8x8", "1x1xf32"), "",
             "empty-cells: 29 of 64 cells hold no element"},
        Case{"ShardSize",
             Tensor("1024x1024", kIdentity, "1x1", "1024x1024xf32"), "",
             "shard-size: a shard takes 4194304 B, but the L1 of a core has "
             "1499136"},
        Case{"ShardSizeInDramIsNone",
             Tensor("1024x1024", kIdentity, "1x1", "1024x1024xf32", "dram"), "",
             ""},
        Case{"Gaps",
             Tensor("2x8x32", "(d0, d1, d2) -> (d0 * 32 + d1, d2)", "1x2",
                    "40x16xf32"),
             "", "gaps: 768 of 1280 positions below the extent have no index"},
        Case{"Interleaved",
             "tensor<8x300xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, "
             "<1x2>, memref<8x150xf32, #tt.memory_space<dram>>, interleaved>>",
             "",
             "undecided: interleaved in DRAM, pages lie on the banks in turn: "
             "shards and locations are given as if the tensor were sharded"},
        Case{"InterleavedWithoutLocations",
             "tensor<4x4xf32, #tt.metal_layout<(d0, d1) -> (d0 * 4 + d1, "
             "(3 - d1) floordiv 4), undef, <1x1>, memref<16x1xf32, "
             "#tt.memory_space<dram>>, interleaved>>",
             "",
             "undecided: a coefficient of the map is negative, -1; locations "
             "are computed for rising positions only"},
        Case{"FallingWithin",
             Tensor("4x4", "(d0, d1) -> (d0 * 4 + d1, (3 - d1) floordiv 4)",
                    "1x1", "16x1xf32"),
             "",
             "undecided: a coefficient of the map is negative, -1; locations "
             "are computed for rising positions only"}),
    [](const ::testing::TestParamInfo<Case>& info) { return info.param.name; });

TEST(Verification, OptionsSetTheLimits) {
  VerificationOptions options;
  options.l1_bytes = 100;
  EXPECT_EQ(
      ToText(VerifyText(Tensor("8x8", kIdentity, "1x1", "8x8xf32"), options)
                 .warnings),
      "shard-size: a shard takes 256 B, but the L1 of a core has 100");
  options = {};
  options.evaluation_limit = 10;
  EXPECT_EQ(ToText(VerifyText(Tensor("4x4x4",
                                     "(d0, d1, d2) -> (d0 * 14 + d1 * 4 + d2)",
                                     "1", "58xf32"),
                              options)
                       .warnings),
            "undecided: whether indices share positions is not known after 10 "
            "indices");
}

TEST(Rule, EveryRuleHasAName) {
  for (int i = 0; i <= static_cast<int>(Rule::kUndecided); ++i) {
    const Rule rule = static_cast<Rule>(i);
    EXPECT_NE(NameOf(rule), "");
    EXPECT_EQ(RuleOf(RuleError(rule, "message")), rule);
  }
  EXPECT_EQ(RuleOf(absl::InvalidArgumentError("message")), std::nullopt);
}

}  // namespace
}  // namespace tessera::tenstorrent
