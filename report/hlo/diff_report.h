// File: report/hlo/diff_report.h
//
// The text and CSV that `tessera hlo diff` prints about two dumps.

#ifndef TESSERA_REPORT_HLO_DIFF_REPORT_H_
#define TESSERA_REPORT_HLO_DIFF_REPORT_H_

#include <cstdint>
#include <string>

#include "proto/hlo_questions.pb.h"
#include "tessera/hlo/memory/reserved_memory.h"
#include "tessera/report/text/display.h"

namespace tessera {

// How much more memory it is, or less: "+1 KiB", "same".
std::string ChangeText(int64_t before, int64_t after, const Display& display);

// What XLA assigned before and after the change, where that is known, and else
// what is worked out.
ReservedChange ReservedChangeOf(const SpacePeakChange& peak);

// Returns whether the module is known to differ between the two dumps.
bool HasChanges(const ModuleChange& module);
// Returns whether its peaks could not be compared because a dump is broken.
bool IsBroken(const ModuleChange& module);

// For people; ends in a line break.
std::string DiffToText(const DiffResult& diff, const Display& display);

// The changes, one line for each.
std::string DiffCsvTitles();
std::string DiffToCsv(const DiffResult& diff);

}  // namespace tessera

#endif  // TESSERA_REPORT_HLO_DIFF_REPORT_H_
