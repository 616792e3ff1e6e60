// Indices of the parts of a nested tuple, and visits of all parts.
//
// As in XLA, a ShapeIndex names the element of the tuple on each level: {} is
// the whole shape, {1,0} is element 0 of element 1.
//
//   Shape inner = Shape::Tuple({Shape::Array(F32, {2}), Shape::Token()});
//   Shape shape = Shape::Tuple({Shape::Opaque(), inner});
//   GetSubshape(shape, {1, 0})->ToString();  // "f32[2]"
//
//   std::vector<std::string> indices;
//   ForEachSubshape(shape, [&](const Shape& subshape, ShapeIndexView index) {
//     indices.push_back(ShapeIndexToString(index));
//   });
//   indices;   // {"{}", "{0}", "{1}", "{1,0}", "{1,1}"}
//
// A leaf is any shape that is not a tuple; a buffer is one leaf. Nothing here
// recurses on the machine stack. The rules are those of xla/shape_util.h.

#ifndef TESSERA_SHAPE_SHAPE_INDEX_H_
#define TESSERA_SHAPE_SHAPE_INDEX_H_

#include <cstdint>
#include <string>

#include "absl/container/inlined_vector.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/shape/shape.h"

namespace tessera {

using ShapeIndex = absl::InlinedVector<int64_t, 4>;
using ShapeIndexView = absl::Span<const int64_t>;

// "{1,0}", "{}".
std::string ShapeIndexToString(ShapeIndexView index);

// Returns the part of `shape` at `index`.
//
// Errors:
//   kFailedPrecondition  the index goes into something that is not a tuple.
//   kOutOfRange          an entry is outside [0, number of elements).
absl::StatusOr<Shape> GetSubshape(const Shape& shape, ShapeIndexView index);

// Calls `visit` for every part of `shape`: a tuple first, then its elements in
// order. The index is valid only during the call.
void ForEachSubshape(
    const Shape& shape,
    absl::FunctionRef<void(const Shape& subshape, ShapeIndexView index)> visit);

// Like ForEachSubshape, but visits only the leaves.
void ForEachLeafShape(
    const Shape& shape,
    absl::FunctionRef<void(const Shape& leaf, ShapeIndexView index)> visit);

// Like ForEachSubshape, but stops at the first error and returns it.
absl::Status ForEachSubshapeWithStatus(
    const Shape& shape,
    absl::FunctionRef<absl::Status(const Shape& subshape, ShapeIndexView index)>
        visit);

// Returns the number of leaves of `shape`: 1 for an array, 0 for an empty
// tuple.
int64_t GetLeafCount(const Shape& shape);

}  // namespace tessera

#endif  // TESSERA_SHAPE_SHAPE_INDEX_H_
