// File: viz/tile_levels.h
//
// Which boxes of cells lie together in memory?
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
// Read from the smallest stride up, the digits of both axes fall into groups: a
// group ends where the next digit does not lie further out in the order of the
// dimensions. The digits up to the end of a group span a box of cells if they
// are the minor-most ones of either axis: a tile. Of the two orders of the
// dimensions, that with fewer tiles counts; rows that merely follow one another
// are then no tiles.
//
// Where that gives no tile, as of CuTe's ((2,2),3):((24,2),8), whose minor-most
// digit of the rows has the largest stride, the digits of the axes themselves
// are the tiles, from the outermost in.

#ifndef TESSERA_VIZ_TILE_LEVELS_H_
#define TESSERA_VIZ_TILE_LEVELS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "tessera/viz/cell_axis.h"

namespace tessera {

// Tiles of `rows` times `columns` cells; the first begins at cell 0, or, along
// an axis with a phase, so much before it.
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

// Outermost first, at most kMaxTileLevels. A tile is more than a cell and less
// than all of them.
inline constexpr int kMaxTileLevels = 4;
std::vector<TileLevel> LevelsByMemoryOrder(const CellAxis& rows,
                                           const CellAxis& columns);

// Makes `levels`, outermost first, such: without single cells, all there is,
// and those that are the same as the one before.
void TidyLevels(const CellAxis& rows, const CellAxis& columns,
                std::vector<TileLevel>* levels);

}  // namespace tessera

#endif  // TESSERA_VIZ_TILE_LEVELS_H_
