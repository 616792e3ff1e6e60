#include "tessera/viz/svg_picture.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/viz/svg_style.h"
#include "tessera/viz/svg_text.h"
#include "tessera/viz/wrapped_lines.h"

namespace tessera {
namespace {

using CellKind = Picture::CellKind;
using Subject = Picture::Note::Subject;

// In pixels. Widths are even, so that centres are whole.
constexpr int64_t kMargin = 24;
constexpr int64_t kLowestCell = 30;
// The space for nested boxes on either side.
constexpr int64_t kInset = 3;
constexpr int64_t kPathRoom = 8;
constexpr int64_t kNarrowestCell = 34;
constexpr int64_t kTitleLine = 22;
constexpr int64_t kTextLine = 20;
constexpr int64_t kMarkWidth = 40;
constexpr int64_t kNarrowestContent = 520;
constexpr int64_t kWidestMemory = 760;
constexpr int64_t kOverviewSize = 120;
// The largest width of a character: in the title, numbers, labels and
// sentences.
constexpr double kTitleCharacter = 9.1;
constexpr double kNumberCharacter = 7.9;
constexpr double kLabelCharacter = 7.3;
constexpr double kTextCharacter = 6.7;

int64_t Pixels(size_t characters, double each) {
  return static_cast<int64_t>(static_cast<double>(characters) * each + 0.999);
}

int64_t Even(int64_t width) { return width + width % 2; }

class SvgRenderer {
 public:
  SvgRenderer(const Picture& picture, const SvgStyle& style)
      : picture_(picture), style_(style) {
    Measure();
  }

  std::string Render() {
    int64_t y = kMargin;
    AppendTitle(&y);
    if (!picture_.cells.empty()) AppendGrid(&y);
    if (!picture_.memory.empty()) AppendMemory(&y);
    AppendLegend(&y);
    return Document(y + kMargin - 6);
  }

 private:
  PictureRange rows() const { return picture_.rows.window; }
  PictureRange columns() const { return picture_.columns.window; }
  // The width between the margins.
  int64_t content_width() const { return width_ - 2 * kMargin; }

  void Measure() {
    size_t text = 1;
    size_t row_label = 0;
    for (int64_t i = 0; i < rows().count; ++i) {
      row_label = std::max(row_label, Label(picture_.rows, i).size());
      for (int64_t j = 0; j < columns().count; ++j) {
        text = std::max(text, TextOfCell(picture_, rows().first + i,
                                         columns().first + j, style_.text)
                                  .size());
      }
    }
    for (int64_t j = 0; j < columns().count; ++j) {
      text = std::max(text, Label(picture_.columns, j).size());
    }
    // Space for nested boxes, and for the path between numbers.
    const int64_t deeper =
        std::max<int64_t>(0, static_cast<int64_t>(picture_.levels.size()) - 2);
    const int64_t room = 2 * kInset * deeper + (style_.path ? kPathRoom : 0);
    cell_height_ = kLowestCell + room;
    cell_width_ =
        Even(std::max(kNarrowestCell, Pixels(text, kNumberCharacter) + 12)) +
        room;
    left_ = kMargin;
    if (picture_.rows.dimension.has_value()) {
      left_ += 20 + Pixels(row_label, kLabelCharacter) + 8;
    }
    int64_t content = std::max(kNarrowestContent,
                               left_ - kMargin + columns().count * cell_width_);

    size_t place = 1;
    for (const Picture::Place& in_memory : picture_.memory) {
      if (in_memory.kind == PositionKind::kElement) {
        place = std::max(place, TextOfIndex(in_memory.index).size());
      }
    }
    place_width_ =
        Even(std::max(kNarrowestCell, Pixels(place, kLabelCharacter) + 10));
    if (!picture_.memory.empty()) {
      place_left_ = kMargin + 10 +
                    Pixels(absl::StrCat(picture_.memory.back().position).size(),
                           kLabelCharacter);
      const int64_t all =
          place_left_ - kMargin +
          place_width_ * static_cast<int64_t>(picture_.memory.size());
      width_ = std::max(content, std::min(all, kWidestMemory)) + 2 * kMargin;
      content = std::max(
          content, place_left_ - kMargin + PlacesInALine() * place_width_);
    }
    width_ = content + 2 * kMargin;
  }

