#include "tessera/viz/picture.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/counted.h"
#include "tessera/viz/cell_axis.h"
#include "tessera/viz/tile_levels.h"

namespace tessera {
namespace {

using CellKind = Picture::CellKind;
using Subject = Picture::Note::Subject;

absl::Status CheckDimension(const IndexMap& map,
                            std::optional<int64_t> dimension,
                            std::string_view name) {
  if (!dimension.has_value() || (*dimension >= 0 && *dimension < map.rank())) {
    return absl::OkStatus();
  }
  return InvalidArgumentError(name, " = ", *dimension,
                              " is not a dimension of an array of rank ",
                              map.rank());
}

CellAxis AxisOf(const IndexMap& map, std::optional<int64_t> dimension,
                absl::Span<const int64_t> index,
                std::optional<int64_t> across) {
  return dimension.has_value() ? CellAxis(map, *dimension, index, across)
                               : CellAxis();
}

absl::StatusOr<PictureRange> WindowOf(const CellAxis& axis,
                                      const std::optional<PictureRange>& window,
                                      int64_t default_count,
                                      std::string_view name) {
  if (!window.has_value()) {
    return PictureRange{
        0, std::min(axis.count(), std::max<int64_t>(default_count, 1))};
  }
  if (window->first < 0 || window->count < 0) {
    return InvalidArgumentError("the window of the ", name, " begins at ",
                                window->first, " and counts ", window->count,
                                ", neither of which may be negative");
  }
  if (window->first > axis.count() ||
      window->count > axis.count() - window->first) {
    return OutOfRangeError("the window of the ", name, ", ", window->count,
                           " cells from ", window->first,
                           " on, is outside [0, ", axis.count(), ")");
  }
  return *window;
}

// Draws a part of a map, and finds its cells.
class Artist {
 public:
  Artist(const IndexMap& map, CellAxis rows, CellAxis columns,
         std::vector<int64_t> index)
      : map_(map),
        rows_(std::move(rows)),
        columns_(std::move(columns)),
        index_(std::move(index)),
        scratch_(map.rank()) {}

  const CellAxis& rows() const { return rows_; }
  const CellAxis& columns() const { return columns_; }

  Picture::Cell CellAt(int64_t row, int64_t column) {
    Picture::Cell cell;
    if (map_.element_count() == 0) return cell;
    std::vector<int64_t>& index = index_;
    const bool row_fits = Put(rows_, row, &index);
    const bool column_fits = Put(columns_, column, &index);
    if (row_fits && column_fits) {
      cell.kind = CellKind::kElement;
      cell.position = map_.LinearIndexUnchecked(index);
      return cell;
    }
    // If an axis does not fit, its digits are added to the position of the
    // index in which it is 0.
    if (!row_fits) index[*rows_.dimension()] = 0;
    if (!column_fits) index[*columns_.dimension()] = 0;
    int64_t position = map_.swizzle().Apply(map_.LinearIndexUnchecked(index));
    if (!row_fits) position += rows_.PositionsOf(row);
    if (!column_fits) position += columns_.PositionsOf(column);
    position = map_.swizzle().Apply(position);
    if (position < 0 || position >= map_.position_count() ||
        map_.MultidimensionalIndexUnchecked(
            position, absl::MakeSpan(scratch_)) != PositionKind::kPadding) {
      return cell;
    }
    cell.kind = CellKind::kPadding;
    cell.position = position;
    return cell;
  }

 private:
  // Sets the entry of the axis to the coordinate of a cell. Returns false if
  // that is not within the bound.
  static bool Put(const CellAxis& axis, int64_t cell,
                  std::vector<int64_t>* index) {
    if (!axis.dimension().has_value()) return true;
    const int64_t coordinate = axis.CoordinateOf(cell);
    if (coordinate < 0 || coordinate >= axis.bound()) return false;
    (*index)[*axis.dimension()] = coordinate;
    return true;
  }

