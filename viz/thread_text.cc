#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/viz/thread_picture.h"
#include "tessera/viz/wrapped_lines.h"

namespace tessera {
namespace {

// Like the grounds of text_picture.cc, and two more.
constexpr int kThreadGrounds[ThreadPicture::kColors] = {153, 223, 158, 229,
                                                        217, 183, 189, 252};
constexpr size_t kNarrowestLegend = 32;

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

void AppendPanelText(const ThreadPicture& picture,
                     const ThreadPicture::Panel& panel, const TextStyle& style,
                     std::string* out) {
  size_t width = absl::StrCat(panel.columns - 1).size();
  for (const ThreadPicture::Cell& cell : panel.cells) {
    width = std::max(width, ThreadCellText(picture, panel, cell).size());
  }
  const size_t label = absl::StrCat(panel.rows - 1).size();
  const auto line_before = [&](int64_t row) {
    absl::StrAppend(out, std::string(label + 2, ' '));
    for (int64_t column = 0; column < panel.columns; ++column) {
      const bool begins = column == 0 || panel.column_lines[column] > 0;
      const bool is_edge = row == 0 || row == panel.rows;
      if (begins) absl::StrAppend(out, "+");
      absl::StrAppend(out, std::string(width + 2, is_edge ? '=' : '-'));
    }
    absl::StrAppend(out, "+\n");
  };
  std::string header(label + 2, ' ');
  for (int64_t column = 0; column < panel.columns; ++column) {
    if (column == 0 || panel.column_lines[column] > 0) header.push_back(' ');
    absl::StrAppend(&header, " ", PaddedLeft(absl::StrCat(column), width), " ");
  }
  header.erase(header.find_last_not_of(' ') + 1);
  absl::StrAppend(out, header, "\n");
  for (int64_t row = 0; row < panel.rows; ++row) {
    if (row == 0 || panel.row_lines[row] > 0) line_before(row);
    absl::StrAppend(out, " ", PaddedLeft(absl::StrCat(row), label), " ");
    for (int64_t column = 0; column < panel.columns; ++column) {
      const ThreadPicture::Cell& cell = panel.At(row, column);
      if (column == 0 || panel.column_lines[column] > 0) {
        absl::StrAppend(out, "|");
      }
      const char* marks = cell.is_lit ? "[]" : cell.collides ? "!!" : "  ";
      const std::string text =
          absl::StrCat(std::string(1, marks[0]),
                       PaddedLeft(ThreadCellText(picture, panel, cell), width),
                       std::string(1, marks[1]));
      if (style.color && cell.color >= 0) {
        absl::StrAppend(out, "\x1b[30;48;5;", kThreadGrounds[cell.color], "m",
                        text, "\x1b[0m");
      } else {
        absl::StrAppend(out, text);
      }
    }
    absl::StrAppend(out, "|\n");
  }
  line_before(panel.rows);
}

}  // namespace

std::string RenderText(const ThreadPicture& picture, const TextStyle& style) {
  std::string out;
  const size_t width = std::max<size_t>(style.columns, kNarrowestLegend);
  for (const ThreadPicture::Panel& panel : picture.panels) {
    if (!panel.title.empty()) {
      for (const std::string& line : WrappedLines(panel.title, width)) {
        absl::StrAppend(&out, line, "\n");
      }
    }
    AppendPanelText(picture, panel, style, &out);
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
