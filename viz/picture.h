// A picture of a layout as data: two dimensions of an array as a grid of cells,
// each with its position in memory, with tiles and padding.
//
//   #include "tessera/index_util/to_index_map.h"
//   #include "tessera/parser/parser.h"
//
//   // 3 x 5 in tiles of 2 x 2, as pictured in index_map/index_map.h.
//   const IndexMap map = *ToIndexMap(*ParseShape("f32[3,5]{1,0:T(2,2)}"));
//   absl::StatusOr<Picture> picture = MakePicture(map, PictureOptions());
//   picture->rows.count;              // 4: one row of cells is padding
//   picture->columns.count;           // 6
//   picture->At(2, 3).position;       // 17
//   picture->At(2, 5).kind;           // Picture::CellKind::kPadding
//   picture->At(2, 5).position;       // 21
//   picture->levels[0].rows;          // 2: the tiles
//
// viz/svg_picture.h and viz/text_picture.h draw pictures.
//
// A picture is plain data: integers and sentences, independent of how it is
// drawn. Its cost depends on its window, not on the size of the array.
//
// Cells. An axis of the grid has one cell for every coordinate of its dimension
// and for every coordinate that padding adds. Padding is past the bound, as in
// T(2,2) over 3 rows, or in between if a tile's parts do not fill it, as in
// T(8)(3) and in the shards of a grid of cores. A cell without an element is
// padding if and only if its position is padding by the map's inverse.
//
// If tiles join dimensions (`*`), or a sum of dimensions is cut, padding does
// not belong to a coordinate of a single dimension, and appears only in the
// picture of memory.

#ifndef TESSERA_VIZ_PICTURE_H_
#define TESSERA_VIZ_PICTURE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "tessera/index_map/index_map.h"
#include "tessera/viz/tile_levels.h"

namespace tessera {

// The most cells of a window, and the most positions of a stretch of memory.
inline constexpr int64_t kMaxPictureCells = int64_t{1} << 16;

// The cells [first, first + count) of an axis.
struct PictureRange {
  int64_t first = 0;
  int64_t count = 0;
};

struct PictureOptions {
  // The dimensions drawn down and across. By default the last two; an array of
  // rank 1 has one row.
  std::optional<int64_t> rows;
  std::optional<int64_t> columns;
  // The fixed coordinates of the other dimensions, one entry for each
  // dimension; the entries of the two that are drawn do not matter. By default
  // all 0.
  std::optional<std::vector<int64_t>> index;
  // The cells to draw. By default they start at the first cell, up to a limit.
  std::optional<PictureRange> row_window;
  std::optional<PictureRange> column_window;
  int64_t max_rows = 32;
  int64_t max_columns = 32;
  // The tiles, outermost first, each as its extent along every dimension, in
  // coordinates. By default they are inferred from the order of memory, which
  // cannot distinguish T(8,128) over 128 columns from consecutive rows.
  std::optional<std::vector<std::vector<int64_t>>> tiles;
  // A stretch of memory; by default none. Positions past the end are left out.
  std::optional<PictureRange> memory;
  // Cells that hold an element of this map are marked; the legend uses its
  // name.
  std::optional<IndexMap> marks;
  std::string marks_name = "the marked layout";
  // The unit of positions, their name, and the number of positions of an
  // element.
  std::string unit = "elements";
  std::string positions = "positions";
  int64_t positions_per_element = 1;
};

struct Picture {
  enum class CellKind : uint8_t {
    kElement,
    kPadding,
    // Outside the array, and without its own position.
    kNothing,
  };

  struct Axis {
    // Nullopt if the array lacks this dimension: one row or column.
    std::optional<int64_t> dimension;
    int64_t bound = 1;    // of the dimension
    int64_t count = 1;    // of cells, padding included
    PictureRange window;  // the drawn part
    // Tiles begin at cells whose number plus this phase is a multiple of the
    // tile's extent. The phase is not 0 if a tile joins this dimension with
    // others.
    int64_t phase = 0;
    // The coordinate of each cell of the window: at least the bound past the
    // end, -1 for padding in between.
    std::vector<int64_t> coordinates;

    bool is_whole() const { return window.count == count; }
    // The number, along the axis, of the tile that contains a cell.
    int64_t TileOf(int64_t cell, int64_t extent) const {
      return (cell + phase) / extent;
    }
    // Whether a tile begins at a cell.
    bool BeginsTile(int64_t cell, int64_t extent) const {
      return (cell + phase) % extent == 0;
    }
  };

  struct Cell {
    CellKind kind = CellKind::kNothing;
    int64_t position = -1;  // -1 of kNothing
    // The number of its tile on each level, counted row by row.
    absl::InlinedVector<int64_t, 2> tiles;
    // 0 to kColors - 1: the colour of its outermost tile, which differs from
    // its neighbours'.
    int color = 0;
    bool is_marked = false;
  };
  static constexpr int kColors = 6;

  // The cells in the order of their positions.
  struct Step {
    int64_t cell = 0;  // its number in `cells`
    // Whether the preceding element in memory is that of the preceding step.
    bool follows = false;
  };

  struct Place {
    int64_t position = 0;
    PositionKind kind = PositionKind::kElement;
    std::vector<int64_t> index;  // of an element
    // For padding: the bounds that it exceeds.
    std::vector<IndexMap::FailedBound> failed_bounds;
    int64_t cell = -1;  // its number in `cells`; -1: not among them
  };

  // A line of the legend, as text.
  struct Note {
    enum class Subject : uint8_t {
      kAxes,
      kNumbers,
      kTiles,  // of `level`
      kPadding,
      kNothing,
      kWindow,
      kSharing,
      kMarks,
    };
    Subject subject = Subject::kAxes;
    int level = 0;
    std::string text;
  };

  Axis rows;
  Axis columns;
  std::vector<int64_t> index;     // 0 for the dimensions that are drawn
  std::vector<TileLevel> levels;  // outermost first
  std::vector<Cell> cells;        // those of the window, row by row
  std::vector<Step> path;
  std::vector<Place> memory;
  std::vector<Note> legend;
  int64_t element_count = 0;
  int64_t position_count = 0;
  // Whether elements may share a position. There is then no inverse, and memory
  // is not described.
  bool shares_positions = false;
  bool has_marks = false;

  bool is_whole() const { return rows.is_whole() && columns.is_whole(); }
  // Returns a cell by row and column of the grid. Precondition: both are in the
  // window.
  const Cell& At(int64_t row, int64_t column) const {
    return cells[(row - rows.window.first) * columns.window.count + column -
                 columns.window.first];
  }
  // Returns the index of the element or of the padding in a cell that has
  // coordinates on both axes. Precondition: as above.
  std::vector<int64_t> IndexAt(int64_t row, int64_t column) const;
};

// Errors: kInvalidArgument if a dimension or a window is out of range, if both
// dimensions are the same, if the index or a tile does not have one entry per
// dimension, if an entry of a tile is not positive, or if `marks` does not have
// an inverse; kOutOfRange if the index is outside the array or a window outside
// its axis; kResourceExhausted past kMaxPictureCells.
absl::StatusOr<Picture> MakePicture(const IndexMap& map,
                                    const PictureOptions& options);

}  // namespace tessera

#endif  // TESSERA_VIZ_PICTURE_H_
