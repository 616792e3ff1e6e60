// The numbers of JAX's memory_analysis() for a compiled program.
//
//   #include "tessera/hlo/memory/module_analysis.h"
//   #include "tessera/hlo/parse_hlo.h"
//
//   absl::StatusOr<HloDump> dump = ParseHlo(R"(
//       HloModule m, is_scheduled=true
//       ENTRY main {
//         x = f32[256]{0} parameter(0)
//         a = f32[1024]{0} broadcast(x)
//         b = f32[1024]{0} sort(a), dimensions={0}
//         ROOT c = f32[512]{0} slice(b)
//       })");
//   absl::StatusOr<ModuleAnalysis> analysis =
//       ModuleAnalysis::Of(*dump, dump->modules()[0]);
//   const CompiledMemoryStats stats = analysis->memory_stats();
//   stats.argument_size_in_bytes;   // 1024
//   stats.output_size_in_bytes;     // 2048
//   stats.alias_size_in_bytes;      // 0
//   stats.temp_size_in_bytes;       // 4096: a, over which b lies
//   stats.peak_memory_in_bytes;     // 3072: for CPU, no temporaries
//
// The names are those of XLA (xla/pjrt/compiled_memory_stats.h). The sums are
// over XLA's own allocations if known, else over the computed ones.
// `generated_code_size_in_bytes` is missing, since dumps do not have it.
// docs/memory.md compares the numbers with XLA's.

#ifndef TESSERA_HLO_MEMORY_COMPILED_MEMORY_STATS_H_
#define TESSERA_HLO_MEMORY_COMPILED_MEMORY_STATS_H_

#include <cstdint>

namespace tessera {

// Bytes, including padding. Host memory, S(5), is only in its own sums, except
// for the peak.
struct CompiledMemoryStats {
  // Parameters, including donated ones.
  int64_t argument_size_in_bytes = 0;
  // The results, including donated parameters that hold results, and the table
  // of a tuple.
  int64_t output_size_in_bytes = 0;
  // Donated parameters that hold results. They are in both sums above.
  int64_t alias_size_in_bytes = 0;
  // Temporaries, including gaps. On TPU, only temporaries of HBM count, in
  // whole slots of 16 KiB, or 0 if they are only tables and scalars. VMEM is
  // not in these numbers.
  int64_t temp_size_in_bytes = 0;
  int64_t host_argument_size_in_bytes = 0;
  int64_t host_output_size_in_bytes = 0;
  int64_t host_alias_size_in_bytes = 0;
  int64_t host_temp_size_in_bytes = 0;
  // Parameters, outputs and constants of all memory spaces, each once, and the
  // most bytes that are live at once in one heap of temporaries. The device may
  // need more, because gaps and tables are left out, and on CPU all
  // temporaries. On TPU, this is not the peak of any one memory: it is the sum
  // of the parameters in HBM and the largest heap, which may be that of VMEM.
  int64_t peak_memory_in_bytes = 0;
};

}  // namespace tessera

#endif  // TESSERA_HLO_MEMORY_COMPILED_MEMORY_STATS_H_
