#include "tessera/tenstorrent/text/layout_printing.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tessera/tenstorrent/metal_layout.h"

namespace tessera::tenstorrent {
namespace {

std::string Shaped(const std::vector<int64_t>& shape,
                   const ElementType& element) {
  std::string text;
  {
    TextWriter writer(&text);
    AppendShaped("memref", shape, element, "tt", &writer);
  }
  return text;
}

TEST(LayoutPrinting, Example) {
  EXPECT_EQ(Shaped({18, 32}, ElementType{DataType::kF32}),
            "memref<18x32xf32, ");
}

TEST(LayoutPrinting, ShapedTypes) {
  EXPECT_EQ(Shaped({}, ElementType{DataType::kI1}), "memref<i1, ");
  EXPECT_EQ(
      Shaped({0, 1, INT64_MAX}, ElementType{DataType::kU8, TileShape{4, 16}}),
      "memref<0x1x9223372036854775807x!tt.tile<4x16, u8>, ");
}

TEST(LayoutPrinting, ValuesWithKeywords) {
  EXPECT_EQ(ValueWithKeyword("neginf", kOobValues), OobValue::kNegInf);
  EXPECT_EQ(ValueWithKeyword("", kOobValues), std::nullopt);
}

}  // namespace
}  // namespace tessera::tenstorrent
