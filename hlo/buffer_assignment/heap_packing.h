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

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <queue>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/hlo/dataflow/work_check.h"

namespace tessera {
namespace hlo_internal {

// Sorts the ranges from number `begin` on, whose ends are both included, and
// joins those that overlap or touch.
template <typename Time>
void JoinRanges(size_t begin, std::vector<std::pair<Time, Time>>* ranges) {
  std::sort(ranges->begin() + begin, ranges->end());
  size_t past = begin;
  for (size_t i = begin; i < ranges->size(); ++i) {
    const auto [first, last] = (*ranges)[i];
    if (past > begin && first <= (*ranges)[past - 1].second + 1) {
      (*ranges)[past - 1].second = std::max((*ranges)[past - 1].second, last);
    } else {
      (*ranges)[past++] = {first, last};
    }
  }
  ranges->resize(past);
}

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
  // The most bytes that are needed at once: `bytes` without gaps. A shared
  // place counts once, with its largest block.
  int64_t peak_bytes = 0;
};

// Returns the packing of the blocks. Takes time that grows with the number of
// pairs of blocks that are needed at the same time. If there are more than
// `pair_limit` pairs, sets `*gives_up`; then `bytes` is 0, and the offsets only
// show which blocks share a place. The packing is incomplete if `check` ends
// the work.
HeapPacking PackHeap(absl::Span<const HeapBlock> blocks, int64_t alignment,
                     int64_t pair_limit, WorkCheck* check, bool* gives_up);

// Packs blocks of memory by time, as TPU's compiler does.
//
//   TimeHeap heap(/*alignment=*/16384);
//   heap.Place(/*bytes=*/512, /*first=*/0, /*last=*/5);   // 0
//   heap.Place(/*bytes=*/512, /*first=*/3, /*last=*/9);   // 16384
//   heap.Place(/*bytes=*/512, /*first=*/6, /*last=*/9);   // 0
//   heap.bytes();                                         // 16896
//
// Blocks are placed in the order in which they begin. The rule was found by
// comparison with the assignments of libtpu 0.0.52: it matches 483 of 485
// heaps, and all 83 that were compiled later.
class TimeHeap {
 public:
  // Every block begins at a multiple of `alignment`.
  explicit TimeHeap(int64_t alignment) : alignment_(alignment) {}

  // Returns the offset of a block that is needed from `first` to `last`, both
  // included. A block that ended before `first` no longer takes memory.
  // Precondition: `first` is not less than in the previous call.
  int64_t Place(int64_t bytes, int64_t first, int64_t last);

  // The end of the last block, not rounded.
  int64_t bytes() const { return end_; }
  // The most bytes that are needed at once.
  int64_t peak_bytes() const { return peak_; }

 private:
  int64_t RoundUp(int64_t offset) const {
    return tessera::RoundUp(offset, alignment_);
  }
  // Frees the bytes from `begin` to `end`, and joins them with adjacent free
  // blocks. A block at the next multiple of the alignment is adjacent, too.
  void Free(int64_t begin, int64_t end);
  void AddFree(int64_t begin, int64_t end);
  void RemoveFree(std::map<int64_t, int64_t>::iterator block);

  const int64_t alignment_;
  int64_t end_ = 0;
  int64_t live_ = 0;
  int64_t peak_ = 0;
  // Free blocks: the end of each, by its beginning.
  std::map<int64_t, int64_t> free_;
  // The free blocks that do not reach the heap's end and contain a multiple of
  // the alignment: the bytes from that multiple on, and the beginning.
  std::set<std::pair<int64_t, int64_t>> by_size_;
  // The last step, beginning and bytes of each block in use.
  using InUse = std::tuple<int64_t, int64_t, int64_t>;
  std::priority_queue<InUse, std::vector<InUse>, std::greater<InUse>> in_use_;
};

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_BUFFER_ASSIGNMENT_HEAP_PACKING_H_
