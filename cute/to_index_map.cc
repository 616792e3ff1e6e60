#include "tessera/cute/to_index_map.h"

#include <utility>
#include <variant>
#include <vector>

#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/index_map/index_map_builder.h"

namespace tessera::cute {
namespace {

using Coordinate = IndexMap::Builder::Coordinate;

absl::StatusOr<IndexMap> Build(const Layout& layout, int64_t offset) {
  if (layout.has_basis()) {
    return InvalidArgumentError("the values of ", layout.ToString(),
                                " are coordinates, which are not positions");
  }
  const absl::InlinedVector<Layout, 2> modes = layout.Modes();
  std::vector<int64_t> bounds;
  for (const Layout& mode : modes) bounds.push_back(mode.size());
  IndexMap::Builder builder(bounds);
  std::vector<IndexMap::Builder::StridedCoordinate> digits;
  for (size_t i = 0; i < modes.size(); ++i) {
    Coordinate rest = builder.Dimension(i);
    int64_t left = modes[i].size();
    for (const Layout::Leaf& leaf : modes[i].leaves()) {
      if (leaf.size == 1) continue;
      if (leaf.size == left) {
        digits.push_back({rest, leaf.stride});
        break;
      }
      const std::pair<Coordinate, Coordinate> parts =
          builder.Split(rest, leaf.size);
      digits.push_back({parts.second, leaf.stride});
      rest = parts.first;
      left /= leaf.size;
    }
  }
  return std::move(builder).BuildStrided(digits, offset);
}

}  // namespace

absl::StatusOr<IndexMap> ToIndexMap(const Layout& layout) {
  return Build(layout, 0);
}

absl::StatusOr<IndexMap> ToIndexMap(const ComposedLayout& composed) {
  const Swizzle* swizzle = std::get_if<Swizzle>(&composed.outer());
  if (swizzle == nullptr) {
    return UnimplementedError("the outer function is a layout in ",
                              composed.ToString(),
                              "; if the composition is a layout, use it");
  }
  TESSERA_ASSIGN_OR_RETURN(IndexMap map,
                           Build(composed.layout(), composed.offset()));
  IndexMap::BitSwizzle bits;
  bits.bits = swizzle->bits();
  bits.base = swizzle->base();
  bits.shift = swizzle->shift();
  return map.Swizzled(bits);
}

}  // namespace tessera::cute
