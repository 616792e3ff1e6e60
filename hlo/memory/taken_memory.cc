#include "tessera/hlo/memory/taken_memory.h"

#include "tessera/hlo/allocations/assigned_memory.h"
#include "tessera/math/status_macros.h"

namespace tessera {

TakenSpace TakenMemory::Of(int64_t memory_space) const {
  const auto found = by_memory_space.find(memory_space);
  if (found != by_memory_space.end()) return found->second;
  TakenSpace nothing;
  if (is_assigned) nothing.assigned_bytes = 0;
  return nothing;
}

TakenChange CompareTaken(const TakenSpace& before, const TakenSpace& after) {
  if (before.is_assigned() && after.is_assigned()) {
    return {*before.assigned_bytes, *after.assigned_bytes, true};
  }
  return {before.reserved_bytes, after.reserved_bytes, false};
}

const BufferAssignment* AssignmentThatCounts(const BufferAssignment* assignment,
                                             HloModule module,
                                             const ScheduleOptions& schedule) {
  if (assignment == nullptr || !assignment->has_all_allocations) return nullptr;
  const absl::optional<HloComputation> entry = module.entry_computation();
  const bool is_of_entry =
      schedule.computation.empty() ||
      (entry.has_value() && entry->name() == schedule.computation);
  return is_of_entry ? assignment : nullptr;
}

absl::StatusOr<TakenMemory> FindTakenMemory(
    const HloDump& dump, HloModule module, const BufferAssignment* assignment,
    const ReservedMemoryOptions& options) {
  TESSERA_ASSIGN_OR_RETURN(const ReservedMemory reserved,
                           ComputeReservedMemory(dump, module, options));
  assignment = AssignmentThatCounts(assignment, module, options.schedule);
  TakenMemory taken;
  taken.is_assigned = assignment != nullptr;
  for (const auto& [number, space] : reserved.by_memory_space) {
    TakenSpace filled = taken.Of(number);
    filled.reserved_bytes = space.reserved_bytes();
    taken.by_memory_space.emplace(number, filled);
  }
  if (assignment == nullptr) return taken;
  for (const auto& [number, space] : FindAssignedMemory(*assignment)) {
    taken.by_memory_space[number].assigned_bytes = space.assigned_bytes;
  }
  return taken;
}

}  // namespace tessera
