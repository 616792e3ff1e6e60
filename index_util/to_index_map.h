// Maps every element of an XLA array shape to its position in memory.
//
//   #include "tessera/parser/parser.h"
//
//   const Shape shape = *ParseShape("f32[3,5]{1,0:T(2,2)}");
//   absl::StatusOr<IndexMap> map = ToIndexMap(shape);
//   map->LinearIndex({2, 3});             // 17
//   map->position_count();                // 24
//   std::vector<int64_t> index(2);
//   map->MultidimensionalIndex(17, absl::MakeSpan(index));
//                                         // PositionKind::kElement
//   index;                                // {2, 3}
//   ToIndexMap(shape, PositionUnit::kBytes)->LinearIndex({2, 3});  // 68
//
// Linear indices follow tiled_layout.md of openxla/xla: all tiles, `*`, and the
// tail padding L, which adds positions but moves no element. Splits (SC) and
// memory spaces (S) do not move elements either.

#ifndef TESSERA_INDEX_UTIL_TO_INDEX_MAP_H_
#define TESSERA_INDEX_UTIL_TO_INDEX_MAP_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "tessera/index_map/index_map.h"
#include "tessera/index_map/position_unit.h"
#include "tessera/shape/shape.h"

namespace tessera {

// Returns the map of `shape`, an array with a layout. Bounded dimensions count
// at their bound; bytes and bits count from the start of the buffer, the
// metadata prefix M(n) included.
//
// Errors: kFailedPrecondition if `shape` is not an array, lacks a layout or has
// an unbounded dimension, or if `unit` is bytes and elements do not begin on
// whole bytes; kInvalidArgument if ValidateShape refuses it; kOutOfRange if the
// buffer's size in that unit exceeds 2^63-1.
absl::StatusOr<IndexMap> ToIndexMap(
    const Shape& shape, PositionUnit unit = PositionUnit::kElements);

// Returns the bits that one element of an array takes in memory: E(n) if the
// layout has it, else ByteWidth in bits, so an unpacked s4 takes 8.
int64_t StorageBits(const Shape& shape);

// Returns the part of StorageBits that is not padding: all of it, unless E(n)
// widens an element; then the bits of ByteWidth. 8 for pred, with or without
// E(32).
int64_t UnpaddedElementBits(const Shape& shape);

// Checks that ToIndexMap accepts `shape`.
absl::Status CheckIndexable(const Shape& shape);

}  // namespace tessera

#endif  // TESSERA_INDEX_UTIL_TO_INDEX_MAP_H_
