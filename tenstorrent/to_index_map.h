// File: tenstorrent/to_index_map.h
//
// From a tensor of tt-mlir to the map of where its elements lie in memory.
//
//   // 53x63 on 3x2, in tiles of 32x32 of bf16.
//   const Geometry geometry = *Geometry::Create(
//       {53, 63}, AffineMap::Identity(2), {3, 2},
//       ElementType{DataType::kBF16, TileShape{32, 32}},
//       DivisionOrder::kGridFirst);
//   const Placement placement = *Placement::Create(geometry);
//   const absl::StatusOr<IndexMap> map =
//       ToIndexMap(placement, PositionUnit::kBytes);
//   map->LinearIndex({18, 40});           // 6160: the cell (1,1) begins at
//                                         // 6144, and its column 8 at 16
//   map->position_count();                // 12288, of six shards
//
// The memory of the whole tensor is that of its cells one after the other,
// row-major, each with all that it allocates. In a cell tiles come row-major,
// in a tile faces (face.h), in a face scalars. A tile of block
// floats begins with its exponents, which no index has: its elements lie past
// them.
//
// That is one IndexMap, so all that is computed on maps works for tensors:
// runs, padding, batches, relayouts, pictures, in the order of memory.

#ifndef TESSERA_TENSTORRENT_TO_INDEX_MAP_H_
#define TESSERA_TENSTORRENT_TO_INDEX_MAP_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "tessera/index_map/index_map.h"
#include "tessera/index_map/position_unit.h"
#include "tessera/tenstorrent/placement.h"
#include "tessera/tenstorrent/tensor.h"

namespace tessera {
namespace tenstorrent {

// Returns the map of the tensor. In elements it numbers the scalars in the
// order of memory, exponents left out: placement.map(). An element of less than
// a byte lies in the bits of its byte from the lowest on.
//
// Errors: kFailedPrecondition if elements do not begin on whole bytes where
// bytes are asked for; kOutOfRange if the memory exceeds 2^63-1 in that unit.
absl::StatusOr<IndexMap> ToIndexMap(
    const Placement& placement, PositionUnit unit = PositionUnit::kElements);

// The same. Errors: also those of PlacementOf.
absl::StatusOr<IndexMap> ToIndexMap(
    const VerifiedTensor& tensor, PositionUnit unit = PositionUnit::kElements);

// Returns the map in the order of memory whose positions are as large as one
// element. This is placement.map(), except for block floats: the exponents of a
// tile take as many positions as they have elements' bits.
//
// Errors: kOutOfRange if the memory exceeds 2^63-1 elements.
absl::StatusOr<IndexMap> ToMapWithExponents(const Placement& placement);

// Returns what lies at `position` of ToIndexMap(placement, unit): kGap where no
// scalar begins, within a scalar or among exponents, and else what
// Placement::At says of the scalar. Precondition: that map exists, and has the
// position.
PositionKind KindAt(const Placement& placement, PositionUnit unit,
                    int64_t position);

// Returns the bits that each element takes, as RelayoutPlan::Create (relayout/)
// wants them beside the map in elements.
//
// Errors: kUnimplemented for block floats, whose elements share exponents.
absl::StatusOr<int64_t> StorageBits(const Placement& placement);

}  // namespace tenstorrent
}  // namespace tessera

#endif  // TESSERA_TENSTORRENT_TO_INDEX_MAP_H_
