// The report on layouts of Tenstorrent's tensors for spreadsheets.

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "google/protobuf/repeated_field.h"
#include "tessera/report/text/csv.h"
#include "tessera/report/tt/tt_report.h"

namespace tessera {
namespace {

using TtCells = std::vector<std::string>;

std::string ItemLines(const std::string& file, const std::string& kind,
                      const google::protobuf::RepeatedPtrField<TtItem>& items) {
  std::string lines;
  for (const TtItem& item : items) {
    TtCells cells = {file,
                     kind,
                     absl::StrCat(item.line()),
                     absl::StrCat(item.column()),
                     absl::StrCat(item.uses()),
                     absl::StrCat(item.alias_uses()),
                     item.form(),
                     item.memory(),
                     item.memory_layout(),
                     item.shape(),
                     item.element(),
                     item.grid()};
    if (item.has_sizes()) {
      const TtSizes& sizes = item.sizes();
      const auto optional = [](bool has, int64_t value) {
        return has ? absl::StrCat(value) : std::string();
      };
      cells.insert(
          cells.end(),
          {optional(sizes.has_written_per_bank(), sizes.written_per_bank()),
           absl::StrCat(sizes.content_per_bank()),
           absl::StrCat(sizes.content()), absl::StrCat(sizes.taken_per_bank()),
           absl::StrCat(sizes.taken()),
           optional(sizes.has_pages(), sizes.pages()),
           optional(sizes.has_page(), sizes.page()),
           absl::StrCat(sizes.banks_in_use()),
           optional(sizes.has_data(), sizes.data()),
           absl::StrCat(sizes.tile_padding()),
           absl::StrCat(sizes.grid_padding()), absl::StrCat(sizes.gaps()),
           absl::StrCat(sizes.page_padding())});
    } else {
      cells.insert(cells.end(), 13, "");
    }
    cells.push_back(item.text());
    lines += CsvLine(cells);
  }
  return lines;
}

}  // namespace

std::string TtReportCsvTitles() {
  return "file,kind,line,column,uses,alias_uses,form,memory,memory_layout,"
         "shape,element,grid,written_per_bank,content_per_bank,content,"
         "taken_per_bank,taken,pages,page,banks_in_use,data,tile_padding,"
         "grid_padding,gaps,page_padding,text\n";
}

std::string TtReportToCsv(const TtReportResult& result) {
  return absl::StrCat(ItemLines(result.file(), "tensor", result.tensors()),
                      ItemLines(result.file(), "layout", result.layouts()),
                      ItemLines(result.file(), "memref", result.memrefs()));
}

}  // namespace tessera
