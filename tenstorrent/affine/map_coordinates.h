// The results of an affine map as coordinates of an IndexMap.
//
//   // (d0 * 64 + d1, d2) of 3 x 64 x 32.
//   IndexMap::Builder builder({3, 64, 32});
//   const absl::StatusOr<std::vector<PositionSum>> results =
//       SumsOfResults(*ParseAffineMap("(d0, d1, d2) -> (d0 * 64 + d1, d2)"),
//                     {3, 64, 32}, /*limits=*/{192, 32}, &builder);
//   (*results)[0].terms;                     // d0 by 64, d1 by 1

#ifndef TESSERA_TENSTORRENT_AFFINE_MAP_COORDINATES_H_
#define TESSERA_TENSTORRENT_AFFINE_MAP_COORDINATES_H_

#include <cstdint>
#include <limits>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/index_map/index_map_builder.h"
#include "tessera/tenstorrent/affine/affine_map.h"

namespace tessera::tenstorrent {

// constant + the sum of stride * coordinate, below `limit`.
struct PositionSum {
  std::vector<IndexMap::Builder::StridedCoordinate> terms;
  int64_t constant = 0;
  int64_t limit = std::numeric_limits<int64_t>::max();
};

// Returns the results of `map` as sums of coordinates of `builder`. Dim i is
// dimension i of the builder's index, within bounds[i]; no value of result i is
// negative or reaches limits[i]. Strides and constants are not negative.
// floordiv, ceildiv and mod cut sums. A sum that is cut in several places is
// one source. A sum of parts of dims, or of dims that are also in other
// results, is one coordinate with its own source: its inverse compares the
// values that several sources give for a dim.
//
// Precondition: the map has no symbols and as many dims as there are bounds,
// and as many results as limits. Errors: kUnimplemented if a coefficient or a
// constant is negative where a sum ends or is cut; kOutOfRange if a number
// exceeds 2^63-1.
absl::StatusOr<std::vector<PositionSum>> SumsOfResults(
    const AffineMap& map, absl::Span<const int64_t> bounds,
    absl::Span<const int64_t> limits, IndexMap::Builder* builder);

}  // namespace tessera::tenstorrent

#endif  // TESSERA_TENSTORRENT_AFFINE_MAP_COORDINATES_H_
