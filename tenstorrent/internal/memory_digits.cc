#include "tessera/tenstorrent/internal/memory_digits.h"

#include <algorithm>

#include "tessera/tenstorrent/internal/memory_axes.h"

namespace tessera::tenstorrent {

MemoryDigits::MemoryDigits(const Geometry& geometry)
    : shard(geometry.shard),
      element(geometry.element),
      element_bits(BitsOf(geometry.element.data_type)),
      element_bytes(element_bits / 8),
      bytes_per_tile(*geometry.element.bytes()),
      exponent_bytes(ExponentBytes(geometry.element)) {
  const Dimensions bounds = MemoryBounds(geometry);
  const int64_t rank = geometry.rank();
  cell.resize(rank);
  tile.resize(rank);
  // The product of the other bounds may have no limit then.
  if (std::find(bounds.begin(), bounds.end(), 0) != bounds.end()) return;
  // All digits, from the minor-most on.
  std::vector<MemoryDigit> digits;
  Dimensions strides(bounds.size() + 1, 1);
  for (size_t i = bounds.size(); i-- > 0;) {
    strides[i] = strides[i + 1] * bounds[i];
    digits.push_back(MemoryDigit(strides[i], strides[i + 1]));
  }
  std::reverse(digits.begin(), digits.end());
  cell.assign(digits.begin(), digits.begin() + rank);
  tile.assign(digits.begin() + rank, digits.begin() + 2 * rank);
  in_shard = MemoryDigit(strides[rank], 1);
  tile_number = MemoryDigit(strides[rank], strides[2 * rank]);
  if (!element.is_tile()) return;
  const int64_t in_tile = 2 * rank;
  position = MemoryDigit(strides[in_tile], 1);
  face = MemoryDigit(strides[in_tile], strides[in_tile + 2]);
  face_row = digits[in_tile];
  face_column = digits[in_tile + 1];
  row = digits[in_tile + 2];
  column = digits[in_tile + 3];
}

}  // namespace tessera::tenstorrent
