// The text and CSV that `tessera hlo report` prints about a file, or about a
// computation in it.

#ifndef TESSERA_REPORT_HLO_HLO_REPORT_H_
#define TESSERA_REPORT_HLO_HLO_REPORT_H_

#include <cstdint>
#include <string>

#include "proto/hlo_questions.pb.h"
#include "tessera/report/text/display.h"

namespace tessera {

// For people; ends in a line break. Modules and peaks have at most `top` rows;
// the other tables have those of the answer.
std::string HloReportToText(const SummarizeResult& summary, int64_t top,
                            const Display& display);

// The sums, one line for each, below titles.
std::string HloReportCsvTitles();
std::string HloReportToCsv(const SummarizeResult& summary);

}  // namespace tessera

#endif  // TESSERA_REPORT_HLO_HLO_REPORT_H_
