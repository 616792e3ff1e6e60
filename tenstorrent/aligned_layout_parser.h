// File: tenstorrent/aligned_layout_parser.h
//
// Reads tt-mlir's tensor layout attribute since 2025-06, and the tensors that
// carry it.
//
//   ParseAlignedLayout(
//       "#ttcore.metal_layout<logical_shape = 64x128, dim_alignments = 32x32,"
//       " collapsed_intervals = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>,"
//       " l1, sharded>");
//   ParseAlignedTensor(
//       "#layout = #ttcore.metal_layout<...>\n"
//       "tensor<2x4x1x1x!ttcore.tile<32x32, f32>, #layout>");
//
//   layout    = '#ttcore.metal_layout' '<'
//               'logical_shape' '=' [sizes] ',' 'dim_alignments' '=' [sizes]
//               ','
//               ('collapsed_intervals' | 'collapse_dims') '=' intervals
//               [',' oob] [',' memory space] [',' ('interleaved' | 'sharded')]
//               [',' 'index_map' '=' ('map' '(' number ')' | map)] '>'
//   intervals = 'dense' '<' [integer | '[' pair {',' pair} ']'] '>' ':'
//               'tensor' '<' size 'x' '2' 'x' 'i64' '>'
//   pair      = '[' integer ',' integer ']'
//
// in which aliases, tensors, sizes, elements, maps and keywords are those of
// metal_layout_parser.h, with the same limits. Every form that the attribute
// had is read: which parts are in which years is in aligned_layout.h;
// collapse_dims is from its first six days. dense<0> stands for as many zeros
// as the type has, and map(4) for the identity of four dimensions.
//
// That parts fit together is not checked: intervals may overlap or lie outside
// the rank, alignments may be fewer than dimensions.
//
// Errors are those of metal_layout_parser.h; also kResourceExhausted for more
// than 1024 intervals or dimensions in map(...).

#ifndef TESSERA_TENSTORRENT_ALIGNED_LAYOUT_PARSER_H_
#define TESSERA_TENSTORRENT_ALIGNED_LAYOUT_PARSER_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "tessera/tenstorrent/aligned_layout.h"

namespace tessera {
namespace tenstorrent {

// Reads the attribute alone. A text that ends after its aliases is read as the
// last of them.
absl::StatusOr<AlignedLayout> ParseAlignedLayout(absl::string_view text);

// Reads a tensor.
absl::StatusOr<AlignedTensor> ParseAlignedTensor(absl::string_view text);

}  // namespace tenstorrent
}  // namespace tessera

#endif  // TESSERA_TENSTORRENT_ALIGNED_LAYOUT_PARSER_H_
