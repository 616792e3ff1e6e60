#include "tessera/hlo/buffer_assignment/occupancy.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace tessera {
namespace {

// Counts the bytes that at least one open range covers. The ends of all ranges
// are known beforehand. Opening and closing a range takes logarithmic time.
class Coverage {
 public:
  // `ends` are sorted and unique.
  explicit Coverage(std::vector<int64_t> ends) : ends_(std::move(ends)) {
    while (leaves_ + 1 < ends_.size()) leaves_ *= 2;
    open_.resize(2 * leaves_);
    covered_.resize(2 * leaves_);
  }

  // Opens the range, or closes an open one with the same ends.
  void Add(int64_t begin, int64_t end, int change) {
    size_t left = IndexOf(begin) + leaves_;
    size_t right = IndexOf(end) + leaves_;
    const size_t first = left;
    const size_t last = right;
    for (; left < right; left /= 2, right /= 2) {
      if (left % 2 == 1) Change(left++, change);
      if (right % 2 == 1) Change(--right, change);
    }
    UpdateAbove(first);
    if (last > first) UpdateAbove(last - 1);
  }

  int64_t covered() const { return covered_[1]; }

 private:
  size_t IndexOf(int64_t end) const {
    return std::lower_bound(ends_.begin(), ends_.end(), end) - ends_.begin();
  }
  void Change(size_t node, int change) {
    open_[node] += change;
    Update(node);
  }
  void Update(size_t node) {
    if (open_[node] > 0) {
      covered_[node] = Width(node);
    } else {
      covered_[node] =
          node >= leaves_ ? 0 : covered_[2 * node] + covered_[2 * node + 1];
    }
  }
  void UpdateAbove(size_t node) {
    for (node /= 2; node >= 1; node /= 2) Update(node);
  }
  // Returns the number of bytes of the leaves below `node`.
  int64_t Width(size_t node) const {
    size_t begin = node;
    size_t end = node + 1;
    while (begin < leaves_) {
      begin *= 2;
      end *= 2;
    }
    const auto at = [&](size_t leaf) {
      return ends_[std::min(leaf - leaves_, ends_.size() - 1)];
    };
    return at(end) - at(begin);
  }

  // Leaf i is the bytes between ends i and i + 1.
  std::vector<int64_t> ends_;
  size_t leaves_ = 1;
  std::vector<int32_t> open_;
  std::vector<int64_t> covered_;
};

struct Change {
  int64_t step;
  int change;  // 1 or -1
  int64_t begin;
  int64_t end;
};

}  // namespace

Occupancy FindOccupancy(const BufferAssignment& assignment,
                        int64_t allocation) {
  Occupancy occupancy;
  std::vector<Change> changes;
  std::vector<int64_t> ends;
  for (const BufferAssignment::Tenant& tenant :
       assignment.TenantsOf(allocation)) {
    const BufferAssignment::Value& value = assignment.values[tenant.value];
    const int64_t end = tenant.offset + tenant.bytes;
    ends.push_back(tenant.offset);
    ends.push_back(end);
    if (value.first < 0) changes.push_back({0, 1, tenant.offset, end});
    for (const auto& [first, last] : assignment.IntervalsOf(value)) {
      changes.push_back({first, 1, tenant.offset, end});
      changes.push_back({last + 1, -1, tenant.offset, end});
    }
  }
  if (changes.empty()) return occupancy;
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  std::stable_sort(
      changes.begin(), changes.end(),
      [](const Change& a, const Change& b) { return a.step < b.step; });
  Coverage coverage(std::move(ends));
  for (size_t i = 0; i < changes.size();) {
    const int64_t step = changes[i].step;
    for (; i < changes.size() && changes[i].step == step; ++i) {
      coverage.Add(changes[i].begin, changes[i].end, changes[i].change);
    }
    const int64_t bytes = coverage.covered();
    occupancy.used.push_back({step, bytes});
    if (bytes > occupancy.most_used_bytes) {
      occupancy.most_used_bytes = bytes;
      occupancy.most_used_step = step;
    }
  }
  return occupancy;
}

std::vector<Hole> FindHoles(const BufferAssignment& assignment,
                            int64_t allocation, int64_t step) {
  std::vector<std::pair<int64_t, int64_t>> used;
  for (const BufferAssignment::Tenant& tenant :
       assignment.TenantsOf(allocation)) {
    const BufferAssignment::Value& value = assignment.values[tenant.value];
    if (assignment.IsLiveAt(value, step)) {
      used.emplace_back(tenant.offset, tenant.offset + tenant.bytes);
    }
  }
  std::sort(used.begin(), used.end());
  std::vector<Hole> holes;
  int64_t free = 0;
  const auto add_hole_before = [&](int64_t begin) {
    if (begin > free) holes.push_back({free, begin - free});
  };
  for (const auto& [begin, end] : used) {
    add_hole_before(begin);
    free = std::max(free, end);
  }
  add_hole_before(assignment.allocations[allocation].bytes);
  return holes;
}

}  // namespace tessera
