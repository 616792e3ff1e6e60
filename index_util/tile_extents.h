// Lists the boxes of an array that the tiles of its layout cover.
//
//   #include "tessera/parser/parser.h"
//
//   TileExtents(*ParseShape("bf16[9,130]{1,0:T(8,128)(2,1)}"));
//       // {{8, 128}, {2, 1}}
//   // Rows of the tile are dimension 0.
//   TileExtents(*ParseShape("f32[4,16,256]{2,0,1:T(8,128)}"));
//       // {{8, 1, 128}}
//
// A tile covers one coordinate of every dimension that it does not reach. A
// later tile lies inside the one before it if it does not have more entries.

#ifndef TESSERA_INDEX_UTIL_TILE_EXTENTS_H_
#define TESSERA_INDEX_UTIL_TILE_EXTENTS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "tessera/shape/shape.h"

namespace tessera {

// Returns for every tile, outermost first, its extent along each dimension of
// the array, in the order of its shape. Returns nullopt if a tile joins
// dimensions (`*`), has more entries than the array, or has more entries than
// an earlier tile and so cuts dimensions outside of it; also for a shape that
// ToIndexMap refuses.
std::optional<std::vector<std::vector<int64_t>>> TileExtents(
    const Shape& shape);

}  // namespace tessera

#endif  // TESSERA_INDEX_UTIL_TILE_EXTENTS_H_