  static std::string Label(const Picture::Axis& axis, int64_t i) {
    if (!axis.dimension.has_value() || axis.coordinates[i] < 0) return "";
    return absl::StrCat(axis.coordinates[i]);
  }

  std::string Document(int64_t height) const {
    std::string sentences;
    for (const Picture::Note& note : picture_.legend) {
      absl::StrAppend(&sentences, sentences.empty() ? "" : " ", note.text);
    }
    return absl::StrCat(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"tessera\" "
        "role=\"img\" width=\"",
        width_, "\" height=\"", height, "\" viewBox=\"0 0 ", width_, " ",
        height, "\">\n<title>",
        SvgText(style_.title.empty() ? "A layout" : style_.title),
        "</title>\n<desc>", SvgText(sentences), "</desc>\n<style>", kSvgStyle,
        "</style>\n", kSvgHatching, "<rect class=\"ground\" width=\"", width_,
        "\" height=\"", height, "\"/>\n", body_, "</svg>\n");
  }

  void Text(std::string_view kind, int64_t x, int64_t y, std::string_view text,
            std::string_view attributes = "") {
    StrAppend(&body_, "<text", kind.empty() ? "" : " class=\"", kind,
              kind.empty() ? "" : "\"", " x=\"", x, "\" y=\"", y, "\"",
              attributes, ">", SvgText(text), "</text>\n");
  }

  void Rectangle(std::string_view kind, int64_t x, int64_t y, int64_t width,
                 int64_t height, std::string_view end = "/>\n") {
    StrAppend(&body_, "<rect class=\"", kind, "\" x=\"", x, "\" y=\"", y,
              "\" width=\"", width, "\" height=\"", height, "\"", end);
  }

  void Line(std::string_view kind, int64_t x1, int64_t y1, int64_t x2,
            int64_t y2) {
    StrAppend(&body_, "<path class=\"", kind, "\" d=\"M", x1, " ", y1, "L", x2,
              " ", y2, "\"/>\n");
  }

  void AppendTitle(int64_t* y) {
    if (style_.title.empty()) return;
    const size_t characters = static_cast<size_t>(
        static_cast<double>(content_width()) / kTitleCharacter);
    for (const std::string& line : WrappedLines(style_.title, characters)) {
      Text("title", kMargin, *y + 14, line);
      *y += kTitleLine;
    }
    *y += 8;
  }

  // -- The grid ---------------------------------------------------------------

  int64_t X(int64_t j) const { return left_ + j * cell_width_; }
  int64_t Y(int64_t i) const { return top_ + i * cell_height_; }

  // The baseline of text in a row of cells.
  int64_t Baseline(int64_t i) const { return Y(i) + cell_height_ / 2 + 5; }

  void AppendGrid(int64_t* y) {
    const int64_t right = X(columns().count);
    if (picture_.columns.dimension.has_value()) {
      Text("axis", (left_ + right) / 2, *y + 10,
           absl::StrCat("dimension ", *picture_.columns.dimension));
      *y += 36;
      for (int64_t j = 0; j < columns().count; ++j) {
        AppendLabel(picture_.columns, j, X(j) + cell_width_ / 2, *y - 7,
                    "middle");
      }
    }
    top_ = *y;
    const int64_t bottom = Y(rows().count);
    if (picture_.rows.dimension.has_value()) {
      const int64_t middle = (top_ + bottom) / 2;
      // Next to few rows there is no room for the word.
      const bool is_short = rows().count < 3;
      Text("axis", kMargin + 10, middle,
           absl::StrCat(is_short ? "dim " : "dimension ",
                        *picture_.rows.dimension),
           absl::StrCat(" transform=\"rotate(-90 ", kMargin + 10, " ", middle,
                        ")\""));
      for (int64_t i = 0; i < rows().count; ++i) {
        AppendLabel(picture_.rows, i, left_ - 8, Baseline(i), "right");
      }
    }
    AppendCells();
    AppendLines();
    AppendMarks();
    if (style_.path) AppendPath();
    AppendNumbers();
    AppendNames();
    *y = bottom + 24;
  }

