#include "tessera/hlo/buffer_assignment/memory_use.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "tessera/hlo/buffer_assignment/heap_packing.h"

namespace tessera {
namespace hlo_internal {
namespace {

// The number of bytes by which the use changes at a step.
using Changes = std::vector<Occupancy::Used>;

UseOverTime SumUp(Changes changes, int64_t steps) {
  std::stable_sort(changes.begin(), changes.end(),
                   [](const Occupancy::Used& a, const Occupancy::Used& b) {
                     return a.step < b.step;
                   });
  UseOverTime use;
  int64_t bytes = 0;
  for (size_t i = 0; i < changes.size() && changes[i].step < steps;) {
    const int64_t step = changes[i].step;
    for (; i < changes.size() && changes[i].step == step; ++i) {
      bytes += changes[i].bytes;
    }
    use.changes.push_back({step, bytes});
    if (bytes > use.peak.bytes) use.peak = {step, bytes};
  }
  return use;
}

}  // namespace

std::vector<int64_t> UseByStep(const UseOverTime& use, int64_t steps) {
  std::vector<int64_t> bytes(steps);
  for (size_t i = 0; i < use.changes.size(); ++i) {
    const int64_t end =
        i + 1 < use.changes.size() ? use.changes[i + 1].step : steps;
    std::fill(bytes.begin() + use.changes[i].step, bytes.begin() + end,
              use.changes[i].bytes);
  }
  return bytes;
}

std::map<int64_t, UseOverTime> FindUse(const BufferAssignment& assignment,
                                       int64_t steps, WorkCheck* check) {
  std::map<int64_t, Changes> by_space;
  for (size_t i = 0; i < assignment.allocations.size(); ++i) {
    const BufferAssignment::Allocation& allocation = assignment.allocations[i];
    if (!check->GoesOn(1 + allocation.tenant_count)) break;
    if (allocation.kind == BufferAssignment::Kind::kThreadLocal) continue;
    Changes& changes = by_space[allocation.memory_space];
    // If XLA does not list its values, it may be in use all the time.
    if (allocation.tenant_count == 0) changes.push_back({0, allocation.bytes});
    int64_t before = 0;
    for (const Occupancy::Used& used : FindOccupancy(assignment, i).used) {
      changes.push_back({used.step, used.bytes - before});
      before = used.bytes;
    }
  }
  std::map<int64_t, UseOverTime> use;
  for (auto& [memory_space, changes] : by_space) {
    UseOverTime summed = SumUp(std::move(changes), steps);
    if (summed.peak.bytes > 0) use.emplace(memory_space, std::move(summed));
  }
  return use;
}

std::map<int64_t, int64_t> FindUnsharedPeaks(const ProgramValues& program,
                                             WorkCheck* check) {
  // By memory space: the number of bytes by which the sum changes at each step.
  std::map<int64_t, std::vector<int64_t>> by_space;
  std::vector<std::pair<int32_t, int32_t>> ranges;
  for (const ProgramValues::Buffer& buffer : program.buffers) {
    if (!check->GoesOn(buffer.values.size())) break;
    if (buffer.bytes == 0) continue;
    ranges.clear();
    for (const int32_t number : buffer.values) {
      const ProgramValues::Value& value = program.values[number];
      ranges.emplace_back(value.start, value.end);
    }
    JoinRanges(0, &ranges);
    std::vector<int64_t>& changes = by_space[buffer.memory_space];
    changes.resize(program.end_time + 2);
    for (const auto& [first, last] : ranges) {
      changes[first] += buffer.bytes;
      changes[last + 1] -= buffer.bytes;
    }
  }
  std::map<int64_t, int64_t> peaks;
  for (const auto& [memory_space, changes] : by_space) {
    int64_t bytes = 0;
    int64_t& peak = peaks[memory_space];
    for (int32_t step = 0; step < program.end_time; ++step) {
      bytes += changes[step];
      peak = std::max(peak, bytes);
    }
  }
  return peaks;
}

}  // namespace hlo_internal
}  // namespace tessera
