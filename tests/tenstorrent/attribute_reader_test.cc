#include "tessera/tenstorrent/text/attribute_reader.h"

#include <cstdint>
#include <string>

#include "absl/strings/match.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/tenstorrent/affine/affine_map_parser.h"
#include "tessera/tenstorrent/metal_layout.h"
#include "tessera/tests/status_matchers.h"
#include "tessera/tests/tenstorrent/malformed_texts.h"

namespace tessera::tenstorrent {
namespace {

TEST(AttributeReader, Example) {
  AttributeReader reader("<2x4>, memref<8x!tt.tile<32x32, bf16>");
  Dimensions grid, shape;
  ElementType element;
  EXPECT_TRUE(reader.Expect('<'));
  EXPECT_TRUE(reader.ReadSizes(&grid));
  EXPECT_EQ(grid, (Dimensions{2, 4}));
  EXPECT_TRUE(reader.Expect('>'));
  EXPECT_TRUE(reader.Expect(','));
  EXPECT_TRUE(reader.ReadShaped("memref", &shape, &element));
  EXPECT_EQ(shape, (Dimensions{8}));
  EXPECT_EQ(element, (ElementType{DataType::kBF16, TileShape{32, 32}}));
  EXPECT_FALSE(reader.Expect(','));
  EXPECT_TRUE(absl::StartsWith(reader.status().message(),
                               "1:38: expected ',', found end of text"))
      << reader.status();
}

TEST(AttributeReader, NumbersAndKeywords) {
  AttributeReader reader("7 0x10 -3 - 0x3 l1 dram");
  int64_t number;
  ASSERT_TRUE(reader.ReadNumber("a number", &number));
  EXPECT_EQ(number, 7);
  ASSERT_TRUE(reader.ReadNumber("a number", &number));
  EXPECT_EQ(number, 16);
  ASSERT_TRUE(reader.ReadInteger("a number", &number));
  EXPECT_EQ(number, -3);
  ASSERT_TRUE(reader.ReadInteger("a number", &number));
  EXPECT_EQ(number, -3);
  MemorySpace space;
  ASSERT_TRUE(reader.ReadKeyword("a memory space", kMemorySpaces, &space));
  EXPECT_EQ(space, MemorySpace::kDeviceL1);
  OobValue value;
  EXPECT_FALSE(reader.TakeKeyword(kOobValues, &value));
  EXPECT_TRUE(reader.ExpectKeyword("dram"));
  EXPECT_TRUE(reader.cursor().AtEnd());
  EXPECT_THAT(reader.status(), IsOk());
}

TEST(AttributeReader, Sizes) {
  for (const char* text : {"", ">", " , 2"}) {
    AttributeReader reader(text);
    Dimensions sizes = {1};
    EXPECT_TRUE(reader.ReadSizes(&sizes));
    EXPECT_TRUE(sizes.empty());
  }
  AttributeReader reader("0x10 x /*by*/ 2, 3");
  Dimensions sizes;
  EXPECT_TRUE(reader.ReadSizes(&sizes));
  EXPECT_EQ(sizes, (Dimensions{0, 10, 2}));
  EXPECT_TRUE(reader.Expect(','));
}

TEST(AttributeReader, MapsAreReadInPlace) {
  AttributeReader reader("  (i) -> (i + 1), affine_map<() -> ()>, d0");
  AffineMap map;
  ASSERT_TRUE(reader.AtInlineMap());
  ASSERT_TRUE(reader.ReadInlineMap(&map));
  EXPECT_EQ(map.ToString(), "(d0) -> (d0 + 1)");
  ASSERT_TRUE(reader.Expect(','));
  ASSERT_TRUE(reader.AtInlineMap());
  ASSERT_TRUE(reader.ReadInlineMap(&map));
  EXPECT_EQ(map.ToString(), "() -> ()");
  ASSERT_TRUE(reader.Expect(','));
  EXPECT_FALSE(reader.AtInlineMap());
  EXPECT_FALSE(reader.ReadInlineMap(&map));
}

TEST(MalformedTexts, Example) {
  ExpectRefused({"{i} -> (^j)", "no dimension or symbol has the name 'j'"},
                {{"{i}", "(i)"}}, ParseAffineMap);
}

}  // namespace
}  // namespace tessera::tenstorrent
