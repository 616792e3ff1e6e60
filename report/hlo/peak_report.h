// The report of `tessera hlo peak` about a module: its peak, or why it does not
// have one.

#ifndef TESSERA_REPORT_HLO_PEAK_REPORT_H_
#define TESSERA_REPORT_HLO_PEAK_REPORT_H_

#include <cstdint>
#include <string>

#include "proto/hlo_questions.pb.h"
#include "tessera/report/text/display.h"

namespace tessera {

// For people; ends in a line break. A table has at most `top` rows; arrays that
// are alike make one. Precondition: the peak has SpacePeak.bytes.
std::string PeakToText(const ModulePeak& peak, int64_t top,
                       const Display& display);

// The arrays that are live at the peak of each memory space, one a line;
// nothing if there is no peak.
std::string PeakCsvTitles();
std::string PeakToCsv(const ModulePeak& peak);

// The bytes at every step, one line for each memory space; nothing if there is
// no peak. Precondition: the peak has SpacePeak.bytes and the names of steps.
std::string PeakSeriesCsvTitles();
std::string PeakSeriesToCsv(const ModulePeak& peak);

}  // namespace tessera

#endif  // TESSERA_REPORT_HLO_PEAK_REPORT_H_
