#include "tessera/viz/text_picture.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/viz/wrapped_lines.h"

namespace tessera {
namespace {

using CellKind = Picture::CellKind;
using Subject = Picture::Note::Subject;

constexpr size_t kNarrowestText = 32;
constexpr int kBarWidth = 32;

// The junctions by the weights of the lines that go up, right, down and left.
// The last weight varies fastest.
constexpr const char* kJunctions[81] = {
    " ", "╴", "╸", "╷", "┐", "┑", "╻", "┒", "┓",  //
    "╶", "─", "╾", "┌", "┬", "┭", "┎", "┰", "┱",  //
    "╺", "╼", "━", "┍", "┮", "┯", "┏", "┲", "┳",  //
    "╵", "┘", "┙", "│", "┤", "┥", "╽", "┧", "┪",  //
    "└", "┴", "┵", "├", "┼", "┽", "┟", "╁", "╅",  //
    "┕", "┶", "┷", "┝", "┾", "┿", "┢", "╆", "╈",  //
    "╹", "┚", "┛", "╿", "┦", "┩", "┃", "┨", "┫",  //
    "┖", "┸", "┹", "┞", "╀", "╃", "┠", "╂", "╉",  //
    "┗", "┺", "┻", "┡", "╄", "╇", "┣", "╊", "╋"};

// Black on a light background, whatever the terminal's own colours; numbers of
// the 256 terminal colours.
constexpr int kTileGrounds[Picture::kColors] = {153, 223, 158, 229, 217, 183};

std::string Repeated(std::string_view text, int64_t count) {
  std::string out;
  for (int64_t i = 0; i < count; ++i) StrAppend(&out, text);
  return out;
}

std::string Right(std::string_view text, int64_t width) {
  return StrCat(Repeated(" ", width - static_cast<int64_t>(text.size())), text);
}

class TextRenderer {
 public:
  TextRenderer(const Picture& picture, const TextStyle& style)
      : picture_(picture), style_(style) {
    const PictureRange rows = picture.rows.window;
    const PictureRange columns = picture.columns.window;
    for (int64_t i = 0; i < rows.count; ++i) {
      label_width_ = std::max(label_width_, RowLabel(i).size());
      for (int64_t j = 0; j < columns.count; ++j) {
        width_ = std::max(width_, TextOfCell(picture, rows.first + i,
                                             columns.first + j, style.text)
                                      .size());
      }
    }
    for (int64_t j = 0; j < columns.count; ++j) {
      width_ = std::max(width_, ColumnLabel(j).size());
    }
    if (style.path) PointAlongPath();
  }

  std::string Render() {
    if (!picture_.cells.empty()) {
      AppendHeader();
      for (int64_t i = 0; i < picture_.rows.window.count; ++i) {
        AppendLineBefore(i);
        AppendRow(i);
      }
      AppendLineBefore(picture_.rows.window.count);
      out_.push_back('\n');
    }
    AppendLegend();
    if (!picture_.is_whole()) AppendOverview();
    if (!picture_.memory.empty()) AppendMemory();
    return std::move(out_);
  }

  int64_t GridWidth() const {
    int64_t width = static_cast<int64_t>(label_width_) + 2;
    const int64_t count = picture_.columns.window.count;
    for (int64_t j = 0; j <= count; ++j) {
      if (HasColumnLine(j)) ++width;
    }
    return width + count * CellWidth();
  }

 private:
  int64_t CellWidth() const { return static_cast<int64_t>(width_) + 2; }

  static std::string Label(int64_t coordinate) {
    return coordinate < 0 ? "" : absl::StrCat(coordinate);
  }
  std::string RowLabel(int64_t i) const {
    return picture_.rows.dimension.has_value()
               ? Label(picture_.rows.coordinates[i])
               : "";
  }
  std::string ColumnLabel(int64_t j) const {
    return picture_.columns.dimension.has_value()
               ? Label(picture_.columns.coordinates[j])
               : "";
  }

  // By number in the window. Its edges always have lines.
  LineWeight RowLine(int64_t i) const {
    return LineBefore(picture_, picture_.rows, picture_.rows.window.first + i,
                      &TileLevel::rows);
  }
  LineWeight ColumnLine(int64_t j) const {
    return LineBefore(picture_, picture_.columns,
                      picture_.columns.window.first + j, &TileLevel::columns);
  }
  bool HasColumnLine(int64_t j) const {
    return j == 0 || j == picture_.columns.window.count ||
           ColumnLine(j) != LineWeight::kNone;
  }

  const char* Horizontal(LineWeight weight) const {
    switch (weight) {
      case LineWeight::kNone:
        return style_.unicode ? "┈" : " ";
      case LineWeight::kThin:
        return style_.unicode ? "─" : "-";
      case LineWeight::kThick:
        break;
    }
    return style_.unicode ? "━" : "=";
  }

