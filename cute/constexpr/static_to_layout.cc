#include "tessera/cute/constexpr/static_to_layout.h"

#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "tessera/cute/basis.h"
#include "tessera/cute/internal/profile.h"

namespace tessera {
namespace cute {

Layout ToLayout(const StaticLayout& layout) {
  Profile::Nodes nodes;
  Layout::Leaves leaves;
  absl::InlinedVector<size_t, 8> open;  // the nodes of the tuples around
  const auto add_node = [&](uint32_t node) {
    if (!open.empty()) ++nodes[open.back()];
    nodes.push_back(node);
  };
  for (int i = 0; i < layout.leaf_count(); ++i) {
    const StaticLayout::Leaf& leaf = layout.leaf(i);
    while (static_cast<int>(open.size()) < leaf.depth) {
      add_node(0);
      open.push_back(nodes.size() - 1);
    }
    add_node(Profile::kLeaf);
    leaves.push_back({leaf.size, leaf.stride, Basis()});
    open.resize(leaf.join);
  }
  // Size and cosize fit, as they do in every static layout.
  return *Layout::Builder(std::move(nodes), std::move(leaves)).Build();
}

}  // namespace cute
}  // namespace tessera
