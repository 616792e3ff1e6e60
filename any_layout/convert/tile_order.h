// The order of the scalars in a tile of tt-mlir.
//
//   #include "tessera/any_layout/convert/xla_tenstorrent.h"
//   #include "tessera/parser/parser.h"
//
//   const absl::StatusOr<tenstorrent::MetalTensor> tensor =
//       ToMetalTensor(*ParseShape("bf16[3,64,100]{2,1,0:T(32,32)}"));
//   TenstorrentOptions options;
//   options.tile_order == TileOrder::kRowMajor;   // true, by default
//   ToXlaShape(*tensor, options)->ToString();
//       // "bf16[3,64,100]{2,1,0:T(32,32)}"
//   options.tile_order = TileOrder::kFaces;
//   ToXlaShape(*tensor, options)->ToString();
//       // "bf16[3,64,100]{2,1,0:T(32,32)(16,16)}"
//
// tt-mlir's tensor-layout document and Location::linear_in_shard count the
// scalars of a tile row-major. The hardware stores them by faces
// (tenstorrent/face.h); Location::byte and Placement::map() count in that
// order.

#ifndef TESSERA_ANY_LAYOUT_CONVERT_TILE_ORDER_H_
#define TESSERA_ANY_LAYOUT_CONVERT_TILE_ORDER_H_

#include <cstdint>

namespace tessera {

enum class TileOrder : uint8_t {
  kRowMajor,  // row by row of the whole tile
  kFaces,     // the faces row-major, and the scalars in each face row-major
};

}  // namespace tessera

#endif  // TESSERA_ANY_LAYOUT_CONVERT_TILE_ORDER_H_
