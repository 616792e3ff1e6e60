#include "tessera/any_layout/bitcasts.h"

#include <utility>

#include "absl/types/variant.h"
#include "tessera/math/status_macros.h"

namespace tessera {
namespace {

using OptionalBuffer = absl::optional<ArrayBuffer>;

absl::StatusOr<OptionalBuffer> BufferOf(const Shape& shape) {
  return ToArrayBuffer(shape);
}

absl::StatusOr<OptionalBuffer> BufferOf(const StridedArray& array) {
  TESSERA_ASSIGN_OR_RETURN(IndexMap map, ToIndexMap(array));
  return OptionalBuffer(ArrayBuffer{std::move(map), 8 * array.element_bytes(),
                                    /*prefix_bytes=*/0, array.memory_space});
}

absl::StatusOr<OptionalBuffer> BufferOf(const CuteLayout&) {
  return OptionalBuffer();
}

absl::StatusOr<OptionalBuffer> BufferOf(const tenstorrent::VerifiedTensor&) {
  return OptionalBuffer();
}

}  // namespace

absl::StatusOr<absl::optional<Bitcasts>> FindBitcasts(
    const AnyLayout& from, const AnyLayout& to, const BitcastOptions& options) {
  const auto* from_shape = absl::get_if<Shape>(&from);
  const auto* to_shape = absl::get_if<Shape>(&to);
  if (from_shape != nullptr && to_shape != nullptr) {
    return FindBitcasts(*from_shape, *to_shape, options);
  }
  const auto buffer_of = [](const AnyLayout& layout) {
    return absl::visit([](const auto& value) { return BufferOf(value); },
                       layout);
  };
  TESSERA_ASSIGN_OR_RETURN(const OptionalBuffer from_buffer, buffer_of(from));
  TESSERA_ASSIGN_OR_RETURN(const OptionalBuffer to_buffer, buffer_of(to));
  if (!from_buffer.has_value() || !to_buffer.has_value()) {
    return absl::optional<Bitcasts>();
  }
  return FindBitcasts(*from_buffer, *to_buffer, options);
}

}  // namespace tessera
