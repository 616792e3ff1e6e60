#include "tests/fuzz/assignment_laws.h"

#include <cstdint>
#include <string>

#include "tessera/hlo/buffer_assignment/assigned_memory.h"
#include "tessera/hlo/buffer_assignment/buffer_assignment.h"
#include "tessera/hlo/buffer_assignment/occupancy.h"

namespace tessera {
namespace {

template <typename List>
bool IsPartOf(const List& list, int64_t first, int64_t count) {
  const auto size = static_cast<int64_t>(list.size());
  return count >= 0 && (count == 0 || (first >= 0 && first <= size - count));
}

std::string AllocationProblem(const BufferAssignment& assignment,
                              int64_t number) {
  const BufferAssignment::Allocation& allocation =
      assignment.allocations[number];
  if (allocation.bytes < 0) return "an allocation of a negative size";
  if (!IsPartOf(assignment.tenants, allocation.first_tenant,
                allocation.tenant_count)) {
    return "tenants that are not there";
  }
  for (const BufferAssignment::Tenant& tenant : assignment.TenantsOf(number)) {
    if (!IsPartOf(assignment.values, tenant.value, 1)) {
      return "a tenant that is no value";
    }
    if (tenant.bytes < 0 || tenant.offset < 0 ||
        tenant.offset > allocation.bytes ||
        tenant.bytes > allocation.bytes - tenant.offset) {
      return "a tenant outside of its allocation";
    }
  }
  const Occupancy occupancy = FindOccupancy(assignment, number);
  int64_t free = 0;
  for (const Hole& hole :
       FindHoles(assignment, number, occupancy.most_used_step)) {
    free += hole.bytes;
  }
  return occupancy.most_used_bytes + free == allocation.bytes
             ? ""
             : "what is in use and the holes are not the allocation";
}

}  // namespace

std::string AssignmentProblem(const BufferAssignment& assignment) {
  for (const Diagnostic& problem : assignment.problems) {
    if (problem.message.empty()) return "a problem that says nothing";
  }
  if (assignment.problem_count <
      static_cast<int64_t>(assignment.problems.size())) {
    return "more problems than were counted";
  }
  for (const BufferAssignment::Value& value : assignment.values) {
    if (value.bytes < 0) return "a value of a negative size";
    if (!IsPartOf(assignment.positions, value.first_position,
                  value.position_count) ||
        !IsPartOf(assignment.uses, value.first_use, value.use_count)) {
      return "positions or uses that are not there";
    }
    if ((value.first < 0) != (value.last < 0) || value.first > value.last ||
        value.last >= static_cast<int64_t>(assignment.steps.size())) {
      return "a live range outside of the steps";
    }
    if (!IsPartOf(assignment.intervals, value.first_interval,
                  value.interval_count)) {
      return "intervals that are not there";
    }
    int64_t end = value.first - 2;
    for (const auto& [first, last] : assignment.IntervalsOf(value)) {
      if (first <= end + 1 || first > last) return "intervals out of order";
      end = last;
    }
    if (value.first >= 0 && end != value.last) {
      return "intervals that do not end with the live range";
    }
  }
  for (size_t i = 0; i < assignment.allocations.size(); ++i) {
    const std::string problem = AllocationProblem(assignment, i);
    if (!problem.empty()) return problem;
  }
  for (const auto& [number, space] : FindAssignedMemory(assignment)) {
    if (space.fragmentation_bytes() < 0) {
      return "more of the temporaries is in use than there is";
    }
  }
  return "";
}

}  // namespace tessera
