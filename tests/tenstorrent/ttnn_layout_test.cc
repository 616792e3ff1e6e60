#include "tessera/tenstorrent/ttnn_layout.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/tenstorrent/tensor.h"
#include "tessera/tests/literal/random_layouts.h"
#include "tessera/tests/status_matchers.h"
#include "tessera/tests/tenstorrent/malformed_texts.h"
#include "tessera/tests/tenstorrent/random_parts.h"

namespace tessera::tenstorrent {
namespace {

constexpr absl::StatusCode kOutOfRange = absl::StatusCode::kOutOfRange;
constexpr absl::StatusCode kResourceExhausted =
    absl::StatusCode::kResourceExhausted;

const Abbreviations& Parts() {
  static const auto& parts = *new Abbreviations{
      {"{t}",
       "#ttnn.ttnn_layout<(d0) -> (d0), <1x1>, memref<4xf32, "
       "#ttnn.buffer_type<dram>>"},
      {"{h}", "#ttnn.ttnn_layout<(d0) -> (d0), <1x1>, "},
      {"{m}", "memref<4xf32, #ttnn.buffer_type<dram>>"},
      {"{c}", "#ttnn.memory_config<<dram>, "},
      {"{s}", "<interleaved>, #ttnn.shard_spec<<>, "},
      {"{ttnn}", "a layout such as #ttnn.ttnn_layout<...>"},
      {"{metal}",
       "#tt.metal_layout<(d0) -> (d0), undef, <2>, memref<4xf32, "
       "#tt.memory_space<l1>>>"},
      {"{memory layouts}",
       "none, interleaved, single_bank, height_sharded, width_sharded, "
       "block_sharded or nd_sharded"},
  };
  return parts;
}

std::string Expand(const std::string& text) {
  return absl::StrReplaceAll(text, Parts());
}

// What `text` prints as, or the message of its error.
std::string CanonicalLayout(const std::string& text) {
  const absl::StatusOr<TtnnLayout> layout = ParseTtnnLayout(Expand(text));
  return layout.ok() ? layout->ToString()
                     : std::string(layout.status().message());
}

std::string CanonicalTensor(const std::string& text) {
  const absl::StatusOr<TtnnTensor> tensor = ParseTtnnTensor(Expand(text));
  return tensor.ok() ? tensor->ToString()
                     : std::string(tensor.status().message());
}

std::string CanonicalConfig(const std::string& text) {
  const absl::StatusOr<MemoryConfig> config = ParseMemoryConfig(Expand(text));
  return config.ok() ? config->ToString()
                     : std::string(config.status().message());
}

TEST(TtnnLayoutParser, CanonicalTextsComeBack) {
  const std::string layout =
      "#ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>,"
      " memref<1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>,"
      " <block_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (7,7)>]>>";
  EXPECT_EQ(CanonicalLayout(layout), layout);
  EXPECT_EQ(CanonicalTensor(absl::StrCat("#layout = ", layout,
                                         "\ntensor<256x256xbf16, #layout>")),
            absl::StrCat("tensor<256x256xbf16, ", layout, ">"));
  EXPECT_EQ(CanonicalConfig(
                "#l1 = #ttnn.buffer_type<l1>\n"
                "#ttnn.memory_config<#l1, <height_sharded>, #ttnn.shard_spec<"
                "<[#ttnn.core_range<(0,0), (7,0)>]>, <32x128>, <row_major>>>"),
            "#ttnn.memory_config<#ttnn.buffer_type<l1>, <height_sharded>, "
            "#ttnn.shard_spec<<[#ttnn.core_range<(0,0), (7,0)>]>, <32x128>, "
            "<row_major>>>");
}

// The example of ttnn_layout.h.
TEST(TtnnLayout, HasThePartsOfItsText) {
  const absl::StatusOr<TtnnTensor> tensor = ParseTtnnTensor(R"(
      #dram = #ttnn.buffer_type<dram>
      tensor<6x15x10xbf16, #ttnn.ttnn_layout<
          (d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>,
          memref<6x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>>)");
  ASSERT_THAT(tensor, IsOk());
  EXPECT_EQ(tensor->shape, (Dimensions{6, 15, 10}));
  EXPECT_EQ(tensor->element, ElementType{DataType::kBF16});
  EXPECT_EQ(tensor->layout.grid, (Dimensions{1, 1}));
  EXPECT_EQ(tensor->layout.mesh, std::nullopt);
  EXPECT_EQ(tensor->layout.memref.shape, (Dimensions{6, 1}));
  EXPECT_EQ(tensor->layout.memref.element,
            (ElementType{DataType::kBF16, TileShape{32, 32}}));
  EXPECT_EQ(tensor->layout.memref.buffer_type, BufferType::kDram);
  EXPECT_EQ(tensor->layout.memory_layout, TensorMemoryLayout::kInterleaved);
  EXPECT_FALSE(tensor->layout.exact_grid);
  EXPECT_FALSE(tensor->layout.ignore_physical_layout);
  EXPECT_EQ(tensor->layout.core_ranges, std::nullopt);
  EXPECT_EQ(tensor->ToString(),
            "tensor<6x15x10xbf16, #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + "
            "d1, d2), <1x1>, memref<6x1x!ttcore.tile<32x32, bf16>, "
            "#ttnn.buffer_type<dram>>, <interleaved>>>");
  EXPECT_EQ(tensor->layout.memref.ToString(),
            "memref<6x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>");
}

TEST(TtnnLayout, Keywords) {
  std::string all;
  for (const BufferType type : kBufferTypes) {
    absl::StrAppend(&all, AbslView(KeywordOf(type)), " ");
    EXPECT_EQ(BufferTypeOf(KeywordOf(type)), type);
  }
  for (const ShardOrientation orientation : kShardOrientations) {
    absl::StrAppend(&all, AbslView(KeywordOf(orientation)), " ");
    EXPECT_EQ(ShardOrientationOf(KeywordOf(orientation)), orientation);
  }
  for (const ShardMode mode : kShardModes) {
    absl::StrAppend(&all, AbslView(KeywordOf(mode)), " ");
    EXPECT_EQ(ShardModeOf(KeywordOf(mode)), mode);
  }
  EXPECT_EQ(all,
            "dram l1 system_memory l1_small trace row_major col_major physical "
            "logical ");
  EXPECT_EQ(BufferTypeOf("system"), std::nullopt);
  EXPECT_EQ(ShardOrientationOf(""), std::nullopt);
  EXPECT_EQ(ShardModeOf("row_major"), std::nullopt);
}

TEST(TtnnLayoutParser, CoresAreXThenY) {
  const absl::StatusOr<TtnnLayout> layout = ParseTtnnLayout(
      Expand("{t}, core_ranges = <[#ttnn.core_range<(1,2), (3,4)>]>>"));
  ASSERT_THAT(layout, IsOk());
  const CoreRange range = layout->core_ranges.value()[0];
  EXPECT_EQ(range.start.x, 1);
  EXPECT_EQ(range.start.y, 2);
  EXPECT_EQ(range.end, (CoreCoordinate{3, 4}));
  EXPECT_NE(range.start, range.end);
}

TEST(TtnnLayoutParser, LayoutSpellings) {
  const std::pair<const char*, const char*> cases[] = {
      {"{t}>", "{t}>"},
      {"#dram = #ttnn.buffer_type<dram>\n{h}memref<4xf32, #dram>>", "{t}>"},
      {"{h}memref<4x!tt.tile<32 x 32, bfp_bf8>, #ttnn.buffer_type<l1>>>",
       "{h}memref<4x!ttcore.tile<32x32, bfp_bf8>, #ttnn.buffer_type<l1>>>"},
      {"{h}memref<4xf32, #ttnn.buffer_type<system_memory>>>",
       "{h}memref<4xf32, #ttnn.buffer_type<system_memory>>>"},
      {"{h}memref<4xf32, #ttnn.buffer_type<l1_small>>>",
       "{h}memref<4xf32, #ttnn.buffer_type<l1_small>>>"},
      {"{h}memref<4xf32, #ttnn.buffer_type<trace>>>",
       "{h}memref<4xf32, #ttnn.buffer_type<trace>>>"},
      {"{h}memref<4xf32, affine_map<(i) -> (i)>, #ttnn.buffer_type<dram>>>",
       "{t}>"},
      // Grids with maps, which are dropped.
      {"#ttnn.ttnn_layout<(d0) -> (d0), <1x1, (d0, d1) -> (0, d0, d1)>, {m}>",
       "{t}>"},
      {"#ttnn.ttnn_layout<(d0) -> (d0), #ttcore.grid<1x1, "
       "virt_to_physical_map = (d0, d1) -> (0, d0, d1), physical_to_virt_map "
       "= (d0, d1, d2) -> (d1, d2)>, {m}>",
       "{t}>"},
      {"#grid = #ttcore.grid<1 x 1>\n"
       "#ttnn.ttnn_layout<(d0) -> (d0), #grid, {m}>",
       "{t}>"},
      // Meshes.
      {"{h}mesh = #ttcore.tensor_mesh<\"mesh\">, {m}>",
       "{h}mesh = #ttcore.tensor_mesh<\"mesh\">, {m}>"},
      {"{h}mesh = <\"mesh\">, {m}>",
       "{h}mesh = #ttcore.tensor_mesh<\"mesh\">, {m}>"},
      {"#mesh = #ttcore.tensor_mesh<\"\">\n{h}mesh=#mesh,{m}>",
       "{h}mesh = #ttcore.tensor_mesh<\"\">, {m}>"},
      {"{h}mesh = <\"a\\\"b\\\\\\n\\07\">, {m}>",
       "{h}mesh = #ttcore.tensor_mesh<\"a\\22b\\\\\\0A\\07\">, {m}>"},
      // Properties, in any order.
      {"{t}, <none>>", "{t}, <none>>"},
      {"{t}, <height_sharded>>", "{t}, <height_sharded>>"},
      {"{t}, #ttnn.tensor_memory_layout<width_sharded>>",
       "{t}, <width_sharded>>"},
      {"#ml = #ttnn.tensor_memory_layout<block_sharded>\n{t}, #ml>",
       "{t}, <block_sharded>>"},
      {"{t}, exactGrid = true>", "{t}, exactGrid = true>"},
      {"{t}, exactGrid = false>", "{t}>"},
      {"{t}, ignorePhysicalLayout = true>",
       "{t}, ignorePhysicalLayout = true>"},
      {"{t}, ignorePhysicalLayout = false>", "{t}>"},
      {"{t}, core_ranges = <>>", "{t}, core_ranges = <>>"},
      // The form of 2024-11, and a range in the order of #ttcore, (y,x).
      {"{t}, interleaved>", "{t}, <interleaved>>"},
      {"{t}, core_ranges = <[#ttcore.core_range<(1,0), (3,2)>]>>",
       "{t}, core_ranges = <[#ttnn.core_range<(0,1), (2,3)>]>>"},
      {"{t}, core_ranges = <[#ttnn.core_range<( 0 , 1 ),(2,3)>]>>",
       "{t}, core_ranges = <[#ttnn.core_range<(0,1), (2,3)>]>>"},
      {"{t}, core_ranges = #ttnn.core_range_set<[<(0,1), (2,3)>, "
       "#ttnn.core_range<(4,5), (6,7)>]>>",
       "{t}, core_ranges = <[#ttnn.core_range<(0,1), (2,3)>, "
       "#ttnn.core_range<(4,5), (6,7)>]>>"},
      {"#range = #ttnn.core_range<(0,1), (2,3)>\n"
       "#ranges = #ttnn.core_range_set<[#range]>\n"
       "{t}, core_ranges = #ranges>",
       "{t}, core_ranges = <[#ttnn.core_range<(0,1), (2,3)>]>>"},
      {"{t}, ignorePhysicalLayout = true, core_ranges = <>, <interleaved>, "
       "exactGrid = true>",
       "{t}, <interleaved>, exactGrid = true, ignorePhysicalLayout = true, "
       "core_ranges = <>>"},
  };
  for (const auto& [text, canonical] : cases) {
    EXPECT_EQ(CanonicalLayout(text), Expand(canonical));
    EXPECT_EQ(CanonicalLayout(canonical), Expand(canonical));
  }
}

TEST(TtnnLayoutParser, ConfigSpellings) {
  const std::pair<const char*, const char*> cases[] = {
      {"#ttnn.memory_config<<l1>>",
       "#ttnn.memory_config<#ttnn.buffer_type<l1>>"},
      {"#ttnn.memory_config<#ttnn.buffer_type<dram>, <interleaved>>",
       "#ttnn.memory_config<#ttnn.buffer_type<dram>, <interleaved>>"},
      {"#ml = #ttnn.tensor_memory_layout<interleaved>\n"
       "#ttnn.memory_config<<dram>, #ml>",
       "#ttnn.memory_config<#ttnn.buffer_type<dram>, <interleaved>>"},
      {"#ttnn.memory_config<<l1>, #ttnn.shard_spec<<>, <32>, <col_major>>>",
       "#ttnn.memory_config<#ttnn.buffer_type<l1>, #ttnn.shard_spec<<>, <32>, "
       "<col_major>>>"},
      // As texts of 2025 have it.
      {"#ttnn.memory_config<<l1>, <block_sharded>, #ttnn.shard_spec<"
       "<[#ttnn.core_range<(0,0), (7,0)>]>, <32x128>, <row_major>, <logical>, "
       "<32x256>>>",
       "#ttnn.memory_config<#ttnn.buffer_type<l1>, <block_sharded>, "
       "#ttnn.shard_spec<<[#ttnn.core_range<(0,0), (7,0)>]>, <32x128>, "
       "<row_major>, <logical>, <32x256>>>"},
      {"#ttnn.memory_config<<l1>, <block_sharded>, #ttnn.shard_spec<"
       "#ttnn.core_range_set<>, #ttnn.shape<32x128>, "
       "#ttnn.shard_orientation<row_major>, #ttnn.shard_mode<physical>, "
       "#ttnn.shape<>>>",
       "#ttnn.memory_config<#ttnn.buffer_type<l1>, <block_sharded>, "
       "#ttnn.shard_spec<<>, <32x128>, <row_major>, <physical>, <>>>"},
      {"#l1 = #ttnn.buffer_type<l1>\n"
       "#shape = #ttnn.shape<32x128>\n"
       "#orientation = #ttnn.shard_orientation<row_major>\n"
       "#mode = #ttnn.shard_mode<physical>\n"
       "#cores = #ttnn.core_range_set<>\n"
       "#spec = #ttnn.shard_spec<#cores, #shape, #orientation, #mode, #shape>\n"
       "#config = #ttnn.memory_config<#l1, #spec>",
       "#ttnn.memory_config<#ttnn.buffer_type<l1>, #ttnn.shard_spec<<>, "
       "<32x128>, <row_major>, <physical>, <32x128>>>"},
  };
  for (const auto& [text, canonical] : cases) {
    EXPECT_EQ(CanonicalConfig(text), canonical);
    EXPECT_EQ(CanonicalConfig(canonical), canonical);
  }
}

TEST(TtnnLayoutParser, MalformedLayouts) {
  const MalformedText cases[] = {
      {"^", "expected {ttnn}, found end of text"},
      {"^{metal}",
       "expected {ttnn}, found '#tt.metal_layout', a layout with a memref"},
      // #ttnn.ttnn_nd_layout has a memory layout behind its memref.
      {"#ttnn.ttnn_nd_layout<<1x1>, {m}^>", "expected ',', found '>'"},
      {"#ttnn.ttnn_layout^", "expected '<', found end of text"},
      {"#ttnn.ttnn_layout<^<1x1>",
       "expected an affine map such as (d0, d1) -> (d0, d1), found '<'"},
      {"#ttnn.ttnn_layout<(d0) -> (d0)^>", "expected ',', found '>'"},
      {"#ttnn.ttnn_layout<(d0) -> (d0), ^1x1>",
       "expected a grid such as <2x4>, found '1'"},
      {"#ttnn.ttnn_layout<(d0) -> (d0), <1x1>^>", "expected ',', found '>'"},
      {"#ttnn.ttnn_layout<(d0) -> (d0), <1x1, virt_to_physical_map ^(d0) -> "
       "(d0)>>",
       "expected '=', found '('"},
      {"#ttnn.ttnn_layout<(d0) -> (d0), <1x1, ^grid = (d0) -> (d0)>>",
       "expected the affine map of the grid, whose sizes have an 'x' between "
       "them, found 'grid'"},
      {"#ttnn.ttnn_layout<(d0) -> (d0), <1x1, (d0) -> (d0) ^x>>",
       "expected ',' or '>', found 'x'"},
      {"{h}^undef, {m}>", "expected 'memref', found 'undef'"},
      {"{h}mesh^, {m}>", "expected '=', found ','"},
      {"{h}mesh = ^m, {m}>",
       "expected a mesh such as #ttcore.tensor_mesh<\"mesh\">, found 'm'"},
      {"{h}mesh = <^m>, {m}>",
       "expected the name of a mesh, such as \"mesh\", found 'm'"},
      {"{h}mesh = <^\"m>, {m}>",
       "the string has no end, or an unknown escape in it"},
      {"{h}mesh = <^\"\\q\">, {m}>",
       "the string has no end, or an unknown escape in it"},
      {"{h}mesh = <\"m\"^, {m}>", "expected '>', found ','"},
      {"{h}mesh = <\"m\"> ^{m}>", "expected ',', found 'memref'"},
      {"{h}mesh = ^\"m\", {m}>",
       "expected a mesh such as #ttcore.tensor_mesh<\"mesh\">, found '\"'"},
      {"{h}memref<4xf32^>>",
       "expected ',' and a buffer type such as #ttnn.buffer_type<dram>, found "
       "'>'"},
      {"{h}memref<4xf32, ^#dram>>", "no alias '#dram' is defined before this"},
      {"{h}memref<4xf32, ^<dram>>>",
       "expected a buffer type such as #ttnn.buffer_type<dram>, found '<'"},
      {"{h}memref<4xf32, ^#tt.memory_space<dram>>>",
       "expected a buffer type such as #ttnn.buffer_type<dram>, found "
       "'#tt.memory_space'"},
      {"#l1 = #tt.memory_space<l1>\n{h}memref<4xf32, ^#l1>>",
       "expected a buffer type such as #ttnn.buffer_type<dram>, found '#l1', a "
       "memory space"},
      {"{h}memref<4xf32, #ttnn.buffer_type<^DRAM>>>",
       "expected a buffer type (dram, l1, system_memory, l1_small or trace), "
       "found 'DRAM'"},
      {"{h}memref<4xf32, #ttnn.buffer_type<dram> ^x>",
       "expected '>', found 'x'"},
      {"{t}^", "expected ',' or '>', found end of text"},
      {"{t} ^x", "expected ',' or '>', found 'x'"},
      {"{t}, ^>",
       "expected a memory layout such as <interleaved>, exactGrid, "
       "ignorePhysicalLayout or core_ranges, found '>'"},
      {"{t}, <^>", "expected a memory layout ({memory layouts}), found '>'"},
      {"{t}, <^sharded>>",
       "expected a memory layout ({memory layouts}), found 'sharded'"},
      {"{t}, <interleaved>, ^<interleaved>>",
       "the memory layout is given a second time"},
      {"{t}, ^#ttnn.buffer_type<l1>>",
       "expected a memory layout such as <interleaved>, found "
       "'#ttnn.buffer_type'"},
      {"{t}, exactGrid^>", "expected '=', found '>'"},
      {"{t}, exactGrid = ^1>", "expected true or false, found '1'"},
      {"{t}, exactGrid = true, ^exactGrid = false>",
       "exactGrid is given a second time"},
      {"{t}, ignorePhysicalLayout = ^yes>",
       "expected true or false, found 'yes'"},
      {"{t}, ignorePhysicalLayout = true, ^ignorePhysicalLayout = true>",
       "ignorePhysicalLayout is given a second time"},
      {"{t}, core_ranges = <>, ^core_ranges = <>>",
       "core_ranges is given a second time"},
      {"{t}, core_ranges^>", "expected '=', found '>'"},
      {"{t}, core_ranges = ^[(0,0)]>",
       "expected core ranges such as <[#ttnn.core_range<(0,0), (7,7)>]>, found "
       "'['"},
      {"{t}, core_ranges = <^(0,0)>>", "expected '[' or '>', found '('"},
      {"{t}, core_ranges = <[^]>>",
       "expected a core range such as #ttnn.core_range<(0,0), (7,7)>, found "
       "']'"},
      {"{t}, core_ranges = <[^(0,0), (7,7)]>>",
       "expected a core range such as #ttnn.core_range<(0,0), (7,7)>, found "
       "'('"},
      {"{t}, core_ranges = <[#ttnn.core_range<^0,0>]>>",
       "expected '(', found '0'"},
      {"{t}, core_ranges = <[#ttnn.core_range<(0^), (7,7)>]>>",
       "expected ',', found ')'"},
      {"{t}, core_ranges = <[#ttnn.core_range<(^-1,0), (7,7)>]>>",
       "expected a coordinate x, found '-'"},
      {"{t}, core_ranges = <[#ttnn.core_range<(0,^x), (7,7)>]>>",
       "expected a coordinate y, found 'x'"},
      {"{t}, core_ranges = <[#ttnn.core_range<(0,0), "
       "(7,^9223372036854775808)>]>>",
       "the number exceeds 2^63-1", kOutOfRange},
      {"{t}, core_ranges = <[#ttnn.core_range<(0,0) ^(7,7)>]>>",
       "expected ',', found '('"},
      {"{t}, core_ranges = <[#ttnn.core_range<(0,0), (7,7)^]>>",
       "expected '>', found ']'"},
      {"{t}, core_ranges = <[#ttnn.core_range<(0,0), (7,7)> ^x",
       "expected ',' or ']', found 'x'"},
      {"{t}, core_ranges = <[#ttnn.core_range<(0,0), (7,7)>] ^x",
       "expected '>', found 'x'"},
      {"#r = #ttnn.core_range<(0,0), (7,7)>\n{t}, core_ranges = ^#r>",
       "expected core ranges such as <[#ttnn.core_range<(0,0), (7,7)>]>, found "
       "'#r', a core range"},
      {"#r = #ttnn.shard_mode<physical>\n{t}, core_ranges = <[^#r]>>",
       "expected a core range such as #ttnn.core_range<(0,0), (7,7)>, found "
       "'#r', a shard mode"},
      {"#a = ^#ttnn.memory_config<<dram>>",
       "expected {ttnn}, found '#ttnn.memory_config', a memory configuration"},
      {"#a = ^#ttnn.shard_spec<<>, <1>, <row_major>>",
       "expected {ttnn}, found '#ttnn.shard_spec', a shard specification"},
      {"#a = ^#ttnn.shape<1x2>",
       "expected {ttnn}, found '#ttnn.shape', a shape"},
      {"#a = ^#ttnn.shard_orientation<row_major>",
       "expected {ttnn}, found '#ttnn.shard_orientation', a shard orientation"},
      {"#a = ^#ttnn.tensor_memory_layout<none>",
       "expected {ttnn}, found '#ttnn.tensor_memory_layout', a memory layout"},
      {"#a = ^#ttcore.tensor_mesh<\"m\">",
       "expected {ttnn}, found '#ttcore.tensor_mesh', a mesh"},
      {"#a = ^#ttnn.core_range_set<>",
       "expected {ttnn}, found '#ttnn.core_range_set', a set of core ranges"},
      {"#a = ^#ttnn.core_range<(0,0), (0,0)>",
       "expected {ttnn}, found '#ttnn.core_range', a core range"},
      {"#a = ^#ttnn.buffer_type<l1>",
       "expected {ttnn}, found '#ttnn.buffer_type', a buffer type"},
      {"{t}> ^x", "expected the end of the text, found 'x'"},
  };
  for (const MalformedText& c : cases) {
    ExpectRefused(c, Parts(), ParseTtnnLayout);
  }
}

TEST(TtnnLayoutParser, MalformedTensors) {
  const MalformedText cases[] = {
      {"tensor<4xf32^>", "expected ',' and {ttnn}, found '>'"},
      {"tensor<4xf32, ^{metal}>",
       "expected {ttnn}, found '#tt.metal_layout', a layout with a memref"},
      {"tensor<4xf32, {t}>^", "expected '>', found end of text"},
      {"tensor<^?xf32, {t}>>",
       "a size of '?' is dynamic; only known sizes have a layout"},
  };
  for (const MalformedText& c : cases) {
    ExpectRefused(c, Parts(), ParseTtnnTensor);
  }
}

TEST(TtnnLayoutParser, MalformedConfigs) {
  const MalformedText cases[] = {
      {"^",
       "expected a memory configuration such as #ttnn.memory_config<...>, "
       "found end of text"},
      {"^{t}>",
       "expected a memory configuration such as #ttnn.memory_config<...>, "
       "found '#ttnn.ttnn_layout', a layout of TTNN"},
      {"#ttnn.memory_config^", "expected '<', found end of text"},
      {"#ttnn.memory_config<^",
       "expected a buffer type such as #ttnn.buffer_type<dram>, found end of "
       "text"},
      {"#ttnn.memory_config<^dram>",
       "expected a buffer type such as #ttnn.buffer_type<dram>, found 'dram'"},
      {"#ttnn.memory_config<<dram>^", "expected ',' or '>', found end of text"},
      {"#ttnn.memory_config<<^ddr>>",
       "expected a buffer type (dram, l1, system_memory, l1_small or trace), "
       "found 'ddr'"},
      {"#ttnn.memory_config<<dram>,^",
       "expected a memory layout such as <interleaved>, found end of text"},
      {"{c}^>", "expected a memory layout such as <interleaved>, found '>'"},
      {"{c}^interleaved>",
       "expected a memory layout such as <interleaved>, found 'interleaved'"},
      {"{c}<^<64x128>>, <interleaved>>",
       "expected a memory layout ({memory layouts}), found '<'"},
      {"{c}<interleaved>, ^<interleaved>>",
       "expected a shard specification such as #ttnn.shard_spec<...>, found "
       "'<'"},
      {"{c}<interleaved>, #ttnn.nd_shard_spec<<>, <1>^>>",
       "expected ',', found '>'"},
      {"{c}<interleaved>, #ttnn.shard_spec<^>>",
       "expected core ranges such as <[#ttnn.core_range<(0,0), (7,7)>]>, found "
       "'>'"},
      {"{c}<interleaved>, #ttnn.shard_spec<<>^>>", "expected ',', found '>'"},
      {"{c}{s}^32x128>>", "expected a shape such as <32x128>, found '32'"},
      {"{c}{s}<32^,128>>>", "expected 'x' or '>', found ','"},
      {"{c}{s}<^x>>>", "expected a size, found 'x'"},
      {"{c}{s}<32>^>>", "expected ',', found '>'"},
      {"{c}{s}<32>, ^row_major>>",
       "expected a shard orientation such as <row_major>, found 'row_major'"},
      {"{c}{s}<32>, <^column_major>>>",
       "expected a shard orientation (row_major or col_major), found "
       "'column_major'"},
      {"{c}{s}<32>, <row_major>, <^32>>>",
       "expected a shard mode (physical or logical), found '32'"},
      {"{c}{s}<32>, <row_major>, <physical>, ^physical>>",
       "expected a shape such as <32x128>, found 'physical'"},
      {"{c}{s}<32>, <row_major>, <physical>, <32>^, <32>>>",
       "expected '>', found ','"},
      {"{c}{s}<32>, <row_major> ^<physical>>>",
       "expected ',' or '>', found '<'"},
      {"{c}#ttnn.shard_spec<<>, <32>, <row_major>>^, <interleaved>>",
       "expected '>', found ','"},
  };
  for (const MalformedText& c : cases) {
    ExpectRefused(c, Parts(), ParseMemoryConfig);
  }
}

TEST(TtnnLayoutParser, EveryPrefixIsRefusedInItsPlace) {
  const std::string text =
      "tensor<4x4xf32, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, mesh = "
      "#ttcore.tensor_mesh<\"m\">, memref<2x4xbf16, #ttnn.buffer_type<l1>>, "
      "<block_sharded>, exactGrid = true, ignorePhysicalLayout = true, "
      "core_ranges = <[#ttnn.core_range<(0,0), (7,7)>]>>>";
  EXPECT_EQ(CanonicalTensor(text), text);
  const std::string config =
      "#ttnn.memory_config<#ttnn.buffer_type<l1>, <block_sharded>, "
      "#ttnn.shard_spec<<[#ttnn.core_range<(0,0), (7,0)>]>, <32x128>, "
      "<row_major>, <logical>, <32x128>>>";
  EXPECT_EQ(CanonicalConfig(config), config);
  for (size_t size = 0; size < text.size(); ++size) {
    const absl::Status status = ParseTtnnTensor(text.substr(0, size)).status();
    ASSERT_FALSE(status.ok()) << size;
    EXPECT_LE(DiagnosticOf(status)->offset, size);
  }
  for (size_t size = 0; size < config.size(); ++size) {
    const absl::Status status =
        ParseMemoryConfig(config.substr(0, size)).status();
    ASSERT_FALSE(status.ok()) << size;
    EXPECT_LE(DiagnosticOf(status)->offset, size);
  }
}

TEST(TtnnLayoutParser, HostileTexts) {
  const int64_t n = 100000;
  for (const char* opening :
       {"<", "<[", "[", "(", "\"", "\\", "#ttnn.core_range<(0,0), (7,7)>,",
        "#ttnn.core_range<", "#ttnn.shard_spec<", "exactGrid = true, "}) {
    for (const char* start :
         {"{h}", "{h}mesh = ", "{h}mesh = <\"", "{t}, ",
          "{t}, core_ranges = ", "{t}, core_ranges = <[", "{c}", "{c}{s}"}) {
      const std::string text = Expand(start) + Repeat(opening, n);
      EXPECT_FALSE(ParseTtnnLayout(text).ok()) << start << opening;
      EXPECT_FALSE(ParseMemoryConfig(text).ok()) << start << opening;
    }
  }
  std::string ranges = Repeat("#ttnn.core_range<(0,0), (7,7)>, ", 1024);
  EXPECT_THAT(ParseTtnnLayout(Expand("{t}, core_ranges = <[" + ranges)),
              StatusIs(kResourceExhausted));
  ranges.resize(ranges.size() - 2);
  EXPECT_EQ(ParseTtnnLayout(Expand("{t}, core_ranges = <[" + ranges + "]>>"))
                ->core_ranges->size(),
            1024u);
}

// Few bytes that stand for many.
TEST(TtnnLayoutParser, AliasesDoNotMultiply) {
  std::string ranges = Repeat("<(0,0), (7,7)>, ", 1024);
  ranges.resize(ranges.size() - 2);
  std::string text = absl::StrCat("#c = #ttnn.core_range_set<[", ranges,
                                  "]>\n#m = #ttcore.tensor_mesh<\"",
                                  std::string(50000, 'm'), "\">\n");
  std::string cores = text;
  std::string meshes = text;
  for (int64_t i = 0; i < 20000; ++i) {
    absl::StrAppend(&cores, "#a", i, " = {t}, core_ranges = #c>\n");
    absl::StrAppend(&meshes, "#a", i, " = {h}mesh = #m, {m}>\n");
  }
  for (const std::string& many : {cores, meshes}) {
    EXPECT_THAT(ParseTtnnLayout(Expand(many)), StatusIs(kResourceExhausted));
  }
  EXPECT_THAT(
      ParseTtnnLayout(Expand(text + "{h}mesh=#m, {m}, core_ranges=#c>")),
      IsOk());
}

TEST(TtnnLayoutParser, ReadsWhatItPrints) {
  RandomBits random(TestSeed());
  const auto coin = [&random] { return Uniform(0, 1, &random) == 0; };
  const auto draw_ranges = [&random] {
    CoreRanges ranges(Uniform(0, 3, &random));
    for (CoreRange& range : ranges) {
      for (int64_t* coordinate :
           {&range.start.x, &range.start.y, &range.end.x, &range.end.y}) {
        *coordinate = Uniform(0, 12, &random);
      }
    }
    return ranges;
  };
  for (int i = 0; i < 3000; ++i) {
    TtnnTensor tensor;
    tensor.shape = RandomSizes(&random);
    tensor.element = RandomElement(&random);
    TtnnLayout& layout = tensor.layout;
    layout.linear = RandomMap(&random);
    layout.grid = RandomSizes(&random);
    if (coin()) {
      layout.mesh.emplace();
      for (int64_t k = Uniform(0, 5, &random); k > 0; --k) {
        layout.mesh->push_back(static_cast<char>(Uniform(0, 255, &random)));
      }
    }
    layout.memref.shape = RandomSizes(&random);
    layout.memref.element = RandomElement(&random);
    layout.memref.buffer_type = RandomOf(kBufferTypes, &random);
    if (coin()) layout.memory_layout = RandomOf(kTensorMemoryLayouts, &random);
    layout.exact_grid = coin();
    layout.ignore_physical_layout = coin();
    if (coin()) layout.core_ranges = draw_ranges();
    const std::string text = tensor.ToString();
    const absl::StatusOr<TtnnTensor> again = ParseTtnnTensor(text);
    ASSERT_THAT(again, IsOk());
    EXPECT_EQ(*again, tensor) << text;
    EXPECT_EQ(again->ToString(), text);
    EXPECT_EQ(*ParseTtnnLayout(layout.ToString()), layout);

    MemoryConfig config;
    config.buffer_type = RandomOf(kBufferTypes, &random);
    if (coin()) config.memory_layout = layout.memory_layout;
    if (coin()) {
      ShardSpec& spec = config.shard_spec.emplace();
      spec.core_ranges = draw_ranges();
      spec.shape = RandomSizes(&random);
      spec.orientation = RandomOf(kShardOrientations, &random);
      if (coin()) {
        spec.mode = RandomOf(kShardModes, &random);
        if (coin()) spec.physical_shape = RandomSizes(&random);
      }
    }
    const absl::StatusOr<MemoryConfig> config_again =
        ParseMemoryConfig(config.ToString());
    ASSERT_THAT(config_again, IsOk());
    EXPECT_EQ(*config_again, config);
    EXPECT_EQ(config_again->ToString(), config.ToString());
  }
}

}  // namespace
}  // namespace tessera::tenstorrent
