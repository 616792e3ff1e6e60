// File: index_util/bitcast.h
//
// Can one buffer be read as the other shape, without moving a byte?
//
//   // bf16[8,128]{1,0:T(8,128)} and bf16[1024]{0}: true, one tile is
//   row-major.
//   // bf16[8,256]{1,0:T(8,128)} and bf16[2048]{0}: false.
//   IsBitcast(from, to);
//
// XLA's ReshapeIsBitcast and TransposeIsBitcast ignore tiles; this does not.

#ifndef TESSERA_INDEX_UTIL_BITCAST_H_
#define TESSERA_INDEX_UTIL_BITCAST_H_

#include <utility>

#include "absl/status/statusor.h"
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
