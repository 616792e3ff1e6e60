// The memory that XLA assigned to a program, by memory space and purpose.
//
//   BufferAssignment assignment;
//   assignment.allocations.resize(2);
//   assignment.allocations[0].kind = BufferAssignment::Kind::kParameter;
//   assignment.allocations[0].bytes = 1024;
//   assignment.allocations[1].bytes = 648;
//   const std::map<int64_t, AssignedSpace> spaces =
//       FindAssignedMemory(assignment);
//   spaces.at(0).parameter_bytes;         // 1024
//   spaces.at(0).temporary_bytes;         // 648
//   spaces.at(0).assigned_bytes;          // 1672: XLA's "Total bytes used",
//                                         // without thread-local memory
//   spaces.at(0).fragmentation_bytes();   // 648: no value uses it
//
// The parts are those of hlo/memory/reserved_memory.h, which computes them from
// the module alone.

#ifndef TESSERA_HLO_BUFFER_ASSIGNMENT_ASSIGNED_MEMORY_H_
#define TESSERA_HLO_BUFFER_ASSIGNMENT_ASSIGNED_MEMORY_H_

#include <cstdint>
#include <map>

#include "tessera/hlo/buffer_assignment/buffer_assignment.h"

namespace tessera {

// Bytes, including padding. Sums that exceed int64_t stay at its largest value.
struct AssignedSpace {
  int64_t allocation_count = 0;  // except thread-local ones
  int64_t parameter_bytes = 0;
  int64_t constant_bytes = 0;
  // Results that do not share the memory of a parameter.
  int64_t output_bytes = 0;
  int64_t temporary_bytes = 0;
  // The sum of the peak uses of all allocations of temporaries. Values without
  // a live range count as live for the whole run.
  int64_t temporary_peak_bytes = 0;
  // Bytes that are not in device memory. No other number includes them.
  int64_t thread_local_bytes = 0;
  // The sum of all parts except thread-local memory.
  int64_t assigned_bytes = 0;
  // Whether a sum exceeded int64_t.
  bool is_saturated = false;

  // The part of temporary_bytes that no value uses, even at the peaks.
  int64_t fragmentation_bytes() const {
    return temporary_bytes - temporary_peak_bytes;
  }
};

// Returns the memory in each memory space, by its number: the color of the
// allocations. XLA's names for colors (xla/service/buffer_assignment.cc,
// `GetMemorySpaceName`) differ from those of the memory spaces of layouts in
// hlo/hlo_target.h: the host is color 4 in the former and memory space 5 in the
// latter.
std::map<int64_t, AssignedSpace> FindAssignedMemory(
    const BufferAssignment& assignment);

}  // namespace tessera

#endif  // TESSERA_HLO_BUFFER_ASSIGNMENT_ASSIGNED_MEMORY_H_
