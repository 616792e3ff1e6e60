#include "tessera/hlo/buffer_assignment/heap_packing.h"

#include <array>
#include <iterator>
#include <limits>

#include "absl/numeric/bits.h"

namespace tessera {
namespace hlo_internal {
namespace {

// A set of times. The search for the next one tests 64 at once.
class TimeSet {
 public:
  explicit TimeSet(int64_t end) {
    do {
      end = end / 64 + 1;
      levels_.emplace_back(end);
    } while (end > 1);
  }

  void Insert(int64_t time) {
    for (std::vector<uint64_t>& level : levels_) {
      level[time / 64] |= uint64_t{1} << time % 64;
      time /= 64;
    }
  }

  // Returns the first time at or after `time`, or the greatest int64_t.
  int64_t Next(int64_t time) const {
    for (size_t i = 0; i < levels_.size(); ++i) {
      const size_t word = time / 64;
      if (word >= levels_[i].size()) break;
      const uint64_t rest = levels_[i][word] >> time % 64;
      if (rest == 0) {
        time = word + 1;
        continue;
      }
      time += absl::countr_zero(rest);
      while (i-- > 0) time = time * 64 + absl::countr_zero(levels_[i][time]);
      return time;
    }
    return std::numeric_limits<int64_t>::max();
  }

 private:
  // Each bit of a level is a word of the previous level.
  std::vector<std::vector<uint64_t>> levels_;
};

// The blocks that have been placed, by the time at which they are needed.
class PlacedBlocks {
 public:
  explicit PlacedBlocks(int64_t end_time)
      : starts_(end_time), starting_(end_time, kNone) {
    while (leaf_count_ < end_time) leaf_count_ *= 2;
    covering_.resize(2 * leaf_count_, kNone);
  }

  void Add(int64_t first, int64_t last, int64_t offset, int64_t end) {
    starts_.Insert(first);
    Push(offset, end, &starting_[first]);
    int64_t low = first + leaf_count_;
    int64_t high = last + 1 + leaf_count_;
    for (; low < high; low /= 2, high /= 2) {
      if (low % 2 == 1) Push(offset, end, &covering_[low++]);
      if (high % 2 == 1) Push(offset, end, &covering_[--high]);
    }
  }

  void Find(int64_t first, int64_t last,
            std::vector<std::pair<int64_t, int64_t>>* taken) const {
    for (int64_t node = first + leaf_count_; node > 0; node /= 2) {
      AppendList(covering_[node], taken);
    }
    for (int64_t start = starts_.Next(first + 1); start <= last;
         start = starts_.Next(start + 1)) {
      AppendList(starting_[start], taken);
    }
  }

 private:
  static constexpr int64_t kNone = -1;

  // A piece of memory in a list.
  struct Piece {
    int64_t offset;
    int64_t end;
    int64_t next;
  };

  void Push(int64_t offset, int64_t end, int64_t* list) {
    pieces_.push_back({offset, end, *list});
    *list = pieces_.size() - 1;
  }
  void AppendList(int64_t piece,
                  std::vector<std::pair<int64_t, int64_t>>* taken) const {
    for (; piece != kNone; piece = pieces_[piece].next) {
      taken->emplace_back(pieces_[piece].offset, pieces_[piece].end);
    }
  }

  int64_t leaf_count_ = 1;
  std::vector<Piece> pieces_;
  // A segment tree over time, by node; and the pieces by their start time.
  std::vector<int64_t> covering_;
  TimeSet starts_;
  std::vector<int64_t> starting_;
};

// A block with its own place, and the blocks that share that place.
struct Group {
  int64_t block = 0;
  int64_t bytes = 0;     // of the largest block
  int64_t duration = 0;  // until the last block ends
  // The start in HeapPacker::blocks_of_groups_ and times_of_groups_, up to that
  // of the next group.
  int64_t first_block = 0;
  int64_t first_time = 0;
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
    constexpr int64_t kNoLimit = std::numeric_limits<int64_t>::max();
    SortBy([this](const Group& group) {
      const HeapBlock& block = blocks_[group.block];
      return Key{-block.bytes, block.first - block.last, block.number};
    });
    HeapPacking spatial = PackInOrder(kNoLimit);
    SortBy([this](const Group& group) {
      const HeapBlock& block = blocks_[group.block];
      return Key{-group.duration, -block.bytes, block.number};
    });
    HeapPacking temporal = PackInOrder(spatial.bytes);
    *gives_up = pairs_left_ < 0;
    HeapPacking packing = *gives_up                        ? OwnPlaces()
                          : temporal.bytes < spatial.bytes ? std::move(temporal)
                                                           : std::move(spatial);
    packing.peak_bytes = PeakBytes();
    return packing;
  }

 private:
  using Key = std::array<int64_t, 3>;

  // Sorts the groups by their keys. Equal ones keep their order.
  template <typename KeyOf>
  void SortBy(KeyOf key_of) {
    for (auto& [key, group] : order_) key = key_of(groups_[group]);
    std::stable_sort(
        order_.begin(), order_.end(),
        [](const auto& a, const auto& b) { return a.first < b.first; });
  }

