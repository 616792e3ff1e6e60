#include "tessera/tenstorrent/metal_layout.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/tenstorrent/affine/affine_map_parser.h"
#include "tessera/tenstorrent/tensor.h"
#include "tessera/tests/literal/random_layouts.h"
#include "tessera/tests/status_matchers.h"
#include "tessera/tests/tenstorrent/malformed_texts.h"
#include "tessera/tests/tenstorrent/random_parts.h"

namespace tessera::tenstorrent {
namespace {

template <typename Enum, size_t n>
void ExpectKeywords(const Enum (&values)[n],
                    std::optional<Enum> (*value_of)(std::string_view),
                    const char* keywords) {
  std::string all;
  for (const Enum value : values) {
    all += std::string(KeywordOf(value)) + " ";
    EXPECT_EQ(value_of(KeywordOf(value)), value) << KeywordOf(value);
  }
  EXPECT_EQ(all, keywords);
  EXPECT_EQ(value_of(""), std::nullopt);
  EXPECT_EQ(value_of("L1"), std::nullopt);
}

TEST(MetalLayout, Keywords) {
  ExpectKeywords(kOobValues, OobValueOf, "undef zero one inf neginf ");
  ExpectKeywords(kMemorySpaces, MemorySpaceOf, "system mmio dram l1 dst ");
  ExpectKeywords(kTensorMemoryLayouts, TensorMemoryLayoutOf,
                 "none interleaved single_bank height_sharded width_sharded "
                 "block_sharded ");
}

TEST(MetalLayout, Prints) {
  MetalTensor tensor;
  tensor.shape = {53, 63};
  tensor.layout.linear = AffineMap::Identity(2);
  tensor.layout.grid = {3, 2};
  tensor.layout.memref.shape = {18, 32};
  EXPECT_EQ(tensor.layout.memref.ToString(),
            "memref<18x32xf32, #tt.memory_space<l1>>");
  EXPECT_EQ(tensor.ToString(),
            "tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, "
            "<3x2>, memref<18x32xf32, #tt.memory_space<l1>>>>");

  MetalLayout tiled = tensor.layout;
  tiled.oob_value = OobValue::kNegInf;
  tiled.memref = {
      {1, 1}, {DataType::kBfpBf8, TileShape{32, 32}}, MemorySpace::kDeviceDRAM};
  tiled.memory_layout = TensorMemoryLayout::kBlockSharded;
  EXPECT_EQ(tiled.ToString(),
            "#tt.metal_layout<(d0, d1) -> (d0, d1), neginf, <3x2>, "
            "memref<1x1x!tt.tile<32x32, bfp_bf8>, #tt.memory_space<dram>>, "
            "block_sharded>");
}

TEST(MetalLayout, PrintsRankZero) {
  EXPECT_EQ(MetalTensor().ToString(),
            "tensor<f32, #tt.metal_layout<() -> (), undef, <>, "
            "memref<f32, #tt.memory_space<l1>>>>");
}

TEST(MetalLayout, ComparesEveryPart) {
  const MetalTensor tensor;
  const auto differs = [&tensor](auto change) {
    MetalTensor changed = tensor;
    change(&changed);
    return changed != tensor && !(changed == tensor);
  };
  EXPECT_EQ(MetalTensor(), tensor);
  EXPECT_TRUE(differs([](MetalTensor* t) { t->shape = {1}; }));
  EXPECT_TRUE(
      differs([](MetalTensor* t) { t->element.data_type = DataType::kBF16; }));
  EXPECT_TRUE(differs(
      [](MetalTensor* t) { t->layout.linear = AffineMap::Identity(1); }));
  EXPECT_TRUE(
      differs([](MetalTensor* t) { t->layout.oob_value = OobValue::kInf; }));
  EXPECT_TRUE(differs([](MetalTensor* t) { t->layout.grid = {1}; }));
  EXPECT_TRUE(differs([](MetalTensor* t) { t->layout.memref.shape = {1}; }));
  EXPECT_TRUE(differs([](MetalTensor* t) {
    t->layout.memref.element.tile = TileShape{32, 32};
  }));
  EXPECT_TRUE(differs([](MetalTensor* t) {
    t->layout.memref.memory_space = MemorySpace::kSystem;
  }));
  EXPECT_TRUE(differs([](MetalTensor* t) {
    t->layout.memory_layout = TensorMemoryLayout::kNone;
  }));
}

// -- Reading ------------------------------------------------------------------

constexpr absl::StatusCode kOutOfRange = absl::StatusCode::kOutOfRange;
constexpr absl::StatusCode kUnimplemented = absl::StatusCode::kUnimplemented;
constexpr absl::StatusCode kResourceExhausted =
    absl::StatusCode::kResourceExhausted;

const Abbreviations& Parts() {
  static const auto& parts = *new Abbreviations{
      {"{layout}", "a layout such as #tt.metal_layout<(d0) -> (d0), ...>"},
      {"{p}", "#tt.metal_layout<(d0) -> (d0), undef, <2>, "},
      {"{h}", "#tt.metal_layout<(d0) -> (d0), "},
      {"{m}", "memref<4xf32, #tt.memory_space<l1>>"},
      {"{l1}", "#tt.memory_space<l1>"},
      {"{other}", "an attribute that is not part of a layout"},
      {"{attribute}",
       "an attribute such as #tt.metal_layout<...>, #ttnn.ttnn_layout<...>, "
       "#tt.memory_space<l1> or affine_map<...>"},
      {"{types}",
       "f64, f32, f16, bf16, i64, i32, i16, i8, i1, si64, si32, si16, si8, "
       "ui64, ui32, ui16, ui8 or !tt.tile<32x32, f32>"},
  };
  return parts;
}

std::string Expand(const std::string& text) {
  return absl::StrReplaceAll(text, Parts());
}

// What `text` prints as, or the message of its error.
std::string CanonicalLayout(const std::string& text) {
  const absl::StatusOr<MetalLayout> layout = ParseMetalLayout(Expand(text));
  return layout.ok() ? layout->ToString()
                     : std::string(layout.status().message());
}

std::string CanonicalTensor(const std::string& text) {
  const absl::StatusOr<MetalTensor> tensor = ParseMetalTensor(Expand(text));
  return tensor.ok() ? tensor->ToString()
                     : std::string(tensor.status().message());
}

TEST(MetalLayoutParser, CanonicalTextsComeBack) {
  const std::string text =
      "tensor<8x300xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <1x2>,"
      " memref<8x150xf32, #tt.memory_space<l1>>>>";
  EXPECT_EQ(CanonicalTensor(text), text);
  EXPECT_EQ(
      CanonicalTensor(
          "#l1_ = #tt.memory_space<l1>\n"
          "#layout = #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <1x2>,\n"
          "                           memref<8x150xf32, #l1_>>\n"
          "tensor<8x300xf32, #layout>"),
      text);
  EXPECT_EQ(CanonicalLayout("{p}{m}>"), Expand("{p}{m}>"));
}

// The example of metal_layout.h.
TEST(MetalLayout, HasThePartsOfItsText) {
  const absl::StatusOr<MetalTensor> tensor = ParseMetalTensor(R"(
      tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <3x2>,
                                         memref<18x32xf32,
                                                #tt.memory_space<l1>>>>)");
  ASSERT_THAT(tensor, IsOk());
  EXPECT_EQ(tensor->shape, (Dimensions{53, 63}));
  EXPECT_EQ(tensor->element, ElementType{DataType::kF32});
  EXPECT_TRUE(tensor->layout.linear.is_identity());
  EXPECT_EQ(tensor->layout.oob_value, OobValue::kUndef);
  EXPECT_EQ(tensor->layout.grid, (Dimensions{3, 2}));
  EXPECT_EQ(tensor->layout.memref.shape, (Dimensions{18, 32}));
  EXPECT_EQ(tensor->layout.memref.memory_space, MemorySpace::kDeviceL1);
  EXPECT_EQ(tensor->layout.memory_layout, std::nullopt);
  EXPECT_EQ(*ParseMetalTensor(tensor->ToString()), *tensor);
}

// Every tensor of tt_mlir_tensor_layout.txt, as it stands there, with the text
// that is printed.
TEST(MetalLayoutParser, TensorsOfTheDocument) {
  const std::pair<const char*, const char*> cases[] = {
      {R"(tensor<2x3x64x128xf32,
  #tt.metal_layout<
    (d0, d1, d2, d3) -> (d0 * 192 + d1 * 64 + d2, d3),
    undef,
    <1x1>,
    memref<384x128xf32, #tt.memory_space<l1>>
  >
>)",
       "tensor<2x3x64x128xf32, #tt.metal_layout<(d0, d1, d2, d3) -> (d0 * 192 "
       "+ d1 * 64 + d2, d3), undef, <1x1>, memref<384x128xf32, "
       "#tt.memory_space<l1>>>>"},
      {R"(tensor<2x3x64x128xf32,
  #tt.metal_layout<
    (d0, d1, d2, d3) -> (d0 * 192 + d1 * 64 + d2, d3),
    undef,
    <2x4>,
    memref<192x32xf32, #tt.memory_space<l1>>
  >
>)",
       "tensor<2x3x64x128xf32, #tt.metal_layout<(d0, d1, d2, d3) -> (d0 * 192 "
       "+ d1 * 64 + d2, d3), undef, <2x4>, memref<192x32xf32, "
       "#tt.memory_space<l1>>>>"},
      {R"(tensor<8x300xf32,
  #tt.metal_layout<(d0, d1) -> (d0, d1),
    undef,
    <1x2>,
    memref<8x150xf32, #tt.memory_space<l1>>
  >
>)",
       "tensor<8x300xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <1x2>, "
       "memref<8x150xf32, #tt.memory_space<l1>>>>"},
      {R"(tensor<8x96x32xf32,
  #tt.metal_layout<(d0, d1, d2) -> (d0 * 96 + d1, d2),
    undef,
    <2x1>,
    memref<384x32xf32, #tt.memory_space<l1>>
  >
>)",
       "tensor<8x96x32xf32, #tt.metal_layout<(d0, d1, d2) -> (d0 * 96 + d1, "
       "d2), undef, <2x1>, memref<384x32xf32, #tt.memory_space<l1>>>>"},
      {R"(tensor<8x96x32xf32,
  #tt.metal_layout<(d0, d1, d2) -> (d0 * 96 + d1, d1, d2),
    undef,
    <2x1x2>,
    memref<384x96x16xf32, #tt.memory_space<l1>>
  >
>)",
       "tensor<8x96x32xf32, #tt.metal_layout<(d0, d1, d2) -> (d0 * 96 + d1, "
       "d1, d2), undef, <2x1x2>, memref<384x96x16xf32, "
       "#tt.memory_space<l1>>>>"},
      {R"(tensor<5x3x2x2x7x32x32xf32,
  #tt.metal_layout<
    (d0, d1, d2, d3, d4, d5, d6)
      -> (d0 * 2688 + d1 * 896 + d2 * 448 + d3 * 224 + d4 * 32 + d5, d4, d5, d6),
    undef,
    <3x2x2x2>,
    memref<4480x4x16x16xf32, #tt.memory_space<l1>>
  >
>)",
       "tensor<5x3x2x2x7x32x32xf32, #tt.metal_layout<(d0, d1, d2, d3, d4, d5, "
       "d6) -> (d0 * 2688 + d1 * 896 + d2 * 448 + d3 * 224 + d4 * 32 + d5, d4, "
       "d5, d6), undef, <3x2x2x2>, memref<4480x4x16x16xf32, "
       "#tt.memory_space<l1>>>>"},
      {R"(tensor<3x64x128xf32,
  #tt.metal_layout<
    (d0, d1, d2) -> (d0 * 64 + d1, d2),
    undef,
    <3x2>,
    memref<64x64xf32, #tt.memory_space<l1>>
  >
>)",
       "tensor<3x64x128xf32, #tt.metal_layout<(d0, d1, d2) -> (d0 * 64 + d1, "
       "d2), undef, <3x2>, memref<64x64xf32, #tt.memory_space<l1>>>>"},
      {R"(tensor<3x64x128xf32,
  #tt.metal_layout<
    (d0, d1, d2) -> (d0 * 64 + d1, d2),
    undef,
    <3x2>,
    memref<2x2x!tt.tile<32 x 32, bfp_bf8>, #tt.memory_space<l1>>
  >
>)",
       "tensor<3x64x128xf32, #tt.metal_layout<(d0, d1, d2) -> (d0 * 64 + d1, "
       "d2), undef, <3x2>, memref<2x2x!tt.tile<32x32, bfp_bf8>, "
       "#tt.memory_space<l1>>>>"},
      {R"(tensor<53x63xf32,
  #tt.metal_layout<
    (d0, d1) -> (d0, d1),
    undef,
    <3x2>,
    memref<18x32xf32, #tt.memory_space<l1>>
  >
>)",
       "tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <3x2>, "
       "memref<18x32xf32, #tt.memory_space<l1>>>>"},
      {R"(tensor<53x63xf32,
  #tt.metal_layout<
    (d0, d1) -> (d0, d1),
    undef,
    <3x2>,
    memref<1x1x!tt.tile<32 x 32, bfp_bf8>, #tt.memory_space<l1>>
  >
>)",
       "tensor<53x63xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <3x2>, "
       "memref<1x1x!tt.tile<32x32, bfp_bf8>, #tt.memory_space<l1>>>>"},
      {R"(tensor<2x8x32xf32,
  #tt.metal_layout<
    (d0, d1, d2) -> (d0 * 8 + d1, d2),
    undef,
    <1x2>,
    memref<16x16xf32, #tt.memory_space<l1>>
  >
>)",
       "tensor<2x8x32xf32, #tt.metal_layout<(d0, d1, d2) -> (d0 * 8 + d1, d2), "
       "undef, <1x2>, memref<16x16xf32, #tt.memory_space<l1>>>>"},
      {R"(tensor<2x3x64x128xf32,
  #tt.metal_layout<(d0, d1, d2, d3) -> (d0, d1 * 64 + d2, d3),
    undef,
    <2x2x4>,
    memref<1x3x1x!tt.tile<32 x 32, bfp_bf8>, #tt.memory_space<l1>>
  >
>)",
       "tensor<2x3x64x128xf32, #tt.metal_layout<(d0, d1, d2, d3) -> (d0, d1 * "
       "64 + d2, d3), undef, <2x2x4>, memref<1x3x1x!tt.tile<32x32, bfp_bf8>, "
       "#tt.memory_space<l1>>>>"},
  };
  for (const auto& [text, canonical] : cases) {
    EXPECT_EQ(CanonicalTensor(text), canonical);
    EXPECT_EQ(CanonicalTensor(canonical), canonical);
  }
}

