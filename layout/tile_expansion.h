// Applies tiles to the bounds of an array.
//
// Tiling replaces the physical dimensions of an array by more and smaller ones,
// its axes; the linear index of an element is its row-major position among
// the final axes. For f32[3,5]{1,0:T(2,2)} the axes are (3,5) before and
// (2,3,2,2) after the tile; element (2,3) becomes (1,1,0,1), which is
// number 17.
//
//   ExpandedBounds({3, 5}, {Tile({2, 2})})  // {2, 3, 2, 2}
//
// Each tile of k entries works on the k minor-most axes (XLA's tiled_layout.md
// and xla/layout_util.cc of openxla/xla):
//
//   1. while there are fewer than k axes, an axis of bound 1 is put in front;
//   2. an entry `*` joins its axis with the next more minor one, row-major;
//   3. every axis (b, e) that is left is split by its entry t into
//      (ceil(b/t), e div t) and (t, e mod t); first come all quotients, then
//      all remainders.

#ifndef TESSERA_LAYOUT_TILE_EXPANSION_H_
#define TESSERA_LAYOUT_TILE_EXPANSION_H_

#include <cstdint>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/layout/tile.h"

namespace tessera {

// The axes of an array, major to minor.
template <typename Axis>
using Axes = absl::InlinedVector<Axis, 12>;

// Applies `tiles` to `*axes`. The caller decides the type of an axis (a bound,
// a bound and an index, a coordinate of an IndexMap), and defines it by
// `operations`:
//
//   Axis Unit();                                     // an axis of bound 1
//   Axis Join(const Axis& major, const Axis& minor);
//   std::pair<Axis, Axis> Split(const Axis& axis, int64_t divisor);
//   void EndOfTile(const Axes<Axis>& axes);          // after each tile
//
// Precondition: every tile is valid (not empty, entries positive or `*`, the
// last not `*`). Takes time linear in the number of tile entries.
template <typename Axis, typename Operations>
void ApplyTiles(absl::Span<const Tile> tiles, Operations&& operations,
                Axes<Axis>* axes) {
  for (const Tile& tile : tiles) {
    const size_t tile_rank = tile.dimensions().size();
    if (axes->size() < tile_rank) {
      Axes<Axis> padded;
      while (padded.size() + axes->size() < tile_rank) {
        padded.push_back(operations.Unit());
      }
      padded.insert(padded.end(), axes->begin(), axes->end());
      *axes = std::move(padded);
    }
    const size_t untouched = axes->size() - tile_rank;
    Axes<Axis> remainders;
    size_t quotients = untouched;
    for (size_t i = 0; i < tile_rank; ++i) {
      Axis axis = (*axes)[untouched + i];
      while (tile.dimension(i) == Tile::kCombineDimension &&
             i + 1 < tile_rank) {
        ++i;
        axis = operations.Join(axis, (*axes)[untouched + i]);
      }
      std::pair<Axis, Axis> parts = operations.Split(axis, tile.dimension(i));
      (*axes)[quotients++] = parts.first;
      remainders.push_back(parts.second);
    }
    axes->resize(quotients, remainders.front());
    axes->insert(axes->end(), remainders.begin(), remainders.end());
    operations.EndOfTile(*axes);
  }
}

// Returns the bounds, including padding, of the axes after applying `tiles` to
// `physical_bounds` (major to minor, none negative).
//
// Errors: kOutOfRange if bounds that `*` joins have a product past int64_t;
// with a 0 among them it is 0. Precondition: every tile is valid, as for
// ApplyTiles.
absl::StatusOr<Axes<int64_t>> ExpandedBounds(
    absl::Span<const int64_t> physical_bounds, absl::Span<const Tile> tiles);

}  // namespace tessera

#endif  // TESSERA_LAYOUT_TILE_EXPANSION_H_
