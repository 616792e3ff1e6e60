// File: report/hlo/hlo_report.h
//
// The report of `tessera hlo report` about a file, or a computation in it.

#ifndef TESSERA_REPORT_HLO_HLO_REPORT_H_
#define TESSERA_REPORT_HLO_HLO_REPORT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "proto/hlo_questions.pb.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/hlo_target.h"
#include "tessera/hlo/memory/memory_report.h"
#include "tessera/report/text/display.h"
#include "tessera/report/text/json.h"

namespace tessera {

// One file.
struct HloReport {
  std::string file;
  const HloDump* dump;
  MemoryReport memory;
  // Of each module.
  PeakResult peaks;
  HloTarget target = HloTarget::kNone;
  // How many modules have a row of their own.
  int64_t top = 10;
};

// For people; ends in a line break.
std::string HloReportToText(const HloReport& report, const Display& display);
Json HloReportToJson(const HloReport& report);

// One computation.
struct ComputationReport {
  std::string file;
  HloTarget target = HloTarget::kNone;
  HloModule module;
  HloComputation computation;
  MemoryBreakdown memory;
  // How many opcodes and layouts are shown.
  int64_t top = 10;
};

std::string ComputationReportToText(const ComputationReport& report,
                                    const Display& display);
Json ComputationReportToJson(const ComputationReport& report);

// The sums, one line for each, below titles.
std::string HloReportCsvTitles();
std::string HloReportToCsv(const std::string& file, const MemoryReport& report);
std::string ComputationReportToCsv(const ComputationReport& report);

}  // namespace tessera

#endif  // TESSERA_REPORT_HLO_HLO_REPORT_H_
