// The memrefs of D2M and TTKernel: memory of a device without a tensor.
//
//   const absl::StatusOr<DeviceMemRef> memref = ParseDeviceMemRef(
//       "memref<1x1x2x4x!ttcore.tile<32x32, f32>, "
//       "#ttcore.shard<16384x4096, 2>, #ttcore.memory_space<l1>>");
//   memref->kind;                            // DeviceMemRef::kShard
//   memref->buffers;                         // 2
//   GridOfMemRef(*memref);                           // {1, 1}
//   ShardOfMemRef(*memref);                          // {2, 4}
//   BytesPerCore(*memref).value();           // 65536: two buffers of 8 tiles
//
// The grammar:
//
//   memref     = 'memref' '<' {size 'x'} element {',' part} '>'
//   part       = '#ttcore.shard' '<' strides ',' buffers {',' map} '>'
//              | '#ttcore.view' '<' (number | map) '>'
//              | '#ttcore.interleaved' '<' strides '>'
//              | '#ttcore.cb_layout' '<' strides ',' buffers '>'
//              | '#ttcore.host_layout' '<' ... '>'
//              | 'strided' '<' ... '>' | map
//              | '#ttcore.memory_space' '<' space '>'
//              | '#ttnn.buffer_type' '<' type '>'
//
// There may be two layouts, a shard and a view of it. tt may replace ttcore,
// the dialect's name since 2025-06. Aliases are not read here: layout_file.h
// replaces them.

#ifndef TESSERA_TENSTORRENT_MLIR_FILE_DEVICE_MEMREF_H_
#define TESSERA_TENSTORRENT_MLIR_FILE_DEVICE_MEMREF_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "absl/status/statusor.h"
#include "tessera/tenstorrent/dimensions.h"
#include "tessera/tenstorrent/element_type.h"
#include "tessera/tenstorrent/metal_layout.h"

namespace tessera::tenstorrent {

struct DeviceMemRef {
  enum Kind : uint8_t {
    kCoreLocal,    // no layout: the memory of one core
    kShard,        // one shard in each cell of a grid
    kView,         // another memref, seen through a map
    kInterleaved,  // pages on the banks in turn
    kCircularBuffer,
    kHost,
    kStrided,  // a part of a memref
  };

  Kind kind = kCoreLocal;
  // Whether there is a view in addition to another layout.
  bool is_viewed = false;
  Dimensions shape;  // in elements
  ElementType element;
  // The strides of a shard or of an interleaved memref, in bytes.
  Dimensions strides;
  // Shards that alternate, as in double buffering.
  int64_t buffers = 1;
  std::optional<MemorySpace> memory_space;
};

// "shard", "view", "core-local"
std::string_view NameOf(DeviceMemRef::Kind kind);

// Returns whether it has its own memory. Views and parts do not.
bool HasMemory(const DeviceMemRef& memref);

// Returns the first half of the sizes if the layout has a grid; else no sizes.
Dimensions GridOfMemRef(const DeviceMemRef& memref);
// Returns the sizes of the part of one core.
Dimensions ShardOfMemRef(const DeviceMemRef& memref);

// Returns the bytes of all buffers on one core; nullopt past 2^63-1. tt-mlir
// rounds them up in L1 (L1BytesOfMemRef of buffer/layout_buffer.h).
std::optional<int64_t> BytesPerCore(const DeviceMemRef& memref);
// Returns the bytes of all buffers on all cores.
std::optional<int64_t> BytesOfAll(const DeviceMemRef& memref);

// Reads a whole text. Errors, with their place: kInvalidArgument for text of
// another form and for sizes of '?'; kOutOfRange for a size past 2^63-1;
// kResourceExhausted for more than 1024 sizes.
absl::StatusOr<DeviceMemRef> ParseDeviceMemRef(std::string_view text);

}  // namespace tessera::tenstorrent

#endif  // TESSERA_TENSTORRENT_MLIR_FILE_DEVICE_MEMREF_H_
