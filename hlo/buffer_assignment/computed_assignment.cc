#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string_view>
#include <utility>

#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/buffer_assignment/buffer_assigner.h"
#include "tessera/hlo/dataflow/array_table.h"

namespace tessera {
namespace hlo_internal {
namespace {

using AllocationKind = BufferAssignment::Kind;

std::vector<std::string_view> StepsOf(const ProgramValues& program) {
  std::vector<std::string_view> steps(program.end_time);
  for (size_t i = 0; i < program.instructions.size(); ++i) {
    steps[program.instructions[i].time] = program.At(i).name();
  }
  return steps;
}

int32_t LastOf(const ProgramValues::Value& value) {
  return value.is_donated ? value.last_use : value.end;
}

class Converter {
 public:
  Converter(const ProgramValues& program, const AssignedBuffers& buffers)
      : program_(program), buffers_(buffers) {}

  AlignedAssignment Convert() {
    result_.steps = StepsOf(program_);
    AddValues();
    for (const AssignedBuffers::Allocation& allocation : buffers_.allocations) {
      if (!allocation.is_temporary()) AddAllocation(allocation);
    }
    for (const ProgramValues::ReducerConstant& constant :
         program_.constants_of_reducers) {
      AddReducerConstant(constant);
    }
    for (const auto& [memory_space, heap] : buffers_.temporaries) {
      AddTemporaries(memory_space, heap);
    }
    for (const auto& [memory_space, bytes] : program_.thread_local_bytes) {
      NewAllocation(AllocationKind::kThreadLocal, memory_space).bytes = bytes;
    }
    return {std::move(result_), std::move(program_values_)};
  }

 private:
  void AddValues() {
    result_.values.reserve(program_.values.size());
    program_values_.resize(program_.values.size());
    std::iota(program_values_.begin(), program_values_.end(), 0);
    for (const ProgramValues::Value& from : program_.values) {
      BufferAssignment::Value value;
      value.id = result_.values.size();
      value.instruction = program_.At(from.instruction).name();
      if (const auto* const parts = program_.PartsOf(from.instruction)) {
        value.shape_index = parts->IndexOf(from.part);
      }
      value.bytes = from.bytes;
      value.memory_space = from.memory_space;
      value.first = from.start;
      value.last = LastOf(from);
      result_.values.push_back(std::move(value));
    }
  }

  BufferAssignment::Allocation& NewAllocation(AllocationKind kind,
                                              int64_t memory_space) {
    BufferAssignment::Allocation allocation;
    allocation.index = result_.allocations.size();
    allocation.kind = kind;
    allocation.memory_space = memory_space;
    allocation.first_tenant = result_.tenants.size();
    result_.allocations.push_back(std::move(allocation));
    return result_.allocations.back();
  }

  void AddTenants(const AssignedBuffers::Allocation& from, int64_t offset,
                  BufferAssignment::Allocation* allocation) {
    for (const AssignedBuffers::Tenant& tenant : from.tenants) {
      const int64_t bytes = program_.values[tenant.value].bytes;
      result_.tenants.push_back({tenant.value, offset + tenant.offset, bytes});
      if (program_.idle_branches.count(tenant.value) == 0) continue;
      AddLaterRanges(tenant.value, result_.tenants.back());
    }
    allocation->tenant_count =
        result_.tenants.size() - allocation->first_tenant;
  }

  // Adds a value for each part of a live range but the first.
  void AddLaterRanges(int32_t value, BufferAssignment::Tenant tenant) {
    const auto ranges = program_.RangesOf(value);
    result_.values[value].last = ranges[0].second;
    for (size_t i = 1; i < ranges.size(); ++i) {
      BufferAssignment::Value part = result_.values[value];
      part.first = ranges[i].first;
      part.last = ranges[i].second;
      tenant.value = part.id = result_.values.size();
      result_.values.push_back(std::move(part));
      result_.tenants.push_back(tenant);
      program_values_.push_back(value);
    }
  }