TEST(MetalLayoutParser, TheShapesOfTheDocument) {
  const absl::StatusOr<MetalTensor> tensor = ParseMetalTensor(
      "tensor<2x3x64x128xf32, #tt.metal_layout<(d0, d1, d2, d3) -> (d0, d1 * "
      "64 + d2, d3), undef, <2x2x4>, memref<1x3x1x!tt.tile<32 x 32, bfp_bf8>, "
      "#tt.memory_space<l1>>>>");
  ASSERT_THAT(tensor, IsOk());
  EXPECT_EQ(tensor->shape, (Dimensions{2, 3, 64, 128}));
  EXPECT_EQ(tensor->element, ElementType{DataType::kF32});
  EXPECT_EQ(tensor->layout.linear,
            *ParseAffineMap("(a, b, c, d) -> (a, b * 64 + c, d)"));
  EXPECT_EQ(tensor->layout.grid, (Dimensions{2, 2, 4}));
  EXPECT_EQ(tensor->layout.memref.shape, (Dimensions{1, 3, 1}));
  EXPECT_EQ(tensor->layout.memref.element,
            (ElementType{DataType::kBfpBf8, TileShape{32, 32}}));
}

TEST(MetalLayoutParser, LayoutSpellings) {
  const std::pair<const char*, const char*> cases[] = {
      // Names of the attributes.
      {"#tt.layout<(d0) -> (d0), undef, <2>, {m}>", "{p}{m}>"},
      {"#ttcore.metal_layout<(d0) -> (d0), undef, <2>, {m}>", "{p}{m}>"},
      {"{p}memref<4xf32, #ttcore.memory_space<l1>>>", "{p}{m}>"},
      {"{p}memref<1x1x!ttcore.tile<32x32, bf16>, {l1}>>",
       "{p}memref<1x1x!tt.tile<32x32, bf16>, {l1}>>"},
      {"{p}memref<1x1x!tt.tile<4x16, bf16>, {l1}>>",
       "{p}memref<1x1x!tt.tile<4x16, bf16>, {l1}>>"},
      // Maps.
      {"#tt.metal_layout<affine_map<(i) -> (i)>, undef, <2>, {m}>", "{p}{m}>"},
      {"#tt.metal_layout<(i)->(i*1+0),undef,<2>,{m}>", "{p}{m}>"},
      {"#tt.metal_layout<(d0)[s0] -> (d0 + s0), undef, <2>, {m}>",
       "#tt.metal_layout<(d0)[s0] -> (d0 + s0), undef, <2>, {m}>"},
      // Values out of bounds.
      {"{h}zero, <2>, {m}>", "{h}zero, <2>, {m}>"},
      {"{h}one, <2>, {m}>", "{h}one, <2>, {m}>"},
      {"{h}inf, <2>, {m}>", "{h}inf, <2>, {m}>"},
      {"{h}neginf, <2>, {m}>", "{h}neginf, <2>, {m}>"},
      // Grids.
      {"{h}undef, < 1 x 2 >, {m}>", "{h}undef, <1x2>, {m}>"},
      {"{h}undef, <1\nx/*by*/2>, {m}>", "{h}undef, <1x2>, {m}>"},
      {"{h}undef, #tt.grid<1x2>, {m}>", "{h}undef, <1x2>, {m}>"},
      {"{h}undef, #ttcore.grid<1x2>, {m}>", "{h}undef, <1x2>, {m}>"},
      {"{h}undef, <2, (d0) -> (0, d0, 0)>, {m}>", "{p}{m}>"},
      {"{h}undef, #tt.grid<2, affine_map<(d0) -> (d0)>>, {m}>", "{p}{m}>"},
      {"{h}undef, <>, {m}>", "{h}undef, <>, {m}>"},
      {"{h}undef, <0x2>, {m}>", "{h}undef, <0x2>, {m}>"},
      {"{h}undef, <0x10>, {m}>", "{h}undef, <0x10>, {m}>"},
      {"{h}undef, <9223372036854775807>, {m}>",
       "{h}undef, <9223372036854775807>, {m}>"},
      // Memrefs.
      {"{p}memref<f32, {l1}>>", "{p}memref<f32, {l1}>>"},
      {"{p}memref<4 x f32 , #tt.memory_space < l1 > > >", "{p}{m}>"},
      {"{p}memref<0x10x0xf32, {l1}>>", "{p}memref<0x10x0xf32, {l1}>>"},
      {"{p}memref<4x !tt.tile< 32 x 32 , f32 >, {l1}>>",
       "{p}memref<4x!tt.tile<32x32, f32>, {l1}>>"},
      {"{p}memref<!tt.tile<1x32, u8>, {l1}>>",
       "{p}memref<!tt.tile<1x32, u8>, {l1}>>"},
      {"{p}memref<4xf32, affine_map<(i) -> (i)>, {l1}>>", "{p}{m}>"},
      {"{p}memref<f32, affine_map<() -> ()>, {l1}>>", "{p}memref<f32, {l1}>>"},
      {"{p}memref<4xf32, #tt.memory_space<system>>>",
       "{p}memref<4xf32, #tt.memory_space<system>>>"},
      {"{p}memref<4xf32, #tt.memory_space<mmio>>>",
       "{p}memref<4xf32, #tt.memory_space<mmio>>>"},
      {"{p}memref<4xf32, #tt.memory_space<dram>>>",
       "{p}memref<4xf32, #tt.memory_space<dram>>>"},
      {"{p}memref<4xf32, #tt.memory_space<dst>>>",
       "{p}memref<4xf32, #tt.memory_space<dst>>>"},
      // The fifth property.
      {"{p}{m}, none>", "{p}{m}, none>"},
      {"{p}{m}, none_layout>", "{p}{m}, none>"},
      {"{p}{m},interleaved>", "{p}{m}, interleaved>"},
      {"{p}{m}, single_bank>", "{p}{m}, single_bank>"},
      {"{p}{m}, height_sharded>", "{p}{m}, height_sharded>"},
      {"{p}{m}, width_sharded>", "{p}{m}, width_sharded>"},
      {"{p}{m}, block_sharded>", "{p}{m}, block_sharded>"},
      // White space and comments.
      {"// first\n {p}/* memory */{m}> // last", "{p}{m}>"},
      // What verification refuses, this reads.
      {"#tt.metal_layout<(a, b) -> (b, a, 7), undef, <2>, {m}>",
       "#tt.metal_layout<(d0, d1) -> (d1, d0, 7), undef, <2>, {m}>"},
  };
  for (const auto& [text, canonical] : cases) {
    EXPECT_EQ(CanonicalLayout(text), Expand(canonical));
    EXPECT_EQ(CanonicalLayout(canonical), Expand(canonical));
  }
}

