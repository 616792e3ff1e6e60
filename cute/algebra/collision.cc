#include "tessera/cute/algebra/collision.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "absl/container/flat_hash_map.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cute/internal/walk.h"

namespace tessera::cute {
namespace {

bool IsInjectiveByStrides(const Layout& layout) {
  Layout::Leaves leaves;
  for (const Layout::Leaf& leaf : layout.leaves()) {
    if (leaf.size > 1) leaves.push_back(leaf);
  }
  std::sort(leaves.begin(), leaves.end(),
            [](const Layout::Leaf& a, const Layout::Leaf& b) {
              return std::abs(a.stride) < std::abs(b.stride);
            });
  int64_t reach = 0;
  for (const Layout::Leaf& leaf : leaves) {
    if (std::abs(leaf.stride) <= reach) return false;
    reach += (leaf.size - 1) * std::abs(leaf.stride);
  }
  return true;
}

}  // namespace

absl::StatusOr<std::optional<std::pair<int64_t, int64_t>>> FindCollision(
    const Layout& layout, int64_t max_evaluations) {
  using Collision = std::optional<std::pair<int64_t, int64_t>>;
  if (IsInjectiveByStrides(layout)) return Collision();
  int64_t stretch = 1;
  for (const Layout::Leaf& leaf : layout.leaves()) {
    if (leaf.size > 1 && leaf.stride == 0) {
      return Collision(std::make_pair(int64_t{0}, stretch));
    }
    stretch *= leaf.size;
  }
  absl::flat_hash_map<int64_t, int64_t> first_coordinate;
  for (LayoutWalk walk(layout); !walk.AtEnd(); walk.Next()) {
    if (walk.coordinate() >= max_evaluations) {
      return ResourceExhaustedError(
          "whether two coordinates of ", layout.ToString(),
          " share an offset takes ", layout.size(),
          " offsets to decide, and max_evaluations is ", max_evaluations);
    }
    const auto inserted =
        first_coordinate.emplace(walk.offset(), walk.coordinate());
    if (!inserted.second) {
      return Collision(
          std::make_pair(inserted.first->second, walk.coordinate()));
    }
  }
  return Collision();
}

}  // namespace tessera::cute
