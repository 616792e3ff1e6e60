// The tiles of TPU's registers, which have 8 sublanes of 128 lanes of 32 bits.
//
//   TpuTiles(2, 8, 2);  // T(8,128)(2,1): two elements share a word.
//   TpuTiles(1, 8, 2);  // T(1024)(128)(2,1)

#ifndef TESSERA_SHAPE_TPU_TILE_H_
#define TESSERA_SHAPE_TPU_TILE_H_

#include <cstdint>

#include "tessera/layout/layout.h"

namespace tessera {

inline constexpr int64_t kTpuLanes = 128;
inline constexpr int64_t kTpuSublanes = 8;
inline constexpr int64_t kTpuWordBits = 32;

// Returns the tiles of an array of `rank` > 0 dimensions whose tile has `rows`
// rows of 128 elements; `packing` elements share a word. In rank 1, the tile
// has the same elements in one dimension.
Layout::Tiles TpuTiles(int64_t rank, int64_t rows, int64_t packing);

}  // namespace tessera

#endif  // TESSERA_SHAPE_TPU_TILE_H_
