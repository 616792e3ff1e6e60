#include "tessera/tenstorrent/face.h"

#include <algorithm>

namespace tessera {
namespace tenstorrent {

TileShape FaceShape(const TileShape& tile) {
  constexpr int64_t kFace = 16;
  const TileShape face = {std::min(kFace, tile.height),
                          std::min(kFace, tile.width)};
  const bool is_cut =
      tile.height % face.height == 0 && tile.width % face.width == 0;
  return is_cut ? face : tile;
}

InFace FaceOf(const InTile& in_tile, const TileShape& tile) {
  const TileShape face = FaceShape(tile);
  InFace place;
  place.face = in_tile.row / face.height * (tile.width / face.width) +
               in_tile.column / face.width;
  place.row = in_tile.row % face.height;
  place.column = in_tile.column % face.width;
  place.position =
      (place.face * face.height + place.row) * face.width + place.column;
  return place;
}

}  // namespace tenstorrent
}  // namespace tessera
