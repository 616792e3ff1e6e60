#include "tessera/tenstorrent/derive/derivation.h"

#include <cstdint>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/tests/status_matchers.h"

namespace tessera {
namespace tenstorrent {
namespace {

TEST(Derivation, Example) {
  const absl::StatusOr<MetalTensor> tensor =
      DeriveMetalTensor({2, 3, 64, 128}, {DataType::kF32}, {2, 4});
  ASSERT_THAT(tensor, IsOk());
  EXPECT_EQ(tensor->layout.ToString(),
            "#tt.metal_layout<(d0, d1, d2, d3) -> (d0 * 192 + d1 * 64 + d2, "
            "d3), undef, <2x4>, memref<192x32xf32, #tt.memory_space<l1>>>");
  const ElementType tile{DataType::kBfpBf8, TileShape{32, 32}};
  EXPECT_EQ(WithElement(*tensor, tile)->layout.memref.shape,
            (Dimensions{6, 1}));
  EXPECT_EQ(WithGrid(*tensor, {3, 2})->layout.memref.shape,
            (Dimensions{128, 64}));
}

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
}  // namespace tenstorrent
}  // namespace tessera
