// File: hlo/memory/computed_assignment.h
//
// Where would XLA put every value of a scheduled program?
//
//   #include "tessera/hlo/parse_hlo.h"
//
//   absl::StatusOr<HloDump> dump = ParseHlo(R"(
//       HloModule m, is_scheduled=true
//       ENTRY main {
//         x = f32[256]{0} parameter(0)
//         a = f32[1024]{0} broadcast(x)
//         b = f32[512]{0} slice(a)
//         ROOT c = f32[512]{0} negate(b)
//       })");
//   absl::StatusOr<BufferAssignment> assignment =
//       ComputeBufferAssignment(*dump, dump->modules()[0]);
//   assignment->allocations.size();   // 3: x; c, in whose place b lies; a
//
// What hlo/memory/reserved_memory.h adds up, in the model of XLA's own answer
// (hlo/allocations/buffer_assignment.h), for a module that has none beside it.

#ifndef TESSERA_HLO_MEMORY_COMPUTED_ASSIGNMENT_H_
#define TESSERA_HLO_MEMORY_COMPUTED_ASSIGNMENT_H_

#include "absl/status/statusor.h"
#include "tessera/hlo/allocations/buffer_assignment.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/memory/reserved_memory.h"

namespace tessera {

// Steps are those of the flattened schedule, in which the computations that an
// instruction runs stand before it. All temporaries of a memory space make up
// one allocation; where there are too many to find a place for each, it has no
// tenants. A thread-local allocation has none either. Views lead into the dump.
//
// Errors: those of ComputeReservedMemory.
absl::StatusOr<BufferAssignment> ComputeBufferAssignment(
    const HloDump& dump, HloModule module,
    const ReservedMemoryOptions& options = {});

}  // namespace tessera

#endif  // TESSERA_HLO_MEMORY_COMPUTED_ASSIGNMENT_H_
