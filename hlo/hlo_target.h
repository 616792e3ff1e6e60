// File: hlo/hlo_target.h
//
// For which kind of device was a module compiled, and what are its memory
// spaces called there?
//
//   #include "tessera/hlo/parse_hlo.h"
//
//   absl::StatusOr<HloDump> dump = ParseHlo(R"(
//       HloModule m
//       ENTRY e { ROOT x = f32[8,128]{1,0:T(8,128)S(1)} parameter(0) })");
//   HloTarget target = GuessTarget(dump->modules()[0]);
//   HloTargetName(target);                          // "tpu": it has tiles
//   MemorySpaceNamesOf(target).NameOf(1);           // "VMEM"
//   MemorySpaceNamesOf(HloTarget::kGpu).NameOf(1);  // "collective"
//   HloTargetOfName("gpu");                         // HloTarget::kGpu
//
// The numbers are those of S(n) in layouts. XLA has a second table, for the
// colors of its buffer assignments (GetMemorySpaceName in
// xla/service/buffer_assignment.cc), in which 5 is not the host: it is not used
// here.

#ifndef TESSERA_HLO_HLO_TARGET_H_
#define TESSERA_HLO_HLO_TARGET_H_

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/layout/memory_space.h"

namespace tessera {

// kNone: not known, or none of these.
enum class HloTarget { kNone, kTpu, kGpu, kCpu };

// Returns "none", "tpu", "gpu" or "cpu".
absl::string_view HloTargetName(HloTarget target);

// Returns the target of that name; nullopt if there is none.
absl::optional<HloTarget> HloTargetOfName(absl::string_view name);

// Guesses from what a backend of XLA leaves in a module: tiles in layouts,
// backend configs, custom calls and the names that it gives to fusions. Looks
// at no more than the first 5,000 instructions of the entry computation, or of
// the last one if no computation is marked ENTRY. In doubt returns kNone.
HloTarget GuessTarget(HloModule module);
// Returns the target of all modules of a dump for which one can be guessed;
// kNone if there are two.
HloTarget GuessTarget(const HloDump& dump);

// Returns the names of memory spaces on that target (layout/memory_space.h);
// for kNone, those that hold on each.
const MemorySpaceNames& MemorySpaceNamesOf(HloTarget target);

}  // namespace tessera

#endif  // TESSERA_HLO_HLO_TARGET_H_
