#include "tessera/tenstorrent/form_conversion.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/tenstorrent/derive/aligned_derivation.h"
#include "tessera/tenstorrent/derive/derivation.h"
#include "tessera/tenstorrent/derive/ttnn_derivation.h"
#include "tessera/tenstorrent/internal/aligned_verification.h"
#include "tessera/tenstorrent/internal/ttnn_verification.h"
#include "tessera/tenstorrent/rule.h"
#include "tessera/tenstorrent/tensor.h"
#include "tessera/tests/literal/random_layouts.h"
#include "tessera/tests/status_matchers.h"
#include "tessera/tests/tenstorrent/random_parts.h"

namespace tessera::tenstorrent {
namespace {

template <typename Tensor>
std::string TextOf(const absl::StatusOr<Tensor>& tensor) {
  if (tensor.ok()) return tensor->ToString();
  const std::optional<Rule> rule = RuleOf(tensor.status());
  // Only what Verify refuses has a rule.
  EXPECT_EQ(rule.has_value(), !absl::IsFailedPrecondition(tensor.status()));
  return absl::StrCat(AbslView(rule.has_value() ? NameOf(*rule) : ""), ": ",
                      tensor.status().message());
}

std::string Metal(const std::string& shape, const std::string& map,
                  const std::string& grid, const std::string& memref,
                  const std::string& rest = "",
                  const std::string& oob = "undef",
                  const std::string& space = "l1",
                  const std::string& element = "f32") {
  return absl::StrCat("tensor<", shape, element, ", #tt.metal_layout<", map,
                      ", ", oob, ", <", grid, ">, memref<", memref,
                      ", #tt.memory_space<", space, ">>", rest, ">>");
}

std::string Aligned(const std::string& shape, const std::string& logical,
                    const std::string& alignments, const std::string& intervals,
                    const std::string& rest = ", l1, sharded") {
  return absl::StrCat(
      "tensor<", shape, "f32, #ttcore.metal_layout<logical_shape = ", logical,
      ", dim_alignments = ", alignments, ", collapsed_intervals = dense<",
      intervals, "xi64>", rest, ">>");
}

std::string Ttnn(const std::string& shape, const std::string& map,
                 const std::string& grid, const std::string& memref,
                 const std::string& buffer_type, const std::string& rest) {
  return absl::StrCat("tensor<", shape, "f32, #ttnn.ttnn_layout<", map, ", <",
                      grid, ">, memref<", memref, ", #ttnn.buffer_type<",
                      buffer_type, ">>", rest, ">>");
}

std::string MetalToAligned(const std::string& text) {
  const absl::StatusOr<MetalTensor> tensor = ParseMetalTensor(text);
  EXPECT_THAT(tensor, IsOk());
  return TextOf(ToAlignedTensor(*tensor));
}

std::string AlignedToMetal(const std::string& text) {
  const absl::StatusOr<AlignedTensor> tensor = ParseAlignedTensor(text);
  EXPECT_THAT(tensor, IsOk());
  return TextOf(ToMetalTensor(*tensor));
}

std::string TtnnToMetal(const std::string& text) {
  const absl::StatusOr<TtnnTensor> tensor = ParseTtnnTensor(text);
  EXPECT_THAT(tensor, IsOk());
  return TextOf(ToMetalTensor(*tensor));
}

std::string MetalToTtnn(const std::string& text) {
  const absl::StatusOr<MetalTensor> tensor = ParseMetalTensor(text);
  EXPECT_THAT(tensor, IsOk());
  return TextOf(ToTtnnTensor(*tensor));
}

const std::string kTwo = "(d0, d1) -> (d0, d1)";
const std::string kThree = "(d0, d1, d2) -> (d0 * 64 + d1, d2)";
const std::string kTtTile = "x!tt.tile<32x32, f32>";
const std::string kTile = "x!ttcore.tile<32x32, f32>";

TEST(FormConversion, MetalToAligned) {
  // Scalars on an uneven grid: an alignment to multiples of the grid.
  EXPECT_EQ(
      MetalToAligned(Metal("53x63x", kTwo, "3x2", "18x32xf32")),
      Aligned("3x2x18x32x", "53x63", "3x2", "[[0, 1], [1, 2]]> : tensor<2x2"));
  // A stride bumped to whole tiles.
  EXPECT_EQ(
      MetalToAligned(Metal("2x33x128x", kThree, "1x4", "4x1" + kTtTile)),
      "tensor<1x4x4x1" + kTile +
          ", #ttcore.metal_layout<logical_shape = 2x33x128, dim_alignments = "
          "1x32x32, collapsed_intervals = dense<[[0, 2], [2, 3]]> : "
          "tensor<2x2xi64>, l1, sharded>>");
  // Rows that do not exist, in tiles.
  EXPECT_EQ(
      MetalToAligned(Metal("100x", "(d0) -> (0, d0)", "1x2", "1x2" + kTtTile)),
      ": physical dimension 1 is cut into shards of 50, but of 64 where "
      "tiles come before the grid");
  EXPECT_EQ(MetalToAligned(Metal("128x", "(d0) -> (0, d0)", "1x2",
                                 "1x2" + kTtTile, "", "zero", "dram")),
            "tensor<1x2x1x2" + kTile +
                ", #ttcore.metal_layout<logical_shape = 128, dim_alignments = "
                "32, collapsed_intervals = dense<[[0, 1]]> : tensor<1x2xi64>, "
                "zero, dram, sharded>>");
  EXPECT_EQ(MetalToAligned(Metal("", "() -> (0, 0)", "1x1", "1x1" + kTtTile,
                                 ", interleaved")),
            "tensor<1x1x1x1" + kTile +
                ", #ttcore.metal_layout<logical_shape = , dim_alignments = , "
                "collapsed_intervals = dense<> : tensor<0x2xi64>, l1, "
                "interleaved>>");
}

TEST(FormConversion, MetalToAlignedErrors) {
  struct Case {
    std::string text;
    const char* error;
  };
  for (const Case& c : {
           Case{Metal("8x8x", kTwo, "1x1", "8x9xf32"),
                "memref-shape: the memref is 8x9, but the rules give 8x8"},
           Case{Metal("64x64x", kTwo, "1x1", "2x2x!tt.tile<32x32, bf16>"),
                ": the tensor is of f32 and its memory of !tt.tile<32x32, "
                "bf16>, but the form of 2025 has one type"},
           Case{Metal("64x64x", kTwo, "2x1", "32x64xf32", ", height_sharded"),
                ": the memory layout is height_sharded, but the form of 2025 "
                "has sharded and interleaved"},
           Case{Metal("8x9x", "(d0, d1) -> (d1, d0)", "1x1", "9x8xf32"),
                ": result 0, d1, does not join the dimensions from d0 on in "
                "order"},
           Case{Metal("8x9x", "(d0, d1) -> (0, d0, d1)", "1x1x1", "1x8x9xf32"),
                ": result 0, 0, joins no dimension"},
           Case{Metal("8x9x", "(d0, d1) -> (d0 + 1, d1)", "1x1", "9x9xf32"),
                ": result 0, d0 + 1, does not join dimensions"},
           Case{Metal("8x9x", "(d0, d1) -> (d0 floordiv 2, d0 mod 2 + d1 * 2)",
                      "1x1", "4x18xf32"),
                ": result 0, d0 floordiv 2, does not join dimensions"},
           Case{Metal("8x9x", "(d0, d1) -> (d0 * 18 + d1 * 2)", "1", "143xf32"),
                ": result 0, d0 * 18 + d1 * 2, has steps of 2 for its "
                "innermost dimension"},
           Case{Metal("8x1x", "(d0, d1) -> (d0, 0)", "1x1", "8x1xf32"),
                ": result 1, 0, joins no dimension"},
           Case{Metal("8x1x", "(d0, d1) -> (d0)", "1", "8xf32"),
                ": d1 is in no result"},
           Case{Metal("1x8x", "(d0, d1) -> (d0 * 3 + d1)", "1", "8xf32"),
                ": result 0, d0 * 3 + d1, has steps of 3 for d0, less than d1 "
                "takes"},
           Case{Metal("2x8x32x", "(d0, d1, d2) -> (d0 * 32 + d1, d2)", "1x2",
                      "40x16xf32"),
                ": result 0, d0 * 32 + d1, leaves room after its last index "
                "that is not allocated"},
           Case{Metal("128x", "(d0) -> (d0)", "4", "32xf32"),
                ": a tensor of rank 1 has two physical dimensions, but the "
                "grid has rank 1"},
           Case{Metal("128x", "(d0) -> (d0, 0)", "4x1", "32x1xf32"),
                ": result 0 of a tensor of rank 1 is not 0"},
           // One row of scalars, where the form of 2025 has 32.
           Case{Metal("128x", "(d0) -> (0, d0)", "1x4", "1x32xf32"),
                ": physical dimension 0 takes 32 of the memory of a shard, but "
                "1 without an alignment after the last index"},
           Case{Metal("8x96x32x", "(d0, d1, d2) -> (d0 * 96 + d1, d1, d2)",
                      "2x1x2", "384x96x16xf32"),
                ": result 1, d1, does not join the dimensions from d2 on in "
                "order"},
       }) {
    EXPECT_EQ(MetalToAligned(c.text), c.error) << c.text;
  }
}

TEST(FormConversion, AlignedToMetal) {
  EXPECT_EQ(AlignedToMetal(Aligned("2x2x4x8x", "2x3x16", "8x4x1",
                                   "[[0, 2], [2, 3]]> : tensor<2x2",
                                   ", one, dram, interleaved")),
            Metal("2x3x16x", "(d0, d1, d2) -> (d0 * 4 + d1, d2)", "2x2",
                  "4x8xf32", ", interleaved", "one", "dram"));
}

TEST(FormConversion, AlignedToMetalErrors) {
  const std::string two = "[[0, 1], [1, 2]]> : tensor<2x2";
  struct Case {
    std::string text;
    const char* error;
  };
  for (const Case& c : {
           Case{Aligned("2x1x4x8x", "9x8", "1x1", two),
                "uneven-grid: Collapsed dimension must be evenly divisible by "
                "grid dimension, got 9 % 2 != 0 in dimension 0"},
           Case{Aligned("2x1x128x8x", "100x8", "256x1", two),
                ": physical dimension 0 takes 128 of the memory of a shard, "
                "but 50 without an alignment after the last index"},
           Case{Aligned("1x1x8x8x", "8x8", "1x1", two,
                        ", l1, sharded, index_map = (d0, d1, d2, d3) -> (d1, "
                        "d0, d2, d3)"),
                ": the document's form has no index_map, such as (d0, d1, d2, "
                "d3) -> (d1, d0, d2, d3)"},
           Case{absl::StrCat(
                    "tensor<2x1x1x1", kTile,
                    ", #ttcore.metal_layout<logical_shape = 40x8, "
                    "dim_alignments = 32x32, collapsed_intervals = dense<",
                    two, "xi64>, l1, sharded>>"),
                ": physical dimension 0 is cut into shards of 20, but of 32 "
                "where tiles come before the grid"},
       }) {
    EXPECT_EQ(AlignedToMetal(c.text), c.error) << c.text;
  }
}

TEST(FormConversion, TtnnAndMetal) {
  struct Case {
    std::string ttnn;
    std::string metal;
  };
  for (const Case& c : {
           Case{Ttnn("6x15x10x", "(d0, d1, d2) -> (d0 * 32 + d1, d2)", "1x1",
                     "6x1" + kTile, "dram", ", <interleaved>"),
                Metal("6x15x10x", "(d0, d1, d2) -> (d0 * 32 + d1, d2)", "1x1",
                      "6x1" + kTtTile, ", interleaved", "undef", "dram")},
           Case{Ttnn("65x65x", kTwo, "1x1", "65x65xf32", "system_memory", ""),
                Metal("65x65x", kTwo, "1x1", "65x65xf32", "", "undef",
                      "system")},
           Case{Ttnn("65x65x", kTwo, "8x8", "9x9xf32", "l1",
                     ", <block_sharded>, core_ranges = "
                     "<[#ttnn.core_range<(0,0), (7,7)>]>"),
                Metal("65x65x", kTwo, "8x8", "9x9xf32", ", block_sharded")},
           Case{Ttnn("320x32x", kTwo, "10x1", "1x1" + kTile, "l1",
                     ", <height_sharded>, core_ranges = "
                     "<[#ttnn.core_range<(0,0), (7,0)>, "
                     "#ttnn.core_range<(0,1), (1,1)>]>"),
                Metal("320x32x", kTwo, "10x1", "1x1" + kTtTile,
                      ", height_sharded")},
       }) {
    EXPECT_EQ(TtnnToMetal(c.ttnn), c.metal);
    EXPECT_EQ(MetalToTtnn(c.metal), c.ttnn);
  }
  // What the property would say follows from the grid.
  for (const auto& [metal, memory_layout] :
       std::vector<std::pair<std::string, std::string>>{
           {Metal("64x64x", kTwo, "1x1", "64x64xf32", "", "undef", "dram"),
            "<interleaved>"},
           {Metal("64x64x", kTwo, "2x1", "32x64xf32"), "<height_sharded>"},
           {Metal("64x64x", kTwo, "1x2", "64x32xf32"), "<width_sharded>"},
           {Metal("64x64x", kTwo, "2x2", "32x32xf32"), "<block_sharded>"},
           {Metal("64x64x", kTwo, "1x1", "64x64xf32"), "<block_sharded>"}}) {
    EXPECT_NE(MetalToTtnn(metal).find(memory_layout), std::string::npos)
        << MetalToTtnn(metal);
  }
}

TEST(FormConversion, TtnnToMetalErrors) {
  const std::string cores =
      ", core_ranges = <[#ttnn.core_range<(0,0), (0,0)>]>";
  struct Case {
    std::string text;
    const char* error;
  };
  for (const Case& c : {
           Case{Ttnn("65x32x", kTwo, "2x1", "2x1" + kTile, "l1",
                     ", <height_sharded>, core_ranges = "
                     "<[#ttnn.core_range<(0,0), (1,0)>]>"),
                ": physical dimension 0 is cut into shards of 33, but of 64 "
                "where tiles come before the grid"},
           Case{Ttnn("64x64x", kTwo, "2x1", "1x2" + kTile, "l1",
                     ", <height_sharded>"),
                ": the document's form names no cores; converting back would "
                "name some"},
           Case{Ttnn("128x32x", kTwo, "2x2", "1x1" + kTile, "l1",
                     ", <height_sharded>, core_ranges = "
                     "<[#ttnn.core_range<(0,0), (1,1)>]>"),
                ": a height sharded layout has a grid of one column, not 2x2"},
           Case{Ttnn("64x64x", kTwo, "1x1", "1x4" + kTile, "l1",
                     ", <interleaved>"),
                ": interleaved in L1, the memref is not a block of the tensor, "
                "as "
                "it is in the document's form"},
           Case{Ttnn("8x8x", kTwo, "1x1", "8x8xf32", "l1_small",
                     ", <block_sharded>" + cores),
                ": the document's form has no memory space l1_small"},
           Case{Ttnn("8x8x", kTwo, "1x1", "8x8xf32", "l1",
                     ", <block_sharded>, core_ranges = "
                     "<[#ttnn.core_range<(1,0), (1,0)>]>"),
                ": the document's form names no cores; they are not the first "
                "ones"},
           Case{Ttnn("8x8x", kTwo, "1x1", "8x8xf32", "l1",
                     ", <block_sharded>, exactGrid = true" + cores),
                ": the document's form has no exactGrid"},
           Case{Ttnn("8x8x", kTwo, "1x1", "8x8xf32", "l1",
                     ", <block_sharded>, ignorePhysicalLayout = true"),
                ": the document's form has no ignorePhysicalLayout"},
           Case{Ttnn("9x8x", kTwo, "9x1", "1x8xf32", "l1",
                     ", <block_sharded>, core_ranges = "
                     "<[#ttnn.core_range<(0,0), (0,8)>]>"),
                ": a grid of 9x1 does not fit onto 8x8 cores"},
       }) {
    EXPECT_EQ(TtnnToMetal(c.text), c.error) << c.text;
  }
  const absl::StatusOr<TtnnTensor> mesh = ParseTtnnTensor(
      "tensor<8x8xf32, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, mesh = "
      "#ttcore.tensor_mesh<\"m\">, memref<8x8xf32, #ttnn.buffer_type<dram>>, "
      "<interleaved>>>");
  ASSERT_THAT(mesh, IsOk());
  EXPECT_EQ(TextOf(ToMetalTensor(*mesh)),
            ": the document's form has no mesh, such as \"m\"");
}

TEST(FormConversion, MetalToTtnnErrors) {
  struct Case {
    std::string text;
    const char* error;
  };
  for (const Case& c : {
           Case{Metal("8x8x", kTwo, "1x1", "8x9xf32"),
                "memref-shape: the memref is 8x9, but the rules give 8x8"},
           Case{Metal("8x8x", kTwo, "1x1", "8x8xf32", "", "zero"),
                ": padding is filled with zero, which TTNN's form cannot "
                "express"},
           Case{Metal("8x8x", kTwo, "1x1", "8x8xf32", "", "undef", "mmio"),
                ": TTNN has no buffer type for mmio"},
           Case{Metal("2x8x8x", "(d0, d1, d2) -> (d0, d1, d2)", "2x1x1",
                      "1x8x8xf32"),
                ": the grid has rank 3, but TTNN's has rows and columns"},
           Case{Metal("8x8x", kTwo, "1x1", "8x8xf32", ", interleaved"),
                ": interleaved in L1, TTNN's memref is not a block"},
           Case{Metal("8x8x", kTwo, "1x1", "8x8xf32", ", none"),
                ": expected an interleaved, height, width or block sharded "
                "memory layout for TTNN"},
           Case{Metal("8x8x", kTwo, "2x2", "4x4xf32", "", "undef", "dram"),
                ": BlockSharded layout is not supported for DRAM buffer type; "
                "use WidthSharded, HeightSharded or Interleaved"},
           Case{Metal("8x8x", kTwo, "2x2", "4x4xf32", "", "undef", "system"),
                ": expected (1, 1) grid shape for system_memory buffer type, "
                "got (2, 2)"},
           Case{Metal("9x8x", kTwo, "9x2", "1x4xf32"),
                ": a grid of 9x2 does not fit onto 8x8 cores"},
           Case{Metal("53x63x", kTwo, "3x2", "1x1" + kTtTile),
                ": physical dimension 0 is cut into shards of 18, but of 32 "
                "where tiles come before the grid"},
       }) {
    EXPECT_EQ(MetalToTtnn(c.text), c.error) << c.text;
  }
}

// -- Laws over random tensors ------------------------------------------------

bool Advance(const Dimensions& bounds, Dimensions* index) {
  for (size_t i = bounds.size(); i-- > 0;) {
    if (++(*index)[i] < bounds[i]) return true;
    (*index)[i] = 0;
  }
  return false;
}

// Every index has the same place by both.
template <typename A, typename B>
void ExpectSamePlaces(const A& a, const B& b, const Dimensions& shape) {
  SCOPED_TRACE(a.ToString());
  SCOPED_TRACE(b.ToString());
  const Verification from = Verify(a), to = Verify(b);
  ASSERT_TRUE(from.ok()) << from.errors[0].message;
  ASSERT_TRUE(to.ok()) << to.errors[0].message;
  ASSERT_TRUE(from.placement.has_value());
  ASSERT_TRUE(to.placement.has_value());
  ASSERT_EQ(from.memref, to.memref);
  ASSERT_EQ(from.placement->counts().all(), to.placement->counts().all());
  ASSERT_EQ(from.placement->counts().elements, to.placement->counts().elements);
  ASSERT_EQ(from.placement->counts().gap, to.placement->counts().gap);
  Dimensions index(shape.size(), 0);
  do {
    const Location x = *from.placement->Locate(index);
    const Location y = *to.placement->Locate(index);
    ASSERT_EQ(x.physical(), y.physical());
    ASSERT_EQ(x.cell(), y.cell());
    ASSERT_EQ(x.offset(), y.offset());
    ASSERT_EQ(x.tile(), y.tile());
    ASSERT_EQ(x.in_tile(), y.in_tile());
    ASSERT_EQ(x.linear_in_shard(), y.linear_in_shard());
    ASSERT_EQ(x.byte(), y.byte());
    ASSERT_EQ(from.placement->At(x.cell(), x.offset())->index, index);
    ASSERT_EQ(to.placement->At(x.cell(), x.offset())->index, index);
  } while (Advance(shape, &index));
}

ElementType RandomTile(RandomBits* random) {
  if (Uniform(0, 1, random) == 0) return {DataType::kF32};
  return {DataType::kF32,
          TileShape{Uniform(1, 4, random), Uniform(1, 4, random)}};
}

TEST(FormConversion, MetalTensorsSurviveTheFormOf2025) {
  RandomBits random(TestSeed());
  int64_t converted = 0, refused = 0, tilized = 0, spread = 0, bumped = 0;
  for (int n = 0; n < 3000; ++n) {
    const int64_t rank = Uniform(0, 4, &random);
    Dimensions shape;
    DerivationOptions options;
    options.collapse_intervals.clear();
    int64_t results = std::max<int64_t>(rank, 2);
    for (int64_t i = 0; i < rank; ++i) shape.push_back(Uniform(1, 8, &random));
    if (rank >= 2) {
      const int64_t begin = Uniform(0, rank - 1, &random);
      const int64_t end = Uniform(begin + 1, rank, &random);
      options.collapse_intervals.push_back({begin, end});
      results = rank - (end - begin) + 1;
    }
    if (Uniform(0, 1, &random) == 0) {
      for (int64_t i = 0; i < rank; ++i) {
        options.alignments.push_back(Uniform(1, 6, &random));
      }
      ++bumped;
    }
    Dimensions grid;
    for (int64_t i = 0; i < results; ++i) {
      grid.push_back(Uniform(1, 3, &random));
    }
    ElementType element = RandomTile(&random);
    if (results < 2) element.tile = std::nullopt;
    if (rank < 2 && Uniform(0, 1, &random) == 0) {
      element.tile = TileShape{32, 32};
    }
    options.oob_value =
        Uniform(0, 1, &random) == 0 ? OobValue::kUndef : OobValue::kNegInf;
    const absl::StatusOr<MetalTensor> metal =
        DeriveMetalTensor(shape, element, grid, options);
    ASSERT_THAT(metal, IsOk());
    const absl::StatusOr<AlignedTensor> aligned = ToAlignedTensor(*metal);
    if (!aligned.ok()) {
      ASSERT_TRUE(absl::IsFailedPrecondition(aligned.status()))
          << aligned.status();
      ++refused;
      continue;
    }
    ++converted;
    tilized += element.is_tile();
    spread += metal->layout.grid != Dimensions(results, 1);
    ExpectSamePlaces(*metal, *aligned, shape);
    const absl::StatusOr<MetalTensor> back = ToMetalTensor(*aligned);
    ASSERT_THAT(back, IsOkAndHolds(*metal)) << metal->ToString();
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(converted, 500);
  EXPECT_GT(refused, 200);
  EXPECT_GT(tilized, 100);
  EXPECT_GT(spread, 100);
  EXPECT_GT(bumped, 100);
}

TEST(FormConversion, TensorsOf2025SurviveTheDocumentsForm) {
  RandomBits random(TestSeed());
  int64_t converted = 0, refused = 0, spread = 0;
  for (int n = 0; n < 6000; ++n) {
    const int64_t rank = Uniform(1, 4, &random);
    AlignedLayout layout;
    for (int64_t i = 0; i < rank; ++i) {
      layout.logical_shape.push_back(Uniform(1, 8, &random));
      layout.dim_alignments.push_back(Uniform(1, 4, &random));
    }
    if (rank > 1 && Uniform(0, 3, &random) > 0) {
      layout.collapsed_intervals = DefaultCollapsedIntervals(rank);
    }
    layout.memory_space = MemorySpace::kDeviceL1;
    layout.memory_layout = AlignedMemoryLayout::kSharded;
    const absl::StatusOr<AlignedDerivation> derivation = DeriveAligned(layout);
    ASSERT_THAT(derivation, IsOk());
    Dimensions grid;
    for (size_t i = 0; i < derivation->physical_shape.size(); ++i) {
      grid.push_back(Uniform(1, 4, &random));
    }
    const absl::StatusOr<AlignedTensor> aligned =
        DeriveAlignedTensor(layout, RandomTile(&random), grid);
    if (!aligned.ok()) continue;
    const absl::StatusOr<MetalTensor> metal = ToMetalTensor(*aligned);
    if (!metal.ok()) {
      ASSERT_TRUE(absl::IsFailedPrecondition(metal.status())) << metal.status();
      ++refused;
      continue;
    }
    ++converted;
    spread += grid != Dimensions(grid.size(), 1);
    ExpectSamePlaces(*aligned, *metal, layout.logical_shape);
    const absl::StatusOr<AlignedTensor> back = ToAlignedTensor(*metal);
    ASSERT_THAT(back, IsOk()) << aligned->ToString();
    // Other alignments, of the same meaning.
    ASSERT_EQ(back->shape, aligned->shape);
    const AlignedDerivation again = *DeriveAligned(back->layout);
    ASSERT_EQ(again.linear, derivation->linear);
    ASSERT_EQ(again.physical_shape, derivation->physical_shape);
    ASSERT_EQ(again.intervals, derivation->intervals);
    AlignedTensor same = *back;
    same.layout.dim_alignments = aligned->layout.dim_alignments;
    same.layout.collapsed_intervals = aligned->layout.collapsed_intervals;
    ASSERT_EQ(same, *aligned);
    ASSERT_EQ(*ToMetalTensor(*back), *metal);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(converted, 300);
  EXPECT_GT(refused, 100);
  EXPECT_GT(spread, 100);
}

TEST(FormConversion, TtnnTensorsSurviveTheDocumentsForm) {
  RandomBits random(TestSeed());
  constexpr TensorMemoryLayout kSharded[] = {TensorMemoryLayout::kHeightSharded,
                                             TensorMemoryLayout::kWidthSharded,
                                             TensorMemoryLayout::kBlockSharded};
  int64_t converted = 0, refused = 0, spread = 0, tilized = 0;
  for (int n = 0; n < 3000; ++n) {
    TtnnRequest request;
    const int64_t rank = Uniform(0, 4, &random);
    for (int64_t i = 0; i < rank; ++i) {
      request.shape.push_back(Uniform(1, 8, &random));
    }
    TtnnTensor ttnn;
    ttnn.element = {DataType::kF32};
    ttnn.layout.memref.element = RandomTile(&random);
    request.tile = ttnn.layout.memref.element.tile;
    switch (Uniform(0, 2, &random)) {
      case 0:
        request.buffer_type = BufferType::kSystemMemory;
        ttnn.layout.memref.buffer_type = BufferType::kSystemMemory;
        request.memory_layout = std::nullopt;
        break;
      case 1:
        request.buffer_type = BufferType::kDram;
        ttnn.layout.memref.buffer_type = BufferType::kDram;
        request.memory_layout = TensorMemoryLayout::kInterleaved;
        break;
      default:
        request.buffer_type = BufferType::kL1;
        ttnn.layout.memref.buffer_type = BufferType::kL1;
        request.memory_layout = kSharded[Uniform(0, 2, &random)];
        request.grid = {
            *request.memory_layout == kSharded[1] ? 1 : Uniform(1, 5, &random),
            *request.memory_layout == kSharded[0] ? 1 : Uniform(1, 5, &random)};
    }
    const absl::StatusOr<TtnnDerivation> derivation = DeriveTtnnLayout(request);
    ASSERT_THAT(derivation, IsOk());
    ttnn.shape = request.shape;
    ttnn.layout.linear = derivation->linear;
    ttnn.layout.grid = derivation->grid;
    ttnn.layout.memref.shape = derivation->memref_shape;
    ttnn.layout.memory_layout = request.memory_layout;
    if (!derivation->core_ranges.empty()) {
      ttnn.layout.core_ranges = derivation->core_ranges;
    }
    const absl::StatusOr<MetalTensor> metal = ToMetalTensor(ttnn);
    if (!metal.ok()) {
      ASSERT_TRUE(absl::IsFailedPrecondition(metal.status())) << metal.status();
      ++refused;
      continue;
    }
    ++converted;
    spread += ttnn.layout.grid != Dimensions{1, 1};
    tilized += request.tile.has_value();
    ExpectSamePlaces(ttnn, *metal, ttnn.shape);
    const absl::StatusOr<TtnnTensor> back = ToTtnnTensor(*metal);
    ASSERT_THAT(back, IsOkAndHolds(ttnn)) << ttnn.ToString();
    // Without the property, unless that is something else than the grid says.
    MetalTensor without = *metal;
    without.layout.memory_layout = std::nullopt;
    const absl::StatusOr<TtnnTensor> guessed = ToTtnnTensor(without);
    ASSERT_THAT(guessed, IsOk());
    MetalTensor with = *ToMetalTensor(*guessed);
    with.layout.memory_layout = metal->layout.memory_layout;
    ASSERT_EQ(with, *metal);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(converted, 500);
  EXPECT_GT(refused, 100);
  EXPECT_GT(spread, 100);
  EXPECT_GT(tilized, 100);
}

// -- What makes no sense
// -------------------------------------------------------

Dimensions Sizes(RandomBits* random) {
  Dimensions sizes = RandomSizes(random);
  if (Uniform(0, 1, random) == 0) sizes.resize(2, 7);
  if (Uniform(0, 3, random) > 0) {
    for (int64_t& size : sizes) size = std::max<int64_t>(size, 1);
  }
  return sizes;
}

AffineMap MapFor(const Dimensions& shape, int64_t grid_rank,
                 RandomBits* random) {
  if (Uniform(0, 3, random) == 0) return RandomMap(random);
  const int64_t rank = shape.size();
  return AffineMap::MinorIdentity(rank, std::min(rank, grid_rank));
}

TEST(FormConversion, NothingBreaksOnWhatMakesNoSense) {
  RandomBits random(TestSeed());
  VerificationOptions options;
  options.evaluation_limit = 100;
  int64_t converted = 0, valid = 0;
  for (int n = 0; n < 20000; ++n) {
    MetalTensor metal;
    metal.shape = Sizes(&random);
    metal.element = RandomElement(&random);
    metal.layout.grid = Sizes(&random);
    metal.layout.linear =
        MapFor(metal.shape, metal.layout.grid.size(), &random);
    metal.layout.memref.element = RandomElement(&random);
    metal.layout.memref.memory_space = RandomOf(kMemorySpaces, &random);
    metal.layout.memref.shape = Sizes(&random);
    if (const absl::StatusOr<MetalTensor> derived =
            WithLinear(metal, metal.layout.linear);
        derived.ok()) {
      metal = *derived;
    }

    TtnnTensor ttnn;
    ttnn.shape = metal.shape;
    ttnn.element = metal.element;
    ttnn.layout.linear = metal.layout.linear;
    ttnn.layout.grid = metal.layout.grid;
    ttnn.layout.memref = {metal.layout.memref.shape,
                          metal.layout.memref.element,
                          RandomOf(kBufferTypes, &random)};
    if (Uniform(0, 3, &random) > 0) {
      ttnn.layout.memory_layout = RandomOf(kTensorMemoryLayouts, &random);
    }
    if (Uniform(0, 1, &random) == 0) {
      const Dimensions sizes = RandomSizes(&random);
      ttnn.layout.core_ranges.emplace();
      for (const int64_t size : sizes) {
        ttnn.layout.core_ranges->push_back({{size, 0}, {size, size}});
      }
    }

    AlignedTensor aligned;
    aligned.element = metal.layout.memref.element;
    aligned.layout.logical_shape = metal.shape;
    aligned.layout.dim_alignments = Sizes(&random);
    if (Uniform(0, 7, &random) > 0) {
      aligned.layout.dim_alignments.resize(metal.shape.size(), 64);
    }
    for (int64_t i = Uniform(0, 2, &random); i-- > 0;) {
      aligned.layout.collapsed_intervals.push_back(
          {Uniform(-2, 3, &random), Uniform(-2, 4, &random)});
    }
    aligned.shape = metal.layout.grid;
    if (const absl::StatusOr<AlignedTensor> derived = DeriveAlignedTensor(
            aligned.layout, aligned.element, metal.layout.grid);
        derived.ok()) {
      aligned = *derived;
    }

    valid += Verify(metal, options).ok() + Verify(ttnn, options).ok() +
             Verify(aligned, options).ok();
    if (n % 2 != 0) continue;
    converted += ToAlignedTensor(metal).ok() + ToMetalTensor(aligned).ok() +
                 ToTtnnTensor(metal).ok() + ToMetalTensor(ttnn).ok();
  }
  EXPECT_GT(valid, 500);
  EXPECT_GT(converted, 20);
}

}  // namespace
}  // namespace tessera::tenstorrent
