// The report on the peak for spreadsheets.

#include "absl/strings/str_cat.h"
#include "tessera/cli/hlo/peak_report.h"
#include "tessera/cli/hlo/sorted_by_key.h"
#include "tessera/cli/output/csv.h"

namespace tessera {
namespace cli {

std::string PeakCsvTitles() {
  return CsvLine({"file", "module", "memory_space", "position", "instruction",
                  "opcode", "bytes", "is_peak"});
}

std::string PeakToCsv(const ModulePeak& peak, HloModule module) {
  std::string out;
  if (!peak.has_by_memory_space()) return out;
  const HloRange<HloInstruction> schedule =
      module.entry_computation()->instructions();
  for (const auto& [number, space] :
       SortedByKey(peak.by_memory_space().spaces())) {
    for (int i = 0; i < space->bytes_size(); ++i) {
      const HloInstruction instruction = schedule[i];
      out += CsvLine({peak.file(), peak.module(), absl::StrCat(number),
                      absl::StrCat(i), std::string(instruction.name()),
                      std::string(instruction.opcode()),
                      absl::StrCat(space->bytes(i)),
                      i == space->peak_position() ? "true" : "false"});
    }
  }
  return out;
}

}  // namespace cli
}  // namespace tessera
