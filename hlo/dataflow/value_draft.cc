#include "tessera/hlo/dataflow/value_draft.h"

#include <algorithm>
#include <string_view>

#include "tessera/base/math/checked_arithmetic.h"

namespace tessera {
namespace hlo_internal {
namespace {

constexpr int64_t kMostBytes = int64_t{1} << 62;

// Returns the bytes of the sizes that CPU and GPU keep behind an array with a
// bounded dimension, as XLA's ShapeSizeBytes and GetSizeOfShape say.
int64_t BytesOfSizes(const Shape& array) {
  constexpr int64_t kSizeBytes = 4;
  for (int64_t i = 0; i < array.rank(); ++i) {
    if (array.is_dynamic_dimension(i)) return kSizeBytes * array.rank();
  }
  return 0;
}

}  // namespace

ValueDraft::Position ValueDraft::Within(
    Position from, absl::Span<const int64_t> indices) const {
  if (indices.empty() || !from.exists()) return from;
  const ShapeParts* parts = PartsOf(from.instruction);
  if (parts == nullptr) return Position();
  for (const int64_t index : indices) {
    from.part = parts->child(from.part, index);
    if (from.part < 0) return Position();
  }
  return from;
}

bool ValueDraft::SameStructure(Position to, Position from) const {
  if (!to.exists() || !from.exists()) return false;
  const ShapeParts* a = PartsOf(to.instruction);
  const ShapeParts* b = PartsOf(from.instruction);
  if (a == nullptr || b == nullptr) return false;
  const int64_t size = (*a)[to.part].end - to.part;
  if ((*b)[from.part].end - from.part != size) return false;
  for (int64_t i = 0; i < size; ++i) {
    if ((*a)[to.part + i].child_count != (*b)[from.part + i].child_count) {
      return false;
    }
  }
  return true;
}

void ValueDraft::Forward(Position to, Position from) {
  if (!SameStructure(to, from)) {
    doubts.unresolved += from.exists();
    return;
  }
  for (const int32_t end = (*PartsOf(to.instruction))[to.part].end;
       to.part < end; ++to.part, ++from.part) {
    ValueAt(to) = ValueAt(from);
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
  return RoundUp(bytes, multiple);
}

int32_t ValueDraft::NewValue(Position at) {
  const ShapeParts* parts = PartsOf(at.instruction);
  if (parts == nullptr) return kNone;
  const ArrayTable::Part& shape = (*parts)[at.part];
  Value value;
  value.instruction = at.instruction;
  value.part = at.part;
  value.end_position = at;
  value.is_tuple = shape.is_tuple();
  if (value.is_tuple) {
    value.bytes =
        RoundUp(rules.pointer_bytes * shape.child_count, rules.table_alignment);
    value.unpadded_bytes = value.bytes;
  } else if (shape.array >= 0) {
    const ArrayTable::Array& array = arrays.array(shape.array);
    value.memory_space = array.shape->layout().memory_space();
    if (array.sizes.has_value()) {
      const int64_t more = rules.is_tpu ? 0 : BytesOfSizes(*array.shape);
      value.bytes = std::min(PaddedBytes(array), kMostBytes) + more;
      value.unpadded_bytes =
          std::min(array.sizes->unpadded_bytes, kMostBytes) + more;
    } else {
      ++doubts.arrays_with_unbounded_dimension;
    }
  }
  values.push_back(value);
  is_phi.push_back(false);
  redirects.push_back(values.size() - 1);
  return sets.Add();
}

int32_t ValueDraft::NewPhi(Position at) {
  const int32_t value = NewValue(at);
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

void ValueDraft::Join(Position result, Position operand) {
  if (!result.exists() || !operand.exists()) return;
  const int32_t a = ValueAt(result);
  const int32_t b = ValueAt(operand);
  if (a >= 0 && b >= 0 && values[a].is_tuple == values[b].is_tuple) {
    sets.Join(a, b);
  }
}

void ValueDraft::JoinEqual(Position result, Position operand) {
  if (!result.exists() || !operand.exists()) return;
  const ShapeParts* a = PartsOf(result.instruction);
  const ShapeParts* b = PartsOf(operand.instruction);
  if (a != nullptr && b != nullptr &&
      (*a)[result.part].array == (*b)[operand.part].array) {
    Join(result, operand);
  }
}

bool ValueDraft::IsInPlacePermute(int32_t instruction) const {
  const std::string_view opcode = At(instruction).opcode();
  return (opcode == "collective-permute" ||
          opcode == "collective-permute-start") &&
         OperandsOf(instruction).size() == 4;
}

}  // namespace hlo_internal
}  // namespace tessera
