// File: tenstorrent/derive/ttnn_derivation.h
//
// Which map, grid and memref does tt-mlir's compiler give a TTNN layout?
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
// The order is tile first, grid second, as in all that tt-mlir does for TTNN:
// the last two dimensions are padded to whole tiles, then all but the last are
// collapsed, so that the strides in the map are padded ones, and then the grid
// divides. (#tt.metal_layout and the terms of ttnn_shape.h have the grid divide
// before tiles come in.) Source: TTNNLayoutAttr in tt-mlir since 2025-03
// (b392b96ab3, #2623) and its verifier.
//
// Attributes written by hand often deviate, and are accepted by tt-mlir; this
// is what its builder makes.

#ifndef TESSERA_TENSTORRENT_DERIVE_TTNN_DERIVATION_H_
#define TESSERA_TENSTORRENT_DERIVE_TTNN_DERIVATION_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "tessera/tenstorrent/affine/affine_map.h"
#include "tessera/tenstorrent/derive/device.h"
#include "tessera/tenstorrent/dimensions.h"
#include "tessera/tenstorrent/element_type.h"
#include "tessera/tenstorrent/metal_layout.h"
#include "tessera/tenstorrent/ttnn_layout.h"

namespace tessera {
namespace tenstorrent {

struct TtnnRequest {
  Dimensions shape;
  // Nullopt for a row-major layout.
  absl::optional<TileShape> tile;
  // l1_small is taken for l1, trace for dram.
  BufferType buffer_type = BufferType::kDram;
  // None in system memory; in device memory interleaved, or height, width or
  // block sharded.
  absl::optional<TensorMemoryLayout> memory_layout =
      TensorMemoryLayout::kInterleaved;
  // Rows and columns of cores, or one row of DRAM banks for what is sharded
  // there. Not looked at for system memory and interleaved DRAM.
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
  // What each core, or bank, holds: rows and columns, of tiles if there are
  // any, else of elements.
  Dimensions memref_shape;
  // Of a sharded layout, in the order of the shards; empty for the others.
  CoreRanges core_ranges;
};

// Returns what the builder makes of `request` on the given chip:
//
// - in system memory and interleaved DRAM the grid is 1x1, and the memref all
//   of the tensor;
// - interleaved in L1, the tiles lie on the cores in turn, and the memref is a
//   row of ceil(tiles / cores) tiles; without tiles, of ceil(volume / cores)
//   elements. It is no block of the tensor;
// - sharded, the grid divides rows and columns, rounding up, and tiles divide
//   those. Height sharded takes a grid of one column, width sharded of one row.
//   (Texts have rows and columns there too; Verify of ttnn_verification.h takes
//   them.)
//
// The cores of a height or width sharded tensor are taken row by row: whole
// rows of the chip's grid, then a part of one. Those of a block sharded one are
// the chip's first ones in each direction, and banks are a row of their own.
//
// Errors: kInvalidArgument if a size of the shape is negative, another one is
// below 1 or the grid does not have two dimensions, the memory layout does not
// suit the buffer type (in the words of tt-mlir's verifier) or the grid not the
// memory layout (both with the rule kMemoryLayout, rule.h), or the grid takes
// more cores or banks than the chip has; kOutOfRange if a number exceeds
// 2^63-1; kResourceExhausted for more than AffineExpression::kMaxDims
// dimensions.
absl::StatusOr<TtnnDerivation> DeriveTtnnLayout(
    const TtnnRequest& request, const ChipDescription& chip = {});

}  // namespace tenstorrent
}  // namespace tessera

#endif  // TESSERA_TENSTORRENT_DERIVE_TTNN_DERIVATION_H_
