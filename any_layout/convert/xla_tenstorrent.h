// Converts XLA's tiled layouts to tensor layouts of tt-mlir on one core, and
// back.
//
//   #include "tessera/parser/parser.h"
//
//   const absl::StatusOr<tenstorrent::MetalTensor> tensor =
//       ToMetalTensor(*ParseShape("bf16[3,64,100]{2,1,0:T(32,32)}"));
//   tensor->ToString();
//       // "tensor<3x64x100xbf16, #tt.metal_layout<(d0, d1, d2) ->
//       // (d0, d1, d2), undef, <1x1x1>,
//       // memref<3x2x4x!tt.tile<32x32, bf16>, #tt.memory_space<dram>>>>"
//   ToXlaShape(*tensor)->ToString();   // "bf16[3,64,100]{2,1,0:T(32,32)}"
//
//   // By faces, as the hardware stores a tile.
//   TenstorrentOptions options;
//   options.tile_order = TileOrder::kFaces;
//   ToXlaShape(*tensor, options)->ToString();
//       // "bf16[3,64,100]{2,1,0:T(32,32)(16,16)}"
//
// The law of both directions: for every index, the linear index of an element
// in the shape equals its number, Location::linear_in_shard, in the tensor on a
// grid of ones. There are as many positions as places. (In the order kFaces,
// the number is the one in the order of memory instead, Placement::map().)
//
// The corresponding parts:
//
//   minor_to_major      the results of the map: those of {2,1,0} are d0, d1 and
//                       d2, those of {0,1} are d1 and d0
//   no tile             a memref of scalars
//   T(32,32)            !tt.tile<32x32, ...>
//   T(256)              !tt.tile<1x256, ...>, and for a dimension that the
//                       array lacks, as in T(8,128) of one dimension, the
//                       result 0
//   * in a tile         a result that joins dimensions: T(*,32,32) of [3,4,5]
//                       is (d0 * 4 + d1, d2); where no tile is cut otherwise by
//                       it, as in an untiled memref, joining changes nothing
//   the padding of rows a stride that is bumped to the height of the tile:
//                       (d0 * 32 + d1, d2) of 2x8x32 is T(32,32) of [2,8,32]
//   pred                i1, a byte each
//   f16 f32 f64 bf16    the same
//   s32, s8, ...        si32, si8, ...; i32, i8, ... with signless_scalars
//   u32, u8, ...        ui32, ui8, ..., in tiles u32, u8
//
// A shape that is converted to a tensor and back is the same shape if it is
// untiled, or has a tile of two entries and at least two dimensions. A tensor
// that is converted to a shape and back is the same tensor if each result of
// its map is one dimension. Otherwise every element keeps its place, but the
// result may be written differently: T(1,256) for T(256), or d0 and d1 apart
// for d0 * 4 + d1.
//
// Features that only one side has are not converted, and the error names them.
// In XLA: second tiles other than those of faces, tiles in which three entries
// cut, the tail padding L, an element size E other than the type's own, splits
// SC, the metadata prefix M, dynamic dimensions, sizes of 0, other types. In
// tt-mlir: grids of more than one cell, block floats, tensors of one type in
// memory of another, positions that begin past 0, dims in several results.
//
// Also not converted, though XLA could express some of them: floordiv and mod
// in the map, other gaps than above, and tiles that cut the result 0 after a
// dimension, as in (d0, 0).

#ifndef TESSERA_ANY_LAYOUT_CONVERT_XLA_TENSTORRENT_H_
#define TESSERA_ANY_LAYOUT_CONVERT_XLA_TENSTORRENT_H_

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "tessera/any_layout/convert/tile_order.h"
#include "tessera/layout/primitive_type.h"
#include "tessera/shape/shape.h"
#include "tessera/tenstorrent/element_type.h"
#include "tessera/tenstorrent/metal_layout.h"

namespace tessera {

// Features that one side does not have. A tensor gets them from the options,
// and the inverse converts only tensors that have them, so converting back and
// forth with the same options loses nothing.
struct TenstorrentOptions {
  // XLA's number S of a memory, and tt-mlir's name for it, each at most once.
  // Numbers depend on the backend: only S(0), the device's large memory, S(1),
  // its fast memory, and S(5), the host's memory, mean the same on all backends
  // (xla/layout.h), so only they have a name here. Layouts in other memories
  // are rejected.
  std::vector<std::pair<int64_t, tenstorrent::MemorySpace>> memory_spaces = {
      {0, tenstorrent::MemorySpace::kDeviceDRAM},
      {1, tenstorrent::MemorySpace::kDeviceL1},
      {5, tenstorrent::MemorySpace::kSystem}};
  // XLA does not define the contents of padding.
  tenstorrent::OobValue oob_value = tenstorrent::OobValue::kUndef;
  std::optional<tenstorrent::TensorMemoryLayout> memory_layout = std::nullopt;
  // Whether XLA's s32 becomes the scalar i32, as StableHLO writes it, instead
  // of si32: tt-mlir has both, and does not always treat i32 as signed. Tiles
  // hold si32 either way.
  bool signless_scalars = false;
  // The order of scalars in tiles of tt-mlir. By faces, a tile with several
  // faces becomes an XLA tile with a second tile, the face.
  TileOrder tile_order = TileOrder::kRowMajor;
};

// Returns XLA's type for the same scalars, S32 for i32 and si32; nullopt for
// block floats.
std::optional<PrimitiveType> XlaTypeOf(tenstorrent::DataType type);

// Returns the tensor of tt-mlir for an array. Errors: those of CheckIndexable
// (index_util/to_index_map.h); kInvalidArgument for features that tt-mlir does
// not have; kOutOfRange if a size exceeds 2^63-1; kResourceExhausted if the map
// is past the limits of AffineMap::Create.
absl::StatusOr<tenstorrent::MetalTensor> ToMetalTensor(
    const Shape& shape, const TenstorrentOptions& options = {});

// Returns XLA's array for a tensor. Errors: kInvalidArgument for features that
// XLA does not have, and for a memref that differs from the rules
// (tenstorrent/geometry.h); those of Geometry::Create; kUnimplemented for
// tensors that are not converted although such a shape may exist; kOutOfRange
// for a number past 2^63-1.
absl::StatusOr<Shape> ToXlaShape(const tenstorrent::MetalTensor& tensor,
                                 const TenstorrentOptions& options = {});

}  // namespace tessera

#endif  // TESSERA_ANY_LAYOUT_CONVERT_XLA_TENSTORRENT_H_
