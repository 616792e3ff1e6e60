#include "tessera/cute/algebra/coalesce.h"

#include "tessera/base/math/status_macros.h"
#include "tessera/cute/internal/by_mode.h"

namespace tessera::cute {
namespace {

bool Continues(const Layout::Leaf& first, const Layout::Leaf& second) {
  int64_t end;
  return !__builtin_mul_overflow(first.size, first.stride, &end) &&
         end == second.stride && first.basis == second.basis;
}

void AppendMerged(const Layout::Leaf& leaf, Layout::Leaves* leaves) {
  if (!leaves->empty() && Continues(leaves->back(), leaf)) {
    leaves->back().size *= leaf.size;
  } else {
    leaves->push_back(leaf);
  }
}

Layout FlatLayout(const Layout::Leaves& leaves) {
  Layout::Builder builder;
  builder.AppendFlat(leaves);
  // Sizes and reach are those of the layout that the leaves come from.
  return *std::move(builder).Build();
}

}  // namespace

Layout::Leaves CoalescedLeaves(absl::Span<const Layout::Leaf> leaves) {
  Layout::Leaves result;
  for (const Layout::Leaf& leaf : leaves) {
    if (leaf.size != 1) AppendMerged(leaf, &result);
  }
  return result;
}

Layout::Leaves ExtendedLeaves(absl::Span<const Layout::Leaf> leaves) {
  Layout::Leaves result;
  for (size_t i = 0; i < leaves.size(); ++i) {
    if (leaves[i].size != 1 || i + 1 == leaves.size()) {
      AppendMerged(leaves[i], &result);
    }
  }
  if (result.empty()) result.emplace_back();
  return result;
}

Layout Coalesce(const Layout& layout) {
  return FlatLayout(CoalescedLeaves(layout.leaves()));
}

Layout CoalesceExtended(const Layout& layout) {
  return FlatLayout(ExtendedLeaves(layout.leaves()));
}

absl::StatusOr<Layout> CoalesceByProfile(const Layout& layout,
                                         const IntTuple& profile) {
  Layout::Builder builder;
  const Profile::Nodes& guide = profile.profile().nodes();
  TESSERA_RETURN_IF_ERROR(ForEachMode(
      layout, guide, [&](size_t node) { return guide[node] != Profile::kLeaf; },
      RestOfModes::kKept, &builder,
      [&](ProfilePosition, const Subtree& mode, const ModePath&) {
        builder.AppendFlat(CoalescedLeaves(
            absl::MakeConstSpan(layout.leaves())
                .subspan(mode.begin.leaf, mode.end.leaf - mode.begin.leaf)));
        return absl::OkStatus();
      }));
  return std::move(builder).Build();
}

}  // namespace tessera::cute