TEST(MetalLayoutParser, TensorSpellings) {
  const std::pair<const char*, const char*> cases[] = {
      {"tensor < 8 x bf16 , {p}{m}> >", "tensor<8xbf16, {p}{m}>>"},
      {"tensor<f32, {p}{m}>>", "tensor<f32, {p}{m}>>"},
      {"tensor<0x8xui16, {p}{m}>>", "tensor<0x8xui16, {p}{m}>>"},
      {"tensor<0x10xf32, {p}{m}>>", "tensor<0x10xf32, {p}{m}>>"},
      {"tensor<8x!ttcore.tile<32x32, f32>, {p}{m}>>",
       "tensor<8x!tt.tile<32x32, f32>, {p}{m}>>"},
  };
  for (const auto& [text, canonical] : cases) {
    EXPECT_EQ(CanonicalTensor(text), Expand(canonical));
    EXPECT_EQ(CanonicalTensor(canonical), Expand(canonical));
  }
}

TEST(MetalLayoutParser, EveryElementType) {
  for (const DataType type : kDataTypes) {
    std::vector<ElementType> elements;
    if (!ScalarKeyword(type).empty()) elements.push_back({type});
    if (!TileKeyword(type).empty()) {
      elements.push_back({type, TileShape{16, 32}});
    }
    for (const ElementType& element : elements) {
      const absl::StatusOr<MetalTensor> tensor = ParseMetalTensor(
          Expand(absl::StrCat("tensor<3x", element.ToString(), ", {p}memref<4x",
                              element.ToString("ttcore"), ", {l1}>>>")));
      ASSERT_THAT(tensor, IsOk());
      EXPECT_EQ(tensor->element, element);
      EXPECT_EQ(tensor->layout.memref.element, element);
    }
  }
}

