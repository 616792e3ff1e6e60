#include "tessera/cute/algebra/filter.h"

#include <cstddef>
#include <utility>

#include "tessera/base/text/absl_view.h"
#include "tessera/cute/algebra/coalesce.h"

namespace tessera::cute {

Layout FilterZeros(const Layout& layout) {
  Layout::Builder builder;
  size_t leaf = 0;
  for (const uint32_t node : layout.profile().nodes()) {
    if (node != Profile::kLeaf) {
      builder.Tuple(node);
      continue;
    }
    Layout::Leaf filtered = layout.leaves()[leaf++];
    if (filtered.stride == 0) filtered.size = 1;
    builder.Append(filtered);
  }
  // Sizes only shrink.
  return *std::move(builder).Build();
}

Layout Filter(const Layout& layout) { return Coalesce(FilterZeros(layout)); }

absl::StatusOr<Layout> FilterZerosByProfile(const Layout& layout,
                                            const IntTuple& profile) {
  if (!WeaklyCongruent(profile, layout.shape())) {
    return InvalidArgumentError("the profile ", profile.ToString(),
                                " is not nested like ",
                                layout.shape().ToString());
  }
  Layout::Leaves leaves = layout.leaves();
  ProfilePosition in_layout;
  size_t next = 0;
  for (const uint32_t node : profile.profile().nodes()) {
    if (node != Profile::kLeaf) {
      ++in_layout.node;
      continue;
    }
    const size_t begin = in_layout.leaf;
    in_layout = PastSubtree(layout.profile().nodes(), in_layout);
    if (profile.values()[next++] != 0) continue;
    for (size_t i = begin; i < in_layout.leaf; ++i) leaves[i].size = 1;
  }
  return Layout::Builder(layout.profile().nodes(), std::move(leaves)).Build();
}

absl::StatusOr<Layout> FilterByProfile(const Layout& layout,
                                       const IntTuple& profile) {
  return CoalesceByProfile(FilterZeros(layout), profile);
}

}  // namespace tessera::cute
