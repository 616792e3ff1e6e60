// What a whole program takes beside its memory spaces, for people: the scoped
// VMEM of its instructions, and the table of JAX's memory_analysis().

#ifndef TESSERA_REPORT_HLO_PROGRAM_MEMORY_TEXT_H_
#define TESSERA_REPORT_HLO_PROGRAM_MEMORY_TEXT_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "proto/hlo_questions.pb.h"
#include "tessera/report/text/display.h"

namespace tessera {

// Both begin with an empty line and end in a line break; the first is empty
// where no instruction is known to use or reserve scoped VMEM.

// With a table of at most `top` instructions.
std::string ScopedVmemText(const ScopedVmemSummary& scoped, int64_t top,
                           const Display& display);

// `target` is that of the module: "tpu".
std::string MemoryAnalysisText(const MemoryAnalysis& analysis,
                               std::string_view target, const Display& display);

}  // namespace tessera

#endif  // TESSERA_REPORT_HLO_PROGRAM_MEMORY_TEXT_H_
