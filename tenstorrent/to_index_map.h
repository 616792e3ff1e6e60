// Maps every element of a tensor of tt-mlir to its position in memory.
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
// The memory of the whole tensor is the allocated memory of its cells, in
// row-major order. Tiles are row-major in a cell, faces in a tile (face.h), and
// scalars in a face. A tile of block floats begins with its exponents, which no
// index reaches; its elements follow them.
//
// This is one IndexMap, so everything that works on maps works for tensors, in
// the order of memory: runs, padding, batches, relayouts, pictures.

#ifndef TESSERA_TENSTORRENT_TO_INDEX_MAP_H_
#define TESSERA_TENSTORRENT_TO_INDEX_MAP_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "tessera/index_map/index_map.h"
#include "tessera/index_map/position_unit.h"
#include "tessera/tenstorrent/placement.h"
#include "tessera/tenstorrent/tensor.h"

namespace tessera::tenstorrent {

// Returns the map of the tensor. In elements it numbers the scalars in the
// order of memory, without exponents: placement.map(). Elements smaller than a
// byte fill the bits of their byte from the lowest up.
//
// Errors: kFailedPrecondition if `unit` is bytes and elements do not begin on
// whole bytes; kOutOfRange if the memory exceeds 2^63-1 in that unit.
absl::StatusOr<IndexMap> ToIndexMap(
    const Placement& placement, PositionUnit unit = PositionUnit::kElements);

// Like the function above. Errors: also those of PlacementOf.
absl::StatusOr<IndexMap> ToIndexMap(
    const VerifiedTensor& tensor, PositionUnit unit = PositionUnit::kElements);

// Returns the map in the order of memory whose positions are as large as one
// element. This is placement.map(), except for block floats: the exponents of a
// tile take as many positions as elements would in their bits.
//
// Errors: kOutOfRange if the memory exceeds 2^63-1 elements.
absl::StatusOr<IndexMap> ToMapWithExponents(const Placement& placement);

// Returns the kind of `position` in ToIndexMap(placement, unit): kGap if no
// scalar begins there (within a scalar or among exponents), and else the kind
// that Placement::At returns for the scalar. Precondition: that map exists, and
// has the position.
PositionKind KindAt(const Placement& placement, PositionUnit unit,
                    int64_t position);

// Returns the bits of each element, which RelayoutPlan::Create (relayout/)
// needs in addition to the map in elements.
//
// Errors: kUnimplemented for block floats, whose elements share exponents.
absl::StatusOr<int64_t> StorageBits(const Placement& placement);

}  // namespace tessera::tenstorrent

#endif  // TESSERA_TENSTORRENT_TO_INDEX_MAP_H_
