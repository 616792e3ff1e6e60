// File: hlo/model/shape_inference.h
//
// Infers shapes that a text leaves out from the operands. Only for
// hlo/parse_hlo.h.
//
//   // x = f32[8]{0} parameter(0)
//   // y = negate(x)
//   InferShapes(&store);   // y is an f32[8]{0}

#ifndef TESSERA_HLO_MODEL_SHAPE_INFERENCE_H_
#define TESSERA_HLO_MODEL_SHAPE_INFERENCE_H_

#include "tessera/hlo/model/hlo_store.h"

namespace tessera {
namespace hlo_internal {

// Gives every instruction without a shape in the text the shape that follows
// from those of its operands: for elementwise opcodes, copy, while, tuple and
// get-tuple-element. What takes more than the operands, and what depends on a
// layout or memory space that only the compiler chooses, stays without a shape.
// The rules are those of xla/service/shape_inference.cc. In linear time: the
// texts of shapes that are put together, and those that are compared, take at
// most 4 times the memory of the text. What would take more stays without a
// shape.
void InferShapes(HloStore* store);

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_MODEL_SHAPE_INFERENCE_H_