TEST(MetalLayoutParser, Aliases) {
  const std::string canonical = Expand("{p}{m}>");
  for (const char* text : {
           "#l1_ = {l1}\n{p}memref<4xf32, #l1_>>",
           "#l1 = {l1} #layout = {p}memref<4xf32, #l1>>",
           "#0 = {l1}\n#1 = {p}memref<4xf32, #0>>\n#1",
           "#a = {l1}\n#b = #a\n#c = #b\n{p}memref<4xf32, #c>>",
           "#l = {p}{m}>\n#m = #l",
           "#map = affine_map<(i) -> (i)>\n"
           "#tt.metal_layout<#map, undef, <2>, {m}>",
           "#map = affine_map<(i) -> (i)>\n{p}memref<4xf32, #map, {l1}>>",
           "#map = affine_map<(i) -> (i)>\n#l1 = {l1}\n"
           "{p}memref<4xf32, #map, #l1>>",
           "#grid = #tt.grid<2>\n{h}undef, #grid, {m}>",
           "#grid = #tt.grid<2, (d0) -> (0, d0, 0)>\n{h}undef, #grid, {m}>",
           "#a-$b = {l1} // in L1\n\n{p}memref<4xf32, #a-$b>>\n",
           "#unused = {p}memref<1xbf16, {l1}>>\n{p}{m}>",
       }) {
    EXPECT_EQ(CanonicalLayout(text), canonical) << text;
  }
  EXPECT_EQ(CanonicalTensor("#layout = {p}{m}>\ntensor<8xf32, #layout>"),
            Expand("tensor<8xf32, {p}{m}>>"));
}

