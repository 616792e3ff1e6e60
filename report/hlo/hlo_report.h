// Prints the answers about HLO for `tessera hlo`: as text for people, which
// ends in a line break, and as CSV, with one line of titles above it.
//
//   ExplainTextResult result;
//   result.mutable_layout()->set_layout("{1,0:T(8,128)}");
//   ExplanationToText(result, Display());   // "XLA writes {1,0:T(8,128)}\n"

#ifndef TESSERA_REPORT_HLO_HLO_REPORT_H_
#define TESSERA_REPORT_HLO_HLO_REPORT_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "proto/hlo_questions.pb.h"
#include "proto/memory_check.pb.h"
#include "tessera/hlo/memory/reserved_memory.h"
#include "tessera/report/text/display.h"

namespace tessera {

// -- tessera hlo report: a file, or a computation in it -----------------------

// Modules and peaks have at most `top` rows; the other tables have those of the
// answer.
std::string HloReportToText(const SummarizeResult& summary, int64_t top,
                            const Display& display);

// The sums, one line for each.
std::string HloReportCsvTitles();
std::string HloReportToCsv(const SummarizeResult& summary);

// The scoped VMEM of a program's instructions, with a table of at most `top`;
// "" if no instruction is known to use or reserve it. It begins with an empty
// line, and so does MemoryAnalysisText.
std::string ScopedVmemText(const ScopedVmemSummary& scoped, int64_t top,
                           const Display& display);
// The table of JAX's memory_analysis(). `target` is that of the module: "tpu".
std::string MemoryAnalysisText(const MemoryAnalysis& analysis,
                               std::string_view target, const Display& display);

// -- tessera hlo peak: the peak of a module, or why it does not have one ------

// A table has at most `top` rows; equal arrays share one. Precondition: the
// peak has SpacePeak.bytes.
std::string PeakToText(const ModulePeak& peak, int64_t top,
                       const Display& display);

// The arrays that are live at the peak of each memory space, one per line;
// nothing if there is no peak.
std::string PeakCsvTitles();
std::string PeakToCsv(const ModulePeak& peak);

// The bytes at every step, one line for each memory space; nothing if there is
// no peak. Precondition: the peak has SpacePeak.bytes and the names of steps.
std::string PeakSeriesCsvTitles();
std::string PeakSeriesToCsv(const ModulePeak& peak);

// -- tessera hlo diff: two dumps ----------------------------------------------

// Returns the difference in memory: "+1 KiB", "same".
std::string ChangeText(int64_t before, int64_t after, const Display& display);

// Returns the bytes that XLA assigned before and after the change, if they are
// known, and otherwise the computed bytes.
ReservedChange ReservedChangeOf(const SpacePeakChange& peak);

// Returns whether the module is known to differ between the two dumps.
bool HasChanges(const ModuleChange& module);
// Returns whether its peaks could not be compared because a dump is broken.
bool IsBroken(const ModuleChange& module);

std::string DiffToText(const DiffResult& diff, const Display& display);

// The changes, one line for each.
std::string DiffCsvTitles();
std::string DiffToCsv(const DiffResult& diff);

// -- tessera hlo passes: the dumps of a module --------------------------------

// "simplification/algsimp", or the name alone without a pipeline.
std::string PassNameText(const PassName& pass);

// Returns whether the pass is known to have changed an array.
bool ChangesArrays(const ModulePass& pass);

std::string PassesToText(const ModulePasses& passes, const Display& display);

// Shows the pass at which two compilations diverge, and the next passes of
// both.
std::string PassesChangeText(const PassesChange& passes,
                             const Display& display);

// The passes, one line for each.
std::string PassesCsvTitles();
std::string PassesToCsv(const ModulePasses& passes);

// -- tessera hlo check, explain and vmem --------------------------------------

// "1 of 6 modules is over budget"
std::string CheckSentence(const MemoryCheck& check);
// Returns the sentence and, if something is over budget, a table of it.
std::string CheckToText(const MemoryCheck& check, const Display& display);
// The same as Markdown, for the summary of a run on a server.
std::string CheckToMarkdown(const MemoryCheck& check);

std::string ExplanationToText(const ExplainTextResult& result,
                              const Display& display);
std::string KernelVmemToText(const KernelVmemResult& result,
                             const Display& display);

}  // namespace tessera

#endif  // TESSERA_REPORT_HLO_HLO_REPORT_H_
