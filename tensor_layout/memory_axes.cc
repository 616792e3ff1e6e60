#include "tessera/tensor_layout/memory_axes.h"

#include <utility>

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

namespace {

// Cuts `rest` into up to `count` pieces of `size`: returns which, and leaves
// where in it. A coordinate that no piece but the first can hold stays whole.
Coordinate Cut(int64_t count, int64_t size, Builder* builder,
               Coordinate* rest) {
  const bool is_whole = rest->modulus == 0;
  if (count == 1 && (is_whole || rest->modulus == size)) return Coordinate();
  const auto [piece, within] = builder->Split(*rest, size);
  *rest = within;
  return is_whole ? Builder::Widen(piece, count) : piece;
}

}  // namespace

MemoryAxes CutPositions(const Geometry& geometry,
                        absl::Span<const Coordinate> positions,
                        Builder* builder) {
  const TileShape tile = geometry.element.tile_or_unit();
  const TileShape face = FaceShape(tile);
  MemoryAxes axes;
  std::vector<Coordinate> faces, scalars;
  for (int64_t i = 0; i < geometry.rank(); ++i) {
    const int64_t side = geometry.TileOf(i);
    Coordinate rest = positions[i];
    axes.cells.push_back(
        Cut(geometry.grid[i], geometry.shard[i], builder, &rest));
    axes.tiles.push_back(Cut(geometry.memref[i], side, builder, &rest));
    if (!geometry.element.is_tile() || i < geometry.rank() - 2) continue;
    const int64_t size = i == geometry.rank() - 1 ? face.width : face.height;
    faces.push_back(Cut(side / size, size, builder, &rest));
    scalars.push_back(rest.modulus == 0 ? Builder::Widen(rest, size) : rest);
  }
  axes.in_tile = std::move(faces);
  axes.in_tile.insert(axes.in_tile.end(), scalars.begin(), scalars.end());
  return axes;
}

}  // namespace tensor_layout
}  // namespace tessera