  void AppendLabel(const Picture::Axis& axis, int64_t i, int64_t x, int64_t y,
                   std::string_view anchor) {
    const std::string label = Label(axis, i);
    if (label.empty()) return;
    const bool is_beyond = axis.coordinates[i] >= axis.bound;
    Text(StrCat("label ", anchor, is_beyond ? " beyond" : ""), x, y, label);
  }

  // The name of the box of a cell of the grid; "" if it has none.
  std::string NameAt(int64_t row, int64_t column) const {
    const SvgBoxNames& boxes = style_.names;
    if (boxes.rows == 0 || boxes.columns == 0) return "";
    const size_t i = row / boxes.rows, j = column / boxes.columns;
    return i < boxes.names.size() && j < boxes.names[i].size()
               ? boxes.names[i][j]
               : "";
  }

  // Appends the names, each in the first drawn cell of its box.
  void AppendNames() {
    const SvgBoxNames& boxes = style_.names;
    for (int64_t i = 0; i < rows().count; ++i) {
      for (int64_t j = 0; j < columns().count; ++j) {
        const int64_t row = rows().first + i;
        const int64_t column = columns().first + j;
        const std::string name = NameAt(row, column);
        if (name.empty() || (i > 0 && row % boxes.rows != 0) ||
            (j > 0 && column % boxes.columns != 0)) {
          continue;
        }
        Text("label", X(j) + 3, Y(i) + 10, name, " style=\"font-size: 9px\"");
      }
    }
  }

  std::string Tooltip(int64_t row, int64_t column) const {
    const Picture::Cell& cell = picture_.At(row, column);
    std::string text;
    switch (cell.kind) {
      case CellKind::kElement:
        text =
            absl::StrCat("element ", TextOfIndex(picture_.IndexAt(row, column)),
                         " at position ", cell.position);
        break;
      case CellKind::kPadding:
        text = absl::StrCat("padding at position ", cell.position);
        break;
      case CellKind::kNothing:
        return "no element";
    }
    for (size_t i = 0; i < cell.tiles.size(); ++i) {
      absl::StrAppend(&text, ", tile ", cell.tiles[i], " of ",
                      ToString(picture_.levels[i]));
    }
    const std::string name = NameAt(row, column);
    if (!name.empty()) absl::StrAppend(&text, ", in ", name);
    return text;
  }

  std::string FillOf(const Picture::Cell& cell) const {
    switch (cell.kind) {
      case CellKind::kElement:
        if (picture_.has_marks && !cell.is_marked) return "unmarked";
        return absl::StrCat("c", cell.color);
      case CellKind::kPadding:
        return "padding";
      case CellKind::kNothing:
        break;
    }
    return "nothing";
  }

  void Box(std::string_view kind, int64_t x, int64_t y, int64_t width,
           int64_t height, std::string_view tooltip) {
    Rectangle(StrCat("cell ", kind), x, y, width, height,
              absl::StrCat("><title>", SvgText(tooltip), "</title></rect>\n"));
  }

  void AppendCells() {
    for (int64_t i = 0; i < rows().count; ++i) {
      for (int64_t j = 0; j < columns().count; ++j) {
        const int64_t row = rows().first + i;
        const int64_t column = columns().first + j;
        Box(FillOf(picture_.At(row, column)), X(j), Y(i), cell_width_,
            cell_height_, Tooltip(row, column));
      }
    }
  }

  void AppendMarks() {
    for (size_t k = 0; k < picture_.cells.size(); ++k) {
      if (!picture_.cells[k].is_marked) continue;
      const int64_t cell = static_cast<int64_t>(k);
      Rectangle("mark", X(cell % columns().count) + 4,
                Y(cell / columns().count) + 4, cell_width_ - 8,
                cell_height_ - 8, " rx=\"3\"/>\n");
    }
  }

  void AppendNumbers() {
    for (int64_t i = 0; i < rows().count; ++i) {
      for (int64_t j = 0; j < columns().count; ++j) {
        const int64_t row = rows().first + i;
        const int64_t column = columns().first + j;
        const std::string text = TextOfCell(picture_, row, column, style_.text);
        if (text.empty()) continue;
        const bool is_padding =
            picture_.At(row, column).kind == CellKind::kPadding;
        const std::string kind =
            is_padding    ? "n padded"
            : style_.path ? absl::StrCat("n h", picture_.At(row, column).color)
                          : "n";
        Text(kind, X(j) + cell_width_ / 2, Baseline(i), text,
             absl::StrCat(" data-at=\"", row, ",", column, "\""));
      }
    }
  }

