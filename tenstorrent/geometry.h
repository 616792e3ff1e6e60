// Applies the rules to a tensor, a map and a grid: the extent of positions, the
// shard of a cell, and its memory.
//
//   // The document's 53x63 on 3x2, in tiles.
//   const absl::StatusOr<Geometry> geometry = Geometry::Create(
//       {53, 63}, AffineMap::Identity(2), {3, 2},
//       ElementType{DataType::kBfpBf8, TileShape{32, 32}},
//       DivisionOrder::kGridFirst);
//   geometry->extent;                        // {53, 63}
//   geometry->shard;                         // {18, 32}, in scalars
//   geometry->memref;                        // {1, 1}, in tiles
//   geometry->bytes_per_shard;               // 1088
//   geometry->bytes;                         // 6528, of six shards
//
// The rules, in the order of tt-mlir's tensor-layout document:
//
// 1. The extent of a result is its value at the last index, plus 1. It is 0 if
//    the result depends on a dimension of size 0, since the tensor then does
//    not have a last index.
// 2. The grid divides the extent, rounding up. The quotient is the shard, in
//    scalars.
// 3. The tile divides the last two dimensions of the shard, rounding up. The
//    quotient is the memref, in tiles. Without a tile the memref is the shard.
//
// This is the order kGridFirst. TTNN and the attribute of 2025 divide by the
// tile first and lay whole tiles over the grid (kTileFirst): the memref is the
// extent in tiles divided by the grid, rounded up; the shard is the memref in
// scalars.
//
// Every shard is allocated in full, whether elements lie in it or not. A tensor
// without elements takes no memory.

#ifndef TESSERA_TENSTORRENT_GEOMETRY_H_
#define TESSERA_TENSTORRENT_GEOMETRY_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/tenstorrent/affine/affine_map.h"
#include "tessera/tenstorrent/dimensions.h"
#include "tessera/tenstorrent/element_type.h"
#include "tessera/tenstorrent/metal_layout.h"

namespace tessera::tenstorrent {

enum class DivisionOrder : uint8_t { kGridFirst, kTileFirst };

struct Geometry {
  // The inputs from which the rest follows.
  Dimensions shape;  // of the tensor
  AffineMap linear;  // from indices to positions
  Dimensions grid;
  ElementType element;  // of the memory
  DivisionOrder order = DivisionOrder::kGridFirst;
  // For a view: the map from the coordinates in its grid and its memref to
  // those in the storage. Nothing below depends on it.
  std::optional<AffineMap> index_map = std::nullopt;

  // One number for each result of the map.
  Dimensions extent;  // in scalars
  // The extent that the grid divides, in scalars. For kGridFirst, the extent
  // itself; for kTileFirst, the extent rounded up to whole tiles, or to another
  // alignment.
  Dimensions aligned_extent;
  Dimensions shard;   // in scalars
  Dimensions memref;  // in elements of memory: tiles, or scalars

  int64_t bytes_per_shard = 0;
  int64_t bytes = 0;  // of all cells of the grid

  // Errors, each with its rule (rule.h): kInvalidArgument for kTensorSize,
  // kGridSize, kMapSymbols, kMapDims, kMapResults, kTileRank, kTileType,
  // kBlockFloat and, if the last index is at a negative position,
  // kPositionBelow; kOutOfRange for kSizeOverflow.
  //
  // With an `aligned_extent`, one number for each result, the grid divides it
  // instead of the extent in whole tiles; only for kTileFirst. Errors: also
  // kInvalidArgument for kDimAlignments if it is less than the extent or not in
  // whole tiles.
  static absl::StatusOr<Geometry> Create(
      absl::Span<const int64_t> shape, const AffineMap& linear,
      absl::Span<const int64_t> grid, const ElementType& element,
      DivisionOrder order,
      std::optional<absl::Span<const int64_t>> aligned_extent = std::nullopt);

  // Creates the geometry of a tensor with the document's layout. Uses only the
  // element type of its memref.
  static absl::StatusOr<Geometry> Of(const MetalTensor& tensor);

  int64_t rank() const { return grid.size(); }
  // The tile along dimension `i` of the shard, in scalars: 1 except for the
  // last two.
  int64_t TileOf(int64_t i) const;
  // The memory of one shard in scalars: the memref times the tile.
  Dimensions AllocatedShard() const;
  // The number of cells of the grid with positions below the extent, along each
  // dimension.
  Dimensions CellsInUse() const;
};

// Returns all errors of the parts of a geometry by themselves. Geometry::Create
// returns the first of them.
std::vector<absl::Status> CheckParts(absl::Span<const int64_t> shape,
                                     const AffineMap& linear,
                                     absl::Span<const int64_t> grid,
                                     const ElementType& element);

// Returns those of the errors that concern the element type, except the rule
// that tiles need a shard of two sizes.
std::vector<absl::Status> CheckElement(const ElementType& element);

}  // namespace tessera::tenstorrent

#endif  // TESSERA_TENSTORRENT_GEOMETRY_H_
