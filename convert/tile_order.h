// File: convert/tile_order.h
//
// In which order do the scalars of a tile of tt-mlir lie?
//
//   FaceShapeOf({32, 32});                   // 16 x 16: two rows of two faces
//   FaceShapeOf({8, 32});                    // 8 x 16: one row of two
//   FaceShapeOf({20, 32});                   // 20 x 32: no faces
//
// The tensor-layout document, and Location::linear with it, count a tile
// row-major. The hardware stores it by faces (tt-metal#25813;
// tensor_layout/placement.h): Location::byte.

#ifndef TESSERA_CONVERT_TILE_ORDER_H_
#define TESSERA_CONVERT_TILE_ORDER_H_

#include <cstdint>

#include "tessera/tensor_layout/element_type.h"
#include "tessera/tensor_layout/placement.h"

namespace tessera {

enum class TileOrder : uint8_t {
  kRowMajor,
  kFaces,  // face after face, row-major, each of them row-major
};

// The shape of a face of `tile`, whose sizes it divides: `tile` itself if it
// has no faces. Precondition: sizes are at least 1.
inline tensor_layout::TileShape FaceShapeOf(
    const tensor_layout::TileShape& tile) {
  const tensor_layout::InFace last =
      tensor_layout::FaceOf({tile.height - 1, tile.width - 1}, tile);
  return {last.row + 1, last.column + 1};
}

}  // namespace tessera

#endif  // TESSERA_CONVERT_TILE_ORDER_H_
