// The report on the peak for spreadsheets.

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tessera/report/hlo/hlo_report.h"
#include "tessera/report/hlo/sorted_by_key.h"
#include "tessera/report/text/csv.h"

namespace tessera {

std::string PeakCsvTitles() {
  return CsvLine(
      {"file",           "module",        "memory_space", "instruction",
       "opcode",         "kind",          "shape",        "padded_bytes",
       "unpadded_bytes", "cause",         "dimensions",   "bound",
       "padded",         "first",         "last",         "op_name",
       "source_line",    "same_place_as", "path",         "index"});
}

std::string PeakToCsv(const ModulePeak& peak) {
  std::string out;
  for (const auto& [number, space] :
       SortedByKey(peak.by_memory_space().spaces())) {
    for (const PeakBuffer& buffer : space->live_at_peak()) {
      const MostPadded& blame = buffer.most_padded();
      const bool is_padded = buffer.has_most_padded();
      out += CsvCells(peak.file(), peak.module(), number, buffer.instruction(),
                      buffer.opcode(), buffer.kind(), buffer.shape(),
                      buffer.padded_bytes(), buffer.unpadded_bytes(),
                      blame.cause(), absl::StrJoin(blame.dimensions(), " "),
                      is_padded ? absl::StrCat(blame.bound()) : "",
                      is_padded ? absl::StrCat(blame.padded()) : "",
                      buffer.first(), buffer.last(), buffer.op_name(),
                      buffer.source_line(), buffer.same_place_as(),
                      buffer.path(), absl::StrJoin(buffer.index(), " "));
    }
  }
  return out;
}

std::string PeakSeriesCsvTitles() {
  return CsvLine({"file", "module", "memory_space", "position", "instruction",
                  "opcode", "bytes", "is_peak"});
}

std::string PeakSeriesToCsv(const ModulePeak& peak) {
  std::string out;
  for (const auto& [number, space] :
       SortedByKey(peak.by_memory_space().spaces())) {
    for (int i = 0; i < space->bytes_size(); ++i) {
      out += CsvCells(peak.file(), peak.module(), number, i,
                      peak.step_instructions(i), peak.step_opcodes(i),
                      space->bytes(i),
                      i == space->peak_position() ? "true" : "false");
    }
  }
  return out;
}

}  // namespace tessera
