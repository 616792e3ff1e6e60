// File: index_util/bitcast.h
//
// Can one buffer be read as the other shape, without moving a byte?
//
//   // bf16[8,128]{1,0:T(8,128)} and bf16[1024]{0}: one tile is row-major.
//   IsBitcast(from, to);   // true
//   // bf16[8,256]{1,0:T(8,128)} and bf16[2048]{0}
//   IsBitcast(from, to);   // false
//
// XLA's ReshapeIsBitcast and TransposeIsBitcast ignore tiles; this does not.

#ifndef TESSERA_INDEX_UTIL_BITCAST_H_
#define TESSERA_INDEX_UTIL_BITCAST_H_

#include "absl/status/statusor.h"
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

}  // namespace tessera

#endif  // TESSERA_INDEX_UTIL_BITCAST_H_
