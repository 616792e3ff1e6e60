#include "tessera/tenstorrent/text/layout_reader.h"

#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "tessera/tenstorrent/metal_layout.h"
#include "tessera/tenstorrent/text/form_attributes.h"

namespace tessera::tenstorrent {
namespace {

TEST(LayoutReader, Example) {
  const absl::Span<const AttributeName> forms[] = {MetalAttributes()};
  LayoutReader reader(
      "#l1_ = #tt.memory_space<l1>\n"
      "#tt.metal_layout<(d0) -> (d0), undef, <2>, memref<4xf32, #l1_>>",
      forms);
  Attribute attribute;
  MetalLayout layout;
  const char* begin;
  ASSERT_TRUE(reader.ReadAliases());
  ASSERT_TRUE(reader.ReadSubject("a layout", &attribute, &begin));
  EXPECT_EQ(begin, reader.text().data() + 28);
  ASSERT_TRUE(reader.TakeValue("a layout", begin, attribute, kMetalLayoutKind,
                               &layout));
  EXPECT_EQ(layout.grid, (Dimensions{2}));
  EXPECT_TRUE(reader.ReadEnd());
}

TEST(LayoutReader, AnAliasOfAnAliasSharesItsValue) {
  LayoutReader reader(
      "#map = affine_map<(d0) -> (d0)>\n#a = #map\n#b = #a\n#map #b", {});
  Attribute map, b;
  ASSERT_TRUE(reader.ReadAliases());
  ASSERT_TRUE(reader.ReadAttribute("a map", &map));
  ASSERT_TRUE(reader.ReadAttribute("a map", &b));
  ASSERT_NE(map.As(kAffineMapKind), nullptr);
  EXPECT_EQ(map.As(kAffineMapKind), b.As(kAffineMapKind));
  EXPECT_TRUE(reader.ReadEnd());
}

TEST(LayoutReader, TheFirstKeywordTellsFormsApart) {
  constexpr char kAligned[] =
      "#tt.metal_layout<logical_shape = 4, dim_alignments = 4, "
      "collapsed_intervals = dense<> : tensor<0x2xi64>>";
  const absl::Span<const AttributeName> both[] = {AlignedAttributes(),
                                                  MetalAttributes()};
  LayoutReader reader(kAligned, both);
  Attribute attribute;
  ASSERT_TRUE(reader.ReadAttribute("a layout", &attribute)) << reader.status();
  EXPECT_EQ(attribute.kind, &kAlignedLayoutKind);
  EXPECT_EQ(attribute.As(kMetalLayoutKind), nullptr);

  LayoutReader without(kAligned, absl::MakeSpan(both).subspan(1));
  EXPECT_FALSE(without.ReadAttribute("a layout", &attribute));
}

}  // namespace
}  // namespace tessera::tenstorrent
