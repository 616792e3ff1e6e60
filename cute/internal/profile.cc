#include "tessera/cute/internal/profile.h"

#include <algorithm>
#include <string_view>

#include "absl/strings/str_join.h"
#include "tessera/base/text/absl_view.h"

namespace tessera::cute {

Profile Profile::Flat(size_t leaf_count) {
  if (leaf_count == 1) return Profile();
  Nodes nodes(leaf_count + 1, kLeaf);
  nodes[0] = leaf_count;
  return Profile(std::move(nodes));
}

int64_t Profile::depth() const {
  int64_t depth = 0;
  int64_t deepest = 0;
  VisitProfile(
      nodes_, [&](bool) { deepest = std::max(deepest, ++depth); },
      [](size_t, bool) {}, [&] { --depth; });
  return deepest;
}

int64_t Profile::leaf_count() const {
  return std::count(nodes_.begin(), nodes_.end(), kLeaf);
}

Profile Profile::Mode(int64_t i) const {
  if (is_leaf()) return *this;
  ProfilePosition begin{1, 0};
  for (int64_t k = 0; k < i; ++k) begin = PastSubtree(nodes_, begin);
  const ProfilePosition end = PastSubtree(nodes_, begin);
  return Profile(Nodes(nodes_.begin() + begin.node, nodes_.begin() + end.node));
}

ProfilePosition PastSubtree(absl::Span<const uint32_t> nodes,
                            ProfilePosition position) {
  size_t left = 1;
  while (left > 0) {
    const uint32_t node = nodes[position.node++];
    --left;
    if (node == Profile::kLeaf) {
      ++position.leaf;
    } else {
      left += node;
    }
  }
  return position;
}

absl::InlinedVector<ProfilePosition, 9> ModePositions(const Profile& profile) {
  absl::InlinedVector<ProfilePosition, 9> positions;
  ProfilePosition position;
  if (!profile.is_leaf()) ++position.node;
  positions.push_back(position);
  for (int64_t i = 0; i < profile.rank(); ++i) {
    position = PastSubtree(profile.nodes(), position);
    positions.push_back(position);
  }
  return positions;
}

std::string DescribeLeafOf(const Profile& profile, size_t leaf,
                           std::string_view name) {
  absl::InlinedVector<int64_t, 8> path;
  std::string place;
  VisitProfile(
      profile.nodes(),
      [&](bool) {
        if (!path.empty()) ++path.back();
        path.push_back(-1);
      },
      [&](size_t i, bool) {
        if (!path.empty()) ++path.back();
        if (i == leaf) place = absl::StrJoin(path, ",");
      },
      [&] { path.pop_back(); });
  return place.empty() ? std::string(name)
                       : StrCat("mode ", place, " of ", name);
}

}  // namespace tessera::cute
