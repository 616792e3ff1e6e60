// File: tenstorrent/metal_layout_parser.h
//
// Reads the layout attribute of tt-mlir's tensor-layout document, and the
// tensors that carry it.
//
//   ParseMetalTensor(
//       "tensor<8x300xf32, #tt.metal_layout<(d0, d1) -> (d0, d1), undef, "
//       "<1x2>, memref<8x150xf32, #tt.memory_space<l1>>>>");
//
//   ParseMetalTensor(
//       "#l1_ = #tt.memory_space<l1>\n"
//       "#layout = #tt.metal_layout<(d0, d1) -> (d0, d1), undef, <1x2>,\n"
//       "                           memref<8x150xf32, #l1_>>\n"
//       "tensor<8x300xf32, #layout>");               // the same
//
//   ParseMetalLayout("#tt.metal_layout<(d0) -> (d0), undef, <2>, ...>");
//
//   text     = {alias} (layout | tensor)
//   alias    = '#' name '=' (layout | space | grid with its name | map | other)
//   tensor   = 'tensor' '<' {size 'x'} element ',' layout '>'
//   layout   = '#tt.metal_layout' '<' map ',' oob ',' grid ',' memref
//              [',' memory layout] '>'
//   map      = an affine map (affine_map_parser.h), bare or affine_map<...>
//   oob      = 'undef' | 'zero' | 'one' | 'inf' | 'neginf'
//   grid     = ['#tt.grid'] '<' [sizes] {',' [name '='] map} '>'
//   memref   = 'memref' '<' {size 'x'} element ',' [identity map ','] space '>'
//   space    = '#tt.memory_space' '<' ('system' | 'mmio' | 'dram' | 'l1' |
//              'dst') '>'
//   element  = 'f32' | 'bf16' | ... | '!tt.tile' '<' size 'x' size ',' type '>'
//   sizes    = size {'x' size}
//   memory layout = 'none' | 'none_layout' | 'interleaved' | 'single_bank' |
//                   'height_sharded' | 'width_sharded' | 'block_sharded'
//
// The rules are those of tt-mlir between f3f3f0ec33 (2024-11) and c60496c369
// (2025-06), and of the MLIR that it was built with:
//
//   * For #tt.metal_layout there may stand #tt.layout, its name before, and for
//     the dialect tt its later name ttcore everywhere. The document's names are
//     printed.
//   * White space and comments are free, in lists of sizes as well: 32 x 32.
//     In such a list 0x10 is 0 by 10.
//   * Wherever an attribute stands, an alias may stand that is defined further
//     up. A text for ParseMetalLayout may end with the alias of the layout.
//     Aliases of attributes that no layout has, and of locations, are passed
//     over, up to their closing bracket: a file of tt-mlir has them as well.
//   * The maps of a grid are read and dropped: they say which core of which
//     device a cell of the grid is, and change nothing about the cells. The
//     text has one without a name or, later, virt_to_physical_map and
//     physical_to_virt_map.
//   * A memref may have a map of its own if that is the identity, which it has
//     without one. Any other map, and strided<...>, is not supported.
//   * A tile has two sizes, each at least 1, and a data type: the document's
//     "!tt.tile<32x32>" is not one.
//   * A size is in the range from 0 to 2^63-1. One that is dynamic, '?', has no
//     layout.
//
// That parts fit together is not checked here but in verification.h: a text is
// read as it stands even if its memref is not what its grid makes of its shape.
//
// An error carries a Diagnostic (text/diagnostic.h) that points at the place:
// kInvalidArgument; kOutOfRange for a number past 2^63-1; kUnimplemented for
// the memrefs named above; kResourceExhausted for more than 1024 sizes in a
// list, for an affine map beyond its limits, or if all short forms in the text,
// as aliases are, stand for more than 2^22 numbers. One pass; no recursion.

#ifndef TESSERA_TENSTORRENT_METAL_LAYOUT_PARSER_H_
#define TESSERA_TENSTORRENT_METAL_LAYOUT_PARSER_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "tessera/tenstorrent/metal_layout.h"

namespace tessera {
namespace tenstorrent {

// Reads the attribute alone. A text that ends after its aliases is read as the
// last of them.
absl::StatusOr<MetalLayout> ParseMetalLayout(absl::string_view text);

// Reads a tensor.
absl::StatusOr<MetalTensor> ParseMetalTensor(absl::string_view text);

}  // namespace tenstorrent
}  // namespace tessera

#endif  // TESSERA_TENSTORRENT_METAL_LAYOUT_PARSER_H_
