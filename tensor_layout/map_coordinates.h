// File: tensor_layout/map_coordinates.h
//
// The value of an affine expression as a coordinate of an IndexMap.
//
//   // d0 * 64 + d1 of 3 x 64: a sum of its own, which can be cut like any.
//   IndexMap::Builder builder({3, 64});
//   const absl::StatusOr<IndexMap::Builder::Coordinate> row =
//       AddExpression(ParseAffineMap("(d0, d1) -> (d0 * 64 + d1)")->result(0),
//                     {3, 64}, /*limit=*/192, &builder);
//   row->bound;                              // 192
//
// Private to tensor_layout/.

#ifndef TESSERA_TENSOR_LAYOUT_MAP_COORDINATES_H_
#define TESSERA_TENSOR_LAYOUT_MAP_COORDINATES_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/index_map/index_map.h"
#include "tessera/tensor_layout/affine_expression.h"

namespace tessera {
namespace tensor_layout {

// Adds the value of `expression` to `builder`, with a source of its own. Dim i
// is dimension i of the builder's index, within bounds[i]; no value is negative
// or reaches `limit`. Linear forms become one sum; floordiv, ceildiv and mod
// cut sums.
//
// Precondition: the expression has no symbols and no dim past the bounds.
// Errors: kUnimplemented if a dim of more than one value has a negative
// coefficient, or what is divided does; kOutOfRange if a number of it exceeds
// 2^63-1.
absl::StatusOr<IndexMap::Builder::Coordinate> AddExpression(
    const AffineExpression& expression, absl::Span<const int64_t> bounds,
    int64_t limit, IndexMap::Builder* builder);

}  // namespace tensor_layout
}  // namespace tessera

#endif  // TESSERA_TENSOR_LAYOUT_MAP_COORDINATES_H_
