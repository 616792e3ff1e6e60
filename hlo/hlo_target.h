// The kind of device that a module was compiled for, and the names of its
// memory spaces.
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
// xla/service/buffer_assignment.cc), in which 5 is not the host. That table is
// not used here.

#ifndef TESSERA_HLO_HLO_TARGET_H_
#define TESSERA_HLO_HLO_TARGET_H_

#include <optional>
#include <string_view>

#include "tessera/hlo/hlo_module.h"
#include "tessera/layout/memory_space.h"

namespace tessera {

// kNone means an unknown or other device.
enum class HloTarget { kNone, kTpu, kGpu, kCpu };

// Returns "none", "tpu", "gpu" or "cpu".
std::string_view HloTargetName(HloTarget target);

// Returns the target with that name, or nullopt.
std::optional<HloTarget> HloTargetOfName(std::string_view name);

// Guesses the target from the traces of XLA's backend in a module: tiles in
// layouts, backend configs, custom calls and names of fusions. Looks at no more
// than the first 5,000 instructions of the entry computation, or of the last
// one if no computation is marked ENTRY. Returns kNone in doubt.
HloTarget GuessTarget(HloModule module);
// Returns the common target of all modules of a dump whose target can be
// guessed; kNone if they differ.
HloTarget GuessTarget(const HloDump& dump);

// Returns the names of memory spaces on that target (layout/memory_space.h);
// for kNone, the names that are valid on all targets.
const MemorySpaceNames& MemorySpaceNamesOf(HloTarget target);

}  // namespace tessera

#endif  // TESSERA_HLO_HLO_TARGET_H_
