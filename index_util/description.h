// The sizes of all arrays of a shape, and their totals.
//
//   #include "tessera/parser/parser.h"
//
//   absl::StatusOr<Description> description = Describe(
//       *ParseShape("(bf16[9,130]{1,0:T(8,128)(2,1)}, token[])"));
//   description->total.padded_bytes;              // 8192
//   description->leaves[0].expanded_shape;        // {2, 2, 4, 128, 2, 1}
//   description->leaves[1].array.has_value();     // false

#ifndef TESSERA_INDEX_UTIL_DESCRIPTION_H_
#define TESSERA_INDEX_UTIL_DESCRIPTION_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "tessera/index_util/array_sizes.h"
#include "tessera/shape/shape.h"
#include "tessera/shape/shape_index.h"

namespace tessera {

// An array, a buffer of one, a token or an opaque handle.
struct LeafDescription {
  ShapeIndex index;  // where in the tuple
  Shape leaf;
  // The array that takes memory: the leaf itself, or the array in a buffer.
  std::optional<Shape> array;
  // Absent if `array` is absent or has an unbounded dimension.
  std::optional<ArraySizes> sizes;
  std::vector<int64_t> expanded_shape;  // the bounds after all tiles
};

struct Description {
  Shape shape;
  // Only `shape` itself, if it is not a tuple.
  std::vector<LeafDescription> leaves;
  // The sums over all leaves, without unbounded arrays.
  ArraySizes total;
  // Whether the total is complete, because no array is unbounded.
  bool is_bounded = true;
};

// Errors: those of ComputeArraySizes for any of the arrays; kOutOfRange if a
// total exceeds 2^63-1.
absl::StatusOr<Description> Describe(const Shape& shape);

}  // namespace tessera

#endif  // TESSERA_INDEX_UTIL_DESCRIPTION_H_
