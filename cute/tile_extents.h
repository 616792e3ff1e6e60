// The blocks of coordinates that the nesting of a layout's modes defines.
//
//   #include "tessera/cute/parse.h"
//
//   // A logical_divide: tiles of 3 x 8, in them 3 x 2.
//   const Layout layout =
//       *ParseLayout("((3,3),((2,4),(2,2))):((177,59),((13,2),(26,1)))");
//   TileExtents(layout);   // {{3, 8}, {3, 2}}
//
// A nested mode counts its first mode fastest, so all its modes but the last
// form a block that repeats; the first mode may be nested in turn. The blocks
// of all top-level modes are matched from the outermost inwards; a mode without
// further blocks keeps its smallest.

#ifndef TESSERA_CUTE_TILE_EXTENTS_H_
#define TESSERA_CUTE_TILE_EXTENTS_H_

#include <cstdint>
#include <vector>

#include "tessera/cute/layout.h"

namespace tessera::cute {

// Returns the blocks, outermost first, each as its extent along every top-level
// mode; a mode that is not nested counts in full. Empty if no mode is nested.
std::vector<std::vector<int64_t>> TileExtents(const Layout& layout);

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_TILE_EXTENTS_H_
