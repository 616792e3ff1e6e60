#include "tessera/cli/layout/grid.h"

#include <algorithm>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"

namespace tessera::cli {
namespace {

std::string Right(std::string_view text, size_t width) {
  return StrCat(std::string(width - text.size(), ' '), text);
}

}  // namespace

std::string GridToText(const std::vector<std::string>& cells, size_t rows) {
  const size_t columns = cells.size() / rows;
  const size_t label_width = absl::StrCat(rows - 1).size();
  size_t width = absl::StrCat(columns - 1).size();
  for (const std::string& cell : cells) width = std::max(width, cell.size());

  const std::string margin(label_width + 2, ' ');
  std::string header = margin;
  std::string rule = margin;
  for (size_t j = 0; j < columns; ++j) {
    absl::StrAppend(&header, "  ", Right(absl::StrCat(j), width), " ");
    absl::StrAppend(&rule, "+", std::string(width + 2, '-'));
  }
  header.pop_back();
  absl::StrAppend(&rule, "+\n");

  std::string out = absl::StrCat(header, "\n", rule);
  for (size_t i = 0; i < rows; ++i) {
    absl::StrAppend(&out, " ", Right(absl::StrCat(i), label_width), " ");
    for (size_t j = 0; j < columns; ++j) {
      absl::StrAppend(&out, "| ", Right(cells[i + j * rows], width), " ");
    }
    absl::StrAppend(&out, "|\n", rule);
  }
  return out;
}

}  // namespace tessera::cli
