#include "tests/any_layout/texts.h"

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <string_view>

#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "tessera/base/text/absl_view.h"

namespace tessera {

std::vector<std::string> TextLines() {
  std::ifstream in(kTextsFile);
  EXPECT_TRUE(in) << kTextsFile;
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

bool ReadTextRow(std::string_view line, TextRow* row) {
  if (!tessera::ConsumePrefix(&line, "? ")) return false;
  const size_t end = std::min(line.find(' '), line.size());
  row->family = std::string(line.substr(0, end));
  line.remove_prefix(end);
  tessera::ConsumePrefix(&line, " ");
  row->text = absl::StrReplaceAll(AbslView(line), {{"\\n", "\n"}});
  return true;
}

std::vector<TextRow> TextRows() {
  std::vector<TextRow> rows;
  TextRow row;
  for (const std::string& line : TextLines()) {
    if (ReadTextRow(line, &row)) rows.push_back(row);
  }
  EXPECT_GT(rows.size(), 60);
  return rows;
}

}  // namespace tessera
