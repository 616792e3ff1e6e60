#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/viz/thread_picture.h"
#include "tessera/viz/wrapped_lines.h"

namespace tessera {
namespace {

// The backgrounds of text_picture.cc, and two more.
constexpr int kThreadGrounds[ThreadPicture::kColors] = {153, 223, 158, 229,
                                                        217, 183, 189, 252};
constexpr size_t kNarrowestLegend = 32;
constexpr size_t kPanelGap = 3;
constexpr size_t kOperandTitle = 24;

// "T5V1", "T5V1+3" for three more, "T5"; the offset if there are no threads.
std::string ThreadCellText(const ThreadPicture& picture,
                           const ThreadPicture::Panel& panel,
                           const ThreadPicture::Cell& cell) {
  if (!panel.has_threads) {
    return cell.offset.has_value() ? absl::StrCat(*cell.offset) : "";
  }
  if (cell.holders.empty()) return "";
  std::string text = absl::StrCat("T", cell.holders[0].thread);
  if (picture.has_values) absl::StrAppend(&text, "V", cell.holders[0].value);
  if (cell.holders.size() > 1) {
    absl::StrAppend(&text, "+", cell.holders.size() - 1);
  }
  return text;
}

std::string PaddedLeft(std::string_view text, size_t width) {
  return StrCat(std::string(width - std::min(width, text.size()), ' '), text);
}

// A panel as lines, and the width of each without its colours.
struct PanelLines {
  std::vector<std::pair<std::string, size_t>> lines;
  size_t width = 0;

  void Add(std::string line, size_t line_width) {
    lines.emplace_back(std::move(line), line_width);
    width = std::max(width, line_width);
  }
  void Add(std::string line) {
    const size_t size = line.size();
    Add(std::move(line), size);
  }
};

PanelLines LinesOfPanel(const ThreadPicture& picture,
                        const ThreadPicture::Panel& panel,
                        const TextStyle& style) {
  PanelLines lines;
  size_t width = absl::StrCat(panel.columns - 1).size();
  for (const ThreadPicture::Cell& cell : panel.cells) {
    width = std::max(width, ThreadCellText(picture, panel, cell).size());
  }
  const size_t label = absl::StrCat(panel.rows - 1).size();
  const auto line_before = [&](int64_t row) {
    std::string line(label + 2, ' ');
    for (int64_t column = 0; column < panel.columns; ++column) {
      const bool begins = column == 0 || panel.column_lines[column] > 0;
      const bool is_edge = row == 0 || row == panel.rows;
      if (begins) line.push_back('+');
      line.append(width + 2, is_edge ? '=' : '-');
    }
    line.push_back('+');
    lines.Add(std::move(line));
  };
  std::string header(label + 2, ' ');
  for (int64_t column = 0; column < panel.columns; ++column) {
    if (column == 0 || panel.column_lines[column] > 0) header.push_back(' ');
    absl::StrAppend(&header, " ", PaddedLeft(absl::StrCat(column), width), " ");
  }
  header.erase(header.find_last_not_of(' ') + 1);
  lines.Add(std::move(header));
  for (int64_t row = 0; row < panel.rows; ++row) {
    if (row == 0 || panel.row_lines[row] > 0) line_before(row);
    std::string line =
        absl::StrCat(" ", PaddedLeft(absl::StrCat(row), label), " ");
    for (int64_t column = 0; column < panel.columns; ++column) {
      const ThreadPicture::Cell& cell = panel.At(row, column);
      if (column == 0 || panel.column_lines[column] > 0) line.push_back('|');
      const char* marks = cell.is_lit ? "[]" : cell.collides ? "!!" : "  ";
      const std::string text =
          absl::StrCat(std::string(1, marks[0]),
                       PaddedLeft(ThreadCellText(picture, panel, cell), width),
                       std::string(1, marks[1]));
      if (style.color && cell.color >= 0) {
        absl::StrAppend(&line, "\x1b[30;48;5;", kThreadGrounds[cell.color], "m",
                        text, "\x1b[0m");
      } else {
        line.append(text);
      }
    }
    line.push_back('|');
    // As wide as the line above the first row.
    lines.Add(std::move(line), lines.lines[1].second);
  }
  line_before(panel.rows);
  return lines;
}

// Returns the end of the panels that are in the row of `begin` and fit next to
// it.
size_t EndOfLine(const ThreadPicture& picture,
                 const std::vector<PanelLines>& panels, size_t begin,
                 size_t columns) {
  size_t width = panels[begin].width;
  size_t end = begin + 1;
  for (; end < panels.size(); ++end) {
    width += kPanelGap + panels[end].width;
    if (width > columns ||
        picture.panels[end].place_row != picture.panels[begin].place_row) {
      break;
    }
  }
  return end;
}

}  // namespace

std::string RenderText(const ThreadPicture& picture, const TextStyle& style) {
  std::string out;
  const size_t width = std::max<size_t>(style.columns, kNarrowestLegend);
  std::vector<PanelLines> panels;
  for (const ThreadPicture::Panel& panel : picture.panels) {
    panels.push_back(LinesOfPanel(picture, panel, style));
    if (!panel.is_operand) continue;
    size_t& panel_width = panels.back().width;
    panel_width =
        std::max(panel_width, std::min(panel.title.size(), kOperandTitle));
  }
  for (size_t begin = 0, end; begin < panels.size(); begin = end) {
    end = EndOfLine(picture, panels, begin, width);
    size_t height = 0;
    size_t left = 0;
    for (size_t i = begin; i < end; ++i) {
      PanelLines& panel = panels[i];
      const std::string& title = picture.panels[i].title;
      // If other panels follow, a title is as wide as its panel.
      const std::vector<std::string> lines =
          title.empty()
              ? std::vector<std::string>()
              : WrappedLines(title, i + 1 < end ? panel.width : width - left);
      for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
        panel.lines.insert(panel.lines.begin(), {*line, line->size()});
        panel.width = std::max(panel.width, line->size());
      }
      height = std::max(height, panel.lines.size());
      left += panel.width + kPanelGap;
    }
    // Panels of a row end together.
    for (size_t n = 0; n < height; ++n) {
      std::string row;
      size_t column = 0, at = 0;
      for (size_t i = begin; i < end; ++i) {
        const PanelLines& panel = panels[i];
        const size_t above = height - panel.lines.size();
        if (n >= above) {
          const auto& [text, text_width] = panel.lines[n - above];
          absl::StrAppend(&row, std::string(column - at, ' '), text);
          at = column + text_width;
        }
        column += panel.width + kPanelGap;
      }
      absl::StrAppend(&out, row, "\n");
    }
    out.push_back('\n');
  }
  for (const std::string& sentence : picture.legend) {
    for (const std::string& line : WrappedLines(sentence, width)) {
      absl::StrAppend(&out, line, "\n");
    }
  }
  return out;
}

}  // namespace tessera