  void MakeGroups() {
    std::vector<int64_t> group_of(blocks_.size());
    for (size_t i = 0; i < blocks_.size(); ++i) {
      if (blocks_[i].host >= 0) {
        group_of[i] = group_of[blocks_[i].host];
      } else {
        group_of[i] = groups_.size();
        order_.emplace_back(Key(), groups_.size());
        groups_.emplace_back();
        groups_.back().block = i;
      }
      Group& group = groups_[group_of[i]];
      ++group.first_block;
      group.bytes = std::max(group.bytes, blocks_[i].bytes);
      group.duration = std::max(group.duration,
                                blocks_[i].last - blocks_[group.block].first);
    }
    groups_.emplace_back();
    // Turns counts into ends, from which the blocks are filled in backwards.
    int64_t end = 0;
    for (Group& group : groups_) end = group.first_block += end;
    blocks_of_groups_.resize(blocks_.size());
    for (size_t i = blocks_.size(); i-- > 0;) {
      blocks_of_groups_[--groups_[group_of[i]].first_block] = i;
    }
    for (size_t i = 0; i + 1 < groups_.size(); ++i) FindTimes(i);
    groups_.back().first_time = times_of_groups_.size();
  }

  absl::Span<const int64_t> BlocksOf(int64_t group) const {
    const int64_t first = groups_[group].first_block;
    return absl::MakeConstSpan(blocks_of_groups_)
        .subspan(first, groups_[group + 1].first_block - first);
  }
  // Returns the disjoint times at which any of its blocks is needed, in order.
  absl::Span<const std::pair<int64_t, int64_t>> TimesOf(int64_t group) const {
    const int64_t first = groups_[group].first_time;
    return absl::MakeConstSpan(times_of_groups_)
        .subspan(first, groups_[group + 1].first_time - first);
  }

  void FindTimes(int64_t group) {
    const size_t begin = times_of_groups_.size();
    groups_[group].first_time = begin;
    for (const int64_t block : BlocksOf(group)) {
      times_of_groups_.emplace_back(blocks_[block].first, blocks_[block].last);
    }
    JoinRanges(begin, &times_of_groups_);
  }

  // Returns offsets that only show which blocks share a place.
  HeapPacking OwnPlaces() const {
    HeapPacking packing;
    packing.offsets.resize(blocks_.size());
    int64_t end = 0;
    for (size_t group = 0; group + 1 < groups_.size(); ++group) {
      for (const int64_t block : BlocksOf(group)) packing.offsets[block] = end;
      end += groups_[group].bytes;
    }
    return packing;
  }

  int64_t PeakBytes() const {
    // At each time, groups end before others begin.
    std::vector<std::pair<int64_t, int64_t>> changes;
    for (size_t group = 0; group + 1 < groups_.size(); ++group) {
      for (const auto& [first, last] : TimesOf(group)) {
        changes.emplace_back(first, groups_[group].bytes);
        changes.emplace_back(last + 1, -groups_[group].bytes);
      }
    }
    std::sort(changes.begin(), changes.end());
    int64_t live = 0;
    int64_t peak = 0;
    for (const auto& [time, bytes] : changes) {
      live += bytes;
      peak = std::max(peak, live);
    }
    return peak;
  }

  // Stops, with an incomplete packing, if it takes `limit` bytes.
  HeapPacking PackInOrder(int64_t limit) {
    HeapPacking packing;
    packing.offsets.resize(blocks_.size());
    PlacedBlocks placed(end_time_);
    std::vector<std::pair<int64_t, int64_t>> taken;
    for (const auto& [key, number] : order_) {
      const Group& group = groups_[number];
      taken.clear();
      for (const auto& [first, last] : TimesOf(number)) {
        placed.Find(first, last, &taken);
      }
      pairs_left_ -= taken.size();
      if (pairs_left_ < 0 || !check_.GoesOn(1 + taken.size())) break;
      const int64_t offset = FindPlace(group.bytes, &taken);
      for (const int64_t block : BlocksOf(number)) {
        packing.offsets[block] = offset;
      }
      for (const auto& [first, last] : TimesOf(number)) {
        placed.Add(first, last, offset, offset + group.bytes);
      }
      packing.bytes = std::max(packing.bytes, offset + group.bytes);
      if (packing.bytes >= limit) break;
    }
    return packing;
  }

  // Returns the smallest gap that holds so many bytes, the lowest among equal
  // ones; otherwise the end of all taken pieces.
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
  std::vector<Group> groups_;  // and one past the last
  std::vector<std::pair<Key, int64_t>> order_;
  std::vector<int64_t> blocks_of_groups_;
  std::vector<std::pair<int64_t, int64_t>> times_of_groups_;
};

}  // namespace

HeapPacking PackHeap(absl::Span<const HeapBlock> blocks, int64_t alignment,
                     int64_t pair_limit, WorkCheck* check, bool* gives_up) {
  return HeapPacker(blocks, alignment, pair_limit, check).Pack(gives_up);
}

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