  const IndexMap& map_;
  CellAxis rows_;
  CellAxis columns_;
  std::vector<int64_t> index_;
  std::vector<int64_t> scratch_;
};

Picture::Axis Drawn(const CellAxis& axis, int64_t phase, PictureRange window) {
  Picture::Axis drawn;
  drawn.dimension = axis.dimension();
  drawn.bound = axis.bound();
  drawn.count = axis.count();
  drawn.window = window;
  drawn.phase = phase;
  for (int64_t i = 0; i < window.count; ++i) {
    drawn.coordinates.push_back(axis.CoordinateOf(window.first + i));
  }
  return drawn;
}

// The cell after the last one of a tile that reaches from coordinate 0 to
// `extent`.
int64_t ExtentInCells(const CellAxis& axis, int64_t extent) {
  return extent < axis.bound() ? axis.CellOf(extent)
                               : axis.count() + axis.phase();
}

absl::StatusOr<std::vector<TileLevel>> LevelsOf(const IndexMap& map,
                                                const PictureOptions& options,
                                                const CellAxis& rows,
                                                const CellAxis& columns) {
  if (map.element_count() == 0) return std::vector<TileLevel>();
  if (!options.tiles.has_value()) return LevelsByMemoryOrder(rows, columns);
  std::vector<TileLevel> levels;
  for (const std::vector<int64_t>& tile : *options.tiles) {
    const bool is_positive =
        std::all_of(tile.begin(), tile.end(), [](int64_t e) { return e > 0; });
    if (static_cast<int64_t>(tile.size()) != map.rank() || !is_positive) {
      return InvalidArgumentError("a tile of ", absl::StrJoin(tile, "x"),
                                  " is not one positive extent for each of ",
                                  map.rank(), " dimensions");
    }
    auto extent = [&tile](const CellAxis& axis) {
      return axis.dimension().has_value()
                 ? ExtentInCells(axis, tile[*axis.dimension()])
                 : 1;
    };
    levels.push_back({extent(rows), extent(columns)});
  }
  TidyLevels(rows, columns, &levels);
  return levels;
}

// Neighbours differ, also at their corners, and up to kColors tiles all do.
int ColorOf(const Picture& picture, int64_t row, int64_t column) {
  if (picture.levels.empty()) return 0;
  const TileLevel& level = picture.levels[0];
  const int64_t across =
      picture.columns.TileOf(picture.columns.count - 1, level.columns) + 1;
  const int64_t step = across <= 4 ? across : 2;
  return static_cast<int>(
      (picture.rows.TileOf(row, level.rows) % Picture::kColors * step +
       picture.columns.TileOf(column, level.columns)) %
      Picture::kColors);
}

void AddCells(Artist* artist, Picture* picture) {
  const PictureRange rows = picture->rows.window;
  const PictureRange columns = picture->columns.window;
  picture->cells.reserve(rows.count * columns.count);
  for (int64_t i = rows.first; i < rows.first + rows.count; ++i) {
    for (int64_t j = columns.first; j < columns.first + columns.count; ++j) {
      Picture::Cell cell = artist->CellAt(i, j);
      for (const TileLevel& level : picture->levels) {
        const Picture::Axis& across = picture->columns;
        cell.tiles.push_back(
            picture->rows.TileOf(i, level.rows) *
                (across.TileOf(across.count - 1, level.columns) + 1) +
            across.TileOf(j, level.columns));
      }
      cell.color = ColorOf(*picture, i, j);
      picture->cells.push_back(std::move(cell));
    }
  }
}

// Precondition: `marks` has an inverse.
void AddMarks(const IndexMap& marks, Picture* picture) {
  picture->has_marks = true;
  std::vector<int64_t> index(marks.rank());
  for (Picture::Cell& cell : picture->cells) {
    cell.is_marked =
        cell.position >= 0 && cell.position < marks.position_count() &&
        marks.MultidimensionalIndexUnchecked(
            cell.position, absl::MakeSpan(index)) == PositionKind::kElement;
  }
}

void AddPath(int64_t positions_per_element, Picture* picture) {
  const std::vector<Picture::Cell>& cells = picture->cells;
  for (size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].kind == CellKind::kNothing) continue;
    picture->path.push_back({static_cast<int64_t>(i), false});
  }
  std::stable_sort(picture->path.begin(), picture->path.end(),
                   [&](const Picture::Step& a, const Picture::Step& b) {
                     return cells[a.cell].position < cells[b.cell].position;
                   });
  for (size_t i = 1; i < picture->path.size(); ++i) {
    picture->path[i].follows = cells[picture->path[i].cell].position -
                                   cells[picture->path[i - 1].cell].position ==
                               positions_per_element;
  }
}

absl::Status AddMemory(const IndexMap& map, const PictureRange& memory,
                       Picture* picture) {
  if (memory.first < 0 || memory.count < 0) {
    return InvalidArgumentError("the stretch of memory begins at ",
                                memory.first, " and counts ", memory.count,
                                ", neither of which may be negative");
  }
  if (memory.count > kMaxPictureCells) {
    return ResourceExhaustedError("a picture has at most ", kMaxPictureCells,
                                  " positions of memory, and this has ",
                                  memory.count);
  }
  if (picture->shares_positions) return absl::OkStatus();
  absl::flat_hash_map<int64_t, int64_t> cells;
  for (size_t i = 0; i < picture->cells.size(); ++i) {
    if (picture->cells[i].position >= 0) {
      cells.emplace(picture->cells[i].position, i);
    }
  }
  for (int64_t i = 0;
       i < memory.count && memory.first < map.position_count() - i; ++i) {
    Picture::Place place;
    place.position = memory.first + i;
    std::vector<int64_t> index(map.rank());
    place.kind = map.MultidimensionalIndexUnchecked(place.position,
                                                    absl::MakeSpan(index));
    if (place.kind == PositionKind::kElement) {
      place.index = std::move(index);
    } else if (place.kind == PositionKind::kPadding) {
      place.failed_bounds = *map.FailedBounds(place.position);
    }
    const auto cell = cells.find(place.position);
    if (cell != cells.end()) place.cell = cell->second;
    picture->memory.push_back(std::move(place));
  }
  return absl::OkStatus();
}

