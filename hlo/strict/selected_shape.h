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

// The part of `shape` at this index; nullptr where there is none.
const Shape* PartOfShape(const Shape& shape, absl::Span<const int64_t> index);

// nullptr where that is not known: the operand is an expression, or leads
// nowhere, or to an instruction without a shape, or to no element of its tuple.
const Shape* SelectedShape(HloOperand operand);

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_STRICT_SELECTED_SHAPE_H_
