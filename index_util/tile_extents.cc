#include "tessera/index_util/tile_extents.h"

#include <cstddef>
#include <optional>
#include <utility>

#include "absl/types/span.h"
#include "tessera/index_util/to_index_map.h"
#include "tessera/layout/layout.h"
#include "tessera/layout/tile.h"

namespace tessera {

std::optional<std::vector<std::vector<int64_t>>> TileExtents(
    const Shape& shape) {
  if (!CheckIndexable(shape).ok()) return std::nullopt;
  const Layout& layout = shape.layout();
  std::vector<std::vector<int64_t>> extents;
  size_t largest = static_cast<size_t>(layout.rank());
  for (const Tile& tile : layout.tiles()) {
    const absl::Span<const int64_t> entries = tile.dimensions();
    if (entries.size() > largest) return std::nullopt;
    largest = entries.size();
    std::vector<int64_t> extent(static_cast<size_t>(layout.rank()), 1);
    for (size_t i = 0; i < entries.size(); ++i) {
      if (entries[i] == Tile::kCombineDimension) return std::nullopt;
      // The last entry is of the minor-most dimension.
      extent[layout.minor_to_major(entries.size() - 1 - i)] = entries[i];
    }
    extents.push_back(std::move(extent));
  }
  return extents;
}

}  // namespace tessera
