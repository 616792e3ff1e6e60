// File: convert/shard_cute.h
//
// The memory of one shard of a tt-mlir tensor as a CuTe layout.
//
//   #include "tessera/tenstorrent/derive/derivation.h"
//
//   namespace tt = tenstorrent;
//   const tt::ElementType tile{tt::DataType::kBF16, tt::TileShape{32, 32}};
//
//   // 64x64 on one core, in tiles of 32x32.
//   const tt::Geometry whole = *tt::Geometry::Create(
//       {64, 64}, tt::AffineMap::Identity(2), {1, 1}, tile,
//       tt::DivisionOrder::kGridFirst);
//   const absl::StatusOr<CuteLayoutOfShape> cute = ToCuteLayout(whole);
//   cute->layout.ToString();   // "((32,2),(32,2)):((32,2048),(1,1024))"
//   cute->is_exact();          // true
//   ToCuteLayout(whole, TileOrder::kFaces)->layout.ToString();
//       // "(((16,2),2),((16,2),2)):(((16,512),2048),((1,256),1024))"
//
//   // 53x63 on 3x2, in tiles of 32x32: shards of 18x32.
//   const tt::Geometry shards = *tt::Geometry::Create(
//       {53, 63}, tt::AffineMap::Identity(2), {3, 2}, tile,
//       tt::DivisionOrder::kGridFirst);
//   const absl::StatusOr<CuteLayoutOfShape> cut = ToCuteLayout(shards);
//   cut->layout.ToString();    // "(32,32):(32,1)"
//   cut->Predicate();          // "i0 < 18"
//
// Conventions. Mode i is dimension i of the shard, a result of the tensor's
// map, and the coordinate of a scalar is its Location::offset. A mode that a
// tile cuts is (in the tile, tile), one whose tile has several faces along it
// ((in the face, face), tile); what has one value is left out. Offsets of the
// layout count scalars from the first of the shard: in the order kRowMajor they
// are Location::linear, in the order kFaces they are that of storage, so that a
// scalar of whole bytes begins at byte offset * size, as Location::byte says
// (block floats have the exponents of a tile in front of it, and some take less
// than a byte).
//
// The layout is that of every shard, and over all that is allocated: whole
// tiles. CuTe has no padding: `bounds` are the shard in scalars, and whoever
// walks the layout must test them. For the shard of one cell they may be
// replaced by Placement::ValidBox of the cell, which leaves out the padding of
// the grid as well. Gaps of the map (placement.h) are within these bounds.

#ifndef TESSERA_CONVERT_SHARD_CUTE_H_
#define TESSERA_CONVERT_SHARD_CUTE_H_

#include "absl/status/statusor.h"
#include "tessera/convert/tile_order.h"
#include "tessera/convert/xla_cute.h"
#include "tessera/tenstorrent/geometry.h"

namespace tessera {

// Precondition: `geometry` is as Geometry::Create made it. A grid of rank 0 has
// the layout `():()`. Errors: none for such a geometry, whose sizes fit; those
// of cute::Layout::Builder::Build else.
absl::StatusOr<CuteLayoutOfShape> ToCuteLayout(
    const tenstorrent::Geometry& geometry,
    TileOrder order = TileOrder::kRowMajor);

}  // namespace tessera

#endif  // TESSERA_CONVERT_SHARD_CUTE_H_
