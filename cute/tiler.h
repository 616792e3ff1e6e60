// A Tiler selects elements of a layout: it is a layout, or a tuple of tilers
// that applies by mode.
//
//   #include "tessera/cute/parse.h"
//
//   // 32 elements of a layout that is read as a 1-D function.
//   Tiler whole(*ParseLayout("(4,8):(1,4)"));
//   // 4 of mode 0 by 8 of mode 1.
//   Tiler by_mode = *Tiler::OfShape({4, 8});
//   by_mode.ToString();                                 // "(4:1,8:1)"
//   // Mode 1 is unchanged.
//   Tiler::Tuple({whole, Tiler::Underscore()}).ToString();
//       // "((4,8):(1,4),_)"
//
// A text such as (4,8) can be read as a layout or as a tuple of sizes, and
// CuTe's users often confuse the two. Here they are different values, and
// is_layout() distinguishes them.
//
// Definition (02_layout_algebra.md, "By-mode composition"): a tiler is a
// layout, a tuple of tilers, or a shape, which is the tuple of n:1 for each of
// its integers. It is stored flat like a layout, with a mark on the tuples that
// apply by mode.

#ifndef TESSERA_CUTE_TILER_H_
#define TESSERA_CUTE_TILER_H_

#include <initializer_list>
#include <string>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/base/text/value_type.h"
#include "tessera/cute/int_tuple.h"
#include "tessera/cute/internal/profile.h"
#include "tessera/cute/layout.h"
#include "tessera/cute/text_form.h"

namespace tessera::cute {

class Tiler {
 public:
  using Marks = absl::InlinedVector<bool, 16>;

  Tiler() : Tiler(Layout()) {}
  // Not explicit: a layout can be passed wherever a tiler is expected.
  Tiler(const Layout& layout);  // NOLINT
  // Creates a tiler that applies by mode.
  static Tiler Tuple(absl::Span<const Tiler> modes);
  static Tiler Tuple(std::initializer_list<Tiler> modes) {
    return Tuple(absl::MakeConstSpan(modes.begin(), modes.size()));
  }
  // Creates `_`, which leaves its mode unchanged.
  static Tiler Underscore();
  // Creates n:1 for each integer n of `shape`, 1:0 for a 1, and Underscore()
  // for each `_`; tuples apply by mode. Errors: kInvalidArgument if a size is
  // less than 1.
  static absl::StatusOr<Tiler> OfShape(const IntTuple& shape);
  // Returns the leaf of OfShape for an integer or `_`.
  static Layout::Leaf OfSize(int64_t size) {
    return {size, size == 1 || size == IntTuple::kUnderscore ? 0 : 1, Basis()};
  }

  // Creates a tiler from a parser's parts. Precondition: each leaf has a size
  // of at least 1 or is IntTuple::kUnderscore with stride 0; `is_by_mode` has a
  // mark for each node, set only on tuples, and set on every tuple that
  // contains a marked one; a part without marks is a layout or one such leaf.
  Tiler(Profile profile, Layout::Leaves leaves, Marks is_by_mode)
      : profile_(std::move(profile)),
        leaves_(std::move(leaves)),
        is_by_mode_(std::move(is_by_mode)) {}

  // Whether this is one layout, and does not apply by mode.
  bool is_layout() const { return !is_by_mode_[0] && !is_underscore(); }
  bool is_underscore() const { return IsUnderscore(ProfilePosition()); }
  // Precondition: is_layout().
  Layout layout() const { return LayoutAt(ProfilePosition()); }

  // The number of modes; 1 for a layout or `_`.
  int64_t rank() const { return is_by_mode_[0] ? profile_.nodes()[0] : 1; }
  // Precondition: 0 <= i < rank(); a layout is its own mode 0.
  Tiler Mode(int64_t i) const;

  // "(3:4,8:2)", "[3:4;8:2]" or "<3:4, 8:2>": see Dialect.
  std::string ToString(const TextForm& form = {}) const;

  // For operations that walk it (cute/internal/by_mode.h): the nesting, the
  // tuples that apply by mode, and the layout at a node that does not.
  const Profile& profile() const { return profile_; }
  bool GoesByMode(size_t node) const { return is_by_mode_[node]; }
  bool IsUnderscore(ProfilePosition position) const {
    return profile_.nodes()[position.node] == Profile::kLeaf &&
           leaves_[position.leaf].size == IntTuple::kUnderscore;
  }
  // Precondition: the node is neither `_` nor by mode.
  Layout LayoutAt(ProfilePosition position) const;

  friend bool operator==(const Tiler& a, const Tiler& b) {
    return a.profile_ == b.profile_ && a.leaves_ == b.leaves_ &&
           a.is_by_mode_ == b.is_by_mode_;
  }
  friend bool operator!=(const Tiler& a, const Tiler& b) { return !(a == b); }
  template <typename H>
  friend H AbslHashValue(H h, const Tiler& tiler) {
    return H::combine(std::move(h), tiler.profile_, tiler.leaves_,
                      tiler.is_by_mode_);
  }

 private:
  Profile profile_;
  Layout::Leaves leaves_;  // `_` as the size kUnderscore
  Marks is_by_mode_;       // of each node
};

}  // namespace tessera::cute

TESSERA_DECLARE_VALUE(tessera::cute, Tiler);

#endif  // TESSERA_CUTE_TILER_H_
