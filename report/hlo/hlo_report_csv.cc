// The report on HLO text for spreadsheets.

#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "google/protobuf/repeated_field.h"
#include "tessera/report/hlo/hlo_report.h"
#include "tessera/report/text/csv.h"

namespace tessera {
namespace {

using Cells = std::vector<std::string>;

// Returns the first cells of every line.
Cells SummaryCells(const SummarizeResult& summary, std::string_view by,
                   const std::string& item) {
  return {summary.file(), summary.module(), summary.computation(),
          std::string(by), item};
}

std::string SumLine(const SummarizeResult& summary, std::string_view by,
                    const std::string& item, const MemorySum& sum) {
  Cells cells = SummaryCells(summary, by, item);
  cells.insert(cells.end(),
               {absl::StrCat(sum.arrays()), absl::StrCat(sum.unpadded_bytes()),
                absl::StrCat(sum.padded_bytes())});
  // Cells that only arrays have.
  cells.insert(cells.end(), 6, "");
  return CsvLine(cells);
}

std::string SumLines(
    const SummarizeResult& summary, std::string_view by,
    const google::protobuf::RepeatedPtrField<MemorySum>& sums) {
  std::string lines;
  for (const MemorySum& sum : sums) {
    lines += SumLine(
        summary, by,
        sum.has_memory_space() ? absl::StrCat(sum.memory_space()) : sum.name(),
        sum);
  }
  return lines;
}

std::string ArrayLines(
    const SummarizeResult& summary, std::string_view by,
    const google::protobuf::RepeatedPtrField<ArrayUse>& arrays) {
  std::string lines;
  for (const ArrayUse& array : arrays) {
    Cells cells = SummaryCells(summary, by, array.shape());
    const MostPadded& blame = array.most_padded();
    const OrderHint& hint = array.hint();
    cells.insert(
        cells.end(),
        {absl::StrCat(array.count()),
         absl::StrCat(array.total_padded_bytes() - array.total_padding_bytes()),
         absl::StrCat(array.total_padded_bytes()), blame.cause(),
         absl::StrJoin(blame.dimensions(), " "), absl::StrCat(blame.bound()),
         absl::StrCat(blame.padded()),
         absl::StrJoin(hint.minor_to_major(), " "),
         array.has_hint() ? absl::StrCat(hint.padded_bytes()) : ""});
    lines += CsvLine(cells);
  }
  return lines;
}

}  // namespace

std::string HloReportCsvTitles() {
  return CsvLine({"file", "module", "computation", "by", "item", "arrays",
                  "unpadded_bytes", "padded_bytes", "cause", "dimensions",
                  "bound", "padded", "hint_minor_to_major",
                  "hint_padded_bytes_of_one"});
}

std::string HloReportToCsv(const SummarizeResult& summary) {
  std::string lines = absl::StrCat(
      SumLine(summary, "total", "", summary.total()),
      SumLines(summary, "memory_space", summary.by_memory_space()),
      SumLines(summary, "element_type", summary.by_element_type()));
  if (summary.has_computation()) {
    return absl::StrCat(lines, SumLines(summary, "opcode", summary.by_opcode()),
                        SumLines(summary, "layout", summary.by_layout()));
  }
  return absl::StrCat(
      lines, ArrayLines(summary, "largest", summary.largest()),
      ArrayLines(summary, "most_wasteful", summary.most_wasteful()));
}

}  // namespace tessera
