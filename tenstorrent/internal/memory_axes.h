// Finds the coordinates by which the memory of a tensor is numbered.
//
//   // 53x63 on 3x2, in tiles of 32x32 with faces of 16x16.
//   IndexMap::Builder builder({53, 63});
//   const PositionSum rows{{{builder.Dimension(0), 1}}};
//   const PositionSum columns{{{builder.Dimension(1), 1}}};
//   MemoryAxes axes = CutPositions(geometry, {rows, columns}, &builder);
//   axes.cells;                              // of the grid, 3 x 2
//   axes.tiles;                              // of the memref, 1 x 1
//   axes.in_tile;                            // faces 2 x 2, scalars 16 x 16
//   std::move(builder).BuildRowMajor(axes.RowMajor());

#ifndef TESSERA_TENSTORRENT_INTERNAL_MEMORY_AXES_H_
#define TESSERA_TENSTORRENT_INTERNAL_MEMORY_AXES_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "tessera/index_map/index_map_builder.h"
#include "tessera/tenstorrent/affine/map_coordinates.h"
#include "tessera/tenstorrent/dimensions.h"
#include "tessera/tenstorrent/element_type.h"
#include "tessera/tenstorrent/geometry.h"

namespace tessera::tenstorrent {

// The axes of the memory. Each list is row-major, and so is the memory, in the
// order of the lists.
struct MemoryAxes {
  using Coordinate = IndexMap::Builder::Coordinate;

  std::vector<Coordinate> cells;
  std::vector<Coordinate> tiles;  // scalars if there are no tiles
  // The rows and columns of faces, then those of scalars in a face; empty if
  // there are no tiles.
  std::vector<Coordinate> in_tile;

  std::vector<Coordinate> RowMajor() const;
};

// Returns their bounds in the order of RowMajor: those of all allocated memory.
Dimensions MemoryBounds(const Geometry& geometry);

// Returns the bytes of exponents that precede the elements of a tile.
int64_t ExponentBytes(const ElementType& element);

// Appends the values of the sum, with room for values up to `bound`: either as
// several coordinates, each of which continues the next, or as a single new
// one.
void AppendSum(PositionSum sum, int64_t bound, IndexMap::Builder* builder,
               std::vector<MemoryAxes::Coordinate>* axes);

// Returns the axes of the memory, given the results of the map.
MemoryAxes CutPositions(const Geometry& geometry,
                        absl::Span<const PositionSum> positions,
                        IndexMap::Builder* builder);

}  // namespace tessera::tenstorrent

#endif  // TESSERA_TENSTORRENT_INTERNAL_MEMORY_AXES_H_
