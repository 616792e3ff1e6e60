// Splits the number of a place (Placement::map()) into digits.
//
//   // 53x63 on 3x2, in tiles of 32x32 with faces of 16x16.
//   const MemoryDigits digits(geometry);
//   digits.cell[0].Of(3272);                 // 1: 3272 = 3 * 1024 + 200, and
//   digits.cell[1].Of(3272);                 // 1: a row has two cells
//   digits.position.Of(3272);                // 200, in its tile
//   digits.row.Of(3272);                     // 12: 200 = 12 * 16 + 8
//   digits.column.Of(3272);                  // 8

#ifndef TESSERA_TENSTORRENT_INTERNAL_MEMORY_DIGITS_H_
#define TESSERA_TENSTORRENT_INTERNAL_MEMORY_DIGITS_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "tessera/base/math/fast_divider.h"
#include "tessera/index_map/index_map.h"
#include "tessera/tenstorrent/dimensions.h"
#include "tessera/tenstorrent/element_type.h"
#include "tessera/tenstorrent/geometry.h"

namespace tessera::tenstorrent {

// The digit (number mod `outer`) div `stride`.
class MemoryDigit {
 public:
  // Creates a digit that is always 0.
  MemoryDigit() : MemoryDigit(1, 1) {}
  // Precondition: both are at least 1.
  MemoryDigit(int64_t outer, int64_t stride)
      : by_outer_(outer), by_stride_(stride), outer_(outer) {}

  // Precondition: number >= 0.
  int64_t Of(int64_t number) const { return by_stride_.Divide(RestOf(number)); }
  // Returns number mod `outer`, which equals Of if `stride` is 1.
  int64_t RestOf(int64_t number) const {
    return number - by_outer_.Divide(number) * outer_;
  }

 private:
  FastDivider by_outer_;
  FastDivider by_stride_;
  int64_t outer_;
};

struct MemoryDigits {
  // If there are no places, all digits are 0.
  explicit MemoryDigits(const Geometry& geometry);

  std::vector<MemoryDigit> cell;  // one for each dimension of the grid
  std::vector<MemoryDigit> tile;  // and of the memref
  MemoryDigit in_shard;           // of the scalar
  MemoryDigit tile_number;        // in the shard
  // The digits within tiles; always 0 without tiles.
  MemoryDigit position;  // in the tile
  MemoryDigit face;
  MemoryDigit face_row;  // of the faces of a tile
  MemoryDigit face_column;
  MemoryDigit row;  // of the scalars of a face
  MemoryDigit column;

  Dimensions shard;
  ElementType element;
  int64_t element_bits;
  int64_t element_bytes;  // 0 where an element takes less than a byte
  // The distance between tiles, or between scalars if there are no tiles, and
  // the offset of the first scalar in its tile.
  int64_t bytes_per_tile;
  int64_t exponent_bytes;

  // For a storage that the tensor views by an index_map: the digits of the
  // numbers by the tensor's own shape, and the map from these numbers
  // (storage_view.h); null otherwise.
  std::shared_ptr<const MemoryDigits> of_view;
  IndexMap to_storage;
};

}  // namespace tessera::tenstorrent

#endif  // TESSERA_TENSTORRENT_INTERNAL_MEMORY_DIGITS_H_
