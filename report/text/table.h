// Aligned columns for people.
//
//   Table table({{"dimension", Table::kRight}, {"shape", Table::kLeft}});
//   table.AddRow({"0", "f32[3,5]"});
//   table.ToString("  ", display);
//
//   //  dimension  shape
//   //          0  f32[3,5]
//
// A column may be hidden: {"padding", Table::kRight, /*is_shown=*/false}.

#ifndef TESSERA_REPORT_TEXT_TABLE_H_
#define TESSERA_REPORT_TEXT_TABLE_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tessera/report/text/display.h"

namespace tessera {

class Table {
 public:
  enum Alignment { kLeft, kRight };

  struct Column {
    std::string title;
    Alignment alignment = kLeft;
    bool is_shown = true;
  };

  explicit Table(const std::vector<Column>& columns);

  // Adds a row with one cell for each column, also for those that are hidden.
  // All cells but the last may be painted.
  void AddRow(std::vector<std::string> cells);
  // Adds a dim line below the last row, indented. Nothing for an empty note.
  // Precondition: there is a row.
  void AddNote(std::string note) { rows_.back().note = std::move(note); }

  // Returns whether there are no rows.
  bool empty() const { return rows_.empty(); }

  // Returns titles and rows. Each line begins with `indent` and ends in a line
  // break. The last column and notes are cut if a line would be wider than the
  // display.
  std::string ToString(std::string_view indent, const Display& display) const;

 private:
  struct Row {
    std::vector<std::string> cells;
    std::string note;
  };

  std::vector<bool> is_shown_;  // of all columns
  // Of the columns that are shown.
  std::vector<Column> columns_;
  std::vector<Row> rows_;
};

// Returns `text` if it fits in `columns`, else its beginning and an ellipsis.
std::string Shortened(std::string_view text, int columns,
                      const Display& display);

}  // namespace tessera

#endif  // TESSERA_REPORT_TEXT_TABLE_H_
