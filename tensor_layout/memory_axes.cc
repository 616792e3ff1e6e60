#include "tessera/tensor_layout/memory_axes.h"

#include "tessera/tensor_layout/face.h"

namespace tessera {
namespace tensor_layout {

using Builder = IndexMap::Builder;
using Coordinate = Builder::Coordinate;

std::vector<Coordinate> MemoryAxes::RowMajor() const {
  std::vector<Coordinate> axes = cells;
  axes.insert(axes.end(), tiles.begin(), tiles.end());
  axes.insert(axes.end(), in_tile.begin(), in_tile.end());
  return axes;
}

Dimensions MemoryBounds(const Geometry& geometry) {
  Dimensions bounds = geometry.grid;
  bounds.insert(bounds.end(), geometry.memref.begin(), geometry.memref.end());
  if (!geometry.element.is_tile()) return bounds;
  const TileShape tile = *geometry.element.tile, face = FaceShape(tile);
  for (const int64_t bound :
       {tile.height / face.height, tile.width / face.width, face.height,
        face.width}) {
    bounds.push_back(bound);
  }
  return bounds;
}

int64_t ExponentBytes(const ElementType& element) {
  return *element.bytes() - *element.bytes_without_exponents();
}

MemoryAxes CutPositions(const Geometry& geometry,
                        absl::Span<const Coordinate> positions,
                        Builder* builder) {
  MemoryAxes axes;
  std::vector<Coordinate> in_tile;
  for (int64_t i = 0; i < geometry.rank(); ++i) {
    const auto [cell, offset] = builder->Split(positions[i], geometry.shard[i]);
    const auto [tile, scalar] = builder->Split(offset, geometry.TileOf(i));
    axes.cells.push_back(Builder::Widen(cell, geometry.grid[i]));
    axes.tiles.push_back(tile);
    axes.in_tile_sources.push_back(scalar.source);
    in_tile.push_back(scalar);
  }
  if (!geometry.element.is_tile()) return axes;
  const TileShape face = FaceShape(*geometry.element.tile);
  const auto rows = builder->Split(in_tile[geometry.rank() - 2], face.height);
  const auto columns = builder->Split(in_tile[geometry.rank() - 1], face.width);
  axes.in_tile = {rows.first, columns.first, rows.second, columns.second};
  return axes;
}

}  // namespace tensor_layout
}  // namespace tessera
