// Packs blocks of memory that are needed at different times into a heap.
//
//   std::vector<HeapBlock> blocks = {{100, 0, 5}, {50, 6, 9}};
//   HeapPacking packing = PackHeap(blocks, /*alignment=*/16, pair_limit,
//                                  &check, &gives_up);
//   packing.bytes;       // 100
//   packing.offsets[1];  // 0: the first is gone by then
//
// Follows GlobalDecreasingSizeBestFitHeap of xla/service/heap_simulator: it
// tries both orders, and returns the smaller heap.

#ifndef TESSERA_HLO_BUFFER_ASSIGNMENT_HEAP_PACKING_H_
#define TESSERA_HLO_BUFFER_ASSIGNMENT_HEAP_PACKING_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "tessera/hlo/dataflow/work_check.h"

namespace tessera {
namespace hlo_internal {

struct HeapBlock {
  int64_t bytes = 0;
  // The first and last time at which it is needed, both included.
  int64_t first = 0;
  int64_t last = 0;
  // The earlier block whose place this one shares; -1 if it has its own place.
  int64_t host = -1;
  // Among blocks that are equal in everything else, the one with the lowest
  // number is placed first.
  int64_t number = 0;
};

struct HeapPacking {
  std::vector<int64_t> offsets;  // by block
  int64_t bytes = 0;
};

// Returns the packing of the blocks. Takes time that grows with the number of
// pairs of blocks that are needed at the same time. If there are more than
// `pair_limit` pairs, sets `*gives_up` and returns an empty packing. The
// packing is incomplete if `check` ends the work.
HeapPacking PackHeap(absl::Span<const HeapBlock> blocks, int64_t alignment,
                     int64_t pair_limit, WorkCheck* check, bool* gives_up);

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_BUFFER_ASSIGNMENT_HEAP_PACKING_H_
