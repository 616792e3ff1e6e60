#include "tessera/tenstorrent/internal/memory_axes.h"

#include <algorithm>
#include <utility>

#include "tessera/tenstorrent/face.h"

namespace tessera::tenstorrent {

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

bool IsCoordinate(const PositionSum& sum) {
  return sum.terms.size() == 1 && sum.terms[0].stride == 1 && sum.constant == 0;
}

// Appends the terms of the sum as coordinates each of which continues the next,
// with room for values up to `bound`. Returns false if they do not.
bool AppendTerms(PositionSum sum, int64_t bound,
                 std::vector<Coordinate>* axes) {
  std::stable_sort(
      sum.terms.begin(), sum.terms.end(),
      [](const Builder::StridedCoordinate& a,
         const Builder::StridedCoordinate& b) { return a.stride > b.stride; });
  if (sum.terms.empty() ? bound > 1 : sum.terms.back().stride != 1) {
    return false;
  }
  std::vector<Coordinate> appended;
  for (const auto& [coordinate, stride] : sum.terms) {
    const int64_t room = bound / stride;
    const bool fits = coordinate.modulus == 0 ? coordinate.bound <= room
                                              : coordinate.bound == room;
    if (bound % stride != 0 || !fits) return false;
    appended.push_back(coordinate.modulus == 0
                           ? Builder::Widen(coordinate, room)
                           : coordinate);
    bound = stride;
  }
  axes->insert(axes->end(), appended.begin(), appended.end());
  return true;
}

// Cuts every term of `rest` separately, if that does not cause a carry.
bool CutTerms(int64_t count, int64_t size, PositionSum* rest,
              std::vector<Coordinate>* axes) {
  PositionSum pieces, within;
  int64_t reach = 0;
  for (const auto& [coordinate, stride] : rest->terms) {
    if (stride % size == 0) {
      pieces.terms.push_back({coordinate, stride / size});
    } else {
      within.terms.push_back({coordinate, stride});
      reach += (coordinate.bound - 1) * stride;
    }
  }
  within.limit = size;
  if (rest->constant != 0 || reach >= size ||
      !AppendTerms(std::move(pieces), count, axes)) {
    return false;
  }
  *rest = std::move(within);
  return true;
}

// Cuts `rest` into up to `count` pieces of `size`: appends the number of the
// piece, and leaves the place in it in `rest`. A sum that fits into the first
// piece stays whole.
void Cut(int64_t count, int64_t size, Builder* builder, PositionSum* rest,
         std::vector<Coordinate>* axes) {
  if (!IsCoordinate(*rest)) {
    if (CutTerms(count, size, rest, axes)) return;
    *rest = {{{builder->Sum(rest->terms, rest->constant, rest->limit), 1}}};
  }
  Coordinate& coordinate = rest->terms[0].coordinate;
  // A remainder does not have room for more.
  if (coordinate.modulus != 0 && coordinate.bound != count * size) {
    coordinate = builder->Sum(rest->terms);
  }
  if (count == 1) return;
  const bool is_whole = coordinate.modulus == 0;
  const auto [piece, within] = builder->Split(coordinate, size);
  coordinate = within;
  axes->push_back(is_whole ? Builder::Widen(piece, count) : piece);
}

}  // namespace

void AppendSum(PositionSum sum, int64_t bound, Builder* builder,
               std::vector<Coordinate>* axes) {
  if (sum.constant == 0 && AppendTerms(sum, bound, axes)) return;
  axes->push_back(
      Builder::Widen(builder->Sum(sum.terms, sum.constant, sum.limit), bound));
}

MemoryAxes CutPositions(const Geometry& geometry,
                        absl::Span<const PositionSum> positions,
                        Builder* builder) {
  const TileShape tile = geometry.element.tile_or_unit();
  const TileShape face = FaceShape(tile);
  MemoryAxes axes;
  std::vector<Coordinate> scalars;
  for (int64_t i = 0; i < geometry.rank(); ++i) {
    const int64_t side = geometry.TileOf(i);
    PositionSum rest = positions[i];
    Cut(geometry.grid[i], geometry.shard[i], builder, &rest, &axes.cells);
    Cut(geometry.memref[i], side, builder, &rest, &axes.tiles);
    if (!geometry.element.is_tile() || i < geometry.rank() - 2) continue;
    const int64_t size = i == geometry.rank() - 1 ? face.width : face.height;
    Cut(side / size, size, builder, &rest, &axes.in_tile);
    AppendSum(std::move(rest), size, builder, &scalars);
  }
  axes.in_tile.insert(axes.in_tile.end(), scalars.begin(), scalars.end());
  return axes;
}

}  // namespace tessera::tenstorrent
