#include "tessera/tenstorrent/layout_reader.h"

#include "absl/types/variant.h"
#include "gtest/gtest.h"

namespace tessera {
namespace tenstorrent {
namespace {

TEST(LayoutReader, Example) {
  LayoutReader reader(
      "#l1_ = #tt.memory_space<l1>\n"
      "#tt.metal_layout<(d0) -> (d0), undef, <2>, memref<4xf32, #l1_>>");
  Attribute attribute;
  MetalLayout layout;
  const char* begin;
  ASSERT_TRUE(reader.ReadAliases());
  ASSERT_TRUE(reader.ReadSubject("a layout", &attribute, &begin));
  EXPECT_EQ(begin, reader.text().data() + 28);
  ASSERT_TRUE(reader.TakeValue("a layout", begin, attribute, &layout));
  EXPECT_EQ(layout.grid, (Dimensions{2}));
  EXPECT_TRUE(reader.ReadEnd());
}

TEST(LayoutReader, AnAliasOfAnAliasSharesItsValue) {
  LayoutReader reader(
      "#map = affine_map<(d0) -> (d0)>\n#a = #map\n#b = #a\n#map #b");
  Attribute map, b;
  ASSERT_TRUE(reader.ReadAliases());
  ASSERT_TRUE(reader.ReadAttribute("a map", &map));
  ASSERT_TRUE(reader.ReadAttribute("a map", &b));
  EXPECT_EQ(absl::get<Shared<AffineMap>>(map), absl::get<Shared<AffineMap>>(b));
  EXPECT_TRUE(reader.ReadEnd());
}

}  // namespace
}  // namespace tenstorrent
}  // namespace tessera
