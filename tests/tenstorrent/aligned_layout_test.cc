#include "tessera/tenstorrent/aligned_layout.h"

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
      {"{c}",
       "#ttcore.metal_layout<logical_shape = 4, dim_alignments = 1, "
       "collapsed_intervals = dense<0> : tensor<1x2xi64>"},
      {"{a}", "#ttcore.metal_layout<logical_shape = 4, dim_alignments = 1, "},
      {"{aligned}",
       "a layout such as #ttcore.metal_layout<logical_shape = ...>"},
      {"{metal}",
       "#tt.metal_layout<(d0) -> (d0), undef, <2>, "
       "memref<4xf32, #tt.memory_space<l1>>>"},
  };
  return parts;
}

std::string Expand(const std::string& text) {
  return absl::StrReplaceAll(text, Parts());
}

// What `text` prints as, or the message of its error.
std::string CanonicalLayout(const std::string& text) {
  const absl::StatusOr<AlignedLayout> layout = ParseAlignedLayout(Expand(text));
  return layout.ok() ? layout->ToString()
                     : std::string(layout.status().message());
}

std::string CanonicalTensor(const std::string& text) {
  const absl::StatusOr<AlignedTensor> tensor = ParseAlignedTensor(Expand(text));
  return tensor.ok() ? tensor->ToString()
                     : std::string(tensor.status().message());
}

TEST(AlignedLayoutParser, CanonicalTextsComeBack) {
  const std::string layout =
      "#ttcore.metal_layout<logical_shape = 64x128, dim_alignments = 32x32,"
      " collapsed_intervals = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>,"
      " l1, sharded>";
  EXPECT_EQ(CanonicalLayout(layout), layout);
  EXPECT_EQ(
      CanonicalTensor(
          absl::StrCat("#layout = ", layout,
                       "\ntensor<2x4x1x1x!ttcore.tile<32x32, f32>, #layout>")),
      absl::StrCat("tensor<2x4x1x1x!ttcore.tile<32x32, f32>, ", layout, ">"));
}

