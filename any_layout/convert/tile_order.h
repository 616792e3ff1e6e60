// File: any_layout/convert/tile_order.h
//
// The order of the scalars in a tile of tt-mlir.
//
//   #include "tessera/any_layout/convert/xla_tenstorrent.h"
//
//   TenstorrentOptions options;
//   options.tile_order = TileOrder::kFaces;
//
// The tensor-layout document and Location::linear count a tile row-major. The
// hardware stores it by faces (tenstorrent/face.h), and so do Location::byte
// and Placement::map().

#ifndef TESSERA_ANY_LAYOUT_CONVERT_TILE_ORDER_H_
#define TESSERA_ANY_LAYOUT_CONVERT_TILE_ORDER_H_

#include <cstdint>

namespace tessera {

enum class TileOrder : uint8_t {
  kRowMajor,
  kFaces,  // face after face, row-major, each of them row-major
};

}  // namespace tessera

#endif  // TESSERA_ANY_LAYOUT_CONVERT_TILE_ORDER_H_
