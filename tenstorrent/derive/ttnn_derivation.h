// Derives the map, grid and memref that tt-mlir's compiler gives a TTNN layout.
//
//   TtnnRequest request;
//   request.shape = {6, 15, 10};
//   request.tile = TileShape{32, 32};
//   request.buffer_type = BufferType::kDram;
//   request.memory_layout = TensorMemoryLayout::kInterleaved;
//   const TtnnDerivation dram = *DeriveTtnnLayout(request);
//   dram.linear.ToString();         // "(d0, d1, d2) -> (d0 * 32 + d1, d2)"
//   dram.grid;                      // {1, 1}
//   dram.memref_shape;              // {6, 1}, in tiles
//
//   request.buffer_type = BufferType::kL1;
//   request.memory_layout = TensorMemoryLayout::kHeightSharded;
//   request.grid = {3, 1};
//   const TtnnDerivation sharded = *DeriveTtnnLayout(request);
//   sharded.memref_shape;           // {2, 1}
//   sharded.core_ranges[0].ToString();
//                                   // "#ttnn.core_range<(0,0), (2,0)>"
//
// As everywhere in tt-mlir's TTNN, the order is tile first, grid second: the
// last two dimensions are padded to whole tiles; then all but the last are
// collapsed, so the map has padded strides; then the grid divides. (In
// #tt.metal_layout and in the terms of ttnn_shape.h, the grid divides before
// the tiles.) Source: TTNNLayoutAttr in tt-mlir since 2025-03 (b392b96ab3,
// #2623) and its verifier.
//
// Attributes written by hand often deviate, and tt-mlir accepts them; this is
// the result of its builder.

#ifndef TESSERA_TENSTORRENT_DERIVE_TTNN_DERIVATION_H_
#define TESSERA_TENSTORRENT_DERIVE_TTNN_DERIVATION_H_

#include <optional>

#include "absl/status/statusor.h"
#include "tessera/tenstorrent/affine/affine_map.h"
#include "tessera/tenstorrent/derive/device.h"
#include "tessera/tenstorrent/dimensions.h"
#include "tessera/tenstorrent/element_type.h"
#include "tessera/tenstorrent/metal_layout.h"
#include "tessera/tenstorrent/ttnn_layout.h"

namespace tessera::tenstorrent {

struct TtnnRequest {
  Dimensions shape;
  // Nullopt for a row-major layout.
  std::optional<TileShape> tile;
  // l1_small counts as l1, trace as dram.
  BufferType buffer_type = BufferType::kDram;
  // Absent in system memory; in device memory interleaved, or height, width or
  // block sharded.
  std::optional<TensorMemoryLayout> memory_layout =
      TensorMemoryLayout::kInterleaved;
  // Rows and columns of cores, or one row of DRAM banks for a tensor sharded
  // there. Ignored for system memory and interleaved DRAM.
  Dimensions grid = {1, 1};
};

struct TtnnDerivation {
  // The shape with the last two dimensions padded to whole tiles.
  Dimensions padded_shape;
  // From an index to the row and column of the padded tensor.
  AffineMap linear;
  // Rows and columns of the padded tensor, in elements.
  Dimensions physical_shape;
  Dimensions grid;
  // The part in each core or bank: rows and columns of tiles, or of elements if
  // there are no tiles.
  Dimensions memref_shape;
  // The cores of a sharded layout, in the order of the shards; empty for other
  // layouts.
  CoreRanges core_ranges;
};

// Returns the builder's result for `request` on the given chip:
//
// - in system memory and interleaved DRAM the grid is 1x1, and the memref is
//   the whole tensor;
// - interleaved in L1, the tiles are distributed to the cores in turn, and the
//   memref is a row of ceil(tiles / cores) tiles; without tiles, of ceil(volume
//   / cores) elements. It is not a block of the tensor;
// - sharded, the grid divides rows and columns, rounding up, and tiles divide
//   the result. Height sharding needs a grid of one column, width sharding a
//   grid of one row. (Texts have both rows and columns there, too, and Verify
//   of ttnn_verification.h accepts them.)
//
// A height or width sharded tensor uses cores row by row: whole rows of the
// chip's grid, then a part of a row. A block sharded tensor uses the chip's
// first cores in each direction, and banks are a row of their own.
//
// Errors: kInvalidArgument if a size of the shape is negative, if another size
// is below 1, if the grid does not have two dimensions, if the memory layout
// does not fit the buffer type (in the words of tt-mlir's verifier) or the grid
// does not fit the memory layout (both with the rule kMemoryLayout, rule.h), or
// if the grid needs more cores or banks than the chip has; kOutOfRange if a
// number exceeds 2^63-1; kResourceExhausted for more than
// AffineExpression::kMaxDims dimensions.
absl::StatusOr<TtnnDerivation> DeriveTtnnLayout(
    const TtnnRequest& request, const ChipDescription& chip = {});

}  // namespace tessera::tenstorrent

#endif  // TESSERA_TENSTORRENT_DERIVE_TTNN_DERIVATION_H_
