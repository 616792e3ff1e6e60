// File: index_util/bitcast.h
//
// Can one buffer be read as the other shape, without moving a byte?
//
//   #include "tessera/parser/parser.h"
//
//   // One tile is row-major, two are not.
//   IsBitcast(*ParseShape("bf16[8,128]{1,0:T(8,128)}"),
//             *ParseShape("bf16[1024]{0}"));   // true
//   IsBitcast(*ParseShape("bf16[8,256]{1,0:T(8,128)}"),
//             *ParseShape("bf16[2048]{0}"));   // false
//
// IsBitcast follows tiles, element sizes, memory spaces and prefixes. Under
// XLA's names there is XLA's rule, which looks at dimensions and minor_to_major
// only: f32[64,256]{1,0:T(8,128)} and f32[8,8,256]{2,1,0} are a bitcast by
// ReshapeIsBitcast and none by IsBitcast, and s4[4]{0} and s8[4]{0} the other
// way round, for XLA asks for one element type.

#ifndef TESSERA_INDEX_UTIL_BITCAST_H_
#define TESSERA_INDEX_UTIL_BITCAST_H_

#include <cstdint>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/index_map/index_map.h"
#include "tessera/shape/shape.h"

namespace tessera {

// Returns whether `from` and `to` have equally many elements of equally many
// bits (type and sign do not matter), in one memory space after equal metadata
// prefixes, and the element that is number n in row-major logical order lies at
// the same position in both, for every n. The buffers may still differ in size
// where padding follows the data.
//
// Errors: those of ToIndexMap for either shape; kResourceExhausted as
// SameFunction.
absl::StatusOr<bool> IsBitcast(const Shape& from, const Shape& to);

// XLA's ShapeUtil::ReshapeIsBitcast: whether `from` and `to` have one element
// type and equally many elements, and each index of either that is 1 in one
// place and 0 elsewhere keeps its *untiled* linear index when it is read as the
// other shape. Without elements it is a bitcast.
//
// Errors: kFailedPrecondition if a shape is no array, has an unbounded
// dimension or no layout; kInvalidArgument if its minor_to_major is no
// permutation; kOutOfRange if it has more than 2^63-1 elements.
absl::StatusOr<bool> ReshapeIsBitcast(const Shape& from, const Shape& to);

// XLA's ShapeUtil::TransposeIsBitcast: whether `from` and `to` have one element
// type, and minor_to_major of `to`, read as dimensions of `from`, is that of
// `from`. Dimension i of `to` is dimension dimension_mapping[i] of `from`.
//
// Errors: kFailedPrecondition as above; kInvalidArgument if `dimension_mapping`
// or a minor_to_major is not a permutation of the dimensions, or a dimension of
// `to` has another size than the one that it is mapped to.
absl::StatusOr<bool> TransposeIsBitcast(
    const Shape& from, const Shape& to,
    absl::Span<const int64_t> dimension_mapping);

// Returns the maps of both shapes from one set of indices, whose row-major
// order is that of the elements of either: the same function exactly if the
// element that is number n lies at the same position in both, for every n. For
// those who compare by rules of their own.
//
// Errors: those of ToIndexMap for either shape; kFailedPrecondition if the
// shapes do not have equally many elements, or have none.
absl::StatusOr<std::pair<IndexMap, IndexMap>> RowMajorMaps(const Shape& from,
                                                           const Shape& to);

}  // namespace tessera

#endif  // TESSERA_INDEX_UTIL_BITCAST_H_
