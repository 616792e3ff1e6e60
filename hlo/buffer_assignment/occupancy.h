// Finds the bytes of an allocation that are in use over time, and its holes.
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
//   const Occupancy occupancy = FindOccupancy(assignment, 0);
//   occupancy.most_used_bytes;   // 512: the rest is lost to fragmentation
//   occupancy.used[0].step;      // 3: from here to the next entry ...
//   occupancy.used[0].bytes;     // 512: ... so many bytes are in use
//   FindHoles(assignment, 0, 3)[1].offset;   // 640
//   FindHoles(assignment, 0, 3)[1].bytes;    // 8
//
// Values that overlap at the same time, which XLA allows, count once.

#ifndef TESSERA_HLO_BUFFER_ASSIGNMENT_OCCUPANCY_H_
#define TESSERA_HLO_BUFFER_ASSIGNMENT_OCCUPANCY_H_

#include <cstdint>
#include <vector>

#include "tessera/hlo/buffer_assignment/buffer_assignment.h"

namespace tessera {

struct Occupancy {
  struct Used {
    int64_t step = 0;
    int64_t bytes = 0;
  };
  // One entry for each step at which something changes, in order.
  std::vector<Used> used;
  int64_t most_used_bytes = 0;
  // The first step with that use; 0 if no live ranges are known.
  int64_t most_used_step = 0;
};

// Returns the use of an allocation. A value without a live range counts as live
// for the whole run. Takes O(n log n) time for n tenants. Precondition: 0 <=
// allocation < assignment.allocations.size().
Occupancy FindOccupancy(const BufferAssignment& assignment, int64_t allocation);

// A part of an allocation without a value.
struct Hole {
  int64_t offset = 0;
  int64_t bytes = 0;
};

// Returns the holes at this step, from the lowest offset. Preconditions: as
// above.
std::vector<Hole> FindHoles(const BufferAssignment& assignment,
                            int64_t allocation, int64_t step);

}  // namespace tessera

#endif  // TESSERA_HLO_BUFFER_ASSIGNMENT_OCCUPANCY_H_
