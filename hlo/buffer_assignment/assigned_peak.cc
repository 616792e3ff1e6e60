#include "tessera/hlo/buffer_assignment/assigned_peak.h"

#include <algorithm>
#include <cstddef>

#include "tessera/hlo/buffer_assignment/assigned_memory.h"
#include "tessera/hlo/buffer_assignment/memory_use.h"
#include "tessera/hlo/dataflow/work_check.h"

namespace tessera {
namespace {

// Returns an empty map if the use is not known.
std::map<int64_t, hlo_internal::UseOverTime> FindKnownUse(
    const BufferAssignment& assignment) {
  if (assignment.steps.empty()) return {};
  for (const auto& [number, space] : FindAssignedMemory(assignment)) {
    if (space.is_saturated) return {};
  }
  hlo_internal::WorkCheck check;
  return hlo_internal::FindUse(assignment, assignment.steps.size(), &check);
}

}  // namespace

std::map<int64_t, AssignedPeak> FindAssignedPeaks(
    const BufferAssignment& assignment) {
  std::map<int64_t, AssignedPeak> peaks;
  for (const auto& [number, use] : FindKnownUse(assignment)) {
    peaks[number] = {use.peak.bytes, use.peak.step};
  }
  return peaks;
}

std::map<int64_t, std::vector<int64_t>> FindAssignedUse(
    const BufferAssignment& assignment) {
  std::map<int64_t, std::vector<int64_t>> use_by_step;
  for (const auto& [number, use] : FindKnownUse(assignment)) {
    use_by_step[number] = hlo_internal::UseByStep(use, assignment.steps.size());
  }
  return use_by_step;
}

std::vector<ValuePlace> PlacesAt(const BufferAssignment& assignment,
                                 int64_t memory_space,
                                 std::optional<int64_t> step) {
  std::vector<ValuePlace> places;
  for (size_t i = 0; i < assignment.allocations.size(); ++i) {
    const BufferAssignment::Allocation& allocation = assignment.allocations[i];
    if (allocation.memory_space != memory_space ||
        allocation.kind == BufferAssignment::Kind::kThreadLocal) {
      continue;
    }
    const int64_t end = allocation.first_tenant + allocation.tenant_count;
    for (int64_t tenant = allocation.first_tenant; tenant < end; ++tenant) {
      const BufferAssignment::Value& value =
          assignment.values[assignment.tenants[tenant].value];
      if (!step.has_value() || assignment.IsLiveAt(value, *step)) {
        places.push_back({static_cast<int64_t>(i), tenant});
      }
    }
  }
  std::stable_sort(places.begin(), places.end(),
                   [&](const ValuePlace& a, const ValuePlace& b) {
                     return assignment.tenants[a.tenant].bytes >
                            assignment.tenants[b.tenant].bytes;
                   });
  return places;
}

}  // namespace tessera
