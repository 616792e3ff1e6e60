// Returns the shape of the part of an instruction that an operand names.
//
//   // add(p#1, x), where p is (f32[], s32[2]{0})
//   SelectedShape(add.operand(0))->ToString();   // "s32[2]{0}"
//   PartOfShape(*p.shape(), {2});                // nullptr

#ifndef TESSERA_HLO_STRICT_SELECTED_SHAPE_H_
#define TESSERA_HLO_STRICT_SELECTED_SHAPE_H_

#include <cstdint>

#include "absl/types/span.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/shape/shape.h"

namespace tessera {
namespace hlo_internal {

// Returns the part of `shape` at this index; nullptr if there is none.
const Shape* PartOfShape(const Shape& shape, absl::Span<const int64_t> index);

// Returns nullptr if the shape is not known: the operand is an expression, or
// leads nowhere, to an instruction without a shape, or to a missing element of
// a tuple.
const Shape* SelectedShape(HloOperand operand);

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_STRICT_SELECTED_SHAPE_H_
