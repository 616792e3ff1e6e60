// The report on two dumps for spreadsheets.

#include "tessera/report/hlo/hlo_report.h"
#include "tessera/report/text/csv.h"

namespace tessera {

std::string DiffCsvTitles() {
  return CsvLine({"module", "computation", "change", "opcode", "before",
                  "after", "array", "before_shape", "after_shape",
                  "before_bytes", "after_bytes", "before_pass", "after_pass"});
}

std::string DiffToCsv(const DiffResult& diff) {
  std::string out;
  for (const ModuleChange& module : diff.modules()) {
    for (const ChangedArray& change : module.changes()) {
      out += CsvCells(module.has_after() ? module.after() : module.before(),
                      change.computation(), change.change(), change.opcode(),
                      change.before(), change.after(), change.array(),
                      change.before_shape(), change.after_shape(),
                      change.before_bytes(), change.after_bytes(),
                      PassNameText(change.before_pass()),
                      PassNameText(change.after_pass()));
    }
  }
  return out;
}

}  // namespace tessera