// -- Legend -------------------------------------------------------------------

std::string AxesText(const Picture& picture) {
  if (picture.index.empty()) return "The array has a single element.";
  std::vector<std::string> drawn;
  if (picture.rows.dimension.has_value()) {
    drawn.push_back(absl::StrCat(*picture.rows.dimension, " runs down"));
  }
  if (picture.columns.dimension.has_value()) {
    drawn.push_back(absl::StrCat(*picture.columns.dimension,
                                 drawn.empty() ? " runs across" : " across"));
  }
  std::string text =
      absl::StrCat("Dimension ", absl::StrJoin(drawn, ", dimension "));
  std::vector<std::string> fixed;
  for (size_t i = 0; i < picture.index.size(); ++i) {
    const int64_t dimension = static_cast<int64_t>(i);
    if (picture.rows.dimension == dimension ||
        picture.columns.dimension == dimension) {
      continue;
    }
    fixed.push_back(
        absl::StrCat("dimension ", dimension, " is at ", picture.index[i]));
  }
  if (!fixed.empty()) absl::StrAppend(&text, "; ", absl::StrJoin(fixed, ", "));
  text.push_back('.');
  return text;
}

std::string WindowText(const Picture::Axis& axis, std::string_view name) {
  return StrCat(name, " ", axis.window.first, " to ",
                axis.window.first + axis.window.count - 1, " of ", axis.count);
}

// A tile along the whole axis counts as long as the axis, however far it
// reaches.
std::string VisibleText(const Picture& picture, TileLevel level) {
  const Picture::Axis& rows = picture.rows;
  const Picture::Axis& columns = picture.columns;
  if (level.rows >= rows.count + rows.phase) level.rows = rows.count;
  if (level.columns >= columns.count + columns.phase) {
    level.columns = columns.count;
  }
  return ToString(level);
}

void AddLegend(const PictureOptions& options, Picture* picture) {
  auto add = [picture](Subject subject, std::string text, int level = 0) {
    picture->legend.push_back({subject, level, std::move(text)});
  };
  add(Subject::kAxes, AxesText(*picture));
  if (picture->element_count == 0) {
    add(Subject::kNothing, "The array has no elements.");
    return;
  }
  add(Subject::kNumbers,
      absl::StrCat("A number is a position in memory, counted in ",
                   options.unit, "."));
  for (size_t i = 0; i < picture->levels.size(); ++i) {
    add(Subject::kTiles,
        absl::StrCat(i == 0 ? "Thick lines" : "Thin lines",
                     " go around tiles of ",
                     VisibleText(*picture, picture->levels[i]),
                     i == 0 ? "." : " inside of those."),
        static_cast<int>(i));
  }
  if (picture->has_marks) {
    add(Subject::kMarks,
        absl::StrCat("Marked cells are those of ", options.marks_name, "."));
  }
  bool has_padding = false;
  bool has_nothing = false;
  for (const Picture::Cell& cell : picture->cells) {
    has_padding |= cell.kind == CellKind::kPadding;
    has_nothing |= cell.kind == CellKind::kNothing;
  }
  const std::optional<int64_t> elements =
      CheckedMultiply(picture->element_count, options.positions_per_element);
  const int64_t unused =
      elements.has_value() ? picture->position_count - *elements : 0;
  if (has_padding) {
    add(Subject::kPadding,
        "Hatched cells are padding: they take memory and hold no element.");
  }
  if (!picture->shares_positions && unused > 0) {
    // Shown next to the mark that it counts, if the mark is visible.
    const std::string text = absl::StrCat(
        "In all of memory, ", unused, " of ", picture->position_count, " ",
        options.positions, " hold no element.");
    if (has_padding) {
      absl::StrAppend(&picture->legend.back().text, " ", text);
    } else {
      add(Subject::kAxes, text);
    }
  }
  if (has_nothing) {
    add(Subject::kNothing,
        "Empty cells are outside the array and take no memory of their own.");
  }
  if (picture->shares_positions) {
    add(Subject::kSharing,
        "Elements may share a position: the layout has no inverse.");
  }
  std::vector<std::string> windows;
  if (!picture->rows.is_whole()) {
    windows.push_back(WindowText(picture->rows, "rows"));
  }
  if (!picture->columns.is_whole()) {
    windows.push_back(WindowText(picture->columns, "columns"));
  }
  if (!windows.empty()) {
    add(Subject::kWindow,
        absl::StrCat("A window: ", absl::StrJoin(windows, ", "), "."));
  }
}

}  // namespace

