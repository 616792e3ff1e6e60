#include "tessera/hlo/strict/selected_shape.h"

#include <optional>

namespace tessera {
namespace hlo_internal {

const Shape* PartOfShape(const Shape& shape, absl::Span<const int64_t> index) {
  const Shape* part = &shape;
  for (const int64_t entry : index) {
    if (!part->IsTuple() || entry < 0 ||
        entry >= static_cast<int64_t>(part->tuple_shapes().size())) {
      return nullptr;
    }
    part = &part->tuple_shapes()[entry];
  }
  return part;
}

const Shape* SelectedShape(HloOperand operand) {
  const std::optional<HloInstruction> instruction = operand.instruction();
  if (!instruction.has_value() || !instruction->has_shape()) return nullptr;
  return PartOfShape(*instruction->shape(), operand.tuple_indices());
}

}  // namespace hlo_internal
}  // namespace tessera
