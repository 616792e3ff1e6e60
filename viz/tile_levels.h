// Finds the boxes of cells that are contiguous in memory.
//
//   #include "tessera/index_util/to_index_map.h"
//   #include "tessera/parser/parser.h"
//
//   const IndexMap map =
//       *ToIndexMap(*ParseShape("bf16[8,8]{1,0:T(4,4)(2,1)}"));
//   const CellAxis rows(map, 0, {0, 0}), columns(map, 1, {0, 0});
//   const std::vector<TileLevel> levels = LevelsByMemoryOrder(rows, columns);
//   levels.size();           // 2
//   ToString(levels[0]);     // "4 x 4"
//   ToString(levels[1]);     // "2 x 1"
//
// From the smallest stride up, the digits of both axes form groups: a group
// ends if the next digit is not further out in the order of the dimensions. The
// digits up to the end of a group span a box of cells, a tile, if they are the
// minor-most digits of each axis. Of the two orders of the dimensions, the one
// with fewer tiles counts, so consecutive rows are not tiles.
//
// If that gives no tile, as for CuTe's ((2,2),3):((24,2),8), whose minor-most
// digit of the rows has the largest stride, the digits of the axes themselves
// are the tiles, from the outermost inwards.

#ifndef TESSERA_VIZ_TILE_LEVELS_H_
#define TESSERA_VIZ_TILE_LEVELS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "tessera/viz/cell_axis.h"

namespace tessera {

// Tiles of `rows` times `columns` cells; the first begins at cell 0, or, along
// an axis with a phase, that many cells before it.
struct TileLevel {
  int64_t rows = 1;
  int64_t columns = 1;

  friend bool operator==(const TileLevel& a, const TileLevel& b) {
    return a.rows == b.rows && a.columns == b.columns;
  }
  friend bool operator!=(const TileLevel& a, const TileLevel& b) {
    return !(a == b);
  }
};

// "2 x 4".
std::string ToString(const TileLevel& level);

// Returns the levels, outermost first, at most kMaxTileLevels. A tile has more
// than one cell, but not all of them.
inline constexpr int kMaxTileLevels = 4;
std::vector<TileLevel> LevelsByMemoryOrder(const CellAxis& rows,
                                           const CellAxis& columns);

// Removes from `levels`, outermost first, tiles of a single cell, tiles of all
// cells, and tiles equal to the one before.
void TidyLevels(const CellAxis& rows, const CellAxis& columns,
                std::vector<TileLevel>* levels);

}  // namespace tessera

#endif  // TESSERA_VIZ_TILE_LEVELS_H_
