// File: hlo/buffer_assignment/trace_peak.h
//
// How many bytes does XLA count as live at once in the trace of a heap
// simulator?
//
//   TracePeak trace;
//   trace.Allocate(/*value=*/7, /*bytes=*/512);
//   trace.Share(/*value=*/8, /*first=*/7, /*bytes=*/512);  // lies over 7
//   trace.Free(7);
//   trace.Allocate(9, 100);
//   trace.peak_bytes();   // 512
//
// The events are those of HeapSimulatorTrace (xla/service/hlo.proto), and the
// sums are what `peak_memory_in_bytes` is made of: values that share a place
// count once. What is freed more often than allocated is taken off each time.

#ifndef TESSERA_HLO_BUFFER_ASSIGNMENT_TRACE_PEAK_H_
#define TESSERA_HLO_BUFFER_ASSIGNMENT_TRACE_PEAK_H_

#include <algorithm>
#include <cstdint>

#include "absl/container/flat_hash_map.h"

namespace tessera {
namespace hlo_internal {

class TracePeak {
 public:
  void Allocate(int64_t value, int64_t bytes) {
    sharers_[value] = 0;
    Share(value, value, bytes);
  }

  // `value` begins where `first` was allocated.
  void Share(int64_t value, int64_t first, int64_t bytes) {
    Taken& taken = taken_[value];
    taken.first = first;
    taken.bytes = ++sharers_[first] == 1 ? bytes : 0;
    live_ += taken.bytes;
    peak_ = std::max(peak_, live_);
  }

  void Free(int64_t value) {
    const auto taken = taken_.find(value);
    if (taken == taken_.end()) return;
    --sharers_[taken->second.first];
    live_ -= taken->second.bytes;
  }

  int64_t peak_bytes() const { return peak_; }

 private:
  struct Taken {
    int64_t first = 0;
    int64_t bytes = 0;
  };

  absl::flat_hash_map<int64_t, Taken> taken_;      // by value
  absl::flat_hash_map<int64_t, int64_t> sharers_;  // by the first
  int64_t live_ = 0;
  int64_t peak_ = 0;
};

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_BUFFER_ASSIGNMENT_TRACE_PEAK_H_
