// Finds one element of a tiled and padded array. For many elements, make the
// map once (to_index_map.h).
//
//   #include "tessera/parser/parser.h"
//
//   const Shape shape = *ParseShape("f32[3,5]{1,0:T(2,2)}");
//   TiledLinearIndex(shape, {2, 3});        // 17
//   TiledMultidimensionalIndex(shape, 17);  // {2, 3}
//   TiledMultidimensionalIndex(shape, 9);   // nullopt: padding
//
// The functions of XLA that answer the same question, and how they differ. None
// of them checks bounds or knows `*`: a tile with `*` gives garbage, because
// INT64_MIN is used as a divisor. For tiles without `*`:
//
//   LayoutUtil::LinearIndexForNestedTiling
//       equals TiledLinearIndex.
//   LayoutUtil::LinearIndex
//       equals it for a single tile with no more entries than the array has
//       dimensions. It looks at the first tile only, and returns the index
//       itself for rank 1. f32[8]{0:T(2,2)} at {5}: 5, where the element lies
//       at 9.
//   LayoutUtil::DelinearizeIndexForNestedTiling
//       equals TiledMultidimensionalIndex for positions of elements, unless a
//       second or later tile has more entries than there are axes
//       (f32[8]{0:T(4)(2,2,2)}: 7 of 8 elements come back wrong). It takes
//       padding for elements outside the bounds, without saying so.
//   IndexUtil::MultidimensionalIndexToLinearIndex
//       ignores tiles; see index_util.h.

#ifndef TESSERA_INDEX_UTIL_TILED_INDEX_H_
#define TESSERA_INDEX_UTIL_TILED_INDEX_H_

#include <cstdint>
#include <optional>

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/index_map/index_map.h"
#include "tessera/shape/shape.h"

namespace tessera {

// Returns the linear index, in elements, of the element at `index`.
// Errors: those of ToIndexMap and IndexMap::LinearIndex.
absl::StatusOr<int64_t> TiledLinearIndex(const Shape& shape,
                                         absl::Span<const int64_t> index);

// Returns the index of the element at `linear_index`, or nullopt if that
// position is padding. Errors: those of ToIndexMap and
// IndexMap::MultidimensionalIndex.
absl::StatusOr<std::optional<absl::InlinedVector<int64_t, 6>>>
TiledMultidimensionalIndex(const Shape& shape, int64_t linear_index);

}  // namespace tessera

#endif  // TESSERA_INDEX_UTIL_TILED_INDEX_H_
