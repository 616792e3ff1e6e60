// File: tenstorrent/geometry.h
//
// What the rules make of a tensor, a map and a grid: how far positions reach,
// the shard of a cell, the memory that it takes.
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
// The rules, in the order of the document:
//
// 1. The extent of a result is its value at the last index, plus 1. Where a
//    dimension of size 0 counts it is 0: the tensor has no last index.
// 2. The grid divides the extent, rounding up: that is the shard, in scalars.
// 3. The tile divides the last two dimensions of the shard, rounding up: that
//    is the memref, in tiles. Without a tile the memref is the shard.
//
// That is the order kGridFirst. TTNN and the attribute of 2025 divide by the
// tile first and lay whole tiles over the grid (kTileFirst): the memref is what
// the grid makes of the tiles of the extent, and the shard is that in scalars.
//
// Every shard is allocated in full, whether elements lie in it or not. A tensor
// without elements takes no memory.

#ifndef TESSERA_TENSTORRENT_GEOMETRY_H_
#define TESSERA_TENSTORRENT_GEOMETRY_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "tessera/tenstorrent/affine/affine_map.h"
#include "tessera/tenstorrent/dimensions.h"
#include "tessera/tenstorrent/element_type.h"
#include "tessera/tenstorrent/metal_layout.h"

namespace tessera {
namespace tenstorrent {

enum class DivisionOrder : uint8_t { kGridFirst, kTileFirst };

struct Geometry {
  // What the others follow from.
  Dimensions shape;  // of the tensor
  AffineMap linear;  // from indices to positions
  Dimensions grid;
  ElementType element;  // of the memory
  DivisionOrder order = DivisionOrder::kGridFirst;
  // Where the tensor is a view: from the coordinates in its grid and then in
  // its memref to those in the storage. Nothing below depends on it.
  absl::optional<AffineMap> index_map = absl::nullopt;

  // One number for each result of the map.
  Dimensions extent;  // in scalars
  // What the grid divides, in scalars: kGridFirst, the extent; kTileFirst, that
  // in whole tiles, or what else it was aligned to.
  Dimensions aligned_extent;
  Dimensions shard;   // in scalars
  Dimensions memref;  // in elements of memory: tiles, or scalars

  int64_t bytes_per_shard = 0;
  int64_t bytes = 0;  // of all cells of the grid

  // Errors, each with its rule (rule.h): kInvalidArgument for kTensorSize,
  // kGridSize, kMapSymbols, kMapDims, kMapResults, kTileRank, kTileType,
  // kBlockFloat and, where the last index is at a negative position,
  // kPositionBelow; kOutOfRange for kSizeOverflow.
  //
  // With an `aligned_extent`, of kTileFirst only, that is what the grid divides
  // in place of the extent in whole tiles: one number for each result.
  // Errors: also kInvalidArgument for kDimAlignments if it is less than the
  // extent or not in whole tiles.
  static absl::StatusOr<Geometry> Create(
      absl::Span<const int64_t> shape, const AffineMap& linear,
      absl::Span<const int64_t> grid, const ElementType& element,
      DivisionOrder order,
      absl::optional<absl::Span<const int64_t>> aligned_extent = absl::nullopt);

  // Of a tensor with the document's layout: its memref is not looked at but for
  // the type of its elements.
  static absl::StatusOr<Geometry> Of(const MetalTensor& tensor);

  int64_t rank() const { return grid.size(); }
  // The tile along dimension `i` of the shard, in scalars: 1 but for the last
  // two.
  int64_t TileOf(int64_t i) const;
  // The memory of one shard in scalars: the memref times the tile.
  Dimensions AllocatedShard() const;
  // How many cells of the grid hold positions below the extent, along each of
  // its dimensions.
  Dimensions CellsInUse() const;
};

// All that is wrong with the parts of a geometry by themselves, each an error
// as Geometry::Create returns the first of them.
std::vector<absl::Status> CheckParts(absl::Span<const int64_t> shape,
                                     const AffineMap& linear,
                                     absl::Span<const int64_t> grid,
                                     const ElementType& element);

}  // namespace tenstorrent
}  // namespace tessera

#endif  // TESSERA_TENSTORRENT_GEOMETRY_H_