  void AppendLines() {
    for (size_t level = picture_.levels.size(); level-- > 1;) {
      AppendNested(level);
    }
    // Thick ones come last, so that they are on top.
    for (const LineWeight weight :
         {LineWeight::kNone, LineWeight::kThin, LineWeight::kThick}) {
      for (int64_t i = 0; i <= rows().count; ++i) {
        if (LineBefore(picture_, picture_.rows, rows().first + i,
                       &TileLevel::rows) != weight) {
          continue;
        }
        const bool is_edge = i == 0 || i == rows().count;
        AppendBorder(weight, is_edge, X(0), Y(i), X(columns().count), Y(i));
      }
      for (int64_t j = 0; j <= columns().count; ++j) {
        if (LineBefore(picture_, picture_.columns, columns().first + j,
                       &TileLevel::columns) != weight) {
          continue;
        }
        const bool is_edge = j == 0 || j == columns().count;
        AppendBorder(weight, is_edge, X(j), Y(0), X(j), Y(rows().count));
      }
    }
  }

  void AppendBorder(LineWeight weight, bool is_edge, int64_t x1, int64_t y1,
                    int64_t x2, int64_t y2) {
    if (weight == LineWeight::kThick) {
      Line("thick", x1, y1, x2, y2);
    } else if (weight == LineWeight::kThin && picture_.levels.empty()) {
      Line("thin", x1, y1, x2, y2);
    } else if (weight == LineWeight::kNone && is_edge) {
      Line("cut", x1, y1, x2, y2);
    }
  }

  // The tiles of a level inside of others, as boxes within their cells; an
  // inner drawing clips the parts outside of the window.
  void AppendNested(size_t level) {
    const TileLevel& tile = picture_.levels[level];
    const int64_t inset = 1 + kInset * static_cast<int64_t>(level);
    absl::StrAppend(&body_, "<svg x=\"", X(0), "\" y=\"", Y(0), "\" width=\"",
                    columns().count * cell_width_, "\" height=\"",
                    rows().count * cell_height_, "\">\n");
    const Picture::Axis& down = picture_.rows;
    const Picture::Axis& across = picture_.columns;
    for (int64_t i = 0; i < rows().count; ++i) {
      const int64_t row = rows().first + i;
      if (i > 0 && !down.BeginsTile(row, tile.rows)) continue;
      for (int64_t j = 0; j < columns().count; ++j) {
        const int64_t column = columns().first + j;
        if (j > 0 && !across.BeginsTile(column, tile.columns)) continue;
        AppendNestedBox(i - (row + down.phase) % tile.rows,
                        j - (column + across.phase) % tile.columns, tile,
                        inset);
      }
    }
    body_.append("</svg>\n");
  }

  void AppendNestedBox(int64_t i, int64_t j, const TileLevel& tile,
                       int64_t inset) {
    // The window, and one more cell on either side.
    const int64_t first_row = std::max<int64_t>(i, -1);
    const int64_t first_column = std::max<int64_t>(j, -1);
    const int64_t last_row =
        std::min(rows().count + 1,
                 std::min(i + tile.rows, picture_.rows.count - rows().first));
    const int64_t last_column = std::min(
        columns().count + 1,
        std::min(j + tile.columns, picture_.columns.count - columns().first));
    Rectangle(
        inset > 1 + kInset ? "nested deep" : "nested",
        first_column * cell_width_ + inset, first_row * cell_height_ + inset,
        (last_column - first_column) * cell_width_ - 2 * inset,
        (last_row - first_row) * cell_height_ - 2 * inset, " rx=\"4\"/>\n");
  }

