// Makes new maps from old ones: permutes, reshapes or slices the array of a
// map, or applies one map after another.
//
//   #include "tessera/index_util/to_index_map.h"
//   #include "tessera/parser/parser.h"
//
//   // 3 x 5 in tiles of 2 x 2, as pictured in index_map/index_map.h.
//   const IndexMap map = *ToIndexMap(*ParseShape("f32[3,5]{1,0:T(2,2)}"));
//   Permuted(map, {1, 0})->LinearIndexUnchecked({3, 2});    // 17: (2, 3)
//   Reshaped(map, {15})->LinearIndexUnchecked({13});        // 17: (2, 3)
//   Sliced(map, {1, 1}, {3, 4})->LinearIndexUnchecked({1, 2});  // 17: (2, 3)
//   CommonBounds({4, 6, 5}, {24, 5});                       // {24, 5}
//
// Each result is a map like any other, and has an inverse if the old map has
// one. Its positions are those of the old map: elements outside a slice become
// padding or gaps.

#ifndef TESSERA_INDEX_MAP_ALGEBRA_H_
#define TESSERA_INDEX_MAP_ALGEBRA_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/index_map/index_map.h"

namespace tessera {

// Returns the map of the transposed array, whose dimension i is dimension
// dimensions[i] of `map`: XLA's transpose.
//
// Law: Permuted(map, p)(y) == map(x) where x[p[i]] == y[i].
// Errors: kInvalidArgument if `dimensions` is not a permutation of the
// dimensions.
absl::StatusOr<IndexMap> Permuted(const IndexMap& map,
                                  absl::Span<const int64_t> dimensions);

// Returns the map of the array with other bounds and its elements in the same
// row-major order: XLA's reshape.
//
// Law: Reshaped(map, b)(y) == map(x) where y within `b` and x within
// map.bounds() have the same row-major number.
// Errors: kInvalidArgument if a bound is negative or the number of elements
// differs; kOutOfRange if a product of bounds exceeds 2^63-1.
absl::StatusOr<IndexMap> Reshaped(const IndexMap& map,
                                  absl::Span<const int64_t> bounds);

// Returns the map of the elements with start[i] <= index[i] < limit[i].
//
// Law: Sliced(map, start, limit)(y) == map(x) where x[i] == y[i] + start[i].
// Errors: kInvalidArgument if `start` or `limit` does not have map.rank()
// entries, kOutOfRange if one is outside the bounds or start exceeds limit.
absl::StatusOr<IndexMap> Sliced(const IndexMap& map,
                                absl::Span<const int64_t> start,
                                absl::Span<const int64_t> limit);

// Returns the map that uses the position of an element in `inner` as an index
// into `outer`.
//
// Law: Composed(outer, inner)(x) == outer({inner(x)}). Errors: kInvalidArgument
// if `outer` does not have one dimension; kOutOfRange if an element of `inner`
// lies past the bound of `outer`; kUnimplemented, with the reason, if `inner`
// is swizzled or has negative strides: its positions are then not a sum of
// digits that can be cut further.
absl::StatusOr<IndexMap> Composed(const IndexMap& outer, const IndexMap& inner);

// Returns the coarsest bounds of which both are refinements, in row-major
// order: (24, 5) for (4, 6, 5) and (24, 5).
//
// Precondition: the products are equal and not 0, and no bound is negative.
std::vector<int64_t> CommonBounds(absl::Span<const int64_t> a,
                                  absl::Span<const int64_t> b);

}  // namespace tessera

#endif  // TESSERA_INDEX_MAP_ALGEBRA_H_
