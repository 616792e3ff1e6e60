#include "tessera/hlo/buffer_assignment/assigned_memory.h"

#include <cstddef>

#include "tessera/base/math/saturating_sum.h"
#include "tessera/hlo/buffer_assignment/occupancy.h"

namespace tessera {

std::map<int64_t, AssignedSpace> FindAssignedMemory(
    const BufferAssignment& assignment) {
  using Kind = BufferAssignment::Kind;
  // In the order of the enumerators of Kind.
  constexpr int64_t AssignedSpace::*kParts[] = {
      &AssignedSpace::thread_local_bytes, &AssignedSpace::parameter_bytes,
      &AssignedSpace::constant_bytes, &AssignedSpace::output_bytes,
      &AssignedSpace::temporary_bytes};
  std::map<int64_t, AssignedSpace> spaces;
  for (size_t i = 0; i < assignment.allocations.size(); ++i) {
    const BufferAssignment::Allocation& allocation = assignment.allocations[i];
    AssignedSpace& space = spaces[allocation.memory_space];
    const auto add = [&](int64_t bytes, int64_t* sum) {
      SaturatingAdd(bytes, sum, &space.is_saturated);
    };
    add(allocation.bytes,
        &(space.*kParts[static_cast<size_t>(allocation.kind)]));
    if (allocation.kind != Kind::kThreadLocal) {
      ++space.allocation_count;
      add(allocation.bytes, &space.assigned_bytes);
    }
    if (allocation.kind == Kind::kTemporary) {
      add(FindOccupancy(assignment, i).most_used_bytes,
          &space.temporary_peak_bytes);
    }
  }
  return spaces;
}

}  // namespace tessera