  void AddAllocation(const AssignedBuffers::Allocation& from) {
    BufferAssignment::Allocation& allocation =
        NewAllocation(from.kind, from.memory_space);
    allocation.bytes = from.bytes;
    allocation.lives_out = from.lives_out;
    allocation.is_tuple = from.is_tuple;
    AddTenants(from, 0, &allocation);
    if (allocation.kind != AllocationKind::kParameter) return;
    for (const AssignedBuffers::Tenant& tenant : from.tenants) {
      const ProgramValues::Value& value = program_.values[tenant.value];
      if (!value.is_entry_parameter) continue;
      allocation.parameter_number =
          program_.At(value.instruction).parameter_number();
      allocation.parameter_index = result_.values[tenant.value].shape_index;
      break;
    }
  }

  void AddReducerConstant(const ProgramValues::ReducerConstant& constant) {
    BufferAssignment::Allocation& allocation =
        NewAllocation(AllocationKind::kConstant, constant.memory_space);
    allocation.bytes = constant.bytes;
    allocation.tenant_count = 1;
    BufferAssignment::Value value;
    value.id = result_.values.size();
    value.instruction = constant.instruction;
    value.bytes = constant.bytes;
    value.memory_space = constant.memory_space;
    result_.tenants.push_back({value.id, 0, constant.bytes});
    result_.values.push_back(std::move(value));
    program_values_.push_back(-1);
  }

  void AddTemporaries(int64_t memory_space, const AssignedBuffers::Heap& heap) {
    BufferAssignment::Allocation& allocation =
        NewAllocation(AllocationKind::kTemporary, memory_space);
    allocation.bytes = heap.bytes;
    allocation.is_placed = !heap.is_not_packed;
    int64_t end = 0;
    for (const AssignedBuffers::Allocation& from : buffers_.allocations) {
      if (!from.is_temporary() || from.memory_space != memory_space) continue;
      const size_t first = result_.tenants.size();
      AddTenants(from, allocation.is_placed ? from.combined_offset : end,
                 &allocation);
      for (size_t i = first; i < result_.tenants.size(); ++i) {
        end =
            std::max(end, result_.tenants[i].offset + result_.tenants[i].bytes);
      }
    }
  }

  const ProgramValues& program_;
  const AssignedBuffers& buffers_;
  BufferAssignment result_;
  std::vector<int32_t> program_values_;
};

}  // namespace

AlignedAssignment ToBufferAssignment(const ProgramValues& program,
                                     const AssignedBuffers& buffers) {
  return Converter(program, buffers).Convert();
}

AlignedAssignment AlignAssignment(const BufferAssignment& by_xla,
                                  const ProgramValues& program) {
  TextMap<std::string_view, int32_t> instructions;
  for (size_t i = 0; i < program.instructions.size(); ++i) {
    instructions.emplace(program.At(i).name(), i);
  }
  AlignedAssignment aligned;
  aligned.assignment = by_xla;
  BufferAssignment& assignment = aligned.assignment;
  // A proto has the steps of its own traces.
  const bool has_steps =
      static_cast<int64_t>(by_xla.steps.size()) == program.end_time &&
      !by_xla.has_steps_of_traces;
  for (BufferAssignment::Value& value : assignment.values) {
    aligned.program_values.push_back(-1);
    int32_t& number = aligned.program_values.back();
    const auto found = instructions.find(value.instruction);
    if (found != instructions.end()) {
      const ArrayTable::ShapeParts* parts = program.PartsOf(found->second);
      const int32_t part =
          parts == nullptr ? -1 : parts->Find(value.shape_index);
      if (part >= 0) number = program.ValueAt({found->second, part});
    }
    if (has_steps && value.first >= 0) continue;
    value.first = number < 0 ? -1 : program.values[number].start;
    value.last = number < 0 ? -1 : LastOf(program.values[number]);
    value.interval_count = 0;
  }
  if (!has_steps) assignment.steps = StepsOf(program);
  return aligned;
}

}  // namespace hlo_internal
}  // namespace tessera