  const char* Vertical(LineWeight weight) const {
    switch (weight) {
      case LineWeight::kNone:
        return style_.unicode ? "┊" : " ";
      case LineWeight::kThin:
        if (style_.unicode) return "│";
        return picture_.levels.empty() ? "|" : ":";
      case LineWeight::kThick:
        break;
    }
    return style_.unicode ? "┃" : "|";
  }

  const char* Hatching() const { return style_.unicode ? "░" : "."; }

  // Returns the junction of the lines before row `i` and before column `j`.
  const char* Junction(int64_t i, int64_t j) const {
    const int horizontal = static_cast<int>(RowLine(i));
    const int vertical = static_cast<int>(ColumnLine(j));
    if (!style_.unicode) {
      return horizontal != 0 && vertical != 0 ? "+"
             : horizontal != 0                ? Horizontal(RowLine(i))
                                              : " ";
    }
    const int up = i > 0 ? vertical : 0;
    const int down = i < picture_.rows.window.count ? vertical : 0;
    const int left = j > 0 ? horizontal : 0;
    const int right = j < picture_.columns.window.count ? horizontal : 0;
    return kJunctions[((up * 3 + right) * 3 + down) * 3 + left];
  }

  void AppendHeader() {
    if (!picture_.columns.dimension.has_value()) return;
    out_.append(label_width_ + 2, ' ');
    for (int64_t j = 0; j < picture_.columns.window.count; ++j) {
      if (HasColumnLine(j)) out_.push_back(' ');
      absl::StrAppend(&out_, " ", Right(ColumnLabel(j), width_), " ");
    }
    EndLine();
  }

  void AppendLineBefore(int64_t i) {
    const int64_t count = picture_.rows.window.count;
    const LineWeight weight = RowLine(i);
    const bool is_edge = i == 0 || i == count;
    if (weight == LineWeight::kNone && (!is_edge || !style_.unicode)) return;
    out_.append(label_width_ + 2, ' ');
    for (int64_t j = 0; j < picture_.columns.window.count; ++j) {
      if (HasColumnLine(j)) out_.append(Junction(i, j));
      out_.append(Repeated(Horizontal(weight), CellWidth()));
    }
    out_.append(Junction(i, picture_.columns.window.count));
    EndLine();
  }

  // Without blanks at its end.
  void EndLine() {
    out_.erase(out_.find_last_not_of(' ') + 1);
    out_.push_back('\n');
  }

  void AppendRow(int64_t i) {
    absl::StrAppend(&out_, " ", Right(RowLabel(i), label_width_), " ");
    for (int64_t j = 0; j < picture_.columns.window.count; ++j) {
      if (HasColumnLine(j)) out_.append(Vertical(ColumnLine(j)));
      AppendCell(i, j);
    }
    out_.append(Vertical(ColumnLine(picture_.columns.window.count)));
    EndLine();
  }

  void AppendCell(int64_t i, int64_t j) {
    const int64_t row = picture_.rows.window.first + i;
    const int64_t column = picture_.columns.window.first + j;
    const Picture::Cell& cell = picture_.At(row, column);
    const std::string text = TextOfCell(picture_, row, column, style_.text);
    const bool is_padding = cell.kind == CellKind::kPadding;
    const char* fill = is_padding ? Hatching() : " ";
    std::string end = fill;
    if (!next_.empty()) {
      const std::string& next = next_[i * picture_.columns.window.count + j];
      if (!next.empty()) end = next;
    }
    const int64_t blanks = CellWidth() - 1 - static_cast<int64_t>(text.size());
    std::string begin = Repeated(fill, blanks);
    if (cell.is_marked) {
      begin = absl::StrCat(Repeated(fill, blanks - 1), "[");
      if (next_.empty()) end = "]";
    }
    AppendPainted(absl::StrCat(begin, text, end), cell);
  }

  void AppendPainted(std::string_view text, const Picture::Cell& cell) {
    if (!style_.color || cell.kind == CellKind::kNothing) {
      out_.append(text.data(), text.size());
    } else if (cell.kind == CellKind::kPadding) {
      StrAppend(&out_, "\x1b[2m", text, "\x1b[0m");
    } else {
      StrAppend(&out_, "\x1b[30;48;5;", kTileGrounds[cell.color], "m", text,
                "\x1b[0m");
    }
  }

  // Fills next_.
  void PointAlongPath() {
    // From up left to down right.
    static constexpr const char* kArrows[9] = {"↖", "↑", "↗", "←", " ",
                                               "→", "↙", "↓", "↘"};
    static constexpr const char* kAsciiArrows[9] = {"\\", "^", "/", "<", " ",
                                                    ">",  "/", "v", "\\"};
    const int64_t across = picture_.columns.window.count;
    next_.resize(picture_.cells.size());
    auto sign = [](int64_t x) { return x < 0 ? 0 : x > 0 ? 2 : 1; };
    for (size_t k = 0; k < picture_.path.size(); ++k) {
      const int64_t from = picture_.path[k].cell;
      if (k + 1 == picture_.path.size()) {
        next_[from] = style_.unicode ? "■" : "*";
        break;
      }
      const int64_t to = picture_.path[k + 1].cell;
      const int arrow = sign(to / across - from / across) * 3 +
                        sign(to % across - from % across);
      next_[from] = style_.unicode ? kArrows[arrow] : kAsciiArrows[arrow];
    }
  }

