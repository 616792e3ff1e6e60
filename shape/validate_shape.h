// Checks a shape against XLA's rules (xla/shape_util.cc, ValidateShape). The
// parser and the conversion from protos both use this check.
//
//   ValidateShape(Shape::Array(F32, {2, 3}, Layout({0, 0})));
//       // INVALID_ARGUMENT: minor_to_major {0,0} names dimension 0 twice
//
// An array has at most 2^63-1 elements, and at most 2^63-1 bytes of ByteWidth.
// As in XLA (ShapeUtil::ExtentProduct and ValidateShapeSize, which remember an
// overflow), this holds for every product of leading dimensions: [2^62,4,0] is
// too large because of its first two, while [0,2^62,4] is an array without
// elements. XLA does not check the size after tiles and E(n);
// layout/validate_layout.h does.

#ifndef TESSERA_SHAPE_VALIDATE_SHAPE_H_
#define TESSERA_SHAPE_VALIDATE_SHAPE_H_

#include <optional>

#include "absl/status/status.h"
#include "tessera/layout/violation.h"
#include "tessera/shape/shape.h"

namespace tessera {

enum class LayoutRequirement { kOptional, kRequired };

// Returns the first rule that `shape` breaks, or nullopt. For a buffer, checks
// its array. Does not check tuples; ValidateShape does.
std::optional<Violation> FindShapeViolation(
    const Shape& shape,
    LayoutRequirement requirement = LayoutRequirement::kOptional);

// Checks any shape, including tuples, without recursion. Errors:
// kInvalidArgument with a message that names the value, the rule and, inside a
// tuple, the shape index such as {1,0}.
absl::Status ValidateShape(
    const Shape& shape,
    LayoutRequirement requirement = LayoutRequirement::kOptional);

}  // namespace tessera

#endif  // TESSERA_SHAPE_VALIDATE_SHAPE_H_
