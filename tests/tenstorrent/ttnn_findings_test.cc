#include "tessera/tenstorrent/internal/ttnn_findings.h"

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/tenstorrent/internal/ttnn_verification.h"
#include "tessera/tenstorrent/tensor.h"
#include "tessera/tests/status_matchers.h"

namespace tessera::tenstorrent {
namespace {

std::string WordsOf(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& finding : findings) {
    absl::StrAppend(&text, text.empty() ? "" : "; ",
                    AbslView(NameOf(finding.rule)), ": ", finding.message);
  }
  return text;
}

Verification VerifyWith(const std::string& text,
                        const VerificationOptions& options = {}) {
  const absl::StatusOr<TtnnTensor> tensor = ParseTtnnTensor(text);
  EXPECT_THAT(tensor, IsOk()) << text;
  return tensor.ok() ? Verify(*tensor, options) : Verification();
}

// "tensor<...>", with its memref, memory layout and cores.
std::string TensorOf(const std::string& tensor, const std::string& grid,
                     const std::string& memref, const std::string& rest) {
  return absl::StrCat("tensor<", tensor,
                      ", #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <", grid,
                      ">, memref<", memref, ">, ", rest, ">>");
}

constexpr char kL1Tile[] =
    "1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>";
constexpr char kDramTile[] =
    "1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>";

TEST(TtnnFindings, Example) {
  Verification verification;
  CheckWithRuntime(
      *ParseTtnnTensor(
          "tensor<2048x64xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), "
          "<64x1>, memref<1x2x!ttcore.tile<32x32, bf16>, "
          "#ttnn.buffer_type<l1>>, <height_sharded>, core_ranges = "
          "<[#ttnn.core_range<(0,0), (3,3)>]>>>"),
      VerificationOptions(), &verification);
  ASSERT_EQ(verification.errors.size(), 1u);
  EXPECT_EQ(verification.errors[0].rule, Rule::kCoreRanges);
}

// In system memory and sharded, as tt-mlir's own tests have it.
TEST(TtnnFindings, MemRefsOfAnotherRank) {
  EXPECT_EQ(WordsOf(VerifyWith("tensor<32x32xf32, #ttnn.ttnn_layout<(d0, d1) "
                               "-> (d0, d1), <1x1>, memref<1024xf32, "
                               "#ttnn.buffer_type<system_memory>>>>")
                        .errors),
            "memref-rank: the memref has rank 1, but the grid has rank 2");
  EXPECT_EQ(WordsOf(VerifyWith(TensorOf("32x32xbf16", "1x1",
                                        "1x1x1x!ttcore.tile<32x32, bf16>, "
                                        "#ttnn.buffer_type<l1>",
                                        "<height_sharded>, core_ranges = "
                                        "<[#ttnn.core_range<(0,0), (0,0)>]>"))
                        .errors),
            "memref-rank: the memref has rank 3, but the grid has rank 2");
}

TEST(TtnnFindings, ElementTypes) {
  struct Pair {
    const char* tensor;
    const char* memref;
    bool agrees;
  };
  constexpr Pair kPairs[] = {
      {"bf16", "bf16", true}, {"f32", "f32", true},  {"i32", "si32", true},
      {"ui32", "si32", true}, {"i1", "bf16", true},  {"f32", "si32", false},
      {"bf16", "f32", false}, {"i32", "f32", false}, {"ui16", "ui8", false},
      {"i16", "i32", false},
  };
  for (const Pair& pair : kPairs) {
    const Verification verification = VerifyWith(TensorOf(
        absl::StrCat("32x32x", pair.tensor), "1x1",
        absl::StrCat("32x32x", pair.memref, ", #ttnn.buffer_type<dram>"),
        "<interleaved>"));
    EXPECT_EQ(
        WordsOf(verification.errors),
        pair.agrees
            ? ""
            : absl::StrCat("element-types: the elements of the tensor "
                           "are ",
                           pair.tensor, ", those of the memref ", pair.memref));
    // Elements have places anyway.
    EXPECT_TRUE(verification.placement.has_value()) << pair.tensor;
  }
  EXPECT_EQ(WordsOf(VerifyWith(TensorOf("32x32xbf16", "1x1",
                                        "1x1x!ttcore.tile<32x32, bfp_bf8>, "
                                        "#ttnn.buffer_type<dram>",
                                        "<interleaved>"))
                        .errors),
            "");
}

TEST(TtnnFindings, CoresOffTheGridOfAKnownCard) {
  const std::string text =
      TensorOf("32x288xbf16", "1x9", kL1Tile,
               "<width_sharded>, core_ranges = <[#ttnn.core_range<(0,0), "
               "(8,0)>]>");
  EXPECT_EQ(WordsOf(VerifyWith(text).errors), "");
  VerificationOptions options;
  options.worker_grid = {10, 13};
  EXPECT_EQ(WordsOf(VerifyWith(text, options).errors), "");
  options.worker_grid = {8, 8};
  EXPECT_EQ(WordsOf(VerifyWith(text, options).errors),
            "core-ranges: core (8,0) is not on the 8x8 cores of the card, "
            "columns by rows");
}

TEST(TtnnFindings, BanksOfDramAreInOneRow) {
  EXPECT_EQ(WordsOf(VerifyWith(TensorOf("64x32xbf16", "2x1", kDramTile,
                                        "<height_sharded>, core_ranges = "
                                        "<[#ttnn.core_range<(0,0), (0,1)>]>"))
                        .errors),
            "core-ranges: the banks of DRAM are in row 0, but "
            "#ttnn.core_range<(0,0), (0,1)> has others");
}

TEST(TtnnFindings, CoresWithoutAShardHaveNames) {
  // Two shards on four cores, and a grid of two cells.
  EXPECT_EQ(WordsOf(VerifyWith(TensorOf("64x32xbf16", "2x1", kL1Tile,
                                        "<height_sharded>, core_ranges = "
                                        "<[#ttnn.core_range<(1,1), (2,2)>]>"))
                        .warnings),
            "core-ranges: the core ranges have 4 cores, the grid 2 cells; no "
            "shard is on (1,2), (2,2)");
  // As many cores as cells, of which one holds nothing.
  EXPECT_EQ(WordsOf(VerifyWith(TensorOf("64x32xbf16", "3x1", kL1Tile,
                                        "<height_sharded>, core_ranges = "
                                        "<[#ttnn.core_range<(0,0), (2,0)>]>"))
                        .warnings),
            "empty-cells: 1 of 3 cells hold no element; no shard is on (2,0)");
}

TEST(TtnnFindings, OfManyCoresSomeAreNamed) {
  EXPECT_EQ(WordsOf(VerifyWith(TensorOf("32x32xbf16", "1x1", kL1Tile,
                                        "<height_sharded>, core_ranges = "
                                        "<[#ttnn.core_range<(0,0), (7,7)>]>"))
                        .warnings),
            "core-ranges: the core ranges have 64 cores, the grid 1 cell; no "
            "shard is on (1,0), (2,0), (3,0), (4,0), (5,0), (6,0), (7,0), "
            "(0,1), 55 more");
}

}  // namespace
}  // namespace tessera::tenstorrent
