#include "tessera/hlo/buffer_assignment/assigned_memory.h"

#include <cstdint>
#include <map>

#include "tessera/base/math/saturating_sum.h"
#include "tessera/hlo/buffer_assignment/occupancy.h"

namespace tessera {

std::map<int64_t, AssignedSpace> FindAssignedMemory(
    const BufferAssignment& assignment) {
  std::map<int64_t, AssignedSpace> spaces;
  for (size_t i = 0; i < assignment.allocations.size(); ++i) {
    const BufferAssignment::Allocation& allocation = assignment.allocations[i];
    AssignedSpace& space = spaces[allocation.memory_space];
    ++space.allocation_count;
    const auto add = [&](int64_t bytes, int64_t* sum) {
      SaturatingAdd(bytes, sum, &space.is_saturated);
    };
    if (allocation.kind != BufferAssignment::Kind::kThreadLocal) {
      add(allocation.bytes, &space.assigned_bytes);
    }
    switch (allocation.kind) {
      case BufferAssignment::Kind::kThreadLocal:
        add(allocation.bytes, &space.thread_local_bytes);
        break;
      case BufferAssignment::Kind::kParameter:
        add(allocation.bytes, &space.parameter_bytes);
        break;
      case BufferAssignment::Kind::kConstant:
        add(allocation.bytes, &space.constant_bytes);
        break;
      case BufferAssignment::Kind::kOutput:
        add(allocation.bytes, &space.output_bytes);
        break;
      case BufferAssignment::Kind::kTemporary:
        add(allocation.bytes, &space.temporary_bytes);
        add(FindOccupancy(assignment, i).most_used_bytes,
            &space.temporary_peak_bytes);
        break;
    }
  }
  return spaces;
}

}  // namespace tessera
