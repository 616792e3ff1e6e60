// File: cute/tile_extents.h
//
// Which blocks of coordinates does the nesting of a layout's modes make?
//
//   #include "tessera/cute/parse.h"
//
//   // A logical_divide: tiles of 3 x 8, in them 3 x 2.
//   const Layout layout =
//       *ParseLayout("((3,3),((2,4),(2,2))):((177,59),((13,2),(26,1)))");
//   TileExtents(layout);   // {{3, 8}, {3, 2}}
//
// A mode that is nested counts its first one fastest, so that all its modes but
// the last make blocks that repeat; and so on in the first. The blocks of all
// top-level modes are matched from the outermost in; a mode that runs out of
// them keeps the smallest.

#ifndef TESSERA_CUTE_TILE_EXTENTS_H_
#define TESSERA_CUTE_TILE_EXTENTS_H_

#include <cstdint>
#include <vector>

#include "tessera/cute/layout.h"

namespace tessera {
namespace cute {

// Returns the blocks, outermost first, and of each the extent along every
// top-level mode, a mode that is not nested in full; none where no mode is.
std::vector<std::vector<int64_t>> TileExtents(const Layout& layout);

}  // namespace cute
}  // namespace tessera

#endif  // TESSERA_CUTE_TILE_EXTENTS_H_
