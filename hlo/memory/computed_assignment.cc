#include "tessera/hlo/memory/computed_assignment.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/hlo/memory/array_table.h"
#include "tessera/hlo/memory/assignment/buffer_assigner.h"
#include "tessera/hlo/memory/assignment/module_assignment.h"
#include "tessera/hlo/memory/assignment/program_values.h"
#include "tessera/math/status_macros.h"
#include "tessera/shape/shape_index.h"

namespace tessera {
namespace {

using hlo_internal::AssignedBuffers;
using hlo_internal::ModuleAssignment;
using hlo_internal::ProgramValues;
using Kind = BufferAssignment::Kind;

// The place of `part` among the elements of its parent, which are numbered in
// their order.
int64_t IndexInParent(const ArrayTable::ShapeParts& parts, int64_t part) {
  const int64_t parent = parts[part].parent;
  int64_t begin = 0;
  int64_t end = parts[parent].child_count - 1;
  while (begin < end) {
    const int64_t middle = begin + (end - begin) / 2;
    if (parts.child(parent, middle) < part) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

// The indices that lead to part `part` of a shape.
ShapeIndex IndexOfPart(const ArrayTable::ShapeParts* parts, int64_t part) {
  ShapeIndex index;
  if (parts == nullptr) return index;
  for (; part > 0; part = (*parts)[part].parent) {
    index.push_back(IndexInParent(*parts, part));
  }
  std::reverse(index.begin(), index.end());
  return index;
}

Kind KindOf(const AssignedBuffers::Allocation& allocation) {
  switch (allocation.kind) {
    case AssignedBuffers::Kind::kParameter:
      return Kind::kParameter;
    case AssignedBuffers::Kind::kConstant:
      return Kind::kConstant;
    case AssignedBuffers::Kind::kOutput:
      return Kind::kOutput;
    case AssignedBuffers::Kind::kTuple:
      return allocation.lives_out ? Kind::kOutput : Kind::kTemporary;
    case AssignedBuffers::Kind::kHeap:
      return Kind::kTemporary;
  }
  return Kind::kTemporary;
}

class Converter {
 public:
  explicit Converter(const ModuleAssignment& source)
      : program_(source.program), buffers_(source.buffers) {}

  BufferAssignment Convert() {
    AddSteps();
    AddValues();
    AddPositions();
    for (const AssignedBuffers::Allocation& allocation : buffers_.allocations) {
      if (KindOf(allocation) != Kind::kTemporary) AddAllocation(allocation);
    }
    for (const auto& [memory_space, heap] : buffers_.temporaries) {
      AddTemporaries(memory_space, heap.bytes);
    }
    for (const auto& [memory_space, bytes] : program_.thread_local_bytes) {
      BufferAssignment::Allocation& allocation =
          NewAllocation(Kind::kThreadLocal, memory_space);
      allocation.bytes = bytes;
    }
    return std::move(result_);
  }

 private:
  void AddSteps() {
    result_.steps.resize(program_.end_time);
    for (size_t i = 0; i < program_.instructions.size(); ++i) {
      const int32_t time = program_.instructions[i].time;
      if (time >= 0 && time < program_.end_time) {
        result_.steps[time] = program_.At(i).name();
      }
    }
  }

  void AddValues() {
    result_.values.reserve(program_.values.size());
    for (const ProgramValues::Value& from : program_.values) {
      BufferAssignment::Value value;
      value.id = result_.values.size();
      value.instruction = program_.At(from.instruction).name();
      value.shape_index =
          IndexOfPart(program_.instructions[from.instruction].parts, from.part);
      value.bytes = from.bytes;
      value.memory_space = from.memory_space;
      value.first = from.start;
      value.last = from.end;
      result_.values.push_back(std::move(value));
    }
  }

  // Those of each value one behind another.
  void AddPositions() {
    for (const int32_t value : program_.value_at) {
      if (value >= 0) ++result_.values[value].position_count;
    }
    int64_t first = 0;
    for (BufferAssignment::Value& value : result_.values) {
      value.first_position = first;
      first += value.position_count;
    }
    result_.positions.resize(first);
    std::vector<int64_t> filled(result_.values.size());
    for (size_t i = 0; i < program_.instructions.size(); ++i) {
      const ProgramValues::Instruction& instruction = program_.instructions[i];
      const int64_t parts =
          instruction.parts == nullptr ? 1 : instruction.parts->size();
      for (int64_t part = 0; part < parts; ++part) {
        const int32_t value = program_.value_at[program_.SlotOf(i, part)];
        if (value < 0) continue;
        result_.positions[result_.values[value].first_position +
                          filled[value]++] = {
            program_.At(i).name(), IndexOfPart(instruction.parts, part)};
      }
    }
  }

  BufferAssignment::Allocation& NewAllocation(Kind kind, int64_t memory_space) {
    BufferAssignment::Allocation allocation;
    allocation.index = result_.allocations.size();
    allocation.kind = kind;
    allocation.memory_space = memory_space;
    allocation.first_tenant = result_.tenants.size();
    result_.allocations.push_back(std::move(allocation));
    return result_.allocations.back();
  }

  void AddTenants(const AssignedBuffers::Allocation& from,
                  BufferAssignment::Allocation* allocation) {
    for (const AssignedBuffers::Tenant& tenant : from.tenants) {
      result_.tenants.push_back({tenant.value,
                                 from.combined_offset + tenant.offset,
                                 program_.values[tenant.value].bytes});
    }
    allocation->tenant_count =
        result_.tenants.size() - allocation->first_tenant;
  }

  void AddAllocation(const AssignedBuffers::Allocation& from) {
    BufferAssignment::Allocation& allocation =
        NewAllocation(KindOf(from), from.memory_space);
    allocation.bytes = from.bytes;
    allocation.lives_out = from.lives_out;
    allocation.is_tuple = from.kind == AssignedBuffers::Kind::kTuple;
    AddTenants(from, &allocation);
    if (allocation.kind != Kind::kParameter) return;
    for (const AssignedBuffers::Tenant& tenant : from.tenants) {
      const ProgramValues::Value& value = program_.values[tenant.value];
      if (!value.is_entry_parameter) continue;
      allocation.parameter_number =
          program_.At(value.instruction).parameter_number();
      allocation.parameter_index = result_.values[tenant.value].shape_index;
      break;
    }
  }

  // All of a memory space.
  void AddTemporaries(int64_t memory_space, int64_t bytes) {
    BufferAssignment::Allocation& allocation =
        NewAllocation(Kind::kTemporary, memory_space);
    allocation.bytes = bytes;
    for (const AssignedBuffers::Allocation& from : buffers_.allocations) {
      if (KindOf(from) == Kind::kTemporary &&
          from.memory_space == memory_space) {
        AddTenants(from, &allocation);
      }
    }
  }

  const ProgramValues& program_;
  const AssignedBuffers& buffers_;
  BufferAssignment result_;
};

}  // namespace

absl::StatusOr<BufferAssignment> ComputeBufferAssignment(
    const HloDump& dump, HloModule module,
    const ReservedMemoryOptions& options) {
  TESSERA_ASSIGN_OR_RETURN(const std::unique_ptr<ModuleAssignment> assignment,
                           hlo_internal::AssignModule(
                               dump, module, options.schedule, options.target));
  return Converter(*assignment).Convert();
}

}  // namespace tessera
