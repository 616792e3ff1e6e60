// The texts and the tile lines that every drawing of a picture shares.
//
//   #include "tessera/index_util/to_index_map.h"
//   #include "tessera/parser/parser.h"
//
//   // 3 x 5 in tiles of 2 x 2, as pictured in index_map/index_map.h.
//   const IndexMap map = *ToIndexMap(*ParseShape("f32[3,5]{1,0:T(2,2)}"));
//   const Picture picture = *MakePicture(map, {});
//   TextOfCell(picture, 2, 3, CellText::kPositions);    // "17"
//   TextOfCell(picture, 2, 3, CellText::kIndices);      // "2,3"
//   LineBefore(picture, picture.rows, 2, &TileLevel::rows);
//                                                       // LineWeight::kThick

#ifndef TESSERA_VIZ_PICTURE_STYLE_H_
#define TESSERA_VIZ_PICTURE_STYLE_H_

#include <cstdint>
#include <string>

#include "tessera/viz/picture.h"

namespace tessera {

enum class CellText : uint8_t {
  kPositions,  // of elements and padding
  kIndices,    // of elements: "2,3"
  kNothing,
};

// Returns the text of the cell at `row` and `column` of the grid: its position,
// "17"; the index of its element, "2,3"; or "" for kNothing, for a cell without
// a position and, with kIndices, for padding. Precondition: the cell is in the
// window of the picture.
std::string TextOfCell(const Picture& picture, int64_t row, int64_t column,
                       CellText text);

// Returns "2,3"; "()" for rank 0.
std::string TextOfIndex(absl::Span<const int64_t> index);

// Returns the line of the legend about cells with `text`; "" if there is none.
std::string TextOfNote(const Picture::Note& note, CellText text);

// Returns the number of positions of picture.memory to draw per line, if a line
// has room for `fit`: whole tiles if possible, and lines of equal length. The
// result is at least 1, even if `fit` is less.
int64_t PlacesInALine(const Picture& picture, int64_t fit);

// The weight of the line before a cell, along one axis, set by the outermost
// tile that begins there.
enum class LineWeight : uint8_t { kNone, kThin, kThick };

// Returns the weight of the line before cell `cell` of `axis`; axis.count means
// the line after the last cell. The grid has thick lines around it, or thin
// ones if the picture has no tiles. Preconditions: `axis` and `extent` are
// picture.rows and &TileLevel::rows, or picture.columns and
// &TileLevel::columns; 0 <= cell <= axis.count.
LineWeight LineBefore(const Picture& picture, const Picture::Axis& axis,
                      int64_t cell, int64_t TileLevel::*extent);

}  // namespace tessera

#endif  // TESSERA_VIZ_PICTURE_STYLE_H_
