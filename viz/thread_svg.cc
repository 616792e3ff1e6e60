#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/viz/svg_style.h"
#include "tessera/viz/svg_text.h"
#include "tessera/viz/thread_picture.h"
#include "tessera/viz/wrapped_lines.h"

namespace tessera {
namespace {

// In pixels.
constexpr int64_t kThreadCell = 34;
constexpr int64_t kThreadMargin = 24;
constexpr int64_t kThreadLabels = 30;  // left of a panel
constexpr int64_t kThreadHeader = 22;  // above it, without its title
constexpr int64_t kThreadGap = 30;     // between panels
constexpr int64_t kThreadLine = 19;    // of text
constexpr int64_t kSwatch = 46;
constexpr int64_t kNarrowestThreads = 460;
constexpr int64_t kNarrowestLines = 240;
constexpr int64_t kNarrowMargin = 10;
constexpr double kThreadTitleCharacter = 9.1;
constexpr double kThreadTextCharacter = 6.9;
constexpr double kThreadLabelCharacter = 7.9;
constexpr double kNarrowLabelCharacter = 6.7;
constexpr double kThreadCellCharacter = 7.3;
constexpr double kNarrowCellCharacter = 6.1;
constexpr int64_t kWidestOperandTitle = 340;

// The rules that svg_style.h lacks: two more of Okabe and Ito's colours, and
// the parts of a cell.
constexpr char kThreadStyle[] = R"css(
.tessera { max-width: 100%; height: auto; }
.tessera .c6 { fill: #ccd3f6; } .tessera .c7 { fill: #dfe3e8; }
.tessera .t, .tessera .v { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace; text-anchor: middle; pointer-events: none; }
.tessera .t { font-size: 12px; font-weight: 600; }
.tessera .v { font-size: 11px; font-weight: 400; }
.tessera .label { font-size: 13px; fill: #3d4651; }
.tessera .name { font-weight: 600; fill: #1b1f24; }
.tessera .narrow.t, .tessera .narrow .v { font-size: 10px; letter-spacing: -0.4px; }
.tessera .narrow.label { font-size: 11px; }
.tessera .between { fill: none; stroke: #1b1f24; stroke-opacity: 0.55; stroke-width: 1.2; stroke-linecap: square; }
.tessera .frame { fill: none; stroke: #1b1f24; stroke-width: 1.6; }
.tessera .mode { fill: none; stroke: #1b1f24; stroke-width: 1.6; }
.tessera .outer { fill: none; stroke: #1b1f24; stroke-width: 2.8; }
.tessera .collides { fill: none; stroke: #c2261a; stroke-width: 2.4; }
.tessera .lit { fill: none; stroke: #0b57d0; stroke-width: 2.6; }
.tessera .dim { opacity: 0.28; }
.tessera .arrow { fill: none; stroke: #59636e; stroke-width: 2.4; stroke-linecap: round; stroke-linejoin: round; }
@media (prefers-color-scheme: dark) {
.tessera .c6 { fill: #2e3f78; } .tessera .c7 { fill: #3d4651; }
.tessera .label { fill: #c5ced8; } .tessera .name { fill: #f0f3f6; }
.tessera .between, .tessera .frame, .tessera .mode, .tessera .outer { stroke: #f0f3f6; }
.tessera .arrow { stroke: #9aa4b0; }
.tessera .collides { stroke: #ff8f80; }
.tessera .lit { stroke: #8ab8ff; }
}
)css";

using ThreadCell = ThreadPicture::Cell;
using PanelOf = ThreadPicture::Panel;

// "T5 V1, T8-T11 V1"; "T5" if no thread has several values.
std::string TextOfHolders(const ThreadCell& cell, bool has_values) {
  std::string text;
  const auto& holders = cell.holders;
  for (size_t begin = 0, end; begin < holders.size(); begin = end) {
    end = begin + 1;
    while (end < holders.size() && holders[end].value == holders[begin].value &&
           holders[end].thread == holders[end - 1].thread + 1) {
      ++end;
    }
    absl::StrAppend(&text, text.empty() ? "" : ", ", "T",
                    holders[begin].thread);
    if (end - begin > 1) absl::StrAppend(&text, "-T", holders[end - 1].thread);
    if (has_values) absl::StrAppend(&text, " V", holders[begin].value);
  }
  return text;
}

// A panel, or some of its columns if it is wider than the picture.
struct Block {
  const PanelOf* panel = nullptr;
  int panel_number = 0;
  int64_t begin = 0;  // of its columns
  int64_t end = 0;
  int64_t cell_width = kThreadCell;
  std::vector<std::string> title;  // lines
  int64_t x = 0;
  int64_t y = 0;

  int64_t head() const {
    return kThreadHeader + kThreadLine * static_cast<int64_t>(title.size());
  }
  int64_t height() const { return head() + panel->rows * kThreadCell; }
};

class ThreadSvg {
 public:
  ThreadSvg(const ThreadPicture& picture, std::string_view title,
            std::optional<int64_t> width)
      : picture_(picture), title_(title) {
    MeasureTexts();
    PlaceInGrid();
    if (width.has_value() && width_ > *width) PlaceInLines(*width);
  }

  std::string Render() {
    int64_t y = margin_;
    AppendTitle(&y);
    if (corner_width_ > 0) {
      int64_t corner = y;
      AppendLegend(corner_width_, &corner);
    }
    for (const Block& block : blocks_) AppendBlock(block, y);
    y += height_ + 16;
    if (corner_width_ == 0) AppendLegend(width_ - 2 * margin_, &y);
    return Document(y + kThreadMargin - 10);
  }

 private:
  void MeasureTexts() {
    int64_t rows = 1, columns = 1;
    for (const PanelOf& panel : picture_.panels) {
      rows = std::max(rows, panel.rows);
      columns = std::max(columns, panel.columns);
      for (const ThreadCell& cell : panel.cells) {
        longest_text_ = std::max(
            {longest_text_, TopOf(panel, cell).size(), BottomOf(cell).size()});
      }
    }
    row_digits_ = static_cast<int64_t>(absl::StrCat(rows - 1).size());
    column_digits_ = absl::StrCat(columns - 1).size();
  }

  // Returns the width of the longest text of a cell, and of the number above
  // it.
  int64_t TextWidth() const {
    return static_cast<int64_t>(std::max(
        static_cast<double>(longest_text_) *
            (is_narrow_ ? kNarrowCellCharacter : kThreadCellCharacter),
        static_cast<double>(column_digits_) *
            (is_narrow_ ? kNarrowLabelCharacter : kThreadLabelCharacter)));
  }
  int64_t RoomyCell() const { return std::max(kThreadCell, TextWidth() + 8); }

  // Places panels at their places, at their own widths.
  void PlaceInGrid() {
    std::vector<int64_t> column_widths, row_heights;
    const auto grow = [](int place, int64_t size, std::vector<int64_t>* sizes) {
      const auto i = static_cast<size_t>(place);
      if (i >= sizes->size()) sizes->resize(i + 1);
      (*sizes)[i] = std::max((*sizes)[i], size);
    };
    for (const PanelOf& panel : picture_.panels) {
      const int64_t title =
          panel.is_operand
              ? std::min(kWidestOperandTitle,
                         static_cast<int64_t>(
                             static_cast<double>(panel.title.size()) *
                             kThreadLabelCharacter) +
                             1)
              : 0;
      grow(panel.place_column,
           std::max(title, labels_ + panel.columns * RoomyCell()),
           &column_widths);
    }
    for (const PanelOf& panel : picture_.panels) {
      Block block;
      block.panel = &panel;
      block.panel_number = static_cast<int>(blocks_.size());
      block.end = panel.columns;
      block.cell_width = RoomyCell();
      // The only panel of a row gets the rest of the picture's width.
      int64_t width = column_widths[panel.place_column];
      if (column_widths.size() == 1) width = std::max(width, kNarrowestThreads);
      block.title = TitleOf(panel, width);
      grow(panel.place_row, block.height(), &row_heights);
      blocks_.push_back(std::move(block));
    }
    const auto before = [](const std::vector<int64_t>& sizes, int count) {
      return std::accumulate(sizes.begin(), sizes.begin() + count,
                             kThreadGap * count);
    };
    for (Block& block : blocks_) {
      const PanelOf& panel = *block.panel;
      block.x = margin_ + before(column_widths, panel.place_column);
      // Panels of a row end together, so that C continues A. Operands of an
      // operation are at the height of its result.
      const int64_t above = row_heights[panel.place_row] - block.height();
      block.y = before(row_heights, panel.place_row) +
                (panel.is_operand ? above / 2 : above);
      if (panel.place_row == 0 && panel.place_column == 0) corner_width_ = -1;
    }
    height_ =
        before(row_heights, static_cast<int>(row_heights.size())) - kThreadGap;
    const int64_t content =
        before(column_widths, static_cast<int>(column_widths.size())) -
        kThreadGap;
    width_ = std::max(content, kNarrowestThreads) + 2 * margin_;
    // If there is no panel at the top left, the legend is there.
    corner_width_ = corner_width_ < 0 ? 0 : column_widths[0];
  }

  // Places panels next to one another while they fit into `width`, and then in
  // another line. Wider panels are cut.
  void PlaceInLines(int64_t width) {
    blocks_.clear();
    corner_width_ = 0;
    width_ = std::max(width, kNarrowestLines);
    is_narrow_ = width_ < kNarrowestThreads;
    if (is_narrow_) margin_ = kNarrowMargin;
    labels_ = 13 + 7 * row_digits_;
    const int64_t room = width_ - 2 * margin_;
    const int64_t at_most =
        std::max<int64_t>(1, (room - labels_) / (TextWidth() + 1));
    const auto cell_width_of = [&](int64_t columns) {
      return std::min(RoomyCell(),
                      std::max(TextWidth() + 1, (room - labels_) / columns));
    };
    int64_t x = 0, y = 0, line_height = 0;
    for (size_t number = 0; number < picture_.panels.size(); ++number) {
      const PanelOf& panel = picture_.panels[number];
      const int64_t columns = ColumnsOfBlock(panel.columns, at_most);
      const int64_t cell_width = cell_width_of(columns);
      const int64_t block_width = labels_ + columns * cell_width;
      if (x > 0 && x + block_width > room) {
        x = 0;
        y += line_height + kThreadGap;
        line_height = 0;
      }
      // The last panel of a line has the rest of the line for its title.
      int64_t title_width = room - x;
      if (number + 1 < picture_.panels.size()) {
        const int64_t next_columns =
            ColumnsOfBlock(picture_.panels[number + 1].columns, at_most);
        const int64_t next = x + block_width + kThreadGap + labels_ +
                             next_columns * cell_width_of(next_columns);
        if (next <= room) title_width = block_width;
      }
      int64_t block_y = y;
      for (int64_t begin = 0; begin < panel.columns; begin += columns) {
        Block block;
        block.panel = &panel;
        block.panel_number = static_cast<int>(number);
        block.begin = begin;
        block.end = std::min(begin + columns, panel.columns);
        block.cell_width = cell_width;
        if (begin == 0) {
          block.title = TitleOf(panel, title_width);
        }
        block.x = margin_ + x;
        block.y = block_y;
        block_y += block.height() + kThreadGap / 2;
        blocks_.push_back(std::move(block));
      }
      line_height = std::max(line_height, block_y - kThreadGap / 2 - y);
      x += block_width + kThreadGap;
    }
    height_ = y + line_height;
  }

  // The columns of the blocks of a panel: the most that divide it evenly, if
  // these are more than half of what fits.
  static int64_t ColumnsOfBlock(int64_t columns, int64_t at_most) {
    if (columns <= at_most) return columns;
    for (int64_t count = at_most; 2 * count > at_most; --count) {
      if (columns % count == 0) return count;
    }
    return at_most;
  }

  void AppendLegend(int64_t width, int64_t* y) {
    AppendSwatches(width, y);
    for (const std::string& sentence : picture_.legend) {
      AppendLines("", sentence, kThreadTextCharacter, kThreadLine, width, y);
      *y += 3;
    }
  }

  static std::vector<std::string> TitleOf(const PanelOf& panel, int64_t width) {
    if (panel.title.empty()) return {};
    return WrappedLines(panel.title,
                        static_cast<size_t>(static_cast<double>(width) /
                                            kThreadLabelCharacter));
  }

  static std::string TopOf(const PanelOf& panel, const ThreadCell& cell) {
    if (!panel.has_threads) {
      return cell.offset.has_value() ? absl::StrCat(*cell.offset) : "";
    }
    if (cell.holders.empty()) return "";
    const size_t others = cell.holders.size() - 1;
    return absl::StrCat("T", cell.holders[0].thread,
                        others > 0 ? absl::StrCat("+", others) : "");
  }

  std::string BottomOf(const ThreadCell& cell) const {
    if (!picture_.has_values || cell.holders.empty()) return "";
    return absl::StrCat("V", cell.holders[0].value);
  }

  std::string Document(int64_t height) const {
    std::string sentences;
    for (const std::string& sentence : picture_.legend) {
      absl::StrAppend(&sentences, sentences.empty() ? "" : " ", sentence);
    }
    return absl::StrCat(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"tessera\" "
        "role=\"img\" width=\"",
        width_, "\" height=\"", height, "\" viewBox=\"0 0 ", width_, " ",
        height, "\">\n<title>",
        SvgText(title_.empty() ? "Threads of a layout" : title_),
        "</title>\n<desc>", SvgText(sentences), "</desc>\n<style>", kSvgStyle,
        kThreadStyle, "</style>\n<rect class=\"ground\" width=\"", width_,
        "\" height=\"", height, "\"/>\n", body_, "</svg>\n");
  }

  void Text(std::string_view kind, int64_t x, int64_t y, std::string_view text,
            std::string_view attributes = "") {
    StrAppend(&body_, "<text", kind.empty() ? "" : " class=\"", kind,
              kind.empty() ? "" : "\"", " x=\"", x, "\" y=\"", y, "\"",
              attributes, ">", SvgText(text), "</text>\n");
  }

  void AppendLines(std::string_view kind, std::string_view text,
                   double character, int64_t line_height, int64_t width,
                   int64_t* y) {
    const auto characters =
        static_cast<size_t>(static_cast<double>(width) / character);
    for (const std::string& line : WrappedLines(text, characters)) {
      Text(kind, margin_, *y + 14, line);
      *y += line_height;
    }
  }

  void AppendTitle(int64_t* y) {
    if (title_.empty()) return;
    AppendLines("title", title_, kThreadTitleCharacter, 22,
                width_ - 2 * margin_, y);
    *y += 6;
  }

  int64_t X(int64_t column) const {
    return left_ + (column - block_->begin) * block_->cell_width;
  }
  int64_t Y(int64_t row) const { return top_ + row * kThreadCell; }

  // `top` is the top of the first line of panels.
  void AppendBlock(const Block& block, int64_t top) {
    block_ = &block;
    const PanelOf& panel = *block.panel;
    left_ = block.x + labels_;
    int64_t y = top + block.y;
    for (const std::string& line : block.title) {
      Text("label name", block.x, y + 13, line);
      y += kThreadLine;
    }
    top_ = y + kThreadHeader;
    AppendAxes(panel);
    for (int64_t row = 0; row < panel.rows; ++row) {
      for (int64_t column = block.begin; column < block.end; ++column) {
        AppendCell(panel, row, column);
      }
    }
    if (panel.has_threads) AppendBetween(panel);
    AppendModes(panel);
    AppendOutlines(panel);
    if (panel.is_result && block.begin == 0 && block.x > margin_) {
      const int64_t x = block.x - kThreadGap + 4;
      const int64_t tip = x + kThreadGap - 8;
      const int64_t middle = top_ + panel.rows * kThreadCell / 2;
      absl::StrAppend(&body_, "<path class=\"arrow\" d=\"M", x, " ", middle,
                      "H", tip, "M", tip - 7, " ", middle - 7, "L", tip, " ",
                      middle, "L", tip - 7, " ", middle + 7, "\"/>\n");
    }
  }

  void AppendAxes(const PanelOf& panel) {
    // At the ends of the numbers.
    if (!panel.column_name.empty()) {
      Text("label name", X(block_->end) + margin_ / 4, top_ - 6,
           panel.column_name);
    }
    if (!panel.row_name.empty()) {
      Text("label name right", left_ - 6, Y(panel.rows) + 12, panel.row_name);
    }
    const std::string narrow = is_narrow_ ? " narrow" : "";
    for (int64_t column = block_->begin; column < block_->end; ++column) {
      Text(absl::StrCat("label middle", narrow),
           X(column) + block_->cell_width / 2, top_ - 6, absl::StrCat(column));
    }
    for (int64_t row = 0; row < panel.rows; ++row) {
      Text(absl::StrCat("label right", narrow), left_ - 6,
           Y(row) + kThreadCell / 2 + 4, absl::StrCat(row));
    }
  }

  std::string Tooltip(const ThreadCell& cell, int64_t row,
                      int64_t column) const {
    std::string text = absl::StrCat("(", row, ",", column, ")");
    if (cell.holders.empty() && !cell.offset.has_value()) return text;
    text.push_back(':');
    if (!cell.holders.empty()) {
      absl::StrAppend(&text, " ", TextOfHolders(cell, picture_.has_values));
    }
    if (cell.offset.has_value()) {
      absl::StrAppend(&text, cell.holders.empty() ? "" : ",", " offset ",
                      *cell.offset);
    }
    if (cell.bank.has_value()) absl::StrAppend(&text, ", bank ", *cell.bank);
    return text;
  }

  void AppendCell(const PanelOf& panel, int64_t row, int64_t column) {
    const ThreadCell& cell = panel.At(row, column);
    const bool is_dim = picture_.has_lit && !cell.is_lit;
    const std::string color =
        cell.color < 0 ? "unmarked" : absl::StrCat("c", cell.color);
    absl::StrAppend(&body_, "<rect class=\"cell ", color, is_dim ? " dim" : "",
                    "\" x=\"", X(column), "\" y=\"", Y(row), "\" width=\"",
                    block_->cell_width, "\" height=\"", kThreadCell,
                    "\"><title>", SvgText(Tooltip(cell, row, column)),
                    "</title></rect>\n");
    const std::string top = TopOf(panel, cell);
    if (top.empty()) return;
    const std::string bottom = BottomOf(cell);
    std::string attributes =
        absl::StrCat(" data-at=\"", row, ",", column, "\"");
    if (block_->panel_number > 0) {
      absl::StrAppend(&attributes, " data-panel=\"", block_->panel_number,
                      "\"");
    }
    if (!cell.holders.empty()) {
      absl::StrAppend(&attributes, " data-thread=\"", cell.holders[0].thread,
                      "\"");
    }
    const int64_t x = X(column) + block_->cell_width / 2;
    const int64_t baseline =
        Y(row) + kThreadCell / 2 + (bottom.empty() ? 4 : -1);
    const std::string kind =
        absl::StrCat("t", is_narrow_ ? " narrow" : "", is_dim ? " dim" : "");
    if (bottom.empty()) {
      Text(kind, x, baseline, top, attributes);
      return;
    }
    absl::StrAppend(&body_, "<text class=\"", kind, "\" x=\"", x, "\" y=\"",
                    baseline, "\"", attributes, " data-value=\"",
                    cell.holders[0].value, "\">", top,
                    "<tspan class=\"v\" x=\"", x, "\" dy=\"12\">", bottom,
                    "</tspan></text>\n");
  }

  static bool IsSameThread(const ThreadCell& a, const ThreadCell& b) {
    if (a.holders.empty() || b.holders.empty()) {
      return a.holders.empty() == b.holders.empty();
    }
    return a.holders[0].thread == b.holders[0].thread;
  }

  // Lines between the cells of different threads, and around the whole.
  void AppendBetween(const PanelOf& panel) {
    std::string path;
    for (int64_t column = block_->begin + 1; column < block_->end; ++column) {
      AppendRuns(
          0, panel.rows,
          [&](int64_t row) {
            return !IsSameThread(panel.At(row, column - 1),
                                 panel.At(row, column));
          },
          [&](int64_t begin, int64_t end) {
            absl::StrAppend(&path, "M", X(column), " ", Y(begin), "V", Y(end));
          });
    }
    for (int64_t row = 1; row < panel.rows; ++row) {
      AppendRuns(
          block_->begin, block_->end,
          [&](int64_t column) {
            return !IsSameThread(panel.At(row - 1, column),
                                 panel.At(row, column));
          },
          [&](int64_t begin, int64_t end) {
            absl::StrAppend(&path, "M", X(begin), " ", Y(row), "H", X(end));
          });
    }
    if (path.empty()) return;
    absl::StrAppend(&body_, "<path class=\"between\" d=\"", path, "\"/>\n");
  }

  // Calls append(begin, end) for each run of [first, last) for which `is_in` is
  // true.
  template <typename IsIn, typename Append>
  static void AppendRuns(int64_t first, int64_t last, const IsIn& is_in,
                         const Append& append) {
    int64_t begin = first;
    for (int64_t i = first; i <= last; ++i) {
      if (i < last && is_in(i)) continue;
      if (begin < i) append(begin, i);
      begin = i + 1;
    }
  }

  void AppendModes(const PanelOf& panel) {
    const auto append = [&](const std::vector<int>& lines, bool is_row) {
      const int most = *std::max_element(lines.begin(), lines.end());
      for (size_t i = 0; i < lines.size(); ++i) {
        if (lines[i] == 0) continue;
        const auto at = static_cast<int64_t>(i);
        if (!is_row && (at < block_->begin || at > block_->end)) continue;
        const char* kind = lines[i] == most ? "outer" : "mode";
        absl::StrAppend(&body_, "<path class=\"", kind, "\" d=\"M",
                        X(is_row ? block_->begin : at), " ",
                        is_row ? Y(at) : Y(0), is_row ? "H" : "V",
                        is_row ? X(block_->end) : Y(panel.rows), "\"/>\n");
      }
    };
    append(panel.row_lines, true);
    append(panel.column_lines, false);
    absl::StrAppend(&body_, "<rect class=\"frame\" x=\"", X(block_->begin),
                    "\" y=\"", Y(0), "\" width=\"",
                    X(block_->end) - X(block_->begin), "\" height=\"",
                    panel.rows * kThreadCell, "\"/>\n");
  }

  void AppendOutlines(const PanelOf& panel) {
    for (int64_t row = 0; row < panel.rows; ++row) {
      for (int64_t column = block_->begin; column < block_->end; ++column) {
        const ThreadCell& cell = panel.At(row, column);
        if (!cell.is_lit && !cell.collides) continue;
        absl::StrAppend(&body_, "<rect class=\"",
                        cell.collides ? "collides" : "lit", "\" x=\"",
                        X(column) + 2, "\" y=\"", Y(row) + 2, "\" width=\"",
                        block_->cell_width - 4, "\" height=\"", kThreadCell - 4,
                        "\" rx=\"4\"/>\n");
      }
    }
  }

  // Appends the colours with their meanings.
  void AppendSwatches(int64_t width, int64_t* y) {
    if (picture_.color == ThreadColor::kMode || picture_.has_own_colors) {
      return;
    }
    const bool is_bank = picture_.color == ThreadColor::kBank;
    const int64_t swatch = is_bank ? kSwatch + 20 : kSwatch;
    for (int64_t i = 0; i < ThreadPicture::kColors; ++i) {
      const int64_t per_line = std::max<int64_t>(1, width / swatch);
      const int64_t x = margin_ + i % per_line * swatch;
      const int64_t line_y = *y + i / per_line * 24;
      absl::StrAppend(&body_, "<rect class=\"cell c", i, "\" x=\"", x,
                      "\" y=\"", line_y,
                      "\" width=\"14\" height=\"14\" "
                      "rx=\"3\"/>\n");
      Text("label", x + 19, line_y + 12,
           is_bank ? absl::StrCat(4 * i, "-", 4 * i + 3)
                   : absl::StrCat(picture_.color == ThreadColor::kThread  ? "T"
                                  : picture_.color == ThreadColor::kValue ? "V"
                                                                          : "",
                                  i));
      if (i + 1 == ThreadPicture::kColors) *y = line_y + 20;
    }
    AppendLines("", MeaningOfColors(), kThreadTextCharacter, kThreadLine, width,
                y);
    *y += 3;
  }

  std::string_view MeaningOfColors() const {
    switch (picture_.color) {
      case ThreadColor::kThread:
        return "The color of a cell is that of its thread, modulo 8.";
      case ThreadColor::kValue:
        return "The color of a cell is that of its value, modulo 8.";
      case ThreadColor::kBank:
        return "The color of a cell is that of its bank; banks of the same 16 "
               "bytes share one.";
      case ThreadColor::kOffset:
        return "The color of a cell is that of its offset, modulo 8.";
      case ThreadColor::kMode:
        break;
    }
    return "";
  }

  const ThreadPicture& picture_;
  const std::string_view title_;
  int64_t margin_ = kThreadMargin;
  int64_t labels_ = kThreadLabels;
  size_t longest_text_ = 2;  // of a cell
  bool is_narrow_ = false;
  int64_t row_digits_ = 1;
  size_t column_digits_ = 1;
  std::vector<Block> blocks_;
  // The sizes of all blocks, of the whole picture, and of the legend at the top
  // left, if it is there.
  int64_t height_ = 0;
  int64_t width_ = 0;
  int64_t corner_width_ = 0;
  // The block that is drawn, and its first cell.
  const Block* block_ = nullptr;
  int64_t left_ = 0;
  int64_t top_ = 0;
  std::string body_;
};

}  // namespace

std::string RenderSvg(const ThreadPicture& picture, std::string_view title,
                      std::optional<int64_t> width) {
  return ThreadSvg(picture, title, width).Render();
}

}  // namespace tessera