// As at the top of a file that tt-mlir has printed.
TEST(MetalLayoutParser, OtherAliasesArePassedOver) {
  EXPECT_EQ(
      CanonicalTensor(
          "#any_device = #tt.device<workerGrid = #tt.grid<8x8, (d0, d1) -> (0, "
          "d0, d1)>, l1Map = (d0)[s0] -> (0, d0 floordiv s0), meshShape = , "
          "chipIds = [0]>\n"
          "#l1_ = {l1}\n"
          "#loc = loc(\"a>)\\\"].py\":1:2)\n"
          "#loc1 = loc(fused[\"x\", #loc])\n"
          "#parallel = #tt.iterator_type<parallel> // of loops\n"
          "#system_desc = #tt.system_desc<[{role = host, target_triple = "
          "\"x86_64\"}], [{arch = <wormhole_b0>, grid = 8x8}], [ 0x0x0x0]>\n"
          "#mesh = #ttnn<mesh_shape 1x1>\n"
          "#unit = #ttnn.trace_id\n"
          "#layout = {p}memref<4xf32, #l1_>>\n"
          "tensor<8xf32, #layout>"),
      Expand("tensor<8xf32, {p}{m}>>"));
}

TEST(MetalLayoutParser, MalformedLayouts) {
  const MalformedText cases[] = {
      {"^", "expected {layout}, found end of text"},
      {"  ^", "expected {layout}, found end of text"},
      {"^undef", "expected {layout}, found 'undef'"},
      {"^tensor<2xf32>", "expected {layout}, found 'tensor'"},
      {"^#tt.device<>", "expected {layout}, found '#tt.device'"},
      {"^#tt.shard<4>", "expected {layout}, found '#tt.shard'"},
      {"^#layout", "no alias '#layout' is defined before this"},
      {"^#", "expected {layout}, found '#'"},
      {"#tt.metal_layout^", "expected '<', found end of text"},
      {"#tt.metal_layout^(", "expected '<', found '('"},
      {"#tt.metal_layout<^",
       "expected an affine map such as (d0, d1) -> (d0, d1), or "
       "'logical_shape', found end of "
       "text"},
      {"#tt.metal_layout<^undef, <2>, {m}>",
       "expected an affine map such as (d0, d1) -> (d0, d1), or "
       "'logical_shape', found 'undef'"},
      {"#tt.metal_layout<^8192x128x1, undef, <1x1>, {m}>",
       "expected an affine map such as (d0, d1) -> (d0, d1), or "
       "'logical_shape', found '8192'"},
      {"#tt.metal_layout<(d0) -> (d0)^", "expected ',', found end of text"},
      {"#tt.metal_layout<(d0) -> (^d1), undef, <2>, {m}>",
       "no dimension or symbol has the name 'd1'"},
      {"#tt.metal_layout<(d0) ^- (d0), undef, <2>, {m}>",
       "expected '->', found '-'"},
      {"#tt.metal_layout<affine_map<(d0) -> (d0)^, undef, <2>, {m}>",
       "expected '>', found ','"},
      {"#tt.metal_layout<(d0) -> (d0 ^* d0), undef, <2>, {m}>",
       "not affine: one of the factors must be free of dimensions"},
      {"#tt.metal_layout<(d0) -> (d0) ^undef, <2>, {m}>",
       "expected ',', found 'undef'"},
      {"{h}^nan, <2>, {m}>",
       "expected an out-of-bounds value (undef, zero, one, inf or neginf), "
       "found 'nan'"},
      {"{h}^Undef, <2>, {m}>",
       "expected an out-of-bounds value (undef, zero, one, inf or neginf), "
       "found 'Undef'"},
      {"{h}^-inf, <2>, {m}>",
       "expected an out-of-bounds value (undef, zero, one, inf or neginf), "
       "found '-'"},
      {"{h}^<2>, {m}>",
       "expected an out-of-bounds value (undef, zero, one, inf or neginf), "
       "found '<'"},
      {"{h}undef, ^{m}>", "expected a grid such as <2x4>, found 'memref'"},
      {"{h}undef, ^2x4, {m}>", "expected a grid such as <2x4>, found '2'"},
      {"{h}undef, <2,^4>, {m}>",
       "expected the affine map of the grid, whose sizes have an 'x' between "
       "them, found '4'"},
      {"{h}undef, <2 ^4>, {m}>", "expected 'x', ',' or '>', found '4'"},
      {"{h}undef, <2x^>, {m}>", "expected a size, found '>'"},
      {"{h}undef, <^x2>, {m}>", "expected a size, found 'x2'"},
      {"{h}undef, <^-2>, {m}>", "expected a size, found '-'"},
      {"{h}undef, <^?>, {m}>",
       "a size of '?' is dynamic; only known sizes have a layout"},
      {"{h}undef, <2x^?>, {m}>",
       "a size of '?' is dynamic; only known sizes have a layout"},
      {"{h}undef, <^9223372036854775808>, {m}>", "the size exceeds 2^63-1",
       kOutOfRange},
      {"{h}undef, <2, (d0)^>, {m}>", "expected '->', found '>'"},
      {"{h}undef, ^{l1}, {m}>",
       "expected a grid such as <2x4>, found '#tt.memory_space'"},
      {"{h}undef, #tt.grid<2, ^{m}>",
       "expected the affine map of the grid, whose sizes have an 'x' between "
       "them, found 'memref'"},
      {"{h}undef, ^#grid, {m}>", "no alias '#grid' is defined before this"},
      {"#grid = {l1}\n{h}undef, ^#grid, {m}>",
       "expected a grid such as <2x4>, found '#grid', a memory space"},
      {"#map = #tt.grid<2>\n#tt.metal_layout<^#map, undef, <2>, {m}>",
       "expected an affine map such as (d0, d1) -> (d0, d1), found '#map', a "
       "grid"},
      {"{h}undef, <2> ^{m}>", "expected ',', found 'memref'"},
      {"{h}undef, <2>^>", "expected ',', found '>'"},
      {"{p}^tensor<4xf32, {l1}>>", "expected 'memref', found 'tensor'"},
      {"{p}memref ^4xf32, {l1}>>", "expected '<', found '4'"},
      {"{p}memref<^, {l1}>>",
       "expected a size or an element type ({types}), found ','"},
      {"{p}memref<4^, {l1}>>", "expected 'x', found ','"},
      {"{p}memref<4^f32, {l1}>>", "expected 'x', found 'f32'"},
      {"{p}memref<4x^, {l1}>>",
       "expected a size or an element type ({types}), found ','"},
      {"{p}memref<4x4^, {l1}>>", "expected 'x', found ','"},
      {"{p}memref<^-4xf32, {l1}>>",
       "expected a size or an element type ({types}), found '-'"},
      {"{p}memref<^?xf32, {l1}>>",
       "a size of '?' is dynamic; only known sizes have a layout"},
      {"{p}memref<4x^?xf32, {l1}>>",
       "a size of '?' is dynamic; only known sizes have a layout"},
      {"{p}memref<^*xf32, {l1}>>",
       "a memref of '*' has no rank, and so no layout"},
      {"{p}memref<4x^f8, {l1}>>",
       "expected a size or an element type ({types}), found 'f8'"},
      {"{p}memref<4x^bfp_bf8, {l1}>>",
       "expected a size or an element type ({types}), found 'bfp_bf8'"},
      {"{p}memref<4x^vector<2xf32>, {l1}>>",
       "expected a size or an element type ({types}), found 'vector'"},
      {"{p}memref<^99999999999999999999xf32, {l1}>>", "the size exceeds 2^63-1",
       kOutOfRange},
      {"{p}memref<4xf32^>>",
       "expected ',' and a memory space such as {l1}, found '>'"},
      {"{p}memref<4xf32, ^l1>>",
       "expected a memory space such as {l1}, found 'l1'"},
      {"{p}memref<4xf32, ^1>>",
       "expected a memory space such as {l1}, found '1'"},
      {"{p}memref<4xf32, ^<l1>>>",
       "expected a memory space such as {l1}, found '<'"},
      {"{p}memref<4xf32, #tt.memory_space^>>", "expected '<', found '>'"},
      {"{p}memref<4xf32, #tt.memory_space<^>>>",
       "expected a memory space (system, mmio, dram, l1 or dst), found '>'"},
      {"{p}memref<4xf32, #tt.memory_space<^l2>>>",
       "expected a memory space (system, mmio, dram, l1 or dst), found 'l2'"},
      {"{p}memref<4xf32, #tt.memory_space<^DeviceL1>>>",
       "expected a memory space (system, mmio, dram, l1 or dst), found "
       "'DeviceL1'"},
      {"{p}memref<4xf32, #tt.memory_space<l1^, dram>>>",
       "expected '>', found ','"},
      {"{p}memref<4xf32, ^#tt.shard<4x1>>>",
       "expected a memory space such as {l1}, found '#tt.shard'"},
      {"{p}memref<4xf32, ^#ttnn.buffer_type<l1>>>",
       "expected a memory space such as {l1}, found '#ttnn.buffer_type'"},
      {"{p}memref<4xf32, ^#l1>>", "no alias '#l1' is defined before this"},
      {"#l1 = #tt.grid<1>\n{p}memref<4xf32, ^#l1>>",
       "expected a memory space such as {l1}, found '#l1', a grid"},
      {"{p}memref<4xf32, {l1}^, 1>>", "expected '>', found ','"},
      {"{p}memref<4xf32, affine_map<(d0) -> (d0)>^>>",
       "expected ',' and a memory space such as {l1}, found '>'"},
      {"{p}memref<4xf32, ^affine_map<(d0) -> (d0 * 2)>, {l1}>>",
       "a memref whose map is not the identity is not supported",
       kUnimplemented},
      {"{p}memref<4xf32, ^affine_map<(d0, d1) -> (d0, d1)>, {l1}>>",
       "the map of the memref has 2 dimensions, the memref 1"},
      {"#m = affine_map<(d0) -> (-d0)>\n{p}memref<4xf32, ^#m, {l1}>>",
       "a memref whose map is not the identity is not supported",
       kUnimplemented},
      {"{p}memref<4xf32, ^strided<[1]>, {l1}>>",
       "a memref with strides is not supported", kUnimplemented},
      {"{p}memref<4x!tt.tile<32x32^>, {l1}>>",
       "expected ',' and a data type, as in !tt.tile<32x32, f32>, found '>'"},
      {"{p}memref<4x!tt.tile<32^, f32>, {l1}>>",
       "expected 'x' and the tile width, found ','"},
      {"{p}memref<4x!tt.tile<32x32^x32, f32>, {l1}>>",
       "expected ',' and a data type, as in !tt.tile<32x32, f32>, found 'x32'"},
      {"{p}memref<4x!tt.tile<32x32^xf32>, {l1}>>",
       "expected ',' and a data type, as in !tt.tile<32x32, f32>, found "
       "'xf32'"},
      {"{p}memref<4x!tt.tile<^0x32, f32>, {l1}>>",
       "the tile height is 0; expected at least 1"},
      {"{p}memref<4x!tt.tile<32x^0, f32>, {l1}>>",
       "the tile width is 0; expected at least 1"},
      {"{p}memref<4x!tt.tile<32x^?, f32>, {l1}>>",
       "a tile width of '?' is dynamic; only known sizes have a layout"},
      {"{p}memref<4x!tt.tile<^, f32>, {l1}>>",
       "expected a tile height, found ','"},
      {"{p}memref<4x!tt.tile<32x32, ^bfp8>, {l1}>>",
       "expected the data type of a tile (f32, f16, bf16, bfp_f8, bfp_bf8, "
       "bfp_f4, bfp_bf4, bfp_f2, bfp_bf2, i1, si32, u32, u16 or u8), found "
       "'bfp8'"},
      {"{p}memref<4x!tt.tile<32x32, ^f64>, {l1}>>",
       "expected the data type of a tile (f32, f16, bf16, bfp_f8, bfp_bf8, "
       "bfp_f4, bfp_bf4, bfp_f2, bfp_bf2, i1, si32, u32, u16 or u8), found "
       "'f64'"},
      {"{p}memref<4x!tt.tile<32x32, f32^, {l1}>>", "expected '>', found ','"},
      {"{p}memref<4x^!tt.face<16x16, f32>, {l1}>>",
       "expected a size or an element type ({types}), found '!tt.face'"},
      {"{p}memref<4x^tt.tile<32x32, f32>, {l1}>>",
       "expected a size or an element type ({types}), found 'tt.tile'"},
      {"{p}memref<4x!tt.tile<^9223372036854775808x1, f32>, {l1}>>",
       "the tile height exceeds 2^63-1", kOutOfRange},
      {"{p}{m}^", "expected ',' or '>', found end of text"},
      {"{p}{m}, ^sharded>",
       "expected a memory layout (none, interleaved, single_bank, "
       "height_sharded, width_sharded or block_sharded), found 'sharded'"},
      {"{p}{m}, ^>",
       "expected a memory layout (none, interleaved, single_bank, "
       "height_sharded, width_sharded or block_sharded), found '>'"},
      {"{p}{m}, none^, none>", "expected '>', found ','"},
      {"{p}{m}>^>", "expected the end of the text, found '>'"},
      {"{p}{m}> ^/*",
       "expected the end of the text, found a comment without an end"},
      {"^#ttcore.metal_layout<logical_shape = 4, dim_alignments = 1, "
       "collapsed_intervals = dense<0> : tensor<1x2xi64>>",
       "expected {layout}, found '#ttcore.metal_layout', a layout with a "
       "logical shape"},
      {"#a = ^#b", "no alias '#b' is defined before this"},
      {"#a = #tt.grid<1>\n#b = ^#c\n", "no alias '#c' is defined before this"},
      {"#a = #tt.grid<1>\n^#a = #tt.grid<2>",
       "this alias is defined a second time"},
      {"#a = ^#a", "no alias '#a' is defined before this"},
      {"^#tt.a = #tt.grid<1>", "the name of an alias has no '.'"},
      {"#a =^", "expected {attribute}, found end of text"},
      {"#a = ^5", "expected {attribute}, found '5'"},
      {"#a = ^#tt.device<>", "expected {layout}, found '#tt.device', {other}"},
      {"#a = ^loc(\"x.py\":1:2)", "expected {layout}, found 'loc', {other}"},
      {"#a = ^#ttnn<buffer_type<l1>>",
       "expected {layout}, found '#ttnn', {other}"},
      {"#a = ^#tt.device", "expected {layout}, found '#tt.device', {other}"},
      {"#l1 = #tt.memoryspace<l1>\n{p}memref<4xf32, ^#l1>>",
       "expected a memory space such as {l1}, found '#l1', {other}"},
      {"#a = #tt.device<^", "expected '>', found end of text"},
      {"#a = #tt.device<[(<{^", "expected '}', found end of text"},
      {"#a = #tt.device<[^)>", "expected ']', found ')'"},
      {"#a = #tt.device<{a = \"}\", b = (d0) -> (d0)^>",
       "expected '}', found '>'"},
      {"#a = #tt.device<>^>", "expected {layout}, found '>'"},
      {"#a = ^loc", "expected {attribute}, found 'loc'"},
      {"#a = ^tensor<2xf32>", "expected {attribute}, found 'tensor'"},
      {"#a =^= #tt.grid<1>", "expected {attribute}, found '='"},
      {"#l1_ = ^{l1}",
       "expected {layout}, found '#tt.memory_space', a memory space"},
      {"#a = #tt.grid<1>\n#b = ^#a", "expected {layout}, found '#a', a grid"},
      {"#a = affine_map<(d0) -> (d0)>\n^#a",
       "expected {layout}, found '#a', an affine map"},
      {"^#layout\n#layout = {p}{m}>",
       "no alias '#layout' is defined before this"},
  };
  for (const MalformedText& c : cases) {
    ExpectRefused(c, Parts(), ParseMetalLayout);
  }
}

