// The scoped VMEM of a module's instructions and its limit, as a message.
//
//   #include "tessera/hlo/parse_hlo.h"
//
//   absl::StatusOr<HloDump> dump = ParseHlo(R"(
//       HloModule m, is_scheduled=true
//       ENTRY e {
//         ROOT x = f32[8]{0:T(128)} constant(0), backend_config={
//             "used_scoped_memory_configs":[{"memory_space":"1","offset":"0",
//             "size":"4096"}]}
//       })");
//   MemoryOptions options;
//   SetTarget("v5e", &options);
//   FindScopedLimit(options, nullptr).bytes;    // 16777216
//   FindScopedLimit(options, nullptr).source;   // "generation"
//   absl::StatusOr<ModuleAnalysis> analysis =
//       ModuleAnalysis::Of(*dump, dump->modules()[0], options);
//   AnswerBytes bytes(ServiceOptions::Unlimited());
//   ScopedVmemSummary summary;
//   FillScopedVmem(*analysis, options, nullptr, /*rows=*/10, &bytes, &summary)
//       .ok();                                  // true
//   summary.instructions(0).used_bytes();       // 4096

#ifndef TESSERA_SERVICE_QUESTIONS_HLO_SCOPED_VMEM_ANSWER_H_
#define TESSERA_SERVICE_QUESTIONS_HLO_SCOPED_VMEM_ANSWER_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "proto/hlo_questions.pb.h"
#include "tessera/hlo/buffer_assignment/hlo_file.h"
#include "tessera/hlo/memory/memory_options.h"
#include "tessera/hlo/memory/module_analysis.h"
#include "tessera/hlo/memory/scoped_vmem.h"
#include "tessera/service/questions/hlo/hlo_texts.h"

namespace tessera {

struct ScopedLimit {
  // The most that one instruction may use; 0 if that is not known.
  int64_t bytes = 0;
  // As in ScopedVmemSummary.limit_source.
  std::string source;
};

// Returns the limit that the question sets, else that of the compiler's options
// next to the module, else that of the generation. `assignments` is read from
// the files next to the module; null if there are none.
ScopedLimit FindScopedLimit(const MemoryOptions& question,
                            const HloAssignments* assignments);

// Returns the scoped VMEM of a module and the files next to it.
ScopedVmem ScopedVmemOf(HloModule module, const HloAssignments* assignments);

// Fills in the message, as a part of an answer that has `bytes` so far, with at
// most `rows` instructions. Precondition: the module is of TPU. Errors:
// kResourceExhausted for hlo_answer_bytes.
absl::Status FillScopedVmem(const ModuleAnalysis& analysis,
                            const MemoryOptions& question,
                            const HloAssignments* assignments, int64_t rows,
                            AnswerBytes* bytes, ScopedVmemSummary* summary);

}  // namespace tessera

#endif  // TESSERA_SERVICE_QUESTIONS_HLO_SCOPED_VMEM_ANSWER_H_
