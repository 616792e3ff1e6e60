// File: viz/picture.h
//
// What is there to see of a layout? Two dimensions of an array as a grid of
// cells, each with its position in memory, tile by tile, padding included.
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
// viz/svg_picture.h and viz/text_picture.h draw it.
//
// A picture is plain data: integers and sentences, nothing of how it is drawn.
// It costs what its window costs, however large the array.
//
// Cells. An axis of the grid has one cell for every coordinate of its dimension
// and for every one that padding adds: behind the bound, as in T(2,2) over 3
// rows, and in between, where a tile does not fill what it is cut into, as in
// T(8)(3) and in the shards of a grid of cores. A cell that is no element is
// padding if the map's inverse says so of its position, and nothing else is.
//
// Where tiles join dimensions (`*`), or a sum of dimensions is cut, padding is
// of no coordinate of a single dimension: it is only seen in memory.

#ifndef TESSERA_VIZ_PICTURE_H_
#define TESSERA_VIZ_PICTURE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
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
  // Which dimensions go down and across. By default the last two; of an array
  // of rank 1 there is one row.
  absl::optional<int64_t> rows;
  absl::optional<int64_t> columns;
  // Where the other dimensions are held, one entry each; the entries of the two
  // that are drawn do not matter. By default all 0.
  absl::optional<std::vector<int64_t>> index;
  // The cells to be drawn. By default from the first on, up to so many.
  absl::optional<PictureRange> row_window;
  absl::optional<PictureRange> column_window;
  int64_t max_rows = 32;
  int64_t max_columns = 32;
  // The tiles, outermost first: of each the extent along every dimension, in
  // coordinates. By default those that the order of memory shows, which do not
  // tell T(8,128) over 128 columns from rows that follow one another.
  absl::optional<std::vector<std::vector<int64_t>>> tiles;
  // A stretch of memory; by default none. What lies past the end is left out.
  absl::optional<PictureRange> memory;
  // Cells are marked where an element of this map lies, which the legend calls
  // by its name.
  absl::optional<IndexMap> marks;
  std::string marks_name = "the marked layout";
  // What positions count, what they are called, and how many of them an
  // element takes.
  std::string unit = "elements";
  std::string positions = "positions";
  int64_t positions_per_element = 1;
};

struct Picture {
  enum class CellKind : uint8_t {
    kElement,
    kPadding,
    // Not of the array, and no position is its own.
    kNothing,
  };

  struct Axis {
    // Nullopt where the array has no such dimension: one row or column.
    absl::optional<int64_t> dimension;
    int64_t bound = 1;    // of the dimension
    int64_t count = 1;    // of cells, padding included
    PictureRange window;  // what is drawn of them
    // Tiles begin where the number of a cell plus this is a multiple of their
    // extent: not 0 where a tile joins this dimension with others.
    int64_t phase = 0;
    // The coordinate of each cell of the window: the bound or more behind the
    // end, -1 for padding in between.
    std::vector<int64_t> coordinates;

    bool is_whole() const { return window.count == count; }
    // The number of the tile along the axis that a cell lies in.
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
    // Of each level the number of its tile, counted row by row.
    absl::InlinedVector<int64_t, 2> tiles;
    // 0 to kColors - 1: that of its outermost tile, unlike its neighbours'.
    int color = 0;
    bool is_marked = false;
  };
  static constexpr int kColors = 6;

  // The cells in the order of their positions.
  struct Step {
    int64_t cell = 0;  // its number in `cells`
    // Whether the element before it in memory is that of the step before.
    bool follows = false;
  };

  struct Place {
    int64_t position = 0;
    PositionKind kind = PositionKind::kElement;
    std::vector<int64_t> index;  // of an element
    // Of padding: which bounds it is outside of.
    std::vector<IndexMap::FailedBound> failed_bounds;
    int64_t cell = -1;  // its number in `cells`; -1: not among them
  };

  // A line of the legend, in words.
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
  // Whether elements may share a position, so that no inverse is offered:
  // memory is then not told.
  bool shares_positions = false;
  bool has_marks = false;

  bool is_whole() const { return rows.is_whole() && columns.is_whole(); }
  // By row and column of the grid. Precondition: they are in the window.
  const Cell& At(int64_t row, int64_t column) const {
    return cells[(row - rows.window.first) * columns.window.count + column -
                 columns.window.first];
  }
  // The index of the element or of the padding in a cell, which has the
  // coordinates of both axes. Precondition: as above.
  std::vector<int64_t> IndexAt(int64_t row, int64_t column) const;
};

// Errors: kInvalidArgument if a dimension or a window is none, both dimensions
// are one, or the index or a tile does not have one entry a dimension or holds
// one that is not positive, or `marks` have no inverse; kOutOfRange if the
// index lies outside the array or a window outside its axis; kResourceExhausted
// past kMaxPictureCells.
absl::StatusOr<Picture> MakePicture(const IndexMap& map,
                                    const PictureOptions& options);

}  // namespace tessera

#endif  // TESSERA_VIZ_PICTURE_H_
