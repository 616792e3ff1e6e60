#include "tessera/hlo/dataflow/value_draft.h"

#include <cstdint>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"

namespace tessera {
namespace hlo_internal {

ValueDraft::Position ValueDraft::Within(
    Position position, absl::Span<const int64_t> indices) const {
  if (indices.empty() || !position.exists()) return position;
  const ShapeParts* parts = PartsOf(position.instruction);
  if (parts == nullptr) return Position();
  for (const int64_t index : indices) {
    position.part = parts->child(position.part, index);
    if (position.part < 0) return Position();
  }
  return position;
}

ValueDraft::Position ValueDraft::RootOf(int32_t computation) const {
  const ProgramValues::Computation& in = program.computations[computation];
  const absl::optional<HloInstruction> root = in.computation.root();
  if (!root.has_value()) return Position();
  return {
      in.first_instruction + static_cast<int32_t>(root->index_in_computation()),
      0};
}

bool ValueDraft::SameStructure(int32_t to, int64_t part,
                               const Position& from) const {
  const ShapeParts* a = PartsOf(to);
  if (part < 0 || a == nullptr || !from.exists()) return false;
  const ShapeParts* b = PartsOf(from.instruction);
  if (b == nullptr) return false;
  const int64_t size = (*a)[part].end - part;
  if ((*b)[from.part].end - from.part != size) return false;
  for (int64_t i = 0; i < size; ++i) {
    if ((*a)[part + i].child_count != (*b)[from.part + i].child_count) {
      return false;
    }
  }
  return true;
}

void ValueDraft::Forward(int32_t to, int64_t part, const Position& from) {
  if (!SameStructure(to, part, from)) {
    program.doubts.unresolved += from.exists();
    return;
  }
  const int64_t size = (*PartsOf(to))[part].end - part;
  for (int64_t i = 0; i < size; ++i) {
    ValueAt(to, part + i) = ValueAt(from.instruction, from.part + i);
  }
}

// Precondition: the array has sizes.
int64_t ValueDraft::PaddedBytes(const ArrayTable::Array& array) const {
  const int64_t bytes = array.sizes->padded_bytes;
  const Layout& layout = array.shape->layout();
  const int64_t memory_space = layout.memory_space();
  if (rules.untiled_elements == 1 || memory_space == 2 || memory_space == 5 ||
      memory_space >= 8 || !layout.tiles().empty() || array.shape->rank() > 1) {
    return bytes;
  }
  const int64_t multiple =
      rules.untiled_elements * ((array.sizes->unpadded_element_bits + 7) / 8);
  return (bytes + multiple - 1) / multiple * multiple;
}

int32_t ValueDraft::NewValue(int32_t instruction, int64_t part) {
  const ShapeParts* parts = PartsOf(instruction);
  if (parts == nullptr) return kNone;
  const ArrayTable::Part& shape = (*parts)[part];
  ProgramValues::Value value;
  value.instruction = instruction;
  value.part = part;
  value.is_tuple = shape.is_tuple();
  if (value.is_tuple) {
    const int64_t alignment = rules.table_alignment;
    value.bytes = (rules.pointer_bytes * shape.child_count + alignment - 1) /
                  alignment * alignment;
    value.unpadded_bytes = value.bytes;
  } else if (shape.array >= 0) {
    const ArrayTable::Array& array = arrays.array(shape.array);
    value.memory_space = array.shape->layout().memory_space();
    if (array.sizes.has_value()) {
      value.bytes = PaddedBytes(array);
      value.unpadded_bytes = array.sizes->unpadded_bytes;
    } else {
      ++program.doubts.arrays_with_unbounded_dimension;
    }
  }
  value.end_instruction = instruction;
  value.end_part = part;
  program.values.push_back(value);
  is_phi.push_back(false);
  redirects.push_back(program.values.size() - 1);
  return sets.Add();
}

int32_t ValueDraft::NewPhi(int32_t instruction, int64_t part) {
  const int32_t value = NewValue(instruction, part);
  if (value >= 0) is_phi[value] = true;
  return value;
}

void ValueDraft::Redirect(int32_t from, int32_t to) {
  if (from < 0 || to < 0 || from == to) return;
  redirects[from] = to;
  sets.Join(from, to);
}

int32_t ValueDraft::Resolve(int32_t value) {
  if (value < 0) return value;
  while (redirects[value] != value) {
    value = redirects[value] = redirects[redirects[value]];
  }
  return value;
}

void ValueDraft::Join(int32_t current, int64_t part, const Position& from) {
  if (part < 0 || !from.exists() || part >= SlotCount(current)) return;
  const int32_t result = ValueAt(current, part);
  const int32_t operand = ValueAt(from.instruction, from.part);
  if (result >= 0 && operand >= 0 &&
      program.values[result].is_tuple == program.values[operand].is_tuple) {
    sets.Join(result, operand);
  }
}

void ValueDraft::JoinEqual(int32_t current, int64_t part,
                           const Position& from) {
  if (part < 0 || !from.exists() || part >= SlotCount(current)) return;
  const ShapeParts* operand = PartsOf(from.instruction);
  if (operand != nullptr &&
      (*operand)[from.part].array == (*PartsOf(current))[part].array) {
    Join(current, part, from);
  }
}

bool ValueDraft::IsInPlacePermute(int32_t current) const {
  const absl::string_view opcode = program.At(current).opcode();
  return (opcode == "collective-permute" ||
          opcode == "collective-permute-start") &&
         OperandsOf(current).size() == 4;
}

}  // namespace hlo_internal
}  // namespace tessera
