#include "tessera/index_util/tiled_index.h"

#include "tessera/index_util/to_index_map.h"

namespace tessera {

absl::StatusOr<int64_t> TiledLinearIndex(const Shape& shape,
                                         absl::Span<const int64_t> index) {
  absl::StatusOr<IndexMap> map = ToIndexMap(shape);
  if (!map.ok()) return map.status();
  return map->LinearIndex(index);
}

absl::StatusOr<absl::optional<absl::InlinedVector<int64_t, 6>>>
TiledMultidimensionalIndex(const Shape& shape, int64_t linear_index) {
  absl::StatusOr<IndexMap> map = ToIndexMap(shape);
  if (!map.ok()) return map.status();
  absl::InlinedVector<int64_t, 6> index(shape.rank());
  absl::StatusOr<PositionKind> kind =
      map->MultidimensionalIndex(linear_index, absl::MakeSpan(index));
  if (!kind.ok()) return kind.status();
  if (*kind != PositionKind::kElement) return absl::nullopt;
  return absl::make_optional(index);
}

}  // namespace tessera