  void AppendPath() {
    if (picture_.path.empty()) return;
    std::string along;
    std::string jumps;
    std::pair<int64_t, int64_t> before;
    for (size_t k = 0; k < picture_.path.size(); ++k) {
      const int64_t cell = picture_.path[k].cell;
      const std::pair<int64_t, int64_t> at = {
          X(cell % columns().count) + cell_width_ / 2,
          Y(cell / columns().count) + cell_height_ / 2};
      if (k > 0) {
        absl::StrAppend(picture_.path[k].follows ? &along : &jumps, "M",
                        before.first, " ", before.second, "L", at.first, " ",
                        at.second);
      } else {
        AppendEnd(cell, /*radius=*/10);
      }
      before = at;
    }
    if (!jumps.empty()) {
      absl::StrAppend(&body_, "<path class=\"jump\" d=\"", jumps, "\"/>\n");
    }
    if (!along.empty()) {
      absl::StrAppend(&body_, "<path class=\"path\" d=\"", along, "\"/>\n");
    }
    AppendEnd(picture_.path.back().cell, /*radius=*/0);
  }

  // Around the number in a cell.
  void AppendEnd(int64_t cell, int64_t radius) {
    Rectangle("end", X(cell % columns().count) + 5,
              Y(cell / columns().count) + 5, cell_width_ - 10,
              cell_height_ - 10, absl::StrCat(" rx=\"", radius, "\"/>\n"));
  }

  // -- Memory -----------------------------------------------------------------

  int64_t PlacesInALine() const {
    return tessera::PlacesInALine(
        picture_, (width_ - kMargin - place_left_) / place_width_);
  }

  void AppendMemory(int64_t* y) {
    const int64_t across = PlacesInALine();
    Text("axis", place_left_, *y + 8, "memory",
         " style=\"text-anchor: start\"");
    *y += 16;
    const int64_t top = *y;
    const int64_t count = static_cast<int64_t>(picture_.memory.size());
    constexpr int64_t kLine = kLowestCell + 6;
    for (int64_t k = 0; k < count; ++k) {
      const Picture::Place& place = picture_.memory[k];
      const int64_t x = place_left_ + k % across * place_width_;
      const int64_t line_y = top + k / across * kLine;
      if (k % across == 0) {
        Text("label right", place_left_ - 8, line_y + 20,
             absl::StrCat(place.position));
      }
      const bool is_element = place.kind == PositionKind::kElement;
      const int color = place.cell >= 0 ? picture_.cells[place.cell].color : 0;
      Box(is_element ? absl::StrCat("c", color) : "padding", x, line_y,
          place_width_, kLowestCell,
          absl::StrCat("position ", place.position, ": ",
                       is_element
                           ? absl::StrCat("element ", TextOfIndex(place.index))
                           : "padding"));
      if (is_element) {
        Text("m", x + place_width_ / 2, line_y + 19, TextOfIndex(place.index));
      }
    }
    AppendTilesOfMemory(across, top, kLine);
    *y = top + CeilOfRatio(count, across) * kLine + 18;
  }

  // Appends a thick line at the end of each tile, and around the whole.
  void AppendTilesOfMemory(int64_t across, int64_t top, int64_t line) {
    const int64_t count = static_cast<int64_t>(picture_.memory.size());
    for (int64_t k = 0; k < count; ++k) {
      const int64_t x = place_left_ + k % across * place_width_;
      const int64_t y = top + k / across * line;
      const bool begins = k % across == 0 || TileAt(k) != TileAt(k - 1);
      const bool ends = k % across == across - 1 || k + 1 == count;
      if (begins) Line("thick", x, y, x, y + kLowestCell);
      if (ends) {
        const int64_t left = place_left_;
        const int64_t right = x + place_width_;
        Line("thick", right, y, right, y + kLowestCell);
        Line("thick", left, y, right, y);
        Line("thick", left, y + kLowestCell, right, y + kLowestCell);
      }
    }
  }

  // Returns the number of the outermost tile; -1 if none is known.
  int64_t TileAt(int64_t k) const {
    const int64_t cell = picture_.memory[k].cell;
    if (cell < 0 || picture_.levels.empty()) return -1;
    return picture_.cells[cell].tiles[0];
  }

  // -- Legend -----------------------------------------------------------------

  void AppendNote(std::string_view text, int64_t width, int64_t* y) {
    const size_t characters = static_cast<size_t>(std::max(
        20.0, static_cast<double>(width - kMarkWidth) / kTextCharacter));
    for (const std::string& line : WrappedLines(text, characters)) {
      Text("", kMargin + kMarkWidth, *y + 14, line);
      *y += kTextLine;
    }
    *y += 4;
  }

