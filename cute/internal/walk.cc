#include "tessera/cute/internal/walk.h"

#include "tessera/cute/algebra/coalesce.h"

namespace tessera::cute {

LayoutWalk::LayoutWalk(const Layout& layout) : size_(layout.size()) {
  // The sum of the steps of the previous mode when it wraps.
  uint64_t wrapped = 0;
  for (const Layout::Leaf& leaf : CoalescedLeaves(layout.leaves())) {
    const uint64_t stride = leaf.stride;
    modes_.push_back({leaf.size, stride - wrapped, 0});
    wrapped = static_cast<uint64_t>(leaf.size) * stride;
  }
}

OffsetRange OffsetRangeOf(const Layout& layout) {
  OffsetRange range;
  for (const Layout::Leaf& leaf : layout.leaves()) {
    const int64_t last = (leaf.size - 1) * leaf.stride;
    (last < 0 ? range.least : range.greatest) += last;
  }
  return range;
}

}  // namespace tessera::cute
