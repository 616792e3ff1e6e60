// Compares the memory of two dumps of a program: which buffers appeared,
// vanished or changed their layout, and why the peak changed.
//
//   #include "tessera/hlo/parse_hlo.h"
//
//   absl::StatusOr<HloDump> before = ParseHlo(R"(
//       HloModule m, is_scheduled=true
//       ENTRY main {
//         x = f32[8,128]{1,0} parameter(0)
//         y = f32[8,128]{1,0} negate(x)
//         ROOT z.7 = f32[8,128]{1,0} custom-call(x, y)
//       })");
//   absl::StatusOr<HloDump> after = ParseHlo(R"(
//       HloModule m, is_scheduled=true
//       ENTRY main {
//         x = f32[8,128]{1,0} parameter(0)
//         y = f32[8,128]{0,1:S(1)} negate(x)
//         ROOT z.12 = f32[8,128]{1,0} custom-call(x, y)
//       })");
//   DumpDiff diff = DiffDumps(*before, *after);
//   const ModuleDiff& module = diff.modules[0];
//   module.matched_by_structure;                  // 3: z.7 is z.12
//   module.changes.size();                        // 1
//   module.changes[0].after->name();              // "y"
//   module.changes[0].minor_to_major_changed;     // true
//   module.changes[0].memory_space_changed;       // true
//   module.by_memory_space.at(1).after.padded_bytes;  // 4096
//   const PeakChange& hbm = module.peaks->at(0);
//   hbm.before;                                   // 12288: x, y and z
//   hbm.after;                                    // 8192
//   hbm.changes[0].before->name();                // "y"
//   hbm.changes[0].vanished;                      // true: it is in space 1 now
//
// Modules are matched by their order in the dump, instructions by the rules of
// hlo/diff/instruction_matching.h. With the dumps after each pass
// (hlo/diff/pass_history.h), each change has the pass that made the array.

#ifndef TESSERA_HLO_DIFF_DUMP_DIFF_H_
#define TESSERA_HLO_DIFF_DUMP_DIFF_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "tessera/hlo/diff/instruction_matching.h"
#include "tessera/hlo/diff/pass_history.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/memory/memory_options.h"
#include "tessera/hlo/memory/memory_report.h"
#include "tessera/hlo/memory/memory_totals.h"
#include "tessera/shape/shape.h"

namespace tessera {

// One array that changed.
struct ArrayChange {
  // nullopt if only the other dump has the instruction.
  std::optional<HloInstruction> before;
  std::optional<HloInstruction> after;
  DiffMatch match = DiffMatch::kNone;
  // The number of the array in the result, counted over the leaves that are
  // arrays; -1 for the table of a tuple.
  int64_t array = 0;
  // The array exists only after, or only before; its instruction may still be
  // in both dumps. For arrays at a peak: it is at only one of the peaks.
  bool appeared = false;
  bool vanished = false;
  // It appeared or vanished because the other dump has its instruction inside a
  // fusion or a similar computation without buffers.
  bool is_fused = false;
  const Shape* before_shape = nullptr;  // null: it appeared, or array is -1
  const Shape* after_shape = nullptr;   // null: it vanished, or array is -1
  // All false if it appeared or vanished.
  bool shape_changed = false;  // the type or the dimensions
  bool minor_to_major_changed = false;
  bool tiles_changed = false;
  bool memory_space_changed = false;
  bool other_layout_changed = false;  // L, E, SC, M and the rest
  // Bytes including padding; 0 if it does not exist or has an unbounded
  // dimension.
  int64_t before_bytes = 0;
  int64_t after_bytes = 0;
  // The pass that made the array on each side. If both sides have the array and
  // a pass changed it, the last such pass. Numbers in PassHistory::passes(); -1
  // if the array does not exist on that side, or without a history.
  int64_t before_pass = -1;
  int64_t after_pass = -1;
};

struct TotalsChange {
  MemoryTotals before;
  MemoryTotals after;
};

// The peak of one memory space.
struct PeakChange {
  int64_t before = 0;
  int64_t after = 0;
  // The computed bytes that XLA reserves for the whole run.
  int64_t reserved_before = 0;
  int64_t reserved_after = 0;
  // The bytes that XLA itself assigned; nullopt unless known for both modules.
  // If known, they are used instead of the computed bytes
  // (hlo/memory/reserved_memory.h).
  std::optional<int64_t> assigned_before;
  std::optional<int64_t> assigned_after;
  // The arrays that are at only one of the peaks, or have another size there.
  // Their differences add up to the difference of the peaks. In the order of
  // ModuleDiff::changes.
  std::vector<ArrayChange> changes;
};

struct ModuleDiff {
  // nullopt if one dump has more modules than the other.
  std::optional<HloModule> before;
  std::optional<HloModule> after;
  // The arrays in `changes` and in the sums: buffers if both modules have an
  // ENTRY, else the results of all instructions.
  CountedArrays counted = CountedArrays::kBuffers;
  // By the size of their difference in bytes, largest first; equal ones in the
  // order of the text, with those of new instructions last.
  std::vector<ArrayChange> changes;
  // Instructions, whether or not they have buffers.
  int64_t matched_by_structure = 0;
  int64_t matched_by_name = 0;
  int64_t matched_by_signature = 0;
  int64_t appeared = 0;
  int64_t vanished = 0;
  // The sums over the arrays that `counted` names, on both sides; otherwise as
  // in hlo/memory/memory_report.h.
  TotalsChange total;
  std::map<int64_t, TotalsChange> by_memory_space;
  // The peaks by memory space, as in hlo/memory/module_analysis.h; nullopt
  // unless both modules have them.
  std::optional<std::map<int64_t, PeakChange>> peaks;
  // The reason why there are no peaks: "after: the text breaks off before
  // ENTRY". Empty if there are peaks, or if only one dump has the module.
  std::string no_peak;
  // Whether the only reason is that one or both modules do not have an
  // execution order, and none is assumed.
  bool is_unscheduled = false;
  // Where the two compilations diverge; nullopt unless both histories are given
  // and both dumps have the module.
  std::optional<PassParting> parting;
};

struct DumpDiff {
  std::vector<ModuleDiff> modules;
  // The error of options.question.go_on. It ended the comparison, so the rest
  // is not complete.
  absl::Status status;
};

struct DumpDiffOptions {
  // The modules whose peaks are compared, the rules, and go_on, which the
  // comparison calls as well.
  MemoryOptions question;
  // kResults counts the results of all instructions, buffers or not.
  CountedArrays counted = CountedArrays::kBuffers;
  // The files next to each dump, or nullptr. Both must outlive the call.
  const HloAssignments* before = nullptr;
  const HloAssignments* after = nullptr;
  // The histories of passes on each side, or nullptr. The dump that is compared
  // must be the last dump of the history.
  const PassHistory* before_history = nullptr;
  const PassHistory* after_history = nullptr;
};

// Takes linear time, except for sorting. Both dumps must outlive the result.
DumpDiff DiffDumps(const HloDump& before, const HloDump& after,
                   const DumpDiffOptions& options = {});

}  // namespace tessera

#endif  // TESSERA_HLO_DIFF_DUMP_DIFF_H_
