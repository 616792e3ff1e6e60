// File: cli/hlo/report/peak_report.h
//
// What `tessera hlo peak` prints about a module: its peak, or why it has none.

#ifndef TESSERA_CLI_HLO_REPORT_PEAK_REPORT_H_
#define TESSERA_CLI_HLO_REPORT_PEAK_REPORT_H_

#include <string>

#include "proto/hlo_questions.pb.h"
#include "tessera/cli/output/display.h"
#include "tessera/hlo/hlo_module.h"

namespace tessera {
namespace cli {

// For people; ends in a line break. Precondition: the peak has
// SpacePeak.bytes.
std::string PeakToText(const ModulePeak& peak, const Display& display);

// The arrays that are live at the peak of each memory space, one a line;
// nothing if there is no peak.
std::string PeakCsvTitles();
std::string PeakToCsv(const ModulePeak& peak);

// The bytes at every instruction, one line for each memory space; nothing if
// there is no peak. `module` is the module of the peak. It has the names of the
// instructions, which the message does not repeat. Precondition: the peak has
// SpacePeak.bytes.
std::string PeakSeriesCsvTitles();
std::string PeakSeriesToCsv(const ModulePeak& peak, HloModule module);

}  // namespace cli
}  // namespace tessera

#endif  // TESSERA_CLI_HLO_REPORT_PEAK_REPORT_H_