TEST(MetalLayoutParser, MalformedTensors) {
  const MalformedText cases[] = {
      {"^", "expected 'tensor', found end of text"},
      {"tensor^", "expected '<', found end of text"},
      {"tensor<^",
       "expected a size or an element type ({types}), found end of text"},
      {"tensor<^>", "expected a size or an element type ({types}), found '>'"},
      {"^{m}", "expected 'tensor', found 'memref'"},
      {"^{p}{m}>", "expected 'tensor', found '#tt.metal_layout'"},
      {"tensor<8xf32^>", "expected ',' and {layout}, found '>'"},
      {"tensor<8xf32,^>", "expected {layout}, found '>'"},
      {"tensor<8xf32, ^#layout>", "no alias '#layout' is defined before this"},
      {"tensor<8xf32, ^\"x\">", "expected {layout}, found '\"'"},
      {"tensor<8xf32, ^{l1}>",
       "expected {layout}, found '#tt.memory_space', a memory space"},
      {"#l = {l1}\ntensor<8xf32, ^#l>",
       "expected {layout}, found '#l', a memory space"},
      {"tensor<^?xf32, {l1}>",
       "a size of '?' is dynamic; only known sizes have a layout"},
      {"tensor<^*xf32, {l1}>", "a tensor of '*' has no rank, and so no layout"},
      {"tensor<8x^i4, {l1}>",
       "expected a size or an element type ({types}), found 'i4'"},
      {"tensor<8x0x10 x^, {l1}>",
       "expected a size or an element type ({types}), found ','"},
      {"#layout = {p}{m}>\ntensor<8xf32, #layout^",
       "expected '>', found end of text"},
      {"#layout = {p}{m}>\ntensor<8xf32, #layout> ^x",
       "expected the end of the text, found 'x'"},
      {"#layout = {p}{m}>\n^", "expected 'tensor', found end of text"},
      {"#layout = {p}{m}>\ntensor<8xf32, #layout^, #layout>",
       "expected '>', found ','"},
      {"#layout = #tt.metal_layout<(d0) -> (d0),\n  undef, <2>,\n  "
       "memref<4xf32 ^{l1}>>",
       "expected ',' and a memory space such as {l1}, found "
       "'#tt.memory_space'"},
  };
  for (const MalformedText& c : cases) {
    ExpectRefused(c, Parts(), ParseMetalTensor);
  }
}

