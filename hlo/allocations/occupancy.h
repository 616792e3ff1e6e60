// File: hlo/allocations/occupancy.h
//
// How much of an allocation is in use, when, and where are the holes?
//
//   Occupancy occupancy = FindOccupancy(assignment, /*allocation=*/8);
//   occupancy.most_used_bytes;   // the allocation's bytes less this: lost to
//                                // fragmentation
//   occupancy.used[0].step;      // from here to the next entry ...
//   occupancy.used[0].bytes;     // ... so many bytes are in use
//   FindHoles(assignment, 8, occupancy.most_used_step);   // {offset, bytes}
//
// Values that lie over one another at one time, as XLA lets them, count once.

#ifndef TESSERA_HLO_ALLOCATIONS_OCCUPANCY_H_
#define TESSERA_HLO_ALLOCATIONS_OCCUPANCY_H_

#include <cstdint>
#include <vector>

#include "tessera/hlo/allocations/buffer_assignment.h"

namespace tessera {

struct Occupancy {
  struct Used {
    int64_t step = 0;
    int64_t bytes = 0;
  };
  // One entry for each step at which something changes, in their order.
  std::vector<Used> used;
  int64_t most_used_bytes = 0;
  // The first step of that; 0 where no live ranges are known.
  int64_t most_used_step = 0;
};

// A value without a live range counts as there for the whole run.
// Takes time n log n in the number of tenants.
// Precondition: 0 <= allocation < assignment.allocations.size().
Occupancy FindOccupancy(const BufferAssignment& assignment, int64_t allocation);

// A part of an allocation where no value lies.
struct Hole {
  int64_t offset = 0;
  int64_t bytes = 0;
};

// Those at this step, from the lowest offset on. Preconditions as above.
std::vector<Hole> FindHoles(const BufferAssignment& assignment,
                            int64_t allocation, int64_t step);

}  // namespace tessera

#endif  // TESSERA_HLO_ALLOCATIONS_OCCUPANCY_H_
