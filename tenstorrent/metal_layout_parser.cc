#include "tessera/tenstorrent/metal_layout_parser.h"

#include "tessera/tenstorrent/layout_reader.h"

namespace tessera {
namespace tenstorrent {
namespace {

constexpr absl::string_view kExpected =
    "a layout such as #tt.metal_layout<(d0) -> (d0), ...>";

}  // namespace

absl::StatusOr<MetalLayout> ParseMetalLayout(absl::string_view text) {
  return ParseAttributeText<MetalLayout>(text, kExpected);
}

absl::StatusOr<MetalTensor> ParseMetalTensor(absl::string_view text) {
  return ParseTensorText<MetalTensor>(text, kExpected);
}

}  // namespace tenstorrent
}  // namespace tessera
