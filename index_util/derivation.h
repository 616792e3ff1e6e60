// Computes the linear index of one element step by step, as in XLA's
// tiled_layout.md, and returns the steps as data.
//
//   #include "tessera/parser/parser.h"
//
//   absl::StatusOr<Derivation> derivation =
//       DeriveLinearIndex(*ParseShape("f32[3,5]{1,0:T(2,2)}"), {2, 3});
//   derivation->physical.index;            // {2, 3}
//   derivation->physical.bounds;           // {3, 5}
//   derivation->tiles.size();              // 1
//   derivation->tiles[0].expanded.index;   // {1, 1, 0, 1}
//   derivation->tiles[0].expanded.bounds;  // {2, 3, 2, 2}
//   derivation->linear_index;              // 17
//
// Every step lists all axes, so n tiles can take space in the order of n*n. A
// derivation with more than kDerivationAxisLimit axes in all is refused.

#ifndef TESSERA_INDEX_UTIL_DERIVATION_H_
#define TESSERA_INDEX_UTIL_DERIVATION_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/layout/tile.h"
#include "tessera/shape/shape.h"

namespace tessera {

// The limit on the total number of axes of all steps of a derivation: the
// physical step and those after each tile. Layouts that a compiler prints have
// dozens.
inline constexpr int64_t kDerivationAxisLimit = int64_t{1} << 20;

// An index within bounds, both major to minor.
struct BoundedIndex {
  std::vector<int64_t> bounds;
  std::vector<int64_t> index;
};

struct TileDerivation {
  Tile tile;
  // The axes that the tile divides, after it prepended and joined axes. As many
  // as `divisors`.
  BoundedIndex tiled;
  std::vector<int64_t> divisors;  // the tile without its `*`
  // All axes afterwards.
  BoundedIndex expanded;
};

struct Derivation {
  BoundedIndex physical;  // the dimensions, major to minor
  std::vector<TileDerivation> tiles;
  int64_t linear_index = 0;

  // The axes of which linear_index is the row-major position.
  const BoundedIndex& final_axes() const {
    return tiles.empty() ? physical : tiles.back().expanded;
  }
};

// Computes the linear index of the element at `index`.
//
// Errors: those of ToIndexMap for the shape and of IndexMap::LinearIndex for
// the index; kResourceExhausted if there are more than kDerivationAxisLimit
// axes.
absl::StatusOr<Derivation> DeriveLinearIndex(const Shape& shape,
                                             absl::Span<const int64_t> index);

// Returns the bounds of the physical dimensions (first entry) and those after
// each tile. Errors: those of ToIndexMap; kResourceExhausted as above.
absl::StatusOr<std::vector<std::vector<int64_t>>> ExpandedBoundsByTile(
    const Shape& shape);

// Returns only the last of them, the bounds after all tiles, in time linear in
// the number of tile entries. Errors: those of ToIndexMap.
absl::StatusOr<std::vector<int64_t>> ExpandedBounds(const Shape& shape);

}  // namespace tessera

#endif  // TESSERA_INDEX_UTIL_DERIVATION_H_
