#include "tessera/report/text/table.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"

namespace tessera {
namespace {

constexpr std::string_view kGap = "  ";

// Returns the width in terminal columns: one for a character of UTF-8, none for
// a sequence that sets a colour.
int Width(std::string_view text) {
  int width = 0;
  bool in_escape = false;
  for (const char c : text) {
    if (c == '\x1b') in_escape = true;
    const bool continues_character = (c & 0xc0) == 0x80;
    if (!in_escape && !continues_character) ++width;
    if (c == 'm') in_escape = false;
  }
  return width;
}

std::string Blanks(int count) { return std::string(std::max(count, 0), ' '); }

}  // namespace

std::string Shortened(std::string_view text, int columns,
                      const Display& display) {
  if (Width(text) <= columns) return std::string(text);
  const std::string_view ellipsis = display.unicode ? "\u2026" : "...";
  // Only ASCII texts are cut; the terminal handles others.
  const int kept = columns - Width(ellipsis);
  if (kept < 1) return std::string(text);
  return StrCat(text.substr(0, kept), ellipsis);
}

Table::Table(const std::vector<Column>& columns) {
  for (const Column& column : columns) {
    is_shown_.push_back(column.is_shown);
    if (column.is_shown) columns_.push_back(column);
  }
}

void Table::AddRow(std::vector<std::string> cells) {
  Row row;
  for (size_t i = 0; i < cells.size(); ++i) {
    if (is_shown_[i]) row.cells.push_back(std::move(cells[i]));
  }
  rows_.push_back(std::move(row));
}

std::string Table::ToString(std::string_view indent,
                            const Display& display) const {
  std::vector<Row> rows(1);
  for (const Column& column : columns_) rows[0].cells.push_back(column.title);
  rows.insert(rows.end(), rows_.begin(), rows_.end());

  std::vector<int> widths(columns_.size(), 0);
  for (const Row& row : rows) {
    for (size_t i = 0; i < row.cells.size(); ++i) {
      widths[i] = std::max(widths[i], Width(row.cells[i]));
    }
  }
  int room = display.columns - Width(indent);
  for (size_t i = 0; i + 1 < widths.size(); ++i) {
    room -= widths[i] + Width(kGap);
  }

  std::string out;
  for (const Row& row : rows) {
    std::string line(indent);
    for (size_t i = 0; i < row.cells.size(); ++i) {
      const bool is_last = i + 1 == row.cells.size();
      std::string cell =
          is_last ? Shortened(row.cells[i], room, display) : row.cells[i];
      const std::string blanks = Blanks(widths[i] - Width(cell));
      if (&row == &rows[0]) cell = Paint(cell, Color::kDim, display);
      StrAppend(
          &line, i > 0 ? kGap : "",
          columns_[i].alignment == kRight ? blanks + cell : cell + blanks);
    }
    absl::StripTrailingAsciiWhitespace(&line);
    absl::StrAppend(&out, line, "\n");
    if (row.note.empty()) continue;
    constexpr std::string_view kNoteIndent = "    ";
    const int note_room = display.columns - Width(indent) - Width(kNoteIndent);
    StrAppend(
        &out, indent, kNoteIndent,
        Paint(Shortened(row.note, note_room, display), Color::kDim, display),
        "\n");
  }
  return out;
}

}  // namespace tessera
