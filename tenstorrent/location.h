// File: tenstorrent/location.h
//
// Where one scalar of a tensor lies.
//
//   #include "tessera/tenstorrent/placement.h"
//
//   // 53x63 on 3x2, in tiles: shards of 18x32 in one tile of 32x32 each.
//   const Geometry geometry = *Geometry::Create(
//       {53, 63}, AffineMap::Identity(2), {3, 2},
//       ElementType{DataType::kBfpBf8, TileShape{32, 32}},
//       DivisionOrder::kGridFirst);
//   const absl::StatusOr<Placement> placement = Placement::Create(geometry);
//   const absl::StatusOr<Location> location = placement->Locate({18, 40});
//   location->physical();                    // {18, 40}
//   location->cell();                        // {1, 1}
//   location->offset();                      // {0, 8}, in the shard
//   location->tile();                        // {0, 0}
//   location->in_tile().row;                 // 0
//   location->in_tile().column;              // 8
//
// A location is a number of Placement::map(), and all the rest digits of it,
// which are read when they are asked for. Of a tensor with an index_map cell,
// offset and tile are those of the storage.

#ifndef TESSERA_TENSTORRENT_LOCATION_H_
#define TESSERA_TENSTORRENT_LOCATION_H_

#include <cstdint>

#include "absl/types/optional.h"
#include "tessera/tenstorrent/dimensions.h"
#include "tessera/tenstorrent/face.h"

namespace tessera {
namespace tenstorrent {

struct MemoryDigits;

// Refers to the placement that made it, which, or a copy of which, must outlive
// it.
class Location {
 public:
  Location(int64_t number, const MemoryDigits* digits)
      : number_(number), digits_(digits) {}

  int64_t number() const { return number_; }

  // The same place, counted by the tensor's own grid and shards where an
  // index_map takes these to the storage.
  Location in_view() const;

  Dimensions physical() const;  // the results of the map
  Dimensions cell() const;      // of the grid
  Dimensions offset() const;    // in the shard, in scalars
  Dimensions tile() const;  // in the memref: the last two dimensions in tiles
  InTile in_tile() const;
  InFace in_face() const;

  // Its number among the scalars that the shard allocates: tiles row-major,
  // each tile row-major, as the tensor-layout document counts, and not by
  // faces.
  int64_t linear_in_shard() const;

  // Where it begins in the shard's memory, in bytes and, past that, bits: tiles
  // row-major, each tile by faces, as it is stored.
  int64_t byte() const;
  int64_t bit() const;
  // Of a block float: where the exponent that it shares is, in bytes from the
  // begin of the shard. The exponents of a tile stand before its mantissas.
  absl::optional<int64_t> exponent_byte() const;

 private:
  int64_t number_;
  const MemoryDigits* digits_;
};

}  // namespace tenstorrent
}  // namespace tessera

#endif  // TESSERA_TENSTORRENT_LOCATION_H_
