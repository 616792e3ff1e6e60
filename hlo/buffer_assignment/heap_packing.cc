#include "tessera/hlo/buffer_assignment/heap_packing.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "tessera/base/math/checked_arithmetic.h"

namespace tessera {
namespace hlo_internal {
namespace {

// Blocks that have a place, by the time when they are needed.
class PlacedBlocks {
 public:
  explicit PlacedBlocks(int64_t end_time) {
    while (leaf_count_ < end_time) leaf_count_ *= 2;
    covering_.resize(2 * leaf_count_);
  }

  void Add(int64_t first, int64_t last, int64_t offset, int64_t end) {
    by_first_.emplace(first, std::make_pair(offset, end));
    int64_t low = first + leaf_count_;
    int64_t high = last + 1 + leaf_count_;
    for (; low < high; low /= 2, high /= 2) {
      if (low % 2 == 1) covering_[low++].emplace_back(offset, end);
      if (high % 2 == 1) covering_[--high].emplace_back(offset, end);
    }
  }

  void Find(int64_t first, int64_t last,
            std::vector<std::pair<int64_t, int64_t>>* taken) const {
    for (int64_t node = first + leaf_count_; node > 0; node /= 2) {
      taken->insert(taken->end(), covering_[node].begin(),
                    covering_[node].end());
    }
    const auto end = by_first_.upper_bound(last);
    for (auto i = by_first_.upper_bound(first); i != end; ++i) {
      taken->push_back(i->second);
    }
  }

 private:
  int64_t leaf_count_ = 1;
  // A segment tree over time.
  std::vector<std::vector<std::pair<int64_t, int64_t>>> covering_;
  std::multimap<int64_t, std::pair<int64_t, int64_t>> by_first_;
};

// A block with a place of its own, and those that lie in it.
struct Group {
  int64_t block = 0;
  std::vector<int64_t> blocks;
  // When any of them is needed, in order and apart from one another.
  std::vector<std::pair<int64_t, int64_t>> times;
  int64_t bytes = 0;     // of the largest
  int64_t duration = 0;  // until the last of them ends
};

class HeapPacker {
 public:
  HeapPacker(absl::Span<const HeapBlock> blocks, int64_t alignment,
             int64_t pair_limit, WorkCheck* check)
      : blocks_(blocks),
        alignment_(alignment),
        pairs_left_(pair_limit),
        check_(*check) {
    for (const HeapBlock& block : blocks) {
      end_time_ = std::max(end_time_, block.last + 1);
    }
    MakeGroups();
  }

  HeapPacking Pack(bool* gives_up) && {
    std::stable_sort(groups_.begin(), groups_.end(),
                     [this](const Group& a, const Group& b) {
                       return SpatialKey(a) < SpatialKey(b);
                     });
    constexpr int64_t kNoLimit = std::numeric_limits<int64_t>::max();
    HeapPacking spatial = PackInOrder(kNoLimit);
    std::stable_sort(groups_.begin(), groups_.end(),
                     [this](const Group& a, const Group& b) {
                       return TemporalKey(a) < TemporalKey(b);
                     });
    HeapPacking temporal = PackInOrder(spatial.bytes);
    *gives_up = pairs_left_ < 0;
    if (*gives_up) return HeapPacking();
    return temporal.bytes < spatial.bytes ? temporal : spatial;
  }

 private:
  std::tuple<int64_t, int64_t, int64_t> SpatialKey(const Group& group) const {
    const HeapBlock& block = blocks_[group.block];
    return {-block.bytes, block.first - block.last, block.number};
  }
  std::tuple<int64_t, int64_t, int64_t> TemporalKey(const Group& group) const {
    const HeapBlock& block = blocks_[group.block];
    return {-group.duration, -block.bytes, block.number};
  }

  void MakeGroups() {
    std::vector<int64_t> group_of(blocks_.size());
    for (size_t i = 0; i < blocks_.size(); ++i) {
      if (blocks_[i].host >= 0) {
        group_of[i] = group_of[blocks_[i].host];
      } else {
        group_of[i] = groups_.size();
        groups_.emplace_back();
        groups_.back().block = i;
      }
      Group& group = groups_[group_of[i]];
      group.blocks.push_back(i);
      group.bytes = std::max(group.bytes, blocks_[i].bytes);
      group.duration = std::max(group.duration,
                                blocks_[i].last - blocks_[group.block].first);
    }
    for (Group& group : groups_) FindTimes(&group);
  }

  void FindTimes(Group* group) const {
    std::vector<std::pair<int64_t, int64_t>> times;
    for (const int64_t block : group->blocks) {
      times.emplace_back(blocks_[block].first, blocks_[block].last);
    }
    std::sort(times.begin(), times.end());
    for (const auto& [first, last] : times) {
      if (!group->times.empty() && first <= group->times.back().second + 1) {
        group->times.back().second = std::max(group->times.back().second, last);
      } else {
        group->times.emplace_back(first, last);
      }
    }
  }

  // Stops, with a packing that is not whole, where that takes `limit` bytes.
  HeapPacking PackInOrder(int64_t limit) {
    HeapPacking packing;
    packing.offsets.resize(blocks_.size());
    PlacedBlocks placed(end_time_);
    std::vector<std::pair<int64_t, int64_t>> taken;
    for (const Group& group : groups_) {
      taken.clear();
      for (const auto& [first, last] : group.times) {
        placed.Find(first, last, &taken);
      }
      pairs_left_ -= taken.size();
      if (pairs_left_ < 0 || !check_.GoesOn(1 + taken.size())) break;
      const int64_t offset = FindPlace(group.bytes, &taken);
      for (const int64_t block : group.blocks) packing.offsets[block] = offset;
      for (const auto& [first, last] : group.times) {
        placed.Add(first, last, offset, offset + group.bytes);
      }
      packing.bytes = std::max(packing.bytes, offset + group.bytes);
      if (packing.bytes >= limit) break;
    }
    return packing;
  }

  // The smallest gap that holds so many bytes, of equal ones the lowest; else
  // past all that is taken.
  int64_t FindPlace(int64_t bytes,
                    std::vector<std::pair<int64_t, int64_t>>* taken) const {
    std::sort(taken->begin(), taken->end());
    int64_t best = -1;
    int64_t best_size = 0;
    int64_t from = 0;
    for (const auto& [offset, end] : *taken) {
      const int64_t size = offset - from;
      if (size >= bytes && (best < 0 || size < best_size)) {
        best = from;
        best_size = size;
      }
      from = std::max(from, RoundUp(end, alignment_));
    }
    return best < 0 ? from : best;
  }

  const absl::Span<const HeapBlock> blocks_;
  const int64_t alignment_;
  int64_t pairs_left_;
  WorkCheck& check_;
  int64_t end_time_ = 1;
  std::vector<Group> groups_;
};

}  // namespace

HeapPacking PackHeap(absl::Span<const HeapBlock> blocks, int64_t alignment,
                     int64_t pair_limit, WorkCheck* check, bool* gives_up) {
  return HeapPacker(blocks, alignment, pair_limit, check).Pack(gives_up);
}

}  // namespace hlo_internal
}  // namespace tessera
