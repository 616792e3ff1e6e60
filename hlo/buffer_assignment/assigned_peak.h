// Finds the peak use of a buffer assignment and the values that are live then,
// from XLA's assignment alone. The module is not needed.
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
// hlo/memory/module_analysis.h computes the same from a module, which has more
// information.

#ifndef TESSERA_HLO_BUFFER_ASSIGNMENT_ASSIGNED_PEAK_H_
#define TESSERA_HLO_BUFFER_ASSIGNMENT_ASSIGNED_PEAK_H_

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "tessera/hlo/buffer_assignment/buffer_assignment.h"

namespace tessera {

struct AssignedPeak {
  // The most bytes in use at one step; a value without a live range counts as
  // always live.
  int64_t bytes = 0;
  // The first step at which it is reached, in BufferAssignment::steps.
  int64_t step = 0;
};

// Returns the peaks by memory space, without thread-local memory; empty if no
// live ranges were written, or if a sum exceeds 2^63-1.
std::map<int64_t, AssignedPeak> FindAssignedPeaks(
    const BufferAssignment& assignment);

// Returns the bytes in use at each step, with the same rules.
std::map<int64_t, std::vector<int64_t>> FindAssignedUse(
    const BufferAssignment& assignment);

// A value in its allocation.
struct ValuePlace {
  int64_t allocation = 0;  // in BufferAssignment::allocations
  int64_t tenant = 0;      // in BufferAssignment::tenants
};

// Returns the places of the values of a memory space that are live at `step`,
// largest first, without thread-local memory; without a step, the places of all
// values. Takes time n log n in their number.
std::vector<ValuePlace> PlacesAt(const BufferAssignment& assignment,
                                 int64_t memory_space,
                                 std::optional<int64_t> step);

}  // namespace tessera

#endif  // TESSERA_HLO_BUFFER_ASSIGNMENT_ASSIGNED_PEAK_H_
