#include "tessera/index_util/tiled_index.h"

#include <optional>

#include "tessera/base/math/status_macros.h"
#include "tessera/index_util/to_index_map.h"

namespace tessera {

absl::StatusOr<int64_t> TiledLinearIndex(const Shape& shape,
                                         absl::Span<const int64_t> index) {
  TESSERA_ASSIGN_OR_RETURN(IndexMap map, ToIndexMap(shape));
  return map.LinearIndex(index);
}

absl::StatusOr<std::optional<absl::InlinedVector<int64_t, 6>>>
TiledMultidimensionalIndex(const Shape& shape, int64_t linear_index) {
  TESSERA_ASSIGN_OR_RETURN(IndexMap map, ToIndexMap(shape));
  absl::InlinedVector<int64_t, 6> index(shape.rank());
  TESSERA_ASSIGN_OR_RETURN(
      PositionKind kind,
      map.MultidimensionalIndex(linear_index, absl::MakeSpan(index)));
  if (kind != PositionKind::kElement) return std::nullopt;
  return std::make_optional(index);
}

}  // namespace tessera
