#include "tessera/tenstorrent/ttnn_layout_parser.h"

#include "tessera/tenstorrent/layout_reader.h"

namespace tessera {
namespace tenstorrent {
namespace {

constexpr absl::string_view kExpected =
    "a layout such as #ttnn.ttnn_layout<...>";

}  // namespace

absl::StatusOr<TtnnLayout> ParseTtnnLayout(absl::string_view text) {
  return ParseAttributeText<TtnnLayout>(text, kExpected);
}

absl::StatusOr<TtnnTensor> ParseTtnnTensor(absl::string_view text) {
  return ParseTensorText<TtnnTensor>(text, kExpected);
}

absl::StatusOr<MemoryConfig> ParseMemoryConfig(absl::string_view text) {
  return ParseAttributeText<MemoryConfig>(
      text, "a memory configuration such as #ttnn.memory_config<...>");
}

}  // namespace tenstorrent
}  // namespace tessera