  void Mark(std::string_view kind, int64_t y) {
    const bool is_round = StartsWith(kind, "nested") || kind == "mark";
    Rectangle(kind, kMargin + 2, y + 2, 26, 15,
              is_round ? " rx=\"4\"/>\n" : "/>\n");
  }

  void AppendLegend(int64_t* y) {
    const bool has_overview = !picture_.is_whole() && !picture_.cells.empty();
    const int64_t top = *y;
    const int64_t width =
        content_width() - (has_overview ? kOverviewSize + 32 : 0);
    for (const Picture::Note& note : picture_.legend) {
      const std::string text = TextOfNote(note, style_.text);
      if (text.empty()) continue;
      switch (note.subject) {
        case Subject::kTiles:
          Mark(note.level == 0   ? "thick"
               : note.level == 1 ? "nested"
                                 : "nested deep",
               *y);
          break;
        case Subject::kPadding:
          Mark("cell padding", *y);
          break;
        case Subject::kMarks:
          Mark("mark", *y);
          break;
        case Subject::kWindow:
          Mark("whole", *y);
          Rectangle("part", kMargin + 8, *y + 6, 8, 6);
          break;
        case Subject::kNumbers:
          Text("n", kMargin + 15, *y + 14,
               style_.text == CellText::kIndices ? "2,3" : "17");
          break;
        default:
          break;
      }
      AppendNote(text, width, y);
    }
    for (const std::string& note : style_.notes) AppendNote(note, width, y);
    if (style_.path && !picture_.path.empty()) {
      Line("path", kMargin + 4, *y + 9, kMargin + 28, *y + 9);
      AppendNote(
          "The line goes from cell to cell in the order of memory, from the "
          "round "
          "frame to the square one; it is dashed where other positions lie in "
          "between.",
          width, y);
    }
    if (!picture_.memory.empty()) {
      AppendNote(
          "Below the cells stands memory, from the position on the left of "
          "each line: the index of the element at every position.",
          width, y);
    }
    if (has_overview) {
      AppendOverview(kMargin + content_width() - kOverviewSize, top);
      *y = std::max(*y, top + kOverviewSize + 8);
    }
  }

  // Shows the place of the window in the whole.
  void AppendOverview(int64_t x, int64_t y) {
    const double rows_count = static_cast<double>(picture_.rows.count);
    const double columns_count = static_cast<double>(picture_.columns.count);
    const double longest = std::max(rows_count, columns_count);
    // Of the whole, in pixels; flat arrays are made thicker than they are.
    auto side = [longest](double count) {
      return std::max<int64_t>(
          24, static_cast<int64_t>(kOverviewSize * count / longest));
    };
    const int64_t width = side(columns_count);
    const int64_t height = side(rows_count);
    auto part = [](const Picture::Axis& axis, int64_t size) {
      constexpr int64_t kSmallest = 5;
      const double scale =
          static_cast<double>(size) / static_cast<double>(axis.count);
      const int64_t length = std::min(
          size, std::max(kSmallest, static_cast<int64_t>(
                                        axis.window.count * scale + 0.5)));
      const int64_t begin = std::min(
          size - length, static_cast<int64_t>(axis.window.first * scale));
      return std::make_pair(begin, length);
    };
    const auto [left, part_width] = part(picture_.columns, width);
    const auto [above, part_height] = part(picture_.rows, height);
    body_.append("<g><title>Where the window lies in the array</title>");
    Rectangle("whole", x, y, width, height, "/>");
    Rectangle("part", x + left, y + above, part_width, part_height, "/></g>\n");
  }

  const Picture& picture_;
  const SvgStyle& style_;
  int64_t cell_width_ = kNarrowestCell;
  int64_t cell_height_ = kLowestCell;
  int64_t place_width_ = kNarrowestCell;
  int64_t left_ = kMargin;  // of the cells
  int64_t top_ = kMargin;
  int64_t place_left_ = kMargin;
  int64_t width_ = 0;
  std::string body_;
};

}  // namespace

std::string RenderSvg(const Picture& picture, const SvgStyle& style) {
  return SvgRenderer(picture, style).Render();
}

}  // namespace tessera
