// Tables for spreadsheets, as in RFC 4180 except that lines end in LF.
//
//   CsvLine({"x", "f32[2,3]", "say \"a\""});  // x,"f32[2,3]","say ""a"""

#ifndef TESSERA_REPORT_TEXT_CSV_H_
#define TESSERA_REPORT_TEXT_CSV_H_

#include <string>
#include <vector>

#include "absl/strings/str_replace.h"

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

}  // namespace tessera

#endif  // TESSERA_REPORT_TEXT_CSV_H_
