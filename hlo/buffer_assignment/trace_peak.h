// Computes the bytes that XLA counts as live at once in the trace of a heap
// simulator.
//
//   TracePeak trace;
//   trace.Allocate(/*value=*/7, /*bytes=*/512);
//   trace.Share(/*value=*/8, /*first=*/7, /*bytes=*/512);  // lies over 7
//   trace.Free(7);
//   trace.Allocate(9, 100);
//   trace.peak_bytes();   // 612: 8 is still there
//
// The events are those of HeapSimulatorTrace (xla/service/hlo.proto). The sums
// are part of `peak_memory_in_bytes`: values that share a place count once. If
// a value is freed more often than it was allocated, each free subtracts it.
// XLA writes such traces, because it frees the values that a conditional uses
// once for each branch.

#ifndef TESSERA_HLO_BUFFER_ASSIGNMENT_TRACE_PEAK_H_
#define TESSERA_HLO_BUFFER_ASSIGNMENT_TRACE_PEAK_H_

#include <algorithm>
#include <cstdint>
#include <limits>

#include "absl/container/flat_hash_map.h"
#include "absl/numeric/int128.h"

namespace tessera {
namespace hlo_internal {

class TracePeak {
 public:
  void Allocate(int64_t value, int64_t bytes) {
    sharers_[value] = 0;
    Share(value, value, bytes);
  }

  // Adds `value` at the place of `first`.
  void Share(int64_t value, int64_t first, int64_t bytes) {
    values_[value] = {first, bytes};
    if (++sharers_[first] > 1) return;
    live_ += bytes;
    peak_ = std::max(peak_, live_);
  }

  void Free(int64_t value) {
    const auto freed = values_.find(value);
    if (freed == values_.end()) return;
    if (--sharers_[freed->second.first] <= 0) live_ -= freed->second.bytes;
  }

  // Returns at most 2^63-1.
  int64_t peak_bytes() const {
    constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
    return static_cast<int64_t>(std::min(peak_, absl::int128(kMost)));
  }

 private:
  struct Value {
    int64_t first = 0;
    int64_t bytes = 0;
  };

  absl::flat_hash_map<int64_t, Value> values_;
  absl::flat_hash_map<int64_t, int64_t> sharers_;  // by `first`
  // 128 bits, because a file may have any sizes and any number of frees.
  absl::int128 live_ = 0;
  absl::int128 peak_ = 0;
};

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_BUFFER_ASSIGNMENT_TRACE_PEAK_H_
