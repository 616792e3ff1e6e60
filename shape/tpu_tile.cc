#include "tessera/shape/tpu_tile.h"

#include "tessera/layout/tile.h"

namespace tessera {

Layout::Tiles TpuTiles(int64_t rank, int64_t rows, int64_t packing) {
  Layout::Tiles tiles = {rank == 1 ? Tile({rows * kTpuLanes})
                                   : Tile({rows, kTpuLanes})};
  if (packing == 1) return tiles;
  if (rank == 1) tiles.push_back(Tile({kTpuLanes}));
  tiles.push_back(Tile({packing, 1}));
  return tiles;
}

}  // namespace tessera
