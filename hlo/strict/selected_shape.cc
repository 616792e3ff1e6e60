#include "tessera/hlo/strict/selected_shape.h"

#include <cstdint>

#include "absl/types/optional.h"

namespace tessera {
namespace hlo_internal {

const Shape* SelectedShape(HloOperand operand) {
  const absl::optional<HloInstruction> instruction = operand.instruction();
  if (!instruction.has_value()) return nullptr;
  const Shape* shape = instruction->shape();
  for (const int64_t index : operand.tuple_indices()) {
    if (shape == nullptr || !shape->IsTuple() || index < 0 ||
        index >= static_cast<int64_t>(shape->tuple_shapes().size())) {
      return nullptr;
    }
    shape = &shape->tuple_shapes()[index];
  }
  return shape;
}

}  // namespace hlo_internal
}  // namespace tessera
