// File: shape/validate_shape.h
//
// Is this shape one that XLA's rules allow? The one gate, used by the parser
// and the proto conversion alike (xla/shape_util.cc, ValidateShape).
//
//   ValidateShape(Shape::Array(F32, {2, 3}, Layout({0, 0})));
//       // INVALID_ARGUMENT: minor_to_major {0,0} names dimension 0 twice
//
// The sizes of an array are bounded in elements and in bytes of ByteWidth, by
// 2^63-1 both. As in XLA (ShapeUtil::ExtentProduct and ValidateShapeSize, which
// remember an overflow), every product from the left is one of elements: of
// [2^62,4,0] the second is too large, while [0,2^62,4] is an array of nothing.
// What tiles and E(n) make of the size, XLA does not check; layout/
// validate_layout.h does.

#ifndef TESSERA_SHAPE_VALIDATE_SHAPE_H_
#define TESSERA_SHAPE_VALIDATE_SHAPE_H_

#include "absl/status/status.h"
#include "absl/types/optional.h"
#include "tessera/layout/violation.h"
#include "tessera/shape/shape.h"

namespace tessera {

enum class LayoutRequirement { kOptional, kRequired };

// Returns the first rule that `shape`, which is no tuple, breaks, or nullopt.
// For a buffer, that of its array. A tuple is judged by ValidateShape.
absl::optional<Violation> FindShapeViolation(
    const Shape& shape,
    LayoutRequirement requirement = LayoutRequirement::kOptional);

// Walks tuples without recursion. kInvalidArgument with a message that names
// the value, the rule and, inside a tuple, the shape index such as {1,0}.
absl::Status ValidateShape(
    const Shape& shape,
    LayoutRequirement requirement = LayoutRequirement::kOptional);

}  // namespace tessera

#endif  // TESSERA_SHAPE_VALIDATE_SHAPE_H_
