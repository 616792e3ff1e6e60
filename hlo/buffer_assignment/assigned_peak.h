// File: hlo/buffer_assignment/assigned_peak.h
//
// When is most of an assignment in use, and what lies there then? Without the
// module, from what XLA wrote about its buffer assignment alone.
//
//   // 512 bytes at offset 128 of 648, at steps 3 to 5.
//   BufferAssignment assignment;
//   assignment.values.resize(1);
//   assignment.values[0].first = 3;
//   assignment.values[0].last = 5;
//   assignment.tenants = {{0, 128, 512}};
//   assignment.allocations.resize(1);
//   assignment.allocations[0].bytes = 648;
//   assignment.allocations[0].tenant_count = 1;
//   assignment.steps.assign(6, "");
//   const std::map<int64_t, AssignedPeak> peaks = FindAssignedPeaks(assignment);
//   peaks.at(0).bytes;                 // 512
//   peaks.at(0).step;                  // 3
//   PlacesAt(assignment, 0, 3).size();  // 1
//
// hlo/memory/module_analysis.h answers the same for a module, which says more.

#ifndef TESSERA_HLO_BUFFER_ASSIGNMENT_ASSIGNED_PEAK_H_
#define TESSERA_HLO_BUFFER_ASSIGNMENT_ASSIGNED_PEAK_H_

#include <cstdint>
#include <map>
#include <vector>

#include "absl/types/optional.h"
#include "tessera/hlo/buffer_assignment/buffer_assignment.h"

namespace tessera {

struct AssignedPeak {
  // The most that is in use at one step; a value without a live range counts as
  // there all the time.
  int64_t bytes = 0;
  // The first step at which it is reached, in BufferAssignment::steps.
  int64_t step = 0;
};

// By memory space, what is thread-local left out; empty where no live ranges
// were written, and where a sum exceeds 2^63-1.
std::map<int64_t, AssignedPeak> FindAssignedPeaks(
    const BufferAssignment& assignment);

// A value in its allocation.
struct ValuePlace {
  int64_t allocation = 0;  // in BufferAssignment::allocations
  int64_t tenant = 0;      // in BufferAssignment::tenants
};

// Returns where the values of a memory space lie that are there at `step`, the
// largest first, what is thread-local left out; without a step, where all of
// them lie. Takes time n log n in their number.
std::vector<ValuePlace> PlacesAt(const BufferAssignment& assignment,
                                 int64_t memory_space,
                                 absl::optional<int64_t> step);

}  // namespace tessera

#endif  // TESSERA_HLO_BUFFER_ASSIGNMENT_ASSIGNED_PEAK_H_
