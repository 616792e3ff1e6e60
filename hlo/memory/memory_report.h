// Sums the memory of a dump by module, memory space, opcode and layout.
//
//   #include "tessera/hlo/parse_hlo.h"
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
//   report.memory.total.padded_bytes;                       // 2 * 512000
//   report.memory.by_opcode.at("fusion").unpadded_bytes;    // 8000
//   report.memory.by_layout.at("{1,0:T(8,128)}").arrays;    // 2
//   report.distinct_shapes;                                 // 1
//   const ArrayUsage& worst = report.most_wasteful[0];
//   dump->instructions()[worst.first_instruction].name();   // "x"
//   worst.most_padded.dimensions;                           // {1}
//   worst.best_order->minor_to_major;                       // {0, 1}
//   worst.best_order->padded_bytes;                         // 32768
//   report.modules[0].memory.total.arrays;                  // 2
//   MemoryReportOptions options;
//   options.counted = CountedArrays::kResults;
//   ReportMemory(*dump, options).memory.total.arrays;       // 4
//   ReportComputation(*dump, dump->computations()[1]).total.arrays;  // 2
//
// The sums are over all buffers of a program, as if no two shared memory. For
// the values that are live at once, use hlo/memory/module_analysis.h. A result
// in the buffer of an operand does not count, so tuple, get-tuple-element,
// bitcast and the like have no buffer. Neither does anything inside a fusion or
// a reducer. Without an ENTRY it is not known which computations run, so every
// result is counted. Instructions that could not be read are not counted:
// HloDump::diagnostic_count() shows whether there are any.

#ifndef TESSERA_HLO_MEMORY_MEMORY_REPORT_H_
#define TESSERA_HLO_MEMORY_MEMORY_REPORT_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/memory/array_usage.h"
#include "tessera/hlo/memory/memory_totals.h"

namespace tessera {

// Which arrays are counted: those that have a buffer, or those in the results
// of all instructions.
enum class CountedArrays { kBuffers, kResults };

// Returns "buffers" or "results".
std::string_view CountedArraysName(CountedArrays counted);
// Returns the value with that name, or nullopt.
std::optional<CountedArrays> CountedArraysOfName(std::string_view name);

// The sums over some instructions.
struct MemoryBreakdown : ArrayTotals {
  CountedArrays counted = CountedArrays::kResults;
  // Whether the layouts are those of MemoryReportOptions::tpu_layouts.
  bool has_tpu_default_layouts = false;
  // All instructions, with or without a buffer.
  int64_t instructions = 0;
  // These are not included in the bytes.
  int64_t instructions_without_shape = 0;
  // By the opcode of the instruction that has the result.
  std::map<std::string, MemoryTotals> by_opcode;
  // By layout, in canonical text: "{1,0:T(8,128)}".
  std::map<std::string, MemoryTotals> by_layout;
};

// The memory of a dump, or of one of its modules.
struct DumpMemory : ArrayTables {
  MemoryBreakdown memory;
  // The number of distinct result shapes, including layouts; a missing layout
  // is the default.
  int64_t distinct_shapes = 0;
};

struct ModuleMemory : DumpMemory {
  explicit ModuleMemory(HloModule module) : module(module) {}

  HloModule module;
};

struct MemoryReport : DumpMemory {
  // In the order of HloDump::modules().
  std::vector<ModuleMemory> modules;
  // The modules without ENTRY, whose results are all counted.
  int64_t modules_without_entry = 0;
};

struct MemoryReportOptions {
  CountedArrays counted = CountedArrays::kBuffers;
  // The most rows in `largest` and `most_wasteful`.
  int64_t table_rows = 10;
  // Whether to fill in ArrayUsage::best_order in `most_wasteful`.
  bool find_best_orders = true;
  // For a dump in which no array has tiles, as before XLA has optimized it:
  // whether the arrays have the layouts that the TPU compiler gives parameters
  // (shape/tpu_layout.h). It may give other layouts to arrays between
  // parameters and results.
  bool tpu_layouts = false;
};

// Returns the report on a dump, in linear time. `dump` must outlive the handles
// in the report.
MemoryReport ReportMemory(const HloDump& dump,
                          const MemoryReportOptions& options = {});

// Returns the same sums for one computation of `dump`. For a computation
// without buffers, such as the inside of a fusion, counts all results.
MemoryBreakdown ReportComputation(const HloDump& dump,
                                  HloComputation computation,
                                  const MemoryReportOptions& options = {});

}  // namespace tessera

#endif  // TESSERA_HLO_MEMORY_MEMORY_REPORT_H_
