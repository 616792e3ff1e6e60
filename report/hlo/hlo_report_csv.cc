// The report on HLO text for spreadsheets.

#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "google/protobuf/repeated_field.h"
#include "tessera/report/hlo/hlo_report.h"
#include "tessera/report/text/csv.h"

namespace tessera {
namespace {

std::string SumLine(const SummarizeResult& summary, std::string_view by,
                    const std::string& item, const MemorySum& sum) {
  // Only arrays have the last cells.
  return CsvCells(summary.file(), summary.module(), summary.computation(), by,
                  item, sum.arrays(), sum.unpadded_bytes(), sum.padded_bytes(),
                  "", "", "", "", "", "");
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
    const MostPadded& blame = array.most_padded();
    const OrderHint& hint = array.hint();
    lines +=
        CsvCells(summary.file(), summary.module(), summary.computation(), by,
                 array.shape(), array.count(),
                 array.total_padded_bytes() - array.total_padding_bytes(),
                 array.total_padded_bytes(), blame.cause(),
                 absl::StrJoin(blame.dimensions(), " "), blame.bound(),
                 blame.padded(), absl::StrJoin(hint.minor_to_major(), " "),
                 array.has_hint() ? absl::StrCat(hint.padded_bytes()) : "");
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
