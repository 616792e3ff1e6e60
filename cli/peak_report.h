// File: cli/peak_report.h
//
// What `tessera hlo peak` says of a scheduled module: its peak, or why it has
// none.

#ifndef TESSERA_CLI_PEAK_REPORT_H_
#define TESSERA_CLI_PEAK_REPORT_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "tessera/cli/display.h"
#include "tessera/cli/json.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/liveness.h"

namespace tessera {

struct PeakReport {
  std::string file;
  HloModule module;
  const absl::StatusOr<Liveness>& liveness;
  // How many of the arrays at the peak are shown.
  int64_t top = 10;
};

// For people; ends in a line break.
std::string PeakReportToText(const PeakReport& report, const Display& display);

Json PeakReportToJson(const PeakReport& report);

// The bytes at every instruction, a line for each memory space; none where
// there is no peak.
std::string PeakCsvTitles();
std::string PeakReportToCsv(const PeakReport& report);

// "parameter", "result": what a buffer is for.
std::string LiveBufferKindText(const LiveBuffer& buffer);

}  // namespace tessera

#endif  // TESSERA_CLI_PEAK_REPORT_H_
