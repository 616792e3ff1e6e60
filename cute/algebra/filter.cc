#include "tessera/cute/algebra/filter.h"

#include <utility>

#include "tessera/cute/algebra/coalesce.h"

namespace tessera {
namespace cute {

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

}  // namespace cute
}  // namespace tessera