  // A mark of two characters, and a sentence.
  void AppendNote(std::string_view mark, std::string_view text) {
    const size_t width = std::max<int64_t>(style_.columns, kNarrowestText) - 4;
    for (const std::string& line : WrappedLines(text, width)) {
      StrAppend(&out_, " ", mark, " ", line, "\n");
      mark = "  ";
    }
  }

  void AppendLegend() {
    for (const Picture::Note& note : picture_.legend) {
      const std::string text = TextOfNote(note, style_.text);
      if (text.empty()) continue;
      switch (note.subject) {
        case Subject::kTiles:
          AppendNote(Repeated(Horizontal(note.level == 0 ? LineWeight::kThick
                                                         : LineWeight::kThin),
                              2),
                     text);
          break;
        case Subject::kPadding:
          AppendNote(Repeated(Hatching(), 2), text);
          break;
        case Subject::kMarks:
          AppendNote("[]", text);
          break;
        default:
          AppendNote("  ", text);
      }
    }
    if (style_.path && !picture_.path.empty()) {
      AppendNote(
          style_.unicode ? "→ " : "> ",
          absl::StrCat("An arrow points towards the next cell in memory; ",
                       style_.unicode ? "■" : "*", " is the last."));
    }
  }

  void AppendOverview() {
    if (!picture_.rows.is_whole()) AppendBar("rows", picture_.rows);
    if (!picture_.columns.is_whole()) AppendBar("columns", picture_.columns);
  }

  void AppendBar(std::string_view name, const Picture::Axis& axis) {
    const double scale = static_cast<double>(kBarWidth) / axis.count;
    const int begin =
        std::min(static_cast<int>(axis.window.first * scale), kBarWidth - 1);
    const double last = axis.window.first + axis.window.count;
    const int end = std::max(
        begin + 1, std::min(static_cast<int>(last * scale), kBarWidth));
    StrAppend(&out_, "    ", name, std::string(8 - name.size(), ' '), "[",
              Repeated(style_.unicode ? "·" : ".", begin),
              Repeated(style_.unicode ? "█" : "#", end - begin),
              Repeated(style_.unicode ? "·" : ".", kBarWidth - end), "]\n");
  }

  void AppendMemory() {
    std::vector<std::string> texts;
    size_t width = 1;
    for (const Picture::Place& place : picture_.memory) {
      texts.push_back(
          place.kind == PositionKind::kElement ? TextOfIndex(place.index) : "");
      width = std::max(width, texts.back().size());
    }
    const std::string last = absl::StrCat(picture_.memory.back().position);
    const int64_t across = PlacesInALine(
        picture_, (style_.columns - 3 - static_cast<int64_t>(last.size())) /
                      static_cast<int64_t>(width + 2));
    out_.push_back('\n');
    for (const std::string& line :
         WrappedLines("Memory: the number of a position, and the index of the "
                      "element there and after it.",
                      std::max<int64_t>(style_.columns, kNarrowestText))) {
      absl::StrAppend(&out_, line, "\n");
    }
    for (size_t k = 0; k < texts.size(); ++k) {
      const Picture::Place& place = picture_.memory[k];
      const int64_t along = static_cast<int64_t>(k) % across;
      if (along == 0) {
        absl::StrAppend(&out_, " ",
                        Right(absl::StrCat(place.position), last.size()), " ");
      }
      Picture::Cell cell;
      cell.kind = place.kind == PositionKind::kElement ? CellKind::kElement
                                                       : CellKind::kPadding;
      if (place.cell >= 0) cell.color = picture_.cells[place.cell].color;
      const bool is_unused = cell.kind == CellKind::kPadding;
      const char* fill = is_unused ? Hatching() : " ";
      AppendPainted(absl::StrCat(Repeated(fill, width + 1 - texts[k].size()),
                                 texts[k], fill),
                    cell);
      if (along == across - 1 || k + 1 == texts.size()) out_.push_back('\n');
    }
  }

  const Picture& picture_;
  const TextStyle& style_;
  size_t label_width_ = 0;
  size_t width_ = 1;
  // The arrows from each cell to the next; empty without a path.
  std::vector<std::string> next_;
  std::string out_;
};

}  // namespace

std::string RenderText(const Picture& picture, const TextStyle& style) {
  return TextRenderer(picture, style).Render();
}

int64_t GridWidth(const Picture& picture, const TextStyle& style) {
  return TextRenderer(picture, style).GridWidth();
}

}  // namespace tessera
