// The place of one scalar of a tensor.
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
// A location is a number, a position in Placement::map(). All other parts are
// digits of this number, which are computed on demand. For a tensor with an
// index_map, cell, offset and tile are those of the storage.

#ifndef TESSERA_TENSTORRENT_LOCATION_H_
#define TESSERA_TENSTORRENT_LOCATION_H_

#include <cstdint>
#include <optional>

#include "tessera/tenstorrent/dimensions.h"
#include "tessera/tenstorrent/face.h"

namespace tessera::tenstorrent {

struct MemoryDigits;

// Refers to the placement that made it. That placement, or a copy of it, must
// outlive the location.
class Location {
 public:
  // For Placement::LocationOf.
  Location(int64_t number, const MemoryDigits* digits)
      : number_(number), digits_(digits) {}

  // The position in Placement::map().
  int64_t number() const { return number_; }

  // The same place in terms of the tensor's own grid and shards, if an
  // index_map maps these to the storage; otherwise the location itself.
  Location in_view() const;

  Dimensions physical() const;  // the results of Geometry::linear
  Dimensions cell() const;      // of the grid
  Dimensions offset() const;    // in the shard, in scalars
  Dimensions tile() const;  // in the memref: the last two dimensions in tiles
  InTile in_tile() const;
  InFace in_face() const;

  // Its number among the scalars that the shard allocates: tiles row-major, and
  // each tile row-major and not by faces, as in the tensor-layout document.
  int64_t linear_in_shard() const;

  // The start of the scalar in the shard's memory, in bytes plus remaining
  // bits: tiles row-major, each tile by faces, as it is stored.
  int64_t byte() const;
  int64_t bit() const;
  // For a block float: the place of its shared exponent, in bytes from the
  // start of the shard; otherwise nullopt. The exponents of a tile come before
  // its mantissas.
  std::optional<int64_t> exponent_byte() const;

 private:
  int64_t number_;
  const MemoryDigits* digits_;
};

}  // namespace tessera::tenstorrent

#endif  // TESSERA_TENSTORRENT_LOCATION_H_