std::vector<int64_t> Picture::IndexAt(int64_t row, int64_t column) const {
  std::vector<int64_t> at = index;
  if (rows.dimension.has_value()) {
    at[*rows.dimension] = rows.coordinates[row - rows.window.first];
  }
  if (columns.dimension.has_value()) {
    at[*columns.dimension] = columns.coordinates[column - columns.window.first];
  }
  return at;
}

absl::StatusOr<Picture> MakePicture(const IndexMap& map,
                                    const PictureOptions& options) {
  std::optional<int64_t> row_dimension = options.rows;
  std::optional<int64_t> column_dimension = options.columns;
  // The default is the last remaining dimension.
  auto last_but = [&map](std::optional<int64_t> taken) {
    std::optional<int64_t> last;
    for (int64_t i = 0; i < map.rank(); ++i) {
      if (i != taken) last = i;
    }
    return last;
  };
  if (!column_dimension.has_value()) column_dimension = last_but(row_dimension);
  if (!row_dimension.has_value()) row_dimension = last_but(column_dimension);
  if (row_dimension.has_value() && row_dimension == column_dimension) {
    return InvalidArgumentError("dimension ", *row_dimension,
                                " cannot be both rows and columns");
  }
  absl::Status status = CheckDimension(map, row_dimension, "rows");
  status.Update(CheckDimension(map, column_dimension, "columns"));
  if (!status.ok()) return status;
  std::vector<int64_t> index = options.index.value_or(
      std::vector<int64_t>(static_cast<size_t>(map.rank())));
  if (static_cast<int64_t>(index.size()) != map.rank()) {
    return InvalidArgumentError(
        "the index has ", Counted(index.size(), "entry", "entries"),
        ", but the array has ", Counted(map.rank(), "dimension"));
  }
  for (int64_t i = 0; i < map.rank(); ++i) {
    const bool is_drawn = row_dimension == i || column_dimension == i;
    if (is_drawn || map.element_count() == 0) {
      index[i] = 0;
    } else if (index[i] < 0 || index[i] >= map.bounds()[i]) {
      return OutOfRangeError("index[", i, "] = ", index[i], " is outside [0, ",
                             map.bounds()[i], ")");
    }
  }
  CellAxis rows = AxisOf(map, row_dimension, index, column_dimension);
  CellAxis columns = AxisOf(map, column_dimension, index, row_dimension);
  TESSERA_ASSIGN_OR_RETURN(
      const PictureRange row_window,
      WindowOf(rows, options.row_window, options.max_rows, "rows"));
  TESSERA_ASSIGN_OR_RETURN(
      const PictureRange column_window,
      WindowOf(columns, options.column_window, options.max_columns, "columns"));
  const std::optional<int64_t> cells =
      CheckedMultiply(row_window.count, column_window.count);
  const int64_t longest = std::max(row_window.count, column_window.count);
  if (!cells.has_value() || std::max(*cells, longest) > kMaxPictureCells) {
    return ResourceExhaustedError("a window has at most ", kMaxPictureCells,
                                  " cells, and this has ", row_window.count,
                                  " x ", column_window.count);
  }

  if (options.marks.has_value() &&
      options.marks->kind() == IndexMap::Kind::kGeneral) {
    return absl::InvalidArgumentError(
        "elements of the layout that is marked may share a position: it has no "
        "inverse");
  }

  Artist artist(map, std::move(rows), std::move(columns), index);
  TESSERA_ASSIGN_OR_RETURN(
      std::vector<TileLevel> levels,
      LevelsOf(map, options, artist.rows(), artist.columns()));

  Picture picture;
  // Given tiles begin at coordinate 0.
  const bool is_given = options.tiles.has_value();
  picture.rows =
      Drawn(artist.rows(), is_given ? 0 : artist.rows().phase(), row_window);
  picture.columns = Drawn(
      artist.columns(), is_given ? 0 : artist.columns().phase(), column_window);
  picture.index = std::move(index);
  picture.levels = std::move(levels);
  picture.element_count = map.element_count();
  picture.position_count = map.position_count();
  picture.shares_positions = map.kind() == IndexMap::Kind::kGeneral;
  AddCells(&artist, &picture);
  if (options.marks.has_value()) AddMarks(*options.marks, &picture);
  AddPath(options.positions_per_element, &picture);
  if (options.memory.has_value()) {
    TESSERA_RETURN_IF_ERROR(AddMemory(map, *options.memory, &picture));
  }
  AddLegend(options, &picture);
  return picture;
}

}  // namespace tessera