TEST(MetalLayoutParser, EveryPrefixIsRefusedInItsPlace) {
  const std::string text = Expand(
      "#l1 = {l1}\ntensor<8x!tt.tile<32x32, f32>, #tt.metal_layout<(i, j)[N] ->"
      " (-(i * 4 + j) floordiv N mod 3, (2)), zero, #tt.grid<2x4, (a) -> (a)>, "
      "memref<4xf32, affine_map<(i) -> (i)>, #l1>, none>>");
  EXPECT_THAT(ParseMetalTensor(text), IsOk());
  for (size_t size = 0; size < text.size(); ++size) {
    const absl::StatusOr<MetalTensor> tensor =
        ParseMetalTensor(text.substr(0, size));
    ASSERT_FALSE(tensor.ok()) << size;
    const Diagnostic diagnostic = *DiagnosticOf(tensor.status());
    EXPECT_LE(diagnostic.offset, size) << diagnostic.message;
  }
  EXPECT_FALSE(ParseMetalTensor(std::string_view()).ok());
  EXPECT_FALSE(ParseMetalLayout(std::string_view()).ok());
}

TEST(MetalLayoutParser, NestingIsRefusedAtOnce) {
  const int64_t n = 100000;
  for (const char* opening :
       {"<", "#tt.metal_layout<", "#tt.grid<", "memref<", "tensor<", "((", "[",
        "!tt.tile<", "affine_map<", "/*"}) {
    for (const char* start :
         {"", "#a = ", "#a = #tt.device<", "{h}", "{h}undef, ", "{p}",
          "{p}memref<4x", "{p}memref<4xf32, ", "tensor<", "tensor<f32, "}) {
      const std::string text = Expand(start) + Repeat(opening, n);
      EXPECT_FALSE(ParseMetalLayout(text).ok()) << start << opening;
      EXPECT_FALSE(ParseMetalTensor(text).ok()) << start << opening;
    }
  }
  // A layout for the memory space of a layout, and so on.
  const std::string layout = Expand("{p}memref<4xf32, ");
  const absl::StatusOr<MetalLayout> nested =
      ParseMetalLayout(Repeat(layout, n));
  EXPECT_EQ(DiagnosticOf(nested.status())->column,
            static_cast<int64_t>(layout.size()) + 1);
}

