#include "tessera/tenstorrent/element_type.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "absl/hash/hash_testing.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"

namespace tessera::tenstorrent {
namespace {

TEST(ElementType, KeywordsAreReadBack) {
  std::set<std::string> scalars, tiles;
  for (const DataType type : kDataTypes) {
    const std::string scalar(ScalarKeyword(type));
    const std::string tile(TileKeyword(type));
    EXPECT_FALSE(scalar.empty() && tile.empty());
    EXPECT_EQ(scalar.empty(), IsBlockFloat(type)) << tile;
    EXPECT_EQ(tessera::StartsWith(tile, "bfp_"), IsBlockFloat(type)) << tile;
    if (!scalar.empty()) {
      EXPECT_TRUE(scalars.insert(scalar).second) << scalar;
      EXPECT_EQ(ScalarTypeOf(scalar), type);
    }
    if (!tile.empty()) {
      EXPECT_TRUE(tiles.insert(tile).second) << tile;
      EXPECT_EQ(TileTypeOf(tile), type);
    }
  }
  // DataType of TTCoreOpsEnums.td.
  EXPECT_EQ(tiles,
            (std::set<std::string>{"f32", "f16", "bf16", "bfp_f8", "bfp_bf8",
                                   "bfp_f4", "bfp_bf4", "bfp_f2", "bfp_bf2",
                                   "u32", "u16", "u8", "si32", "i1"}));
  for (const char* keyword : {"", "f8", "F32", "f32 ", "bfp_bf8", "u8"}) {
    EXPECT_EQ(ScalarTypeOf(keyword), std::nullopt) << keyword;
  }
  for (const char* keyword : {"", "f64", "i32", "ui8", "bfp8"}) {
    EXPECT_EQ(TileTypeOf(keyword), std::nullopt) << keyword;
  }
}

// Section 2 of the reference: the sizes that tt-mlir asserts for its tiles.
TEST(ElementType, BytesOfTiles) {
  struct Case {
    const char* keyword;
    int64_t bytes;
    int64_t without_exponents;
  };
  for (const Case& c : {
           Case{"f32", 4096, 4096},
           Case{"u32", 4096, 4096},
           Case{"si32", 4096, 4096},
           Case{"f16", 2048, 2048},
           Case{"bf16", 2048, 2048},
           Case{"u16", 2048, 2048},
           Case{"u8", 1024, 1024},
           Case{"i1", 1024, 1024},
           Case{"bfp_f8", 1088, 1024},
           Case{"bfp_bf8", 1088, 1024},
           Case{"bfp_f4", 576, 512},
           Case{"bfp_bf4", 576, 512},
           Case{"bfp_f2", 320, 256},
           Case{"bfp_bf2", 320, 256},
       }) {
    const ElementType tile{*TileTypeOf(c.keyword), TileShape{32, 32}};
    EXPECT_EQ(tile.bytes(), c.bytes) << c.keyword;
    EXPECT_EQ(tile.bytes_without_exponents(), c.without_exponents) << c.keyword;
  }
}

TEST(ElementType, BytesOfScalars) {
  for (const DataType type : kDataTypes) {
    if (IsBlockFloat(type)) continue;
    const ElementType scalar{type};
    EXPECT_FALSE(scalar.is_tile());
    EXPECT_EQ(scalar.tile_or_unit(), (TileShape{1, 1}));
    EXPECT_EQ(scalar.bytes(), BitsOf(type) / 8) << scalar.ToString();
    EXPECT_EQ(scalar.bytes_without_exponents(), scalar.bytes());
  }
}

TEST(ElementType, PartsOfBytesAndOfGroupsCountInFull) {
  const auto bytes = [](DataType type, int64_t height, int64_t width) {
    return ElementType{type, TileShape{height, width}}.bytes();
  };
  EXPECT_EQ(bytes(DataType::kBfpBf8, 1, 1), 1 + 16);
  EXPECT_EQ(bytes(DataType::kBfpBf4, 1, 17), 9 + 16);
  EXPECT_EQ(bytes(DataType::kBfpBf2, 3, 3), 3 + 16);
  EXPECT_EQ(bytes(DataType::kBfpBf8, 1, 256), 256 + 16);
  EXPECT_EQ(bytes(DataType::kBfpBf8, 1, 257), 257 + 32);
  EXPECT_EQ(bytes(DataType::kBfpBf2, 0, 3), 0);
}

TEST(ElementType, TilesOfBlockFloatsAreThoseOfTheHardware) {
  int64_t count = 0;
  for (int64_t height = 0; height <= 40; ++height) {
    for (int64_t width = 0; width <= 40; ++width) {
      count += HoldsBlockFloats({height, width});
    }
  }
  EXPECT_EQ(count, 12);
  EXPECT_TRUE(HoldsBlockFloats({1, 16}));
  EXPECT_TRUE(HoldsBlockFloats({32, 32}));
  EXPECT_FALSE(HoldsBlockFloats({20, 32}));
  EXPECT_FALSE(HoldsBlockFloats({32, 8}));
  EXPECT_FALSE(HoldsBlockFloats({64, 32}));
}

TEST(ElementType, HugeTilesHaveNoSize) {
  const int64_t kMax = INT64_MAX;
  const auto has_bytes = [](DataType type, int64_t height, int64_t width) {
    return ElementType{type, TileShape{height, width}}.bytes().has_value();
  };
  EXPECT_TRUE(has_bytes(DataType::kU8, kMax, 1));
  EXPECT_FALSE(has_bytes(DataType::kU16, kMax, 1));
  EXPECT_FALSE(has_bytes(DataType::kU8, kMax, 2));
  EXPECT_FALSE(has_bytes(DataType::kBfpF8, kMax, 1));
  EXPECT_TRUE(has_bytes(DataType::kBfpF2, kMax, 1));
}

TEST(ElementType, Hashes) {
  EXPECT_TRUE(absl::VerifyTypeImplementsAbslHashCorrectly({
      ElementType{DataType::kF32},
      ElementType{DataType::kBF16},
      ElementType{DataType::kF32, TileShape{1, 1}},
      ElementType{DataType::kF32, TileShape{1, 2}},
      ElementType{DataType::kF32, TileShape{2, 1}},
  }));
  EXPECT_NE(ElementType{DataType::kF32}, ElementType{DataType::kBF16});
  EXPECT_NE((TileShape{1, 2}), (TileShape{2, 1}));
}

}  // namespace
}  // namespace tessera::tenstorrent
