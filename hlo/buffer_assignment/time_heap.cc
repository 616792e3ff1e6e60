#include "tessera/hlo/buffer_assignment/time_heap.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>

namespace tessera {
namespace hlo_internal {

void TimeHeap::AddFree(int64_t begin, int64_t end) {
  free_.emplace(begin, end);
  const int64_t from = RoundUp(begin);
  if (end < end_ && from < end) by_size_.emplace(end - from, begin);
}

void TimeHeap::RemoveFree(std::map<int64_t, int64_t>::iterator block) {
  by_size_.erase({block->second - RoundUp(block->first), block->first});
  free_.erase(block);
}

void TimeHeap::Free(int64_t begin, int64_t end) {
  const auto after = free_.lower_bound(end);
  if (after != free_.end() && after->first <= RoundUp(end)) {
    end = after->second;
    RemoveFree(after);
  }
  auto before = free_.lower_bound(begin);
  if (before != free_.begin()) {
    --before;
    if (RoundUp(before->second) >= begin) {
      begin = before->first;
      RemoveFree(before);
    }
  }
  AddFree(begin, end);
}

int64_t TimeHeap::Place(int64_t bytes, int64_t first, int64_t last) {
  while (!in_use_.empty() && std::get<0>(in_use_.top()) < first) {
    const auto [step, begin, size] = in_use_.top();
    in_use_.pop();
    live_ -= size;
    Free(begin, begin + size);
  }
  if (bytes == 0) return 0;
  int64_t offset = RoundUp(end_);
  const auto smallest = by_size_.lower_bound({bytes, 0});
  auto block = free_.end();
  if (smallest != by_size_.end()) {
    block = free_.find(smallest->second);
  } else if (!free_.empty() && std::prev(free_.end())->second == end_) {
    block = std::prev(free_.end());
  }
  if (block != free_.end()) {
    const auto [begin, end] = *block;
    offset = RoundUp(begin);
    RemoveFree(block);
    const int64_t taken_to = offset + bytes;
    end_ = std::max(end_, taken_to);
    // The bytes before it are lost until it ends.
    if (taken_to < end) AddFree(taken_to, end);
  }
  end_ = std::max(end_, offset + bytes);
  in_use_.emplace(last, offset, bytes);
  live_ += bytes;
  peak_ = std::max(peak_, live_);
  return offset;
}

}  // namespace hlo_internal
}  // namespace tessera
