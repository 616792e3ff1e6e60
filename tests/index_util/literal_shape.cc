#include "tessera/tests/index_util/literal_shape.h"

#include <cstdint>
#include <vector>

#include "tessera/layout/layout.h"
#include "tessera/layout/tile.h"

namespace tessera {

Shape ToShape(const LiteralLayout& layout) {
  static_assert(LiteralLayout::kCombine == Tile::kCombineDimension, "");
  Layout::Parts parts;
  parts.minor_to_major.assign(layout.minor_to_major.begin(),
                              layout.minor_to_major.end());
  for (const std::vector<int64_t>& tile : layout.tiles) {
    parts.tiles.push_back(Tile(Tile::Dimensions(tile.begin(), tile.end())));
  }
  parts.tail_padding_alignment_in_elements = layout.tail_padding_alignment;
  return Shape::Array(
      S8, Shape::Dimensions(layout.bounds.begin(), layout.bounds.end()),
      Layout(parts));
}

}  // namespace tessera
