// Tables for spreadsheets, as in RFC 4180 except that lines end in LF.
//
//   CsvLine({"x", "f32[2,3]", "say \"a\""});  // x,"f32[2,3]","say ""a"""
//   CsvCells("x", 24);                        // x,24

#ifndef TESSERA_REPORT_TEXT_CSV_H_
#define TESSERA_REPORT_TEXT_CSV_H_

#include <string>
#include <vector>

#include "absl/strings/str_replace.h"
#include "tessera/base/text/absl_view.h"

namespace tessera {

inline std::string CsvLine(const std::vector<std::string>& cells) {
  std::string line;
  for (const std::string& cell : cells) {
    if (!line.empty()) line.push_back(',');
    const bool is_plain = cell.find_first_of(",\"\r\n") == std::string::npos;
    // An empty first cell must not look like a line without cells.
    if (is_plain && !(cell.empty() && line.empty())) {
      line += cell;
    } else {
      line += '"' + absl::StrReplaceAll(cell, {{"\"", "\"\""}}) + '"';
    }
  }
  return line + "\n";
}

// The same for cells of the types that StrCat takes.
template <typename... Cells>
std::string CsvCells(const Cells&... cells) {
  return CsvLine({StrCat(cells)...});
}

}  // namespace tessera

#endif  // TESSERA_REPORT_TEXT_CSV_H_
