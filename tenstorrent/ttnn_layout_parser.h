// File: tenstorrent/ttnn_layout_parser.h
//
// Reads the layout attribute of TTNN's tensors, the tensors that carry it, and
// TTNN's memory configurations.
//
//   ParseTtnnLayout(
//       "#ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>,"
//       " memref<1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>,"
//       " <block_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (7,7)>]>>");
//   ParseTtnnTensor(
//       "#layout = #ttnn.ttnn_layout<...>\n"
//       "tensor<256x256xbf16, #layout>");
//   ParseMemoryConfig(
//       "#l1 = #ttnn.buffer_type<l1>\n"
//       "#ttnn.memory_config<#l1, <height_sharded>, #ttnn.shard_spec<"
//       "<[#ttnn.core_range<(0,0), (7,0)>]>, <32x128>, <row_major>>>");
//
//   layout        = '#ttnn.ttnn_layout' '<' map ',' grid ','
//                   ['mesh' '=' mesh ','] memref {',' property} '>'
//   memref        = 'memref' '<' {size 'x'} element ',' [identity map ',']
//                   buffer '>'
//   buffer        = '#ttnn.buffer_type' '<' ('dram' | 'l1' | 'system_memory' |
//                   'l1_small' | 'trace') '>'
//   property      = memory layout | 'exactGrid' '=' bool
//                 | 'ignorePhysicalLayout' '=' bool | 'core_ranges' '=' ranges
//   memory layout = '#ttnn.tensor_memory_layout' '<' ('interleaved' | ...) '>'
//   mesh          = '#ttcore.tensor_mesh' '<' string '>'
//   ranges        = '#ttnn.core_range_set' '<' ['[' range {',' range} ']'] '>'
//   range         = '#ttnn.core_range' '<' core ',' core '>'
//   core          = '(' number ',' number ')'       // x, y
//   config        = '#ttnn.memory_config' '<' buffer [',' memory layout]
//                   [',' spec] '>'
//   spec          = '#ttnn.shard_spec' '<' ranges ',' shape ',' orientation
//                   [',' mode [',' shape]] '>'
//   shape         = '#ttnn.shape' '<' [sizes] '>'
//   orientation   = '#ttnn.shard_orientation' '<' ('row_major' | 'col_major')
//                   '>'
//   mode          = '#ttnn.shard_mode' '<' ('physical' | 'logical') '>'
//
// in which maps, grids, sizes, elements, aliases and tensors are those of
// metal_layout_parser.h, with the same limits, and the memory layouts its
// keywords. The name of an attribute within another may be left out, <l1> or
// <[...]>, except where the grammar of the memref asks for it. The properties
// come in any order, each at most once (TTNNDialect.cpp, parseTTNNLayoutTail).
//
// Cores are (x, y), as tt-mlir has them in this dialect. The core ranges of
// #ttcore are (y, x): they are no part of these attributes and not read.
//
// That parts fit together is not checked: ranges may overlap.
//
// Errors are those of metal_layout_parser.h; also kResourceExhausted for more
// than 1024 core ranges.

#ifndef TESSERA_TENSTORRENT_TTNN_LAYOUT_PARSER_H_
#define TESSERA_TENSTORRENT_TTNN_LAYOUT_PARSER_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "tessera/tenstorrent/ttnn_layout.h"

namespace tessera {
namespace tenstorrent {

// Reads the attribute alone. A text that ends after its aliases is read as the
// last of them.
absl::StatusOr<TtnnLayout> ParseTtnnLayout(absl::string_view text);

// Reads a tensor.
absl::StatusOr<TtnnTensor> ParseTtnnTensor(absl::string_view text);

// Reads a memory configuration, as ParseTtnnLayout reads a layout.
absl::StatusOr<MemoryConfig> ParseMemoryConfig(absl::string_view text);

}  // namespace tenstorrent
}  // namespace tessera

#endif  // TESSERA_TENSTORRENT_TTNN_LAYOUT_PARSER_H_
