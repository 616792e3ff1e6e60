// File: hlo/memory/memory_report.h
//
// Where did the memory go: which module, which computation, which opcode, which
// layout?
//
//   absl::StatusOr<HloDump> dump = ParseHlo(R"(
//       HloModule m
//       double {
//         p = f32[1000,2]{1,0:T(8,128)} parameter(0)
//         ROOT sum = f32[1000,2]{1,0:T(8,128)} add(p, p)
//       }
//       ENTRY main {
//         x = f32[1000,2]{1,0:T(8,128)} parameter(0)
//         ROOT y = f32[1000,2]{1,0:T(8,128)} fusion(x), kind=kLoop,
//             calls=double
//       })");
//   MemoryReport report = ReportMemory(*dump);
//   const ModuleMemory& module = report.modules[0];
//   module.memory.total.padded_bytes;                       // 4 * 512000
//   module.memory.by_opcode.at("add").unpadded_bytes;       // 8000
//   module.memory.by_layout.at("{1,0:T(8,128)}").arrays;    // 4
//   module.computations[1].memory.total.arrays;             // 2
//   const int64_t first = module.most_wasteful[0].first_instruction;
//   dump->instructions()[first].name();                     // "p"
//   module.most_wasteful[0].most_padded.dimensions;         // {1}
//   module.most_wasteful[0].best_order->minor_to_major;     // {0,1}
//   module.most_wasteful[0].best_order->padded_bytes;       // 32768
//
// Summed are the arrays in the result shapes of all instructions, as if each
// had memory of its own: a measure of the text. The inside of a fusion counts,
// which never sees memory; by computation one sees what it adds. What is in
// memory at once is in hlo/memory/liveness.h.

#ifndef TESSERA_HLO_MEMORY_MEMORY_REPORT_H_
#define TESSERA_HLO_MEMORY_MEMORY_REPORT_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/memory/array_usage.h"
#include "tessera/hlo/memory/memory_totals.h"

namespace tessera {

struct MemoryBreakdown : ArrayTotals {
  int64_t instructions = 0;
  // They count for no bytes.
  int64_t instructions_without_shape = 0;
  // By the opcode of the instruction whose result it is.
  std::map<std::string, MemoryTotals> by_opcode;
  // By all that stands between the braces, in canonical text: "{1,0:T(8,128)}".
  std::map<std::string, MemoryTotals> by_layout;

  void Add(const MemoryBreakdown& other);
};

struct ComputationMemory {
  HloComputation computation;
  MemoryBreakdown memory;
};

struct ModuleMemory {
  HloModule module;
  MemoryBreakdown memory;
  // All of them, in the order of HloModule::computations().
  std::vector<ComputationMemory> computations;
  // Distinct result shapes, layouts included; a missing layout is the default.
  int64_t distinct_shapes = 0;
  std::vector<ArrayUsage> largest;
  std::vector<ArrayUsage> most_wasteful;  // with best_order
};

struct MemoryReport {
  std::vector<ModuleMemory> modules;
};

struct MemoryReportOptions {
  // At most so many rows in `largest` and `most_wasteful`.
  int64_t table_rows = 10;
};

// In linear time. `dump` must outlive the handles in the report.
MemoryReport ReportMemory(const HloDump& dump,
                          const MemoryReportOptions& options = {});

}  // namespace tessera

#endif  // TESSERA_HLO_MEMORY_MEMORY_REPORT_H_
