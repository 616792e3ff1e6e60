#include "tessera/tenstorrent/layout_text.h"

#include <string>
#include <utility>

#include "tessera/tenstorrent/layout_reader.h"

namespace tessera {
namespace tenstorrent {
namespace {

constexpr absl::string_view kExpected =
    "a layout, #tt.metal_layout<(d0) -> (d0), ...>, "
    "#ttcore.metal_layout<logical_shape = ...> or #ttnn.ttnn_layout<...>";

const AffineMap* MapOf(const MetalLayout& layout) { return &layout.linear; }
const AffineMap* MapOf(const AlignedLayout&) { return nullptr; }
const AffineMap* MapOf(const TtnnLayout& layout) { return &layout.linear; }

}  // namespace

absl::StatusOr<TensorText> ReadTensorText(absl::string_view text) {
  LayoutReader reader(text);
  Dimensions shape;
  ElementType element;
  Attribute layout;
  const char* begin;
  if (!reader.ReadAliases() ||
      !reader.ReadTensor(kExpected, &shape, &element, &layout, &begin)) {
    return reader.status();
  }
  TensorText tensor;
  if (const auto* metal = absl::get_if<Shared<MetalLayout>>(&layout)) {
    tensor = MetalTensor{std::move(shape), element, **metal};
  } else if (const auto* aligned =
                 absl::get_if<Shared<AlignedLayout>>(&layout)) {
    tensor = AlignedTensor{std::move(shape), element, **aligned};
  } else if (const auto* ttnn = absl::get_if<Shared<TtnnLayout>>(&layout)) {
    tensor = TtnnTensor{std::move(shape), element, **ttnn};
  } else {
    reader.FailKind(kExpected, begin, layout);
    return reader.status();
  }
  if (!reader.Expect('>') || !reader.ReadEnd()) return reader.status();
  return tensor;
}

std::string ToString(const TensorText& tensor) {
  return absl::visit([](const auto& t) { return t.ToString(); }, tensor);
}

const AffineMap* LinearMapOf(const TensorText& tensor) {
  return absl::visit([](const auto& t) { return MapOf(t.layout); }, tensor);
}

}  // namespace tenstorrent
}  // namespace tessera
