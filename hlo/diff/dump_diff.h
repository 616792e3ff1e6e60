// File: hlo/diff/dump_diff.h
//
// What has a change done to the memory of a program: which buffers came, went
// or are laid out in another way, is the peak lower, and because of what?
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
// Modules are matched by their order in the dump, instructions as
// hlo/diff/instruction_matching.h says.

#ifndef TESSERA_HLO_DIFF_DUMP_DIFF_H_
#define TESSERA_HLO_DIFF_DUMP_DIFF_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/types/optional.h"
#include "tessera/hlo/buffer_assignment/buffer_assignment.h"
#include "tessera/hlo/diff/instruction_matching.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/memory/memory_options.h"
#include "tessera/hlo/memory/memory_report.h"
#include "tessera/hlo/memory/memory_totals.h"
#include "tessera/shape/shape.h"

namespace tessera {

// One array that is not as it was.
struct ArrayChange {
  // nullopt: only the other dump has the instruction.
  absl::optional<HloInstruction> before;
  absl::optional<HloInstruction> after;
  DiffMatch match = DiffMatch::kNone;
  // Which array of the result, counted over its leaves that are arrays; -1 for
  // the table of a tuple.
  int64_t array = 0;
  // The array was not there before, or is not there after; its instruction may
  // be in both dumps all the same. Of the arrays at a peak: it is not at the
  // peak.
  bool appeared = false;
  bool vanished = false;
  // It appeared or vanished, and where it is not, its instruction is inside of
  // a fusion or its like, which has no buffers.
  bool is_fused = false;
  const Shape* before_shape = nullptr;  // null: it appeared, or array is -1
  const Shape* after_shape = nullptr;   // null: it vanished, or array is -1
  // All false where it appeared or vanished.
  bool shape_changed = false;  // the type or the dimensions
  bool minor_to_major_changed = false;
  bool tiles_changed = false;
  bool memory_space_changed = false;
  bool other_layout_changed = false;  // L, E, SC, M and the rest
  // Padding included; 0 where it is not, or has an unbounded dimension.
  int64_t before_bytes = 0;
  int64_t after_bytes = 0;
};

struct TotalsChange {
  MemoryTotals before;
  MemoryTotals after;
};

// The peak of one memory space.
struct PeakChange {
  int64_t before = 0;
  int64_t after = 0;
  // What XLA reserves for the whole run, as worked out.
  int64_t reserved_before = 0;
  int64_t reserved_after = 0;
  // What XLA itself assigned; nullopt unless it is known of both modules. Where
  // it is, it counts (hlo/memory/reserved_memory.h).
  absl::optional<int64_t> assigned_before;
  absl::optional<int64_t> assigned_after;
  // What is at one peak and not at the other, or in another size. Their
  // differences add up to that of the peaks. In the order of
  // ModuleDiff::changes.
  std::vector<ArrayChange> changes;
};

struct ModuleDiff {
  // nullopt where one dump has more modules than the other.
  absl::optional<HloModule> before;
  absl::optional<HloModule> after;
  // What `changes` and the sums are of: buffers where both modules tell what
  // runs, else the results of all instructions.
  CountedArrays counted = CountedArrays::kBuffers;
  // By how many bytes they are larger or smaller, the most first; of equal ones
  // in the order of the text, those of new instructions last.
  std::vector<ArrayChange> changes;
  // Instructions, whether or not they have buffers.
  int64_t matched_by_structure = 0;
  int64_t matched_by_name = 0;
  int64_t matched_by_signature = 0;
  int64_t appeared = 0;
  int64_t vanished = 0;
  // Of the arrays that `counted` names, on both sides alike; otherwise as in
  // hlo/memory/memory_report.h.
  TotalsChange total;
  std::map<int64_t, TotalsChange> by_memory_space;
  // By memory space, as in hlo/memory/module_analysis.h; nullopt where that
  // cannot be told of both modules.
  absl::optional<std::map<int64_t, PeakChange>> peaks;
  // Why not: "after: the text breaks off before ENTRY". Empty if there are
  // peaks, or if only one dump has the module.
  std::string no_peak;
  // Nothing is wrong with either module: one of them, or both, has no order of
  // execution, and none is assumed.
  bool is_unscheduled = false;
};

struct DumpDiff {
  std::vector<ModuleDiff> modules;
};

struct DumpDiffOptions {
  // Whose peaks are compared, by which rules.
  MemoryOptions question;
  // kResults counts the results of all instructions, buffers or not.
  CountedArrays counted = CountedArrays::kBuffers;
  // What stands beside each dump; nullptr for nothing. Both must outlive the
  // call.
  const HloAssignments* before = nullptr;
  const HloAssignments* after = nullptr;
};

// In linear time, but for sorting. Both dumps must outlive the result.
DumpDiff DiffDumps(const HloDump& before, const HloDump& after,
                   const DumpDiffOptions& options = {});

}  // namespace tessera

#endif  // TESSERA_HLO_DIFF_DUMP_DIFF_H_
