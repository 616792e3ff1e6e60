// The nesting of the modes of a CuTe tuple.
//
// A Profile is the nesting of an int tuple without its numbers: ((2,2),3) has
// the profile ((*,*),*). It is kept flat, in preorder: for a tuple its arity,
// for a leaf kLeaf. Equal profiles are what CuTe calls congruent.
//
//   Profile profile(Profile::Nodes{2, 2, kLeaf, kLeaf, kLeaf});  // ((*,*),*)
//   profile.rank();        // 2
//   profile.depth();       // 2
//   profile.leaf_count();  // 3
//
// No function here recurses: nesting may be as deep as memory allows.

#ifndef TESSERA_CUTE_INTERNAL_PROFILE_H_
#define TESSERA_CUTE_INTERNAL_PROFILE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"

namespace tessera::cute {

class Profile {
 public:
  // Used in place of an arity for a leaf.
  static constexpr uint32_t kLeaf = 0xffffffff;

  // Inline for up to eight leaves in tuples of two and more.
  using Nodes = absl::InlinedVector<uint32_t, 16>;

  // A single leaf.
  Profile() : nodes_(1, kLeaf) {}
  // Precondition: `nodes` is one tree in preorder.
  explicit Profile(Nodes nodes) : nodes_(std::move(nodes)) {}
  // Returns a leaf for 1, else a tuple of `leaf_count` leaves.
  static Profile Flat(size_t leaf_count);

  const Nodes& nodes() const { return nodes_; }
  bool is_leaf() const { return nodes_[0] == kLeaf; }

  // The number of top-level modes; 1 for a leaf.
  int64_t rank() const { return is_leaf() ? 1 : nodes_[0]; }
  // How deep tuples are nested; 0 for a leaf, 1 for a flat tuple.
  int64_t depth() const;
  int64_t leaf_count() const;

  // The profile of mode `i`. Precondition: 0 <= i < rank().
  Profile Mode(int64_t i) const;

  friend bool operator==(const Profile& a, const Profile& b) {
    return a.nodes_ == b.nodes_;
  }
  friend bool operator!=(const Profile& a, const Profile& b) {
    return !(a == b);
  }
  template <typename H>
  friend H AbslHashValue(H h, const Profile& profile) {
    return H::combine(std::move(h), profile.nodes_);
  }

 private:
  Nodes nodes_;
};

// A place in a tree in preorder: the number of the node, and of the leaf.
struct ProfilePosition {
  size_t node = 0;
  size_t leaf = 0;
};

// Returns the place after the subtree at `position`.
ProfilePosition PastSubtree(absl::Span<const uint32_t> nodes,
                            ProfilePosition position);

// Returns the place of each top-level mode, and the place after the last:
// rank() + 1 places. A leaf is its own only mode.
absl::InlinedVector<ProfilePosition, 9> ModePositions(const Profile& profile);

// Describes the mode of the `leaf`-th leaf of a value called `name`: "mode 1 of
// B", "mode 0,1 of B", or "B" if it is the only leaf.
std::string DescribeLeafOf(const Profile& profile, size_t leaf,
                           std::string_view name);

// Calls `open`, `leaf` and `close` in the order of printing: `open(is_first)`
// at the start of a tuple, `leaf(i, is_first)` at the i-th leaf, `close()` at
// the end of a tuple. `is_first`: whether it is the first in its tuple.
template <typename Open, typename Leaf, typename Close>
void VisitProfile(absl::Span<const uint32_t> nodes, const Open& open,
                  const Leaf& leaf, const Close& close) {
  // For each open tuple, the number of trees that follow it.
  absl::InlinedVector<uint32_t, 8> behind;
  uint32_t left = 1;
  size_t leaves = 0;
  bool is_first = true;
  for (const uint32_t node : nodes) {
    --left;
    if (node == Profile::kLeaf) {
      leaf(leaves++, is_first);
      is_first = false;
    } else {
      open(is_first);
      behind.push_back(left);
      left = node;
      is_first = true;
    }
    while (left == 0 && !behind.empty()) {
      close();
      left = behind.back();
      behind.pop_back();
      is_first = false;
    }
  }
}

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_INTERNAL_PROFILE_H_
