#include "tessera/tenstorrent/face.h"

#include <algorithm>

namespace tessera::tenstorrent {

TileShape FaceShape(const TileShape& tile) {
  constexpr int64_t kFace = 16;
  const TileShape face = {std::min(kFace, tile.height),
                          std::min(kFace, tile.width)};
  const bool is_cut =
      tile.height % face.height == 0 && tile.width % face.width == 0;
  return is_cut ? face : tile;
}

InFace InFaceOf(const TileShape& tile, const InTile& scalar) {
  const TileShape shape = FaceShape(tile);
  InFace face;
  face.face = scalar.row / shape.height * (tile.width / shape.width) +
              scalar.column / shape.width;
  face.row = scalar.row % shape.height;
  face.column = scalar.column % shape.width;
  face.position =
      (face.face * shape.height + face.row) * shape.width + face.column;
  return face;
}

InTile ScalarAt(const TileShape& tile, int64_t position) {
  const TileShape shape = FaceShape(tile);
  const int64_t scalars = shape.height * shape.width;
  const int64_t faces_across = tile.width / shape.width;
  const int64_t face = position / scalars, in_face = position % scalars;
  return {face / faces_across * shape.height + in_face / shape.width,
          face % faces_across * shape.width + in_face % shape.width};
}

}  // namespace tessera::tenstorrent
