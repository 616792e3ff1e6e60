#include "tessera/hlo/memory/reserved_memory.h"

#include <cstdint>
#include <map>
#include <memory>

#include "absl/status/statusor.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/memory/array_table.h"
#include "tessera/hlo/memory/assignment/buffer_assigner.h"
#include "tessera/hlo/memory/assignment/module_assignment.h"
#include "tessera/hlo/memory/assignment/program_values.h"
#include "tessera/math/status_macros.h"

namespace tessera {
namespace {

using hlo_internal::AssignedBuffers;
using hlo_internal::BufferAssigner;
using hlo_internal::ModuleAssignment;
using hlo_internal::ProgramValues;

void AddFixed(const AssignedBuffers::Allocation& allocation,
              SpaceReservation* space) {
  switch (allocation.kind) {
    case AssignedBuffers::Kind::kParameter:
      space->parameter_bytes += allocation.bytes;
      break;
    case AssignedBuffers::Kind::kConstant:
      space->constant_bytes += allocation.bytes;
      break;
    case AssignedBuffers::Kind::kOutput:
      space->output_bytes += allocation.bytes;
      break;
    case AssignedBuffers::Kind::kTuple:
      // Those of temporaries are a part of the heap.
      if (allocation.lives_out) space->output_bytes += allocation.bytes;
      break;
    case AssignedBuffers::Kind::kHeap:
      break;
  }
}

std::map<int64_t, SpaceReservation> BySpace(const AssignedBuffers& buffers) {
  std::map<int64_t, SpaceReservation> by_space;
  for (const AssignedBuffers::Allocation& allocation : buffers.allocations) {
    AddFixed(allocation, &by_space[allocation.memory_space]);
  }
  for (const auto& [memory_space, heap] : buffers.temporaries) {
    SpaceReservation& space = by_space[memory_space];
    space.temporary_bytes = heap.bytes;
    space.temporary_peak_bytes = heap.peak_bytes;
    space.is_without_fragmentation = heap.is_not_packed;
  }
  return by_space;
}

bool HasPadding(const ArrayTable& arrays) {
  for (int64_t i = 0; i < arrays.array_count(); ++i) {
    const ArrayTable::Array& array = arrays.array(i);
    if (array.sizes.has_value() &&
        array.sizes->padded_bytes != array.sizes->unpadded_bytes) {
      return true;
    }
  }
  return false;
}

}  // namespace

absl::StatusOr<ReservedMemory> ComputeReservedMemory(
    const HloDump& dump, HloModule module,
    const ReservedMemoryOptions& options) {
  TESSERA_ASSIGN_OR_RETURN(const std::unique_ptr<ModuleAssignment> assignment,
                           hlo_internal::AssignModule(
                               dump, module, options.schedule, options.target));
  ProgramValues& program = assignment->program;
  ReservedMemory reserved{BySpace(assignment->buffers)};
  for (const auto& [memory_space, bytes] : program.thread_local_bytes) {
    reserved.by_memory_space[memory_space].thread_local_bytes = bytes;
  }
  if (!HasPadding(assignment->arrays)) {
    for (auto& [memory_space, space] : reserved.by_memory_space) {
      space.reserved_unpadded_bytes = space.reserved_bytes();
    }
    return reserved;
  }
  hlo_internal::RemovePadding(&program);
  for (const auto& [memory_space, space] :
       BySpace(BufferAssigner(&program, assignment->rules).Assign())) {
    reserved.by_memory_space[memory_space].reserved_unpadded_bytes =
        space.reserved_bytes();
  }
  return reserved;
}

}  // namespace tessera
