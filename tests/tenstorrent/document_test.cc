// Every example of tt-mlir's tensor-layout document: read, verified, explained.

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/tenstorrent/derive/collapse.h"
#include "tessera/tenstorrent/derive/derivation.h"
#include "tessera/tenstorrent/derive/device.h"
#include "tessera/tenstorrent/derive/strides.h"
#include "tessera/tenstorrent/derive/ttnn_shape.h"
#include "tessera/tenstorrent/tensor.h"
#include "tessera/tenstorrent/verification.h"
#include "tessera/tests/status_matchers.h"

namespace tessera::tenstorrent {
namespace {

std::string L1(const std::string& shape, const std::string& map,
               const std::string& grid, const std::string& memref) {
  return absl::StrCat("tensor<", shape, "xf32, #tt.metal_layout<", map,
                      ", undef, <", grid, ">, memref<", memref,
                      ", #tt.memory_space<l1>>>>");
}

struct Example {
  int line;  // of the document
  std::string text;
  std::string extent;
  std::string shard;
  int64_t bytes_per_shard;
  std::string warnings;
};

std::vector<Example> Examples() {
  const std::string four = "(d0, d1, d2, d3) -> (d0 * 192 + d1 * 64 + d2, d3)";
  const std::string three = "(d0, d1, d2) -> (d0 * 64 + d1, d2)";
  const std::string two = "(d0, d1) -> (d0, d1)";
  const std::string seven =
      "(d0, d1, d2, d3, d4, d5, d6) -> (d0 * 2688 + d1 * 896 + d2 * 448 + d3 * "
      "224 + d4 * 32 + d5, d4, d5, d6)";
  return {
      {35, L1("2x3x64x128", four, "1x1", "384x128xf32"), "384x128", "384x128",
       196608, ""},
      {139, L1("2x3x64x128", four, "2x4", "192x32xf32"), "384x128", "192x32",
       24576, ""},
      {175, L1("8x300", two, "1x2", "8x150xf32"), "8x300", "8x150", 4800, ""},
      {183,
       L1("8x96x32", "(d0, d1, d2) -> (d0 * 96 + d1, d2)", "2x1", "384x32xf32"),
       "768x32", "384x32", 49152, ""},
      {191,
       L1("8x96x32", "(d0, d1, d2) -> (d0 * 96 + d1, d1, d2)", "2x1x2",
          "384x96x16xf32"),
       "768x96x32", "384x96x16", 2359296,
       "repeated-dims: d1 is in results 0 and 1; 96x over-allocation\n"
       "shard-size: a shard takes 2359296 B, but the L1 of a core has 1499136\n"
       "gaps: 2334720 of 2359296 positions below the extent have no index\n"},
      {199, L1("5x3x2x2x7x32x32", seven, "3x2x2x2", "4480x4x16x16xf32"),
       "13440x7x32x32", "4480x4x16x16", 18350080,
       "repeated-dims: d4 is in results 0 and 1, d5 is in results 0 and 2; "
       "256x "
       "over-allocation\n"
       "shard-size: a shard takes 18350080 B, but the L1 of a core has "
       "1499136\n"
       "gaps: 95907840 of 96337920 positions below the extent have no index\n"},
      {228, L1("3x64x128", three, "3x2", "64x64xf32"), "192x128", "64x64",
       16384, ""},
      {240, L1("3x64x128", three, "3x2", "2x2x!tt.tile<32 x 32, bfp_bf8>"),
       "192x128", "64x64", 4 * 1088, ""},
      {267, L1("53x63", two, "3x2", "18x32xf32"), "53x63", "18x32", 2304, ""},
      {286, L1("53x63", two, "3x2", "1x1x!tt.tile<32 x 32, bfp_bf8>"), "53x63",
       "18x32", 1088, ""},
      {310,
       L1("2x8x32", "(d0, d1, d2) -> (d0 * 8 + d1, d2)", "1x2", "16x16xf32"),
       "16x32", "16x16", 1024, ""},
      {358,
       L1("2x3x64x128", "(d0, d1, d2, d3) -> (d0, d1 * 64 + d2, d3)", "2x2x4",
          "1x3x1x!tt.tile<32 x 32, bfp_bf8>"),
       "2x192x128", "1x96x32", 3 * 1088, ""},
  };
}

std::string ToText(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& finding : findings) {
    absl::StrAppend(&text, AbslView(NameOf(finding.rule)), ": ",
                    finding.message, "\n");
  }
  return text;
}

MetalTensor Parse(const std::string& text) {
  const absl::StatusOr<MetalTensor> tensor = ParseMetalTensor(text);
  EXPECT_THAT(tensor, IsOk());
  return tensor.ok() ? *tensor : MetalTensor();
}

// The placement of the example in that line of the document.
Placement PlacementOfLine(int line) {
  for (const Example& example : Examples()) {
    if (example.line == line) return *Verify(Parse(example.text)).placement;
  }
  ADD_FAILURE() << "no example in line " << line;
  return *Placement::Create(Geometry());
}

TEST(Document, EveryMemRefIsWhatTheRulesGive) {
  for (const Example& example : Examples()) {
    SCOPED_TRACE(example.line);
    const MetalTensor tensor = Parse(example.text);
    const Verification verification = Verify(tensor);
    EXPECT_EQ(ToText(verification.errors), "");
    EXPECT_EQ(ToText(verification.warnings), example.warnings);
    ASSERT_TRUE(verification.placement.has_value());
    const Geometry& geometry = verification.placement->geometry();
    EXPECT_EQ(absl::StrJoin(geometry.extent, "x"), example.extent);
    EXPECT_EQ(absl::StrJoin(geometry.shard, "x"), example.shard);
    EXPECT_EQ(geometry.bytes_per_shard, example.bytes_per_shard);
    EXPECT_EQ(*verification.memref, tensor.layout.memref);
    // Derived from nothing but the map and the grid.
    MetalTensor without = tensor;
    without.layout.memref.shape.clear();
    EXPECT_EQ(*WithLinear(without, tensor.layout.linear), tensor);
  }
}

TEST(Document, MapsFollowFromTheDefaultIntervals) {
  for (const Example& example : Examples()) {
    SCOPED_TRACE(example.line);
    const MetalTensor tensor = Parse(example.text);
    DerivationOptions options;
    // The sections name the exception; two maps contradict them, and are what
    // the constructor of 2024 made.
    if (example.line == 358) options.collapse_intervals = {{1, -1}};
    if (example.line == 191 || example.line == 199) {
      EXPECT_FALSE(DeriveMetalTensor(tensor.shape, tensor.layout.memref.element,
                                     tensor.layout.grid, options)
                       .ok());
      options.collapse_rule = CollapseRule::kReference2024;
    }
    const absl::StatusOr<MetalTensor> derived =
        DeriveMetalTensor(tensor.shape, tensor.layout.memref.element,
                          tensor.layout.grid, options);
    ASSERT_THAT(derived, IsOk());
    EXPECT_EQ(*derived, tensor);
    EXPECT_EQ(Parse(derived->ToString()), tensor);
  }
}

TEST(Document, TheIndexOfTheWalkthrough) {
  const Placement whole = PlacementOfLine(35);
  const Location location = *whole.Locate({1, 1, 6, 100});
  EXPECT_EQ(location.physical(), (Dimensions{262, 100}));
  const Placement parts = PlacementOfLine(139);
  const Location divided = *parts.Locate({1, 1, 6, 100});
  EXPECT_EQ(divided.physical(), (Dimensions{262, 100}));
  EXPECT_EQ(divided.cell(), (Dimensions{1, 3}));
  EXPECT_EQ(divided.offset(), (Dimensions{70, 4}));
}

TEST(Document, CollapseIntervals) {
  EXPECT_EQ(*CollapseNotation(3, {{0, -1}}), "(d0, d1, d2) -> (d0 <> d1, d2)");
  EXPECT_EQ(*CollapseNotation(4, {{1, -1}}),
            "(d0, d1, d2, d3) -> (d0, d1 <> d2, d3)");
  EXPECT_EQ(*CollapseNotation(4, {{0, 2}}),
            "(d0, d1, d2, d3) -> (d0 <> d1, d2, d3)");
  EXPECT_EQ(*CollapseNotation(7, {{0, 3}, {-3, -1}}),
            "(d0, d1, d2, d3, d4, d5, d6) -> (d0 <> d1 <> d2, d3, d4 <> d5, "
            "d6)");
}

// "we have 1 scalar row of padding on the last row of cores and 1 scalar column
// of padding on the last column of cores"
TEST(Document, PaddingOfTheGridThatDoesNotDivide) {
  const Placement placement = PlacementOfLine(267);
  EXPECT_EQ(*placement.ValidBox({0, 0}), (Dimensions{18, 32}));
  EXPECT_EQ(*placement.ValidBox({2, 0}), (Dimensions{17, 32}));
  EXPECT_EQ(*placement.ValidBox({0, 1}), (Dimensions{18, 31}));
  EXPECT_EQ(*placement.ValidBox({2, 1}), (Dimensions{17, 31}));
  EXPECT_EQ(placement.counts().tile, 0);
  EXPECT_EQ(placement.counts().grid, 54 * 64 - 53 * 63);
  EXPECT_EQ(placement.counts().gap, 0);
}

// "every core now has 14 rows of padding except for the last row of cores which
// has 15 rows of padding"
TEST(Document, PaddingOfTheTiles) {
  const Placement placement = PlacementOfLine(286);
  for (int64_t y = 0; y < 3; ++y) {
    for (int64_t x = 0; x < 2; ++x) {
      int64_t padded_rows = 0;
      for (int64_t row = 0; row < 32; ++row) {
        padded_rows +=
            placement.At({y, x}, {row, 0})->kind != PositionKind::kElement;
      }
      EXPECT_EQ(padded_rows, y < 2 ? 14 : 15);
    }
  }
  EXPECT_EQ(placement.counts().tile, 6 * 14 * 32);
  EXPECT_EQ(placement.counts().grid, 54 * 64 - 53 * 63);
  EXPECT_EQ(placement.At({2, 0}, {17, 5})->kind, PositionKind::kGridPadding);
  EXPECT_EQ(placement.At({2, 0}, {18, 5})->kind, PositionKind::kPadding);
  // Row 18 of the tensor is on the second row of cores, not in the first tile.
  EXPECT_EQ(placement.Locate({18, 0})->cell(), (Dimensions{1, 0}));
  EXPECT_EQ(placement.Locate({18, 0})->in_tile(), (InTile{0, 0}));
}

TEST(Document, TheStrideBump) {
  MetalTensor tensor;
  for (const Example& example : Examples()) {
    if (example.line == 310) tensor = Parse(example.text);
  }
  const ElementType tile{DataType::kF32, TileShape{32, 32}};
  EXPECT_EQ(WithElement(tensor, tile)->layout.memref.shape, (Dimensions{1, 1}));
  const AffineMap bumped =
      *BumpedMap(tensor.layout.linear, tensor.shape, {1, 32, 1});
  EXPECT_EQ(bumped.ToString(), "(d0, d1, d2) -> (d0 * 32 + d1, d2)");
  const MetalTensor apart = *WithLinear(*WithElement(tensor, tile), bumped);
  EXPECT_EQ(apart.layout.memref.shape, (Dimensions{2, 1}));
  const Verification verification = Verify(apart);
  EXPECT_EQ(ToText(verification.errors), "");
  const Placement& placement = *verification.placement;
  EXPECT_EQ(placement.geometry().extent, (Dimensions{40, 32}));
  EXPECT_EQ(placement.geometry().shard, (Dimensions{40, 16}));
  // The second batch begins on a tile.
  EXPECT_EQ(placement.Locate({1, 0, 0})->tile(), (Dimensions{1, 0}));
  EXPECT_EQ(placement.Locate({1, 0, 0})->in_tile(), (InTile{0, 0}));
  for (int64_t row = 0; row < 64; ++row) {
    const PositionKind expected = row % 32 < 8 ? PositionKind::kElement
                                  : row < 40   ? PositionKind::kGap
                                               : PositionKind::kPadding;
    EXPECT_EQ(placement.At({0, 1}, {row, 3})->kind, expected) << row;
  }
  // That holds while the height of the shard is a multiple of 32: on 2x1 it is
  // 20 rows.
  const MetalTensor tall = *WithLinear(*WithGrid(apart, {2, 1}), bumped);
  const Verification of_tall = Verify(tall);
  const Location second = *of_tall.placement->Locate({1, 0, 0});
  EXPECT_EQ(second.cell(), (Dimensions{1, 0}));
  EXPECT_EQ(second.in_tile(), (InTile{12, 0}));
}

TEST(Document, MultipleDevices) {
  const Placement placement = PlacementOfLine(358);
  const Location location = *placement.Locate({1, 2, 33, 100});
  EXPECT_EQ(location.cell(), (Dimensions{1, 1, 3}));
  EXPECT_EQ(location.offset(), (Dimensions{0, 2 * 64 + 33 - 96, 4}));
  EXPECT_EQ(location.tile(), (Dimensions{0, 2, 0}));
  const WorkerGrid workers = *DefaultWorkerGrid({2, 1, 1}, {8, 8});
  EXPECT_EQ(CoreOf(workers, location.cell())->ToString(),
            "device 1, core y 1, x 3");
}

TEST(Document, RepeatedDimsAreOneToOneButMostlyGap) {
  const Placement placement = PlacementOfLine(199);
  const Location location = *placement.Locate({4, 2, 1, 0, 6, 31, 9});
  EXPECT_EQ(location.physical(),
            (Dimensions{4 * 2688 + 2 * 896 + 448 + 6 * 32 + 31, 6, 31, 9}));
  EXPECT_EQ(placement.At(location.cell(), location.offset())->index,
            (Dimensions{4, 2, 1, 0, 6, 31, 9}));
  Dimensions off_diagonal = location.offset();
  off_diagonal[2] -= 1;
  EXPECT_EQ(placement.At(location.cell(), off_diagonal)->kind,
            PositionKind::kGap);
}

TEST(Document, TheFigureOfTtnn) {
  TtnnTerms terms;
  terms.shape = {12, 12, 16};
  terms.shard_shape = {72, 16};
  terms.tile_shape = {32, 32};
  const absl::StatusOr<TtnnShape> shape = DeriveTtnnShape(terms);
  ASSERT_THAT(shape, IsOk());
  EXPECT_EQ(shape->rows, 144);
  EXPECT_EQ(shape->grid_shape, (Dimensions{2, 1}));
  EXPECT_EQ(shape->physical_shard_shape, (Dimensions{96, 32}));
}

}  // namespace
}  // namespace tessera::tenstorrent
