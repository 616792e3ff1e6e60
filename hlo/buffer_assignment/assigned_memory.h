// File: hlo/buffer_assignment/assigned_memory.h
//
// How much memory did XLA give to a program, in each memory space and for what?
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
//                                         // without what is thread-local
//   spaces.at(0).fragmentation_bytes();   // 648: no value lies there
//
// The same parts as those of hlo/memory/reserved_memory.h, which works them out
// from the module alone.

#ifndef TESSERA_HLO_BUFFER_ASSIGNMENT_ASSIGNED_MEMORY_H_
#define TESSERA_HLO_BUFFER_ASSIGNMENT_ASSIGNED_MEMORY_H_

#include <cstdint>
#include <map>

#include "tessera/hlo/buffer_assignment/buffer_assignment.h"

namespace tessera {

// Bytes, padding included. Sums that pass int64_t stay at its greatest value.
struct AssignedSpace {
  int64_t allocation_count = 0;  // thread-local ones among them
  int64_t parameter_bytes = 0;
  int64_t constant_bytes = 0;
  // Results that lie in no parameter.
  int64_t output_bytes = 0;
  int64_t temporary_bytes = 0;
  // The most that is in use at once of each allocation of temporaries, added
  // up; values without a live range count as there for the whole run.
  int64_t temporary_peak_bytes = 0;
  // In no device memory, and in no other number.
  int64_t thread_local_bytes = 0;
  // All of these but what is thread-local.
  int64_t assigned_bytes = 0;
  // Whether a sum passed int64_t.
  bool is_saturated = false;

  int64_t fragmentation_bytes() const {
    return temporary_bytes - temporary_peak_bytes;
  }
};

// By memory space: the color of the allocations. XLA's own names for colors
// (xla/service/buffer_assignment.cc, `GetMemorySpaceName`) are not those of the
// memory spaces of layouts, which hlo/hlo_target.h has: the host is color 4
// there and memory space 5 here.
std::map<int64_t, AssignedSpace> FindAssignedMemory(
    const BufferAssignment& assignment);

}  // namespace tessera

#endif  // TESSERA_HLO_BUFFER_ASSIGNMENT_ASSIGNED_MEMORY_H_
