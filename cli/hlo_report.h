// File: cli/hlo_report.h
//
// What `tessera hlo` says of a file.

#ifndef TESSERA_CLI_HLO_REPORT_H_
#define TESSERA_CLI_HLO_REPORT_H_

#include <string>

#include "tessera/cli/display.h"
#include "tessera/cli/json.h"
#include "tessera/hlo/memory_summary.h"

namespace tessera {

// For people; ends in a line break.
std::string HloReportToText(const std::string& file,
                            const MemorySummary& summary,
                            const Display& display);

Json HloReportToJson(const std::string& file, const MemorySummary& summary);

}  // namespace tessera

#endif  // TESSERA_CLI_HLO_REPORT_H_
