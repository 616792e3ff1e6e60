#include "tessera/tenstorrent/derive/derivation.h"

#include <cstdint>
#include <vector>

#include "gtest/gtest.h"

namespace tessera::tenstorrent {
namespace {

// tt-mlir's own way back leaves 32x32 of the 18x32 scalars.
TEST(Derivation, UntilizingKeepsTheScalarShard) {
  const MetalTensor scalars =
      *DeriveMetalTensor({53, 63}, {DataType::kF32}, {3, 2});
  const MetalTensor tiles =
      *WithElement(scalars, {DataType::kF32, TileShape{32, 32}});
  EXPECT_EQ(tiles.layout.memref.shape, (Dimensions{1, 1}));
  EXPECT_EQ(*WithElement(tiles, {DataType::kF32}), scalars);
}

// test/python/tensor_layout.py of tt-mlir.
TEST(Derivation, WhatTtMlirAsserts) {
  const auto memref = [](const std::vector<int64_t>& shape,
                         const std::vector<int64_t>& grid) {
    return DeriveMetalTensor(shape, {DataType::kF32}, grid)
        ->layout.memref.shape;
  };
  EXPECT_EQ(memref({128}, {4}), (Dimensions{32}));
  EXPECT_EQ(memref({128}, {2}), (Dimensions{64}));
  EXPECT_EQ(memref({128}, {1, 2}), (Dimensions{1, 64}));
  EXPECT_EQ(memref({128}, {1, 4}), (Dimensions{1, 32}));
  EXPECT_EQ(memref({128}, {1, 2, 4}), (Dimensions{1, 1, 32}));
  const MetalTensor batch =
      *DeriveMetalTensor({2, 3, 64, 128}, {DataType::kF32}, {2, 2, 4}, [] {
        DerivationOptions options;
        options.collapse_intervals = {{1, -1}};
        return options;
      }());
  EXPECT_EQ(WithElement(batch, {DataType::kBfpBf8, TileShape{32, 32}})
                ->layout.memref.shape,
            (Dimensions{1, 3, 1}));
  EXPECT_EQ(WithGrid(batch, {3, 2})->layout.memref.shape,
            (Dimensions{128, 64}));
}

}  // namespace
}  // namespace tessera::tenstorrent