// The example of aligned_layout.h.
TEST(AlignedLayout, HasThePartsOfItsText) {
  const absl::StatusOr<AlignedTensor> tensor = ParseAlignedTensor(R"(
      #layout = #ttcore.metal_layout<
          logical_shape = 2x33x128, dim_alignments = 1x32x32,
          collapsed_intervals = dense<[[0, 2], [2, 3]]> : tensor<2x2xi64>,
          l1, sharded>
      tensor<4x4x1x1x!ttcore.tile<32x32, f32>, #layout>)");
  ASSERT_THAT(tensor, IsOk());
  EXPECT_EQ(tensor->shape, (Dimensions{4, 4, 1, 1}));
  EXPECT_EQ(tensor->element, (ElementType{DataType::kF32, TileShape{32, 32}}));
  const AlignedLayout& layout = tensor->layout;
  EXPECT_EQ(layout.logical_shape, (Dimensions{2, 33, 128}));
  EXPECT_EQ(layout.dim_alignments, (Dimensions{1, 32, 32}));
  EXPECT_EQ(layout.collapsed_intervals,
            (AlignedLayout::Intervals{{0, 2}, {2, 3}}));
  EXPECT_EQ(layout.oob_value, std::nullopt);
  EXPECT_EQ(layout.memory_space, MemorySpace::kDeviceL1);
  EXPECT_EQ(layout.memory_layout, AlignedMemoryLayout::kSharded);
  EXPECT_EQ(layout.index_map, std::nullopt);
  EXPECT_EQ(tensor->ToString(),
            "tensor<4x4x1x1x!ttcore.tile<32x32, f32>, #ttcore.metal_layout<"
            "logical_shape = 2x33x128, dim_alignments = 1x32x32, "
            "collapsed_intervals = dense<[[0, 2], [2, 3]]> : tensor<2x2xi64>, "
            "l1, sharded>>");
}

TEST(AlignedLayout, Keywords) {
  for (const AlignedMemoryLayout layout : kAlignedMemoryLayouts) {
    EXPECT_EQ(AlignedMemoryLayoutOf(KeywordOf(layout)), layout);
  }
  EXPECT_EQ(AlignedMemoryLayoutOf("sharded"), AlignedMemoryLayout::kSharded);
  EXPECT_EQ(AlignedMemoryLayoutOf("height_sharded"), std::nullopt);
}

TEST(AlignedLayoutParser, Spellings) {
  const std::pair<const char*, const char*> cases[] = {
      // As the years had it.
      {"{a}collapse_dims = dense<0> : tensor<1x2xi64>, undef, l1>",
       "{c}, undef, l1>"},
      {"{c}, undef, l1>", "{c}, undef, l1>"},
      {"{c}, zero>", "{c}, zero>"},
      {"{c}, undef, l1, sharded, index_map = map(0)>",
       "{c}, undef, l1, sharded, index_map = map(0)>"},
      {"{c}, neginf, dram, interleaved, index_map = (d0, d1) -> (d1, d0)>",
       "{c}, neginf, dram, interleaved, index_map = (d0, d1) -> (d1, d0)>"},
      {"{c}, l1, sharded>", "{c}, l1, sharded>"},
      {"{c}, l1>", "{c}, l1>"},
      {"{c}, sharded>", "{c}, sharded>"},
      {"{c}, interleaved>", "{c}, interleaved>"},
      {"{c}, index_map = map(2)>", "{c}, index_map = map(2)>"},
      {"{c}>", "{c}>"},
      {"#tt.metal_layout<logical_shape = 4, dim_alignments = 1, "
       "collapsed_intervals = dense<0> : tensor<1x2xi64>>",
       "{c}>"},
      // Maps.
      {"{c}, index_map = (a, b) -> (a, b)>", "{c}, index_map = map(2)>"},
      {"{c}, index_map = () -> ()>", "{c}, index_map = map(0)>"},
      {"{c}, index_map = map(0x2)>", "{c}, index_map = map(2)>"},
      {"{c}, index_map = affine_map<(a, b) -> (b)>>",
       "{c}, index_map = (d0, d1) -> (d1)>"},
      {"#map = affine_map<(a, b) -> (b)>\n{c}, index_map = #map>",
       "{c}, index_map = (d0, d1) -> (d1)>"},
      // Intervals.
      {"{a}collapsed_intervals = dense<> : tensor<0x2xi64>>",
       "{a}collapsed_intervals = dense<> : tensor<0x2xi64>>"},
      {"{a}collapsed_intervals = dense<7> : tensor<0x2xi64>>",
       "{a}collapsed_intervals = dense<> : tensor<0x2xi64>>"},
      {"{a}collapsed_intervals = dense<[[0, 0]]> : tensor<1x2xi64>>", "{c}>"},
      {"{a}collapsed_intervals = dense<-1> : tensor<3x2xi64>>",
       "{a}collapsed_intervals = dense<-1> : tensor<3x2xi64>>"},
      {"{a}collapsed_intervals = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>>",
       "{a}collapsed_intervals = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>>"},
      {"{a}collapsed_intervals=dense<[[0,-1],[0x10,- 3]]>:tensor< 2 x 2 x i64 "
       ">>",
       "{a}collapsed_intervals = dense<[[0, -1], [16, -3]]> : "
       "tensor<2x2xi64>>"},
      {"{a}collapsed_intervals = dense<[[-9223372036854775807, "
       "9223372036854775807]]> : tensor<1x2xi64>>",
       "{a}collapsed_intervals = dense<[[-9223372036854775807, "
       "9223372036854775807]]> : tensor<1x2xi64>>"},
      // Sizes.
      {"#ttcore.metal_layout<logical_shape = , dim_alignments = , "
       "collapsed_intervals = dense<> : tensor<0x2xi64>>",
       "#ttcore.metal_layout<logical_shape = , dim_alignments = , "
       "collapsed_intervals = dense<> : tensor<0x2xi64>>"},
      {"#ttcore.metal_layout<logical_shape=0 x 10,/**/dim_alignments=0x0x1,"
       "collapsed_intervals=dense<0>:tensor<1x2xi64>>",
       "#ttcore.metal_layout<logical_shape = 0x10, dim_alignments = 0x0x1, "
       "collapsed_intervals = dense<0> : tensor<1x2xi64>>"},
      // Aliases.
      {"#layout = {c}>", "{c}>"},
      {"#l1 = #tt.memory_space<l1> #layout = {c}>\n#layout", "{c}>"},
  };
  for (const auto& [text, canonical] : cases) {
    EXPECT_EQ(CanonicalLayout(text), Expand(canonical));
    EXPECT_EQ(CanonicalLayout(canonical), Expand(canonical));
  }
}

TEST(AlignedLayoutParser, Tensors) {
  const std::pair<const char*, const char*> cases[] = {
      {"tensor<1x2x8x150xf32, {c}>>", "tensor<1x2x8x150xf32, {c}>>"},
      {"tensor<1x1x!tt.tile<32 x 32, bfp_bf8>, {c}>>",
       "tensor<1x1x!ttcore.tile<32x32, bfp_bf8>, {c}>>"},
      {"tensor<f32, {c}>>", "tensor<f32, {c}>>"},
      {"#layout = {c}, l1>\n#l = #layout\ntensor<4xf32, #l>",
       "tensor<4xf32, {c}, l1>>"},
  };
  for (const auto& [text, canonical] : cases) {
    EXPECT_EQ(CanonicalTensor(text), Expand(canonical));
    EXPECT_EQ(CanonicalTensor(canonical), Expand(canonical));
  }
}

TEST(AlignedLayoutParser, Malformed) {
  const MalformedText layouts[] = {
      {"^", "expected {aligned}, found end of text"},
      {"#ttcore.metal_layout<logical_shape^",
       "expected '=', found end of text"},
      {"#ttcore.metal_layout<^logical_shapes = 4>",
       "expected an affine map such as (d0, d1) -> (d0, d1), or "
       "'logical_shape', found 'logical_shapes'"},
      {"#ttcore.metal_layout<logical_shape ^4>", "expected '=', found '4'"},
      {"#ttcore.metal_layout<logical_shape = 4x^, dim_alignments = 1>",
       "expected a size, found ','"},
      {"#ttcore.metal_layout<logical_shape = ^?, dim_alignments = 1>",
       "a size of '?' is dynamic; only known sizes have a layout"},
      {"#ttcore.metal_layout<logical_shape = 4 ^dim_alignments = 1>",
       "expected ',', found 'dim_alignments'"},
      {"#ttcore.metal_layout<logical_shape = 4, ^1>",
       "expected 'dim_alignments', found '1'"},
      {"#ttcore.metal_layout<^dim_alignments = 4, logical_shape = 1>",
       "expected an affine map such as (d0, d1) -> (d0, d1), or "
       "'logical_shape', found 'dim_alignments'"},
      {"{a}^intervals = 1>",
       "expected 'collapsed_intervals', found 'intervals'"},
      {"{a}collapsed_intervals ^dense<0> : tensor<1x2xi64>>",
       "expected '=', found 'dense'"},
      {"{a}collapsed_intervals = ^[[0, 1]]>", "expected 'dense', found '['"},
      {"{a}collapsed_intervals = dense<^",
       "expected '[', '>' or an integer, found end of text"},
      {"{a}collapsed_intervals = dense<0^", "expected '>', found end of text"},
      {"{a}collapsed_intervals = dense<^x> : tensor<1x2xi64>>",
       "expected '[', '>' or an integer, found 'x'"},
      {"{a}collapsed_intervals = dense<[^]> : tensor<0x2xi64>>",
       "expected '[', found ']'"},
      {"{a}collapsed_intervals = dense<[^0, 1]> : tensor<2xi64>>",
       "expected '[', found '0'"},
      {"{a}collapsed_intervals = dense<[[0^]]> : tensor<1x1xi64>>",
       "expected ',', found ']'"},
      {"{a}collapsed_intervals = dense<[[0, 1^, 2]]> : tensor<1x3xi64>>",
       "expected ']', found ','"},
      {"{a}collapsed_intervals = dense<[[0, 1] ^[1, 2]]> : tensor<2x2xi64>>",
       "expected ',' or ']', found '['"},
      {"{a}collapsed_intervals = dense<[[0, 1],^]> : tensor<1x2xi64>>",
       "expected '[', found ']'"},
      {"{a}collapsed_intervals = dense<[[0, 1]^> : tensor<1x2xi64>>",
       "expected ',' or ']', found '>'"},
      {"{a}collapsed_intervals = dense<[[^a, 1]]> : tensor<1x2xi64>>",
       "expected an integer, found 'a'"},
      {"{a}collapsed_intervals = dense<[[0, -^-1]]> : tensor<1x2xi64>>",
       "expected an integer, found '-'"},
      {"{a}collapsed_intervals = dense<[[0, ^9223372036854775808]]> : "
       "tensor<1x2xi64>>",
       "the number exceeds 2^63-1", kOutOfRange},
      {"{a}collapsed_intervals = dense<[[0, -^9223372036854775808]]> : "
       "tensor<1x2xi64>>",
       "the number exceeds 2^63-1", kOutOfRange},
      {"{a}collapsed_intervals = dense<^\"0x00\">  : tensor<1x2xi64>>",
       "expected '[', '>' or an integer, found '\"'"},
      {"{a}collapsed_intervals = dense<[[0, 1]]>^>", "expected ':', found '>'"},
      {"{a}collapsed_intervals = dense<[[0, 1]]>^, l1>",
       "expected ':', found ','"},
      {"{a}collapsed_intervals = dense<[[0, 1]]> : ^1x2xi64>",
       "expected 'tensor', found '1'"},
      {"{a}collapsed_intervals = dense<[[0, 1]]> : ^tensor<2x2xi64>>",
       "expected tensor<1x2xi64>, the type of the intervals before it"},
      {"{a}collapsed_intervals = dense<> : ^tensor<1x2xi64>>",
       "expected tensor<0x2xi64>, the type of the intervals before it"},
      {"{a}collapsed_intervals = dense<[[0, 1]]> : ^tensor<1x2xi32>>",
       "expected the type of pairs, such as tensor<2x2xi64>"},
      {"{a}collapsed_intervals = dense<[[0, 1]]> : ^tensor<2xi64>>",
       "expected the type of pairs, such as tensor<2x2xi64>"},
      {"{a}collapsed_intervals = dense<0> : ^tensor<2x3xi64>>",
       "expected the type of pairs, such as tensor<2x2xi64>"},
      {"{a}collapsed_intervals = dense<0> : ^tensor<1025x2xi64>>",
       "a layout has at most 1024 intervals", kResourceExhausted},
      {"{a}collapsed_intervals = dense<[[0, 1]]> : tensor<1x2xi64^, #l>>",
       "expected '>', found ','"},
      {"{c}^", "expected ',' or '>', found end of text"},
      {"{c}, ^>",
       "expected undef, zero, one, inf, neginf, system, mmio, dram, l1, dst, "
       "interleaved, sharded or index_map, found '>'"},
      {"{c}, ^l2>",
       "expected undef, zero, one, inf, neginf, system, mmio, dram, l1, dst, "
       "interleaved, sharded or index_map, found 'l2'"},
      {"{c}, l1, ^undef>",
       "expected interleaved, sharded or index_map, found 'undef'"},
      {"{c}, sharded, ^l1>", "expected 'index_map', found 'l1'"},
      {"{c}, sharded, ^sharded>", "expected 'index_map', found 'sharded'"},
      {"{c}, ^height_sharded>",
       "expected undef, zero, one, inf, neginf, system, mmio, dram, l1, dst, "
       "interleaved, sharded or index_map, found 'height_sharded'"},
      {"{c}, index_map^>", "expected '=', found '>'"},
      {"{c}, index_map = ^4>",
       "expected an affine map such as (d0, d1) -> (d0, d1), found '4'"},
      {"{c}, index_map = map(^>", "expected a number of dimensions, found '>'"},
      {"{c}, index_map = map(^-1)>",
       "expected a number of dimensions, found '-'"},
      {"{c}, index_map = map(^1025)>",
       "an affine map has at most 1024 dimensions", kResourceExhausted},
      {"{c}, index_map = map(^99999999999999999999)>",
       "the number exceeds 2^63-1", kOutOfRange},
      {"{c}, index_map = map(1^>", "expected ')', found '>'"},
      {"{c}, index_map = map(1)^, l1>", "expected '>', found ','"},
      {"{c}, index_map = (d0) -> (^d1)>",
       "no dimension or symbol has the name 'd1'"},
      {"{c}, index_map = ^#map>", "no alias '#map' is defined before this"},
      {"{c}> ^x", "expected the end of the text, found 'x'"},
      {"^{metal}",
       "expected {aligned}, found '#tt.metal_layout', a layout with a memref"},
  };
  for (const MalformedText& c : layouts) {
    ExpectRefused(c, Parts(), ParseAlignedLayout);
  }
  const MalformedText tensors[] = {
      {"^", "expected 'tensor', found end of text"},
      {"tensor<4x4xf32^>", "expected ',' and {aligned}, found '>'"},
      {"tensor<4x4xf32, ^{metal}>",
       "expected {aligned}, found '#tt.metal_layout', a layout with a memref"},
      {"tensor<4x4xf32, {c}>^", "expected '>', found end of text"},
      {"tensor<4x^?xf32, {c}>>",
       "a size of '?' is dynamic; only known sizes have a layout"},
  };
  for (const MalformedText& c : tensors) {
    ExpectRefused(c, Parts(), ParseAlignedTensor);
  }
}

TEST(AlignedLayoutParser, EveryPrefixIsRefusedInItsPlace) {
  const std::string text =
      "tensor<4x4x1x1x!ttcore.tile<32x32, f32>, #ttcore.metal_layout<"
      "logical_shape = 2x33x128, dim_alignments = 1x32x32, "
      "collapsed_intervals = dense<[[0, -2], [2, 3]]> : tensor<2x2xi64>, "
      "undef, l1, sharded, index_map = (d0) -> (d0 mod 4)>>";
  EXPECT_EQ(CanonicalTensor(text), text);
  for (size_t size = 0; size < text.size(); ++size) {
    const absl::StatusOr<AlignedTensor> tensor =
        ParseAlignedTensor(text.substr(0, size));
    ASSERT_FALSE(tensor.ok()) << size;
    EXPECT_LE(DiagnosticOf(tensor.status())->offset, size);
  }
}

TEST(AlignedLayoutParser, HostileTexts) {
  const int64_t n = 100000;
  for (const char* opening : {"<", "[", "[[0, 1],", "dense<", "map(", "-", "4x",
                              "#ttcore.metal_layout<logical_shape = "}) {
    for (const char* start :
         {"#ttcore.metal_layout<logical_shape = ", "{a}collapsed_intervals = ",
          "{a}collapsed_intervals = dense<", "{a}collapsed_intervals = dense<[",
          "{c}, ", "{c}, index_map = "}) {
      EXPECT_FALSE(ParseAlignedLayout(Expand(start) + Repeat(opening, n)).ok())
          << start << opening;
    }
  }
  const std::string pairs = Repeat("[0, 1], ", 1024);
  EXPECT_THAT(
      ParseAlignedLayout(Expand("{a}collapsed_intervals = dense<[" + pairs)),
      StatusIs(kResourceExhausted));
  EXPECT_EQ(ParseAlignedLayout(Expand("{a}collapsed_intervals = dense<[" +
                                      pairs.substr(0, pairs.size() - 2) +
                                      "]> : tensor<1024x2xi64>>"))
                ->collapsed_intervals.size(),
            1024u);
}

// Few bytes that stand for many.
TEST(AlignedLayoutParser, ShortFormsDoNotMultiply) {
  for (const char* line :
       {"#ttcore.metal_layout<logical_shape = 4, dim_alignments = 1, "
        "collapsed_intervals = dense<0> : tensor<1024x2xi64>>",
        "{c}, index_map = map(1024)>"}) {
    std::string text;
    for (int64_t i = 0; i < 20000; ++i) {
      absl::StrAppend(&text, "#a", i, " = ", line, "\n");
    }
    const absl::StatusOr<AlignedLayout> many = ParseAlignedLayout(Expand(text));
    ASSERT_THAT(many, StatusIs(kResourceExhausted)) << line;
    EXPECT_EQ(DiagnosticOf(many.status())->message,
              "short forms expand to more than 4194304 numbers in all");
    EXPECT_THAT(ParseAlignedLayout(Expand(line)), IsOk());
  }
}

TEST(AlignedLayoutParser, ReadsWhatItPrints) {
  RandomBits random(TestSeed());
  const auto coin = [&random] { return Uniform(0, 1, &random) == 0; };
  for (int i = 0; i < 3000; ++i) {
    AlignedTensor tensor;
    tensor.shape = RandomSizes(&random);
    tensor.element = RandomElement(&random);
    AlignedLayout& layout = tensor.layout;
    layout.logical_shape = RandomSizes(&random);
    layout.dim_alignments = RandomSizes(&random);
    layout.collapsed_intervals.resize(Uniform(0, 3, &random));
    const int64_t limit = coin() ? 1 : 5;
    for (AlignedLayout::Interval& interval : layout.collapsed_intervals) {
      interval = {Uniform(-limit, limit, &random),
                  Uniform(-limit, limit, &random)};
    }
    if (coin()) layout.oob_value = RandomOf(kOobValues, &random);
    if (coin()) layout.memory_space = RandomOf(kMemorySpaces, &random);
    if (coin()) {
      layout.memory_layout = RandomOf(kAlignedMemoryLayouts, &random);
    }
    if (coin()) {
      layout.index_map = coin() ? RandomMap(&random)
                                : AffineMap::Identity(Uniform(0, 9, &random));
    }
    const std::string text = tensor.ToString();
    const absl::StatusOr<AlignedTensor> again = ParseAlignedTensor(text);
    ASSERT_THAT(again, IsOk());
    EXPECT_EQ(*again, tensor) << text;
    EXPECT_EQ(again->ToString(), text);
    EXPECT_EQ(*ParseAlignedLayout(layout.ToString()), layout);
  }
}

}  // namespace
}  // namespace tessera::tenstorrent
