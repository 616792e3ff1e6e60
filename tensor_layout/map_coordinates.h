// File: tensor_layout/map_coordinates.h
//
// The results of an affine map as coordinates of an IndexMap.
//
//   // (d0 * 64 + d1, d2) of 3 x 64 x 32.
//   IndexMap::Builder builder({3, 64, 32});
//   const absl::StatusOr<std::vector<IndexMap::Builder::Coordinate>> results =
//       AddResults(*ParseAffineMap("(d0, d1, d2) -> (d0 * 64 + d1, d2)"),
//                  {3, 64, 32}, /*limits=*/{192, 32}, &builder);
//   (*results)[0].bound;                     // 192
//
// Private to tensor_layout/.

#ifndef TESSERA_TENSOR_LAYOUT_MAP_COORDINATES_H_
#define TESSERA_TENSOR_LAYOUT_MAP_COORDINATES_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/index_map/index_map_builder.h"
#include "tessera/tensor_layout/affine_map.h"

namespace tessera {
namespace tensor_layout {

// Adds the results of `map` to `builder`, each with a source of its own. Dim i
// is dimension i of the builder's index, within bounds[i]; no value of result i
// is negative or reaches limits[i]. Linear forms become one sum; floordiv,
// ceildiv and mod cut sums, and what is cut in several places is one source.
//
// Precondition: the map has no symbols and as many dims as there are bounds,
// and as many results as limits. Errors: kUnimplemented if a coefficient or a
// constant is negative where a sum ends, or is cut; kOutOfRange if a number
// exceeds 2^63-1.
absl::StatusOr<std::vector<IndexMap::Builder::Coordinate>> AddResults(
    const AffineMap& map, absl::Span<const int64_t> bounds,
    absl::Span<const int64_t> limits, IndexMap::Builder* builder);

}  // namespace tensor_layout
}  // namespace tessera

#endif  // TESSERA_TENSOR_LAYOUT_MAP_COORDINATES_H_
