// File: cli/diff_report.h
//
// What `tessera hlo diff` says of two dumps.

#ifndef TESSERA_CLI_DIFF_REPORT_H_
#define TESSERA_CLI_DIFF_REPORT_H_

#include <cstdint>
#include <string>

#include "tessera/cli/display.h"
#include "tessera/cli/json.h"
#include "tessera/hlo/dump_diff.h"

namespace tessera {

struct DiffReport {
  std::string before_file;
  std::string after_file;
  const DumpDiff& diff;
  // How many changes of a module are shown.
  int64_t top = 10;
};

// For people; ends in a line break.
std::string DiffReportToText(const DiffReport& report, const Display& display);

Json DiffReportToJson(const DiffReport& report);

// All changes, a line each, below titles.
std::string DiffReportToCsv(const DiffReport& report);

// What has changed: "appeared", "vanished", or some of "shape", "order",
// "tiles", "memory space" and "other", with "+" between them.
std::string ArrayChangeText(const ArrayChange& change);

}  // namespace tessera

#endif  // TESSERA_CLI_DIFF_REPORT_H_
