#include "tessera/tenstorrent/internal/ttnn_verification.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/tenstorrent/derive/ttnn_derivation.h"
#include "tessera/tenstorrent/tensor.h"
#include "tessera/tests/literal/random_layouts.h"
#include "tessera/tests/status_matchers.h"

namespace tessera::tenstorrent {
namespace {

std::string Tensor(const std::string& shape, const std::string& map,
                   const std::string& grid, const std::string& memref,
                   const std::string& buffer_type, const std::string& rest) {
  return absl::StrCat("tensor<", shape, "xbf16, #ttnn.ttnn_layout<", map, ", <",
                      grid, ">, memref<", memref, ", #ttnn.buffer_type<",
                      buffer_type, ">>", rest, ">>");
}

const std::string kIdentity = "(d0, d1) -> (d0, d1)";
const std::string kTiles = "x!ttcore.tile<32x32, bf16>";

std::string Cores(const std::string& ranges) {
  return absl::StrCat(", core_ranges = <[", ranges, "]>");
}

std::string Range(int64_t x, int64_t y, int64_t last_x, int64_t last_y) {
  return absl::StrCat("#ttnn.core_range<(", x, ",", y, "), (", last_x, ",",
                      last_y, ")>");
}

Verification VerifyText(const std::string& text) {
  const absl::StatusOr<TtnnTensor> tensor = ParseTtnnTensor(text);
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

TEST(TtnnVerification, Example) {
  const absl::StatusOr<TtnnTensor> tensor = ParseTtnnTensor(R"(
      tensor<6x15x10xbf16, #ttnn.ttnn_layout<
          (d0, d1, d2) -> (d0 * 32 + d1, d2), <8x8>,
          memref<6x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>,
          <interleaved>>>)");
  ASSERT_THAT(tensor, IsOk());
  const Verification verification = Verify(*tensor);
  ASSERT_EQ(verification.errors.size(), 1);
  EXPECT_EQ(verification.errors[0].rule, Rule::kInterleavedGrid);
  EXPECT_EQ(verification.errors[0].message,
            "expected (1, 1) grid shape for dram buffer type with interleaved "
            "memory layout, got (8, 8)");
}

struct Case {
  const char* name;
  std::string text;
  std::string errors;
  std::string warnings;
};

class TtnnVerificationTest : public ::testing::TestWithParam<Case> {};

TEST_P(TtnnVerificationTest, FindsWhatIsWrong) {
  const Verification verification = VerifyText(GetParam().text);
  EXPECT_EQ(ToText(verification.errors), GetParam().errors);
  EXPECT_EQ(ToText(verification.warnings), GetParam().warnings);
}

INSTANTIATE_TEST_SUITE_P(
    Rules, TtnnVerificationTest,
    ::testing::Values(
        Case{"Dram",
             Tensor("6x15x10", "(d0, d1, d2) -> (d0 * 32 + d1, d2)", "1x1",
                    "6x1" + kTiles, "dram", ", <interleaved>"),
             "", "gaps: 850 of 1750 positions below the extent have no index"},
        Case{"System",
             Tensor("65x65", kIdentity, "1x1", "65x65xbf16", "system_memory",
                    ""),
             "", ""},
        Case{"DramRowMajor",
             Tensor("65x65", kIdentity, "1x1", "65x65xbf16", "dram",
                    ", <interleaved>"),
             "", ""},
        Case{"Trace",
             Tensor("65x65", kIdentity, "1x1", "65x65xbf16", "trace",
                    ", <interleaved>"),
             "", ""},
        Case{"Sharded",
             Tensor("65x65", kIdentity, "8x8", "9x9xbf16", "l1",
                    ", <block_sharded>" + Cores(Range(0, 0, 7, 7))),
             "", ""},
        Case{"ShardedDram",
             Tensor("32x1000", kIdentity, "1x12", "1x3" + kTiles, "dram",
                    ", <width_sharded>" + Cores(Range(0, 0, 11, 0))),
             "", "empty-cells: 1 of 12 cells hold no element"},
        Case{"L1Interleaved",
             Tensor("512x512", kIdentity, "8x8", "1x4" + kTiles, "l1",
                    ", <interleaved>"),
             "", ""},
        Case{"L1InterleavedRowMajor",
             Tensor("32x2049", kIdentity, "8x8", "32x33xbf16", "l1_small",
                    ", <interleaved>"),
             "",
             "memref-shape: the memref is 32x33, but the rules give 1x1025; "
             "interleaved tensors are allocated by their shape"},
        Case{"L1InterleavedOnOneCore",
             Tensor("64x128", kIdentity, "1x1", "64x128xbf16", "l1",
                    ", <interleaved>"),
             "",
             "memref-shape: the memref is 64x128, but the rules give 1x8192; "
             "interleaved tensors are allocated by their shape"},
        Case{"L1InterleavedOnOneCoreOfAnotherSize",
             Tensor("64x128", kIdentity, "1x1", "64x64xbf16", "l1",
                    ", <interleaved>"),
             "",
             "memref-shape: the memref is 64x64, but the rules give 1x8192; "
             "interleaved tensors are allocated by their shape"},
        Case{"L1InterleavedOnOneCoreOfAnOverflowingSize",
             Tensor("64x128", kIdentity, "1x1", "4294967296x4294967296xbf16",
                    "l1", ", <interleaved>"),
             "",
             "memref-shape: the memref is 4294967296x4294967296, but the rules "
             "give 1x8192; interleaved tensors are allocated by their shape"},
        Case{
            "L1InterleavedPositions",
            Tensor("3x9", "(d0, d1) -> (0, d0 * 8 + d1)", "1x1", "1x25xbf16",
                   "l1", ", <interleaved>"),
            "position-twice: the indices [0,8] and [1,0] share the position "
            "(0,8)",
            "memory-layout: ttnn lays out the tensor by its shape, (d0, d1) -> "
            "(d0, d1): pages, banks and cores are not those of the map"},
        Case{"L1InterleavedShardSize",
             Tensor("1024x1024", kIdentity, "1x1", "1x1024" + kTiles, "l1",
                    ", <interleaved>"),
             "",
             "shard-size: a shard takes 2097152 B, but the L1 of a core has "
             "1499136"},
        Case{"TensorSize",
             Tensor("0x64", kIdentity, "1x1", "1x64xbf16", "system_memory", ""),
             "",
             "memref-shape: the memref is 1x64, but the rules give 0x64; "
             "nothing is allocated"},
        Case{"MapDims",
             Tensor("6x32x32", kIdentity, "1x1", "6x1" + kTiles, "dram",
                    ", <interleaved>"),
             "map-dims: the map takes 2 dims, but the tensor has rank 3", ""},
        Case{"GridRank",
             Tensor("32x32", "(d0, d1) -> (0, d0, d1)", "1x1x1",
                    "1x1x1" + kTiles, "l1",
                    ", <block_sharded>" + Cores(Range(0, 0, 0, 0))),
             "grid-size: the grid has rank 3, but cores are in rows and "
             "columns",
             ""},
        Case{"MemRefRank",
             Tensor("32x32", kIdentity, "1x1", "1x1x1" + kTiles, "dram",
                    ", <interleaved>"),
             "memref-rank: the memref has rank 3, but the grid has rank 2", ""},
        Case{"MemRefShape",
             Tensor("65x65", kIdentity, "1x1", "2x3" + kTiles, "dram",
                    ", <interleaved>"),
             "",
             "memref-shape: the memref is 2x3, but the rules give 3x3; "
             "interleaved tensors are allocated by their shape"},
        Case{"MemRefShapeOfTheDerivedMap",
             Tensor("6x15x10", "(d0, d1, d2) -> (d0 * 15 + d1, d2)", "1x1",
                    "6x1" + kTiles, "dram", ", <interleaved>"),
             "",
             "memref-shape: the memref is 6x1, but the rules give 3x1; "
             "interleaved tensors are allocated by their shape; it would fit "
             "the map that tt-mlir derives, (d0, d1, d2) -> (d0 * 32 + d1, "
             "d2); memory-layout: ttnn lays out the tensor by its shape, (d0, "
             "d1, d2) -> (d0 * 32 + d1, d2): pages, banks and cores are not "
             "those of the map"},
        Case{"GridOfDram",
             Tensor("32x32", kIdentity, "8x8", "1x1" + kTiles, "dram",
                    ", <interleaved>"),
             "interleaved-grid: expected (1, 1) grid shape for dram buffer "
             "type with interleaved memory layout, got (8, 8)",
             ""},
        Case{"GridOfSystemMemory",
             Tensor("32x32", kIdentity, "3x4", "1x1" + kTiles, "system_memory",
                    ""),
             "interleaved-grid: expected (1, 1) grid shape for system_memory "
             "buffer type, got (3, 4)",
             ""},
        Case{"LayoutOfSystemMemory",
             Tensor("32x32", kIdentity, "1x1", "1x1" + kTiles, "system_memory",
                    ", <interleaved>"),
             "memory-layout: Memory layout is not allowed for SystemMemory "
             "buffer type.",
             ""},
        Case{"NoLayout",
             Tensor("32x32", kIdentity, "1x1", "1x1" + kTiles, "l1", ""),
             "memory-layout: Memory layout is required for non-SystemMemory "
             "buffer type.",
             ""},
        Case{"BlockShardedDram",
             Tensor("32x32", kIdentity, "1x1", "1x1" + kTiles, "dram",
                    ", <block_sharded>" + Cores(Range(0, 0, 0, 0))),
             "memory-layout: BlockSharded layout is not supported for DRAM "
             "buffer type; use WidthSharded, HeightSharded or Interleaved",
             ""},
        Case{"OldLayout",
             Tensor("32x32", kIdentity, "1x1", "1x1" + kTiles, "dram",
                    ", <single_bank>"),
             "memory-layout: expected an interleaved, height, width or block "
             "sharded memory layout for TTNN",
             ""},
        Case{"HeightShardedOnAGrid",
             Tensor("2048x32", kIdentity, "8x8", "1x1" + kTiles, "l1",
                    ", <height_sharded>" + Cores(Range(0, 0, 7, 7))),
             "",
             "memory-layout: height sharded over a grid of 8x8: the cells are "
             "64x1"},
        Case{"HeightShardedOnRowsAndColumns",
             Tensor("384x32", kIdentity, "6x2", "1x1" + kTiles, "l1",
                    ", <height_sharded>" + Cores(Range(0, 0, 1, 5))),
             "",
             "memory-layout: height sharded over a grid of 6x2: the cells are "
             "12x1"},
        // In a test of tt-mlir, which does not look at the memref.
        Case{"HeightShardedWithTheMemRefOfAColumn",
             Tensor("384x64", kIdentity, "6x2", "2x1" + kTiles, "l1",
                    ", <height_sharded>" + Cores(Range(0, 0, 1, 5))),
             "memref-shape: the memref is 2x1, but the rules give 1x2",
             "memory-layout: height sharded over a grid of 6x2: the cells are "
             "12x1"},
        Case{"HeightShardedOnTooLargeAGrid",
             Tensor("64x64", kIdentity, "4294967296x4294967296", "1x1" + kTiles,
                    "l1", ", <height_sharded>" + Cores(Range(0, 0, 7, 7))),
             "size-overflow: the number of cores of the grid, 4294967296 * "
             "4294967296, exceeds 2^63-1",
             ""},
        Case{"WidthShardedOnAGrid",
             Tensor("32x2048", kIdentity, "8x8", "1x1" + kTiles, "l1",
                    ", <width_sharded>" + Cores(Range(0, 0, 7, 7))),
             "",
             "memory-layout: width sharded over a grid of 8x8: the cells are "
             "1x64"},
        Case{"WidthShardedOnRowsAndColumns",
             Tensor("64x384", kIdentity, "6x2", "2x1" + kTiles, "l1",
                    ", <width_sharded>" + Cores(Range(0, 0, 1, 5))),
             "",
             "memory-layout: width sharded over a grid of 6x2: the cells are "
             "1x12"},
        Case{"NoCoreRanges",
             Tensor("32x32", kIdentity, "1x8", "1x1" + kTiles, "dram",
                    ", <width_sharded>"),
             "",
             "core-ranges: sharded TTNN layout (width_sharded) must carry a "
             "core_range_set, unless the text is older than 2026-05-06; "
             "empty-cells: 7 of 8 cells hold no element"},
        Case{"NoCoreRangesBeforeTheyCame",
             Tensor("32x32", kIdentity, "1x1", "1x1" + kTiles, "l1",
                    ", <block_sharded>, exactGrid = true"),
             "", ""},
        Case{"NoCoreRangesBeforeTheyCameByFalse",
             Tensor("32x32", kIdentity, "1x1", "1x1" + kTiles, "l1",
                    ", <block_sharded>, exactGrid = false"),
             "", ""},
        Case{"NoCoreRangesBesideAMapInTheGrid",
             Tensor("2048x32", kIdentity,
                    "64x1, (d0, d1) -> (0, d0 floordiv 8, d0 mod 8)",
                    "1x1" + kTiles, "l1", ", <height_sharded>"),
             "", ""},
        Case{"NoCoreRangesBesideNamedMapsInTheGrid",
             Tensor("64x64", kIdentity,
                    "2x2, virt_to_physical_map = (d0, d1) -> (0, d0, d1), "
                    "physical_to_virt_map = (d0, d1, d2) -> (d1, d2)",
                    "1x1" + kTiles, "l1", ", <block_sharded>"),
             "", ""},
        Case{"NoCoreRangesBesideAnAliasOfAGridWithAMap",
             "#grid = #ttcore.grid<2x2, (d0, d1) -> (0, d0, d1)> "
             "tensor<64x64xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), "
             "#grid, memref<1x1x!ttcore.tile<32x32, bf16>, "
             "#ttnn.buffer_type<l1>>, <block_sharded>>>",
             "", ""},
        Case{"CoreRangesOfInterleaved",
             Tensor("32x32", kIdentity, "1x1", "1x1" + kTiles, "dram",
                    ", <interleaved>" + Cores(Range(0, 0, 0, 0))),
             "core-ranges: non-sharded TTNN layout must not carry a "
             "core_range_set (got interleaved)",
             ""},
        Case{"CoreRangesOfSystemMemory",
             Tensor("32x32", kIdentity, "1x1", "1x1" + kTiles, "system_memory",
                    Cores(Range(0, 0, 0, 0))),
             "core-ranges: non-sharded TTNN layout must not carry a "
             "core_range_set (got no memory layout)",
             ""},
        Case{"CoreRangesOverlap",
             Tensor("64x64", kIdentity, "2x2", "1x1" + kTiles, "l1",
                    ", <block_sharded>" +
                        Cores(Range(0, 0, 1, 1) + ", " + Range(1, 1, 1, 2))),
             "core-ranges: Core ranges overlap: #ttnn.core_range<(0,0), (1,1)> "
             "and #ttnn.core_range<(1,1), (1,2)>",
             ""},
        Case{"CoreRangesEndBeforeStart",
             Tensor("64x64", kIdentity, "2x2", "1x1" + kTiles, "l1",
                    ", <block_sharded>" + Cores(Range(3, 0, 1, 1))),
             "core-ranges: Start coordinates (3,0) must be less than or equal "
             "to end coordinates (1,1)",
             ""},
        Case{"CoreRangesTooFewForHeight",
             Tensor("2048x64", kIdentity, "64x1", "1x2" + kTiles, "l1",
                    ", <height_sharded>" + Cores(Range(0, 0, 3, 3))),
             "core-ranges: 64 shards do not fit on the 16 cores of the core "
             "ranges, #ttnn.core_range<(0,0), (3,3)>",
             ""},
        Case{"CoreRangesTooFewForWidth",
             Tensor("32x128", kIdentity, "1x4", "1x1" + kTiles, "l1",
                    ", <width_sharded>" +
                        Cores(Range(0, 0, 1, 0) + ", " + Range(5, 5, 5, 5))),
             "core-ranges: 4 shards do not fit on the 3 cores of the core "
             "ranges",
             ""},
        Case{"CoreRangesTooFewBanks",
             Tensor("32x128", kIdentity, "1x4", "1x1" + kTiles, "dram",
                    ", <width_sharded>" + Cores(Range(0, 0, 0, 0))),
             "core-ranges: 4 shards do not fit on the 1 core of the core "
             "ranges, #ttnn.core_range<(0,0), (0,0)>",
             ""},
        Case{"CoreRangesTooFewRowsForBlocks",
             Tensor("128x64", kIdentity, "4x2", "1x1" + kTiles, "l1",
                    ", <block_sharded>" + Cores(Range(1, 1, 4, 2))),
             "core-ranges: block sharding makes 4x2 shards, which do not fit "
             "on the 2x4 cores of the core ranges, #ttnn.core_range<(1,1), "
             "(4,2)>",
             ""},
        Case{"CoreRangesTooFewColumnsForBlocks",
             Tensor("64x96", kIdentity, "2x3", "1x1" + kTiles, "l1",
                    ", <block_sharded>" + Cores(Range(0, 0, 1, 7))),
             "core-ranges: block sharding makes 2x3 shards, which do not fit "
             "on the 8x2 cores of the core ranges, #ttnn.core_range<(0,0), "
             "(1,7)>",
             ""},
        Case{"CoreRangesWithAHole",
             Tensor("64x96", kIdentity, "2x3", "1x1" + kTiles, "l1",
                    ", <block_sharded>" +
                        Cores(Range(0, 0, 2, 0) + ", " + Range(0, 1, 1, 1))),
             "core-ranges: 6 shards do not fit on the 5 cores of the core "
             "ranges",
             ""},
        Case{"CoreRangesOfSeveralParts",
             Tensor("64x96", kIdentity, "2x3", "1x1" + kTiles, "l1",
                    ", <block_sharded>" +
                        Cores(Range(0, 0, 2, 0) + ", " + Range(0, 1, 2, 1))),
             "core-ranges: shards by row and column take one core range and "
             "two sizes, not 2 and 2",
             ""},
        // ttnn counts the shards that there are, not the cells.
        Case{"CoreRangesForTheShardsAlone",
             Tensor("96x32", kIdentity, "8x1", "1x1" + kTiles, "l1",
                    ", <height_sharded>" + Cores(Range(0, 0, 2, 0))),
             "", "empty-cells: 5 of 8 cells hold no element"},
        Case{"CoreRangesOfHugeSizes",
             Tensor("64x64", kIdentity, "2x2", "1x1" + kTiles, "l1",
                    ", <block_sharded>" +
                        Cores(Range(0, 0, INT64_MAX, INT64_MAX))),
             "", ""},
        Case{"NoElements",
             Tensor("0x64", kIdentity, "1x1", "0x2" + kTiles, "dram",
                    ", <interleaved>"),
             "", ""},
        Case{"NoElementsButAMemRef",
             Tensor("0x64", kIdentity, "1x1", "1x1" + kTiles, "dram",
                    ", <interleaved>"),
             "",
             "memref-shape: the memref is 1x1, but the rules give 0x2; nothing "
             "is allocated"},
        Case{"NoElementsOnCores",
             Tensor("0x64", kIdentity, "4x2", "0x1" + kTiles, "l1",
                    ", <block_sharded>" + Cores(Range(0, 0, 1, 3))),
             "", ""},
        Case{"NoElementsInL1",
             Tensor("5x0", kIdentity, "1x1", "1x0xbf16", "l1",
                    ", <interleaved>"),
             "", ""},
        Case{"BlockFloatOfSmallTiles",
             Tensor("32x32", kIdentity, "1x1",
                    "1x2x!ttcore.tile<32x16, bfp_bf8>", "system_memory", ""),
             "",
             "block-float: tt-mlir's block floats are in tiles of 32x32, but "
             "this is !tt.tile<32x16, bfp_bf8>: sizes and locations are those "
             "of Tenstorrent's runtime"},
        Case{"GridOverflow",
             Tensor("64x64", kIdentity, "4294967296x4294967296", "1x1" + kTiles,
                    "l1", ", <interleaved>"),
             "size-overflow: the number of cores of the grid, 4294967296 * "
             "4294967296, exceeds 2^63-1",
             ""},
        Case{"IgnorePhysicalLayout",
             Tensor("64x64", kIdentity, "2x2", "7x7" + kTiles, "l1",
                    ", <block_sharded>, ignorePhysicalLayout = true"),
             "",
             "undecided: with ignorePhysicalLayout the shards are not known "
             "yet: neither memref nor locations follow"}),
    [](const ::testing::TestParamInfo<Case>& info) { return info.param.name; });

TEST(TtnnVerification, TilesComeBeforeTheGrid) {
  // 3 rows of tiles on 2 cells: the first has 64 rows, not 33.
  const Verification verification =
      VerifyText(Tensor("65x32", kIdentity, "2x1", "2x1" + kTiles, "l1",
                        ", <height_sharded>" + Cores(Range(0, 0, 1, 0))));
  EXPECT_EQ(ToText(verification.errors), "");
  EXPECT_EQ(verification.memref->ToString(),
            "memref<2x1x!tt.tile<32x32, bf16>, #tt.memory_space<l1>>");
  const Placement& placement = *verification.placement;
  EXPECT_EQ(placement.Locate({63, 0})->cell(), (Dimensions{0, 0}));
  EXPECT_EQ(placement.Locate({63, 0})->tile(), (Dimensions{1, 0}));
  EXPECT_EQ(placement.Locate({64, 0})->cell(), (Dimensions{1, 0}));
  EXPECT_EQ(placement.counts().tile, 31 * 32);
  EXPECT_EQ(placement.counts().grid, 32 * 32);
  EXPECT_EQ(placement.At({1, 0}, {1, 0})->kind, PositionKind::kPadding);
  EXPECT_EQ(placement.At({1, 0}, {32, 0})->kind, PositionKind::kGridPadding);
}

TEST(TtnnVerification, TheCellsOfAHeightOrWidthShardedGridAreInALine) {
  const Verification height =
      VerifyText(Tensor("384x32", kIdentity, "6x2", "1x1" + kTiles, "l1",
                        ", <height_sharded>" + Cores(Range(0, 0, 1, 5))));
  ASSERT_TRUE(height.placement.has_value());
  EXPECT_EQ(height.placement->geometry().grid, (Dimensions{12, 1}));
  EXPECT_EQ(height.placement->Locate({383, 5})->cell(), (Dimensions{11, 0}));
  EXPECT_EQ(height.placement->Locate({383, 5})->offset(), (Dimensions{31, 5}));
  EXPECT_EQ(height.placement->At({7, 0}, {1, 2})->index, (Dimensions{225, 2}));
  const Verification width =
      VerifyText(Tensor("64x384", kIdentity, "6x2", "2x1" + kTiles, "l1",
                        ", <width_sharded>" + Cores(Range(0, 0, 1, 5))));
  ASSERT_TRUE(width.placement.has_value());
  EXPECT_EQ(width.placement->geometry().grid, (Dimensions{1, 12}));
  EXPECT_EQ(width.placement->Locate({63, 40})->cell(), (Dimensions{0, 1}));
  EXPECT_EQ(width.placement->Locate({63, 40})->offset(), (Dimensions{63, 8}));
}

TEST(TtnnVerification, BufferTypesArePartOfMemorySpaces) {
  EXPECT_EQ(MemorySpaceHolding(BufferType::kL1Small), MemorySpace::kDeviceL1);
  EXPECT_EQ(MemorySpaceHolding(BufferType::kTrace), MemorySpace::kDeviceDRAM);
  EXPECT_EQ(MemorySpaceHolding(BufferType::kSystemMemory),
            MemorySpace::kSystem);
}

TEST(TtnnVerification, OverlapsAgainstEveryPair) {
  RandomBits random(TestSeed());
  std::map<bool, int64_t> found;
  for (int n = 0; n < 2000; ++n) {
    TtnnTensor tensor = *ParseTtnnTensor(Tensor(
        "64x64", kIdentity, "1x1", "2x2" + kTiles, "l1", ", <height_sharded>"));
    CoreRanges ranges;
    const int64_t count = Uniform(0, 5, &random);
    for (int64_t i = 0; i < count; ++i) {
      const CoreCoordinate start = {Uniform(0, 9, &random),
                                    Uniform(0, 9, &random)};
      ranges.push_back({start,
                        {start.x + Uniform(0, 3, &random),
                         start.y + Uniform(0, 3, &random)}});
    }
    bool overlap = false;
    for (int64_t i = 0; i < count; ++i) {
      for (int64_t j = 0; j < i; ++j) {
        const CoreRange &a = ranges[i], &b = ranges[j];
        overlap = overlap || (a.start.x <= b.end.x && b.start.x <= a.end.x &&
                              a.start.y <= b.end.y && b.start.y <= a.end.y);
      }
    }
    tensor.layout.core_ranges = ranges;
    EXPECT_EQ(Verify(tensor).ok(), !overlap) << tensor.ToString();
    ++found[overlap];
  }
  EXPECT_GT(found[true], 100);
  EXPECT_GT(found[false], 100);
}

TEST(TtnnVerification, WhatTtMlirDerivesIsValid) {
  RandomBits random(TestSeed());
  constexpr TensorMemoryLayout kLayouts[] = {
      TensorMemoryLayout::kInterleaved, TensorMemoryLayout::kHeightSharded,
      TensorMemoryLayout::kWidthSharded, TensorMemoryLayout::kBlockSharded};
  constexpr BufferType kBuffers[] = {BufferType::kDram, BufferType::kL1,
                                     BufferType::kSystemMemory};
  int64_t derived = 0;
  for (int n = 0; n < 2000; ++n) {
    TtnnRequest request;
    const int64_t rank = Uniform(0, 4, &random);
    for (int64_t i = 0; i < rank; ++i) {
      request.shape.push_back(Uniform(1, 70, &random));
    }
    if (Uniform(0, 1, &random) == 0) request.tile = TileShape{32, 32};
    const BufferType buffer = kBuffers[Uniform(0, 2, &random)];
    request.buffer_type = buffer;
    request.memory_layout = kLayouts[Uniform(0, 3, &random)];
    if (buffer == BufferType::kSystemMemory) {
      request.memory_layout = std::nullopt;
    }
    request.grid = {Uniform(1, 8, &random), Uniform(1, 8, &random)};
    if (Uniform(0, 1, &random) == 0) {
      request.grid[Uniform(0, 1, &random)] = 1;
    }
    const absl::StatusOr<TtnnDerivation> derivation = DeriveTtnnLayout(request);
    if (!derivation.ok()) continue;
    ++derived;
    TtnnTensor tensor;
    tensor.shape = request.shape;
    tensor.element = {DataType::kBF16};
    tensor.layout.linear = derivation->linear;
    tensor.layout.grid = derivation->grid;
    tensor.layout.memref = {
        derivation->memref_shape, {DataType::kBF16, request.tile}, buffer};
    tensor.layout.memory_layout = request.memory_layout;
    if (!derivation->core_ranges.empty()) {
      tensor.layout.core_ranges = derivation->core_ranges;
    }
    const Verification verification = Verify(tensor);
    EXPECT_EQ(ToText(verification.errors), "") << tensor.ToString();
    EXPECT_TRUE(verification.placement.has_value()) << tensor.ToString();
  }
  EXPECT_GT(derived, 400);
}

}  // namespace
}  // namespace tessera::tenstorrent
