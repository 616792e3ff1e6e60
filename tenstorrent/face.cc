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

}  // namespace tenstorrent
}  // namespace tessera
