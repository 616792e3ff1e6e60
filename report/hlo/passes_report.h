// The text and CSV that `tessera hlo passes` prints about the dumps of a
// module, and what `tessera hlo diff` prints about passes.

#ifndef TESSERA_REPORT_HLO_PASSES_REPORT_H_
#define TESSERA_REPORT_HLO_PASSES_REPORT_H_

#include <string>

#include "proto/hlo_questions.pb.h"
#include "tessera/report/text/display.h"

namespace tessera {

// "simplification/algsimp", or the name alone without a pipeline.
std::string PassNameText(const PassName& pass);

// Returns whether the pass is known to have changed an array.
bool ChangesArrays(const ModulePass& pass);

// For people; ends in a line break.
std::string PassesToText(const ModulePasses& passes, const Display& display);

// Where two compilations part ways, and what both do next; ends in a line
// break.
std::string PassesChangeText(const PassesChange& passes,
                             const Display& display);

// The passes, one line for each.
std::string PassesCsvTitles();
std::string PassesToCsv(const ModulePasses& passes);

}  // namespace tessera

#endif  // TESSERA_REPORT_HLO_PASSES_REPORT_H_
