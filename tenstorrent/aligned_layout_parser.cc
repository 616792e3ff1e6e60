#include "tessera/tenstorrent/aligned_layout_parser.h"

#include "tessera/tenstorrent/layout_reader.h"

namespace tessera {
namespace tenstorrent {
namespace {

constexpr absl::string_view kExpected =
    "a layout such as #ttcore.metal_layout<logical_shape = ...>";

}  // namespace

absl::StatusOr<AlignedLayout> ParseAlignedLayout(absl::string_view text) {
  return ParseAttributeText<AlignedLayout>(text, kExpected);
}

absl::StatusOr<AlignedTensor> ParseAlignedTensor(absl::string_view text) {
  return ParseTensorText<AlignedTensor>(text, kExpected);
}

}  // namespace tenstorrent
}  // namespace tessera