TEST(MetalLayoutParser, SizesAreLimited) {
  const std::string sizes = Repeat("1x", 1024);
  EXPECT_EQ(ParseMetalTensor(Expand("tensor<" + sizes + "f32, {p}memref<" +
                                    sizes + "f32, {l1}>>>"))
                ->shape.size(),
            1024u);
  EXPECT_EQ(
      ParseMetalLayout(Expand("{h}undef, <" + Repeat("1x", 1023) + "1>, {m}>"))
          ->grid.size(),
      1024u);
  const std::string kMessage = "a shape has at most 1024 sizes";
  ExpectRefused({("tensor<" + sizes + "^1xf32, {p}{m}>>").c_str(),
                 kMessage.c_str(), kResourceExhausted},
                Parts(), ParseMetalTensor);
  ExpectRefused({("{h}undef, <" + sizes + "^1>, {m}>").c_str(),
                 kMessage.c_str(), kResourceExhausted},
                Parts(), ParseMetalLayout);
  EXPECT_THAT(ParseMetalTensor("tensor<" + Repeat("1x", 100000)),
              StatusIs(kResourceExhausted));
  EXPECT_THAT(ParseMetalTensor("tensor<" + Repeat("9", 100000)),
              StatusIs(kOutOfRange));
}

TEST(MetalLayoutParser, ManyAliases) {
  const int64_t n = 100000;
  std::string chain = "#a0 = {p}{m}>\n";
  std::string maps = "";
  std::string uses = "#l1 = {l1}\n#m = affine_map<(d0) -> (d0)>\n";
  for (int64_t i = 1; i < n; ++i) {
    absl::StrAppend(&chain, "#a", i, " = #a", i - 1, "\n");
    absl::StrAppend(&maps, "#m", i, "=affine_map<()->()>");
    absl::StrAppend(&uses, "#a", i,
                    "=#tt.layout<#m,undef,<2>,memref<4xf32,#m,#l1>>");
  }
  EXPECT_EQ(CanonicalLayout(chain), Expand("{p}{m}>"));
  EXPECT_EQ(CanonicalLayout(maps + "{p}{m}>"), Expand("{p}{m}>"));
  EXPECT_EQ(CanonicalLayout(uses), Expand("{p}{m}>"));
}

// Small to read, large to store.
TEST(MetalLayoutParser, AliasesDoNotMultiply) {
  std::string text = "#m = affine_map<(i) -> (i";
  for (int k = 2; k < 4000; ++k) absl::StrAppend(&text, " + i mod ", k);
  absl::StrAppend(&text, ")>\n");
  const size_t first = text.size();
  for (int64_t i = 0; i < 50000; ++i) {
    absl::StrAppend(&text, "#a", i, " = #tt.layout<#m, undef, <2>, {m}>\n");
  }
  const absl::StatusOr<MetalLayout> many = ParseMetalLayout(Expand(text));
  ASSERT_FALSE(many.ok());
  EXPECT_THAT(many, StatusIs(kResourceExhausted));
  EXPECT_EQ(DiagnosticOf(many.status())->message,
            "short forms expand to more than 4194304 numbers in all");
  // One is no problem.
  EXPECT_THAT(ParseMetalLayout(Expand(text.substr(0, text.find('\n', first)))),
              IsOk());
}

TEST(MetalLayoutParser, ReadsWhatItPrints) {
  RandomBits random(TestSeed());
  for (int i = 0; i < 3000; ++i) {
    MetalTensor tensor;
    tensor.shape = RandomSizes(&random);
    tensor.element = RandomElement(&random);
    tensor.layout.linear = RandomMap(&random);
    tensor.layout.oob_value = RandomOf(kOobValues, &random);
    tensor.layout.grid = RandomSizes(&random);
    tensor.layout.memref.shape = RandomSizes(&random);
    tensor.layout.memref.element = RandomElement(&random);
    tensor.layout.memref.memory_space = RandomOf(kMemorySpaces, &random);
    if (Uniform(0, 1, &random) == 0) {
      tensor.layout.memory_layout = RandomOf(kTensorMemoryLayouts, &random);
    }
    const std::string text = tensor.ToString();
    const absl::StatusOr<MetalTensor> again = ParseMetalTensor(text);
    ASSERT_THAT(again, IsOk());
    EXPECT_EQ(*again, tensor) << text;
    EXPECT_EQ(again->ToString(), text);
    EXPECT_EQ(*ParseMetalLayout(tensor.layout.ToString()), tensor.layout);
  }
}

}  // namespace
}  // namespace tessera::tenstorrent
