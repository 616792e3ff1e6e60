// File: tenstorrent/layout_text.h
//
// Reads a tensor of tt-mlir, whichever of its three layouts it carries.
//
//   const absl::StatusOr<TensorText> tensor = ReadTensorText(
//       "#layout = #ttnn.ttnn_layout<...>\n"
//       "tensor<64x128xbf16, #layout>");
//   absl::holds_alternative<TtnnTensor>(*tensor);       // true
//   ToString(*tensor);       // "tensor<64x128xbf16, #ttnn.ttnn_layout<...>>"
//
//   #tt.metal_layout<(d0) -> (d0), ...>           the document's: MetalTensor
//   #ttcore.metal_layout<logical_shape = ...>     since 2025-06: AlignedTensor
//   #ttnn.ttnn_layout<...>                        TTNN's: TtnnTensor
//
// It is what stands between the angle brackets, not the dialect's name, that
// tells the first two apart.

#ifndef TESSERA_TENSTORRENT_LAYOUT_TEXT_H_
#define TESSERA_TENSTORRENT_LAYOUT_TEXT_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/variant.h"
#include "tessera/tenstorrent/aligned_layout.h"
#include "tessera/tenstorrent/metal_layout.h"
#include "tessera/tenstorrent/ttnn_layout.h"

namespace tessera {
namespace tenstorrent {

using TensorText = absl::variant<MetalTensor, AlignedTensor, TtnnTensor>;

// Reads what ParseMetalTensor, ParseAlignedTensor or ParseTtnnTensor would
// read, and nothing else: metal_layout_parser.h, aligned_layout_parser.h and
// ttnn_layout_parser.h have the grammars, the limits and the errors. A tensor
// with another attribute or none is kInvalidArgument.
absl::StatusOr<TensorText> ReadTensorText(absl::string_view text);

// What the tensor prints as.
std::string ToString(const TensorText& tensor);

// Returns the map from the tensor's dimensions to physical positions; null if
// the layout has none, as AlignedLayout.
const AffineMap* LinearMapOf(const TensorText& tensor);

}  // namespace tenstorrent
}  // namespace tessera

#endif  // TESSERA_TENSTORRENT_LAYOUT_TEXT_H_
