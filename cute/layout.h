// CuTe's Layout: a shape and a stride of the same nesting, which define a
// function from coordinates to offsets.
//
//   absl::StatusOr<Layout> layout =
//       Layout::Create({{2, 2}, 3}, {{24, 2}, 8});
//   layout->ToString();           // "((2,2),3):((24,2),8)"
//   layout->size();               // 12
//   layout->cosize();             // 43
//   (*layout)(7);                 // 34
//   layout->At({3, 1});           // 34: mode 0 at 3, mode 1 at 1
//   layout->Mode(0).ToString();   // "(2,2):(24,2)"
//
// The function (01_layout.md, 02_layout_algebra.md). An integral coordinate is
// split colexicographically: each mode but the last takes `coordinate mod size`
// and passes on `coordinate div size`; the last mode takes the rest unchanged.
// So a layout has a value at every coordinate >= 0, even past its size, and the
// algebra relies on that.
//
// Invariants: every size is at least 1; size() and cosize() fit into int64_t.
// Strides may be zero or negative, and may be multiples of basis elements
// (cute/basis.h), whose values are coordinates instead of offsets.
//
// Leaves and nesting are stored in two arrays: a layout of up to eight leaves
// is copied without allocation. Nothing recurses, however deep the nesting.

#ifndef TESSERA_CUTE_LAYOUT_H_
#define TESSERA_CUTE_LAYOUT_H_

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/base/text/value_type.h"
#include "tessera/cute/basis.h"
#include "tessera/cute/int_tuple.h"
#include "tessera/cute/internal/profile.h"
#include "tessera/cute/text_form.h"

namespace tessera::cute {

class Layout {
 public:
  // One leaf of the shape with its stride.
  struct Leaf {
    int64_t size = 1;
    int64_t stride = 0;
    Basis basis;  // what `stride` is a multiple of

    friend bool operator==(const Leaf& a, const Leaf& b) {
      return a.size == b.size && a.stride == b.stride && a.basis == b.basis;
    }
    friend bool operator!=(const Leaf& a, const Leaf& b) { return !(a == b); }
    template <typename H>
    friend H AbslHashValue(H h, const Leaf& leaf) {
      return H::combine(std::move(h), leaf.size, leaf.stride, leaf.basis);
    }
  };
  using Leaves = absl::InlinedVector<Leaf, 8>;

  class Builder;

  // Creates 1:0.
  Layout() : leaves_(1) {}

  // Errors: kInvalidArgument if the two are nested differently, a size is less
  // than 1, or a mode is `()`, which is only valid alone; kOutOfRange if size()
  // or cosize() exceeds 2^63-1.
  static absl::StatusOr<Layout> Create(const IntTuple& shape,
                                       const IntTuple& stride);
  // Returns the layout of `shape` whose offsets are the integral coordinates:
  // strides are the running products, and 0 for modes of size 1, as in C++ at
  // compile time and in cutegen (pycute has the product there, too).
  static absl::StatusOr<Layout> ColumnMajor(const IntTuple& shape);

  // Returns a tuple with these modes (make_layout). Errors: kOutOfRange as
  // above; kInvalidArgument if a mode is `():()`, or if strides are multiples
  // of basis elements that cannot be added.
  static absl::StatusOr<Layout> Concatenate(absl::Span<const Layout> modes);
  static absl::StatusOr<Layout> Concatenate(
      std::initializer_list<Layout> modes) {
    return Concatenate(absl::MakeConstSpan(modes.begin(), modes.size()));
  }

  const Profile& profile() const { return profile_; }
  const Leaves& leaves() const { return leaves_; }
  IntTuple shape() const;
  // The strides without their basis elements.
  IntTuple stride() const;

  int64_t rank() const { return profile_.rank(); }
  int64_t depth() const { return profile_.depth(); }
  // The product of the sizes.
  int64_t size() const { return size_; }
  // 1 + the sum of (size - 1) * |stride|: for strides >= 0, the largest offset
  // plus 1 (C++'s rule; pycute evaluates the last coordinate). 0 if
  // has_basis(), since the values are then coordinates.
  int64_t cosize() const { return cosize_; }
  // Whether a stride is a multiple of a basis element.
  bool has_basis() const { return cosize_ == 0; }

  // Mode `i` as a layout; an integral layout is its own mode 0.
  // Precondition: 0 <= i < rank().
  Layout Mode(int64_t i) const;
  // All modes.
  absl::InlinedVector<Layout, 2> Modes() const;
  // The subtree between two places of profile(), a whole tree.
  Layout Subtree(ProfilePosition begin, ProfilePosition end) const;

  // Returns the offset at an integral coordinate, computed directly. For many
  // coordinates, prepare a LayoutFunction (cute/layout_function.h).
  // Precondition: coordinate >= 0, !has_basis(). Past the size the offset may
  // exceed int64_t, and is then modulo 2^64.
  int64_t operator()(int64_t coordinate) const;
  // Returns the offset at one integral coordinate for each top-level mode.
  // Precondition: as above; there are rank() coordinates.
  int64_t At(absl::Span<const int64_t> coordinates) const;
  int64_t At(std::initializer_list<int64_t> coordinates) const {
    return At(absl::MakeConstSpan(coordinates.begin(), coordinates.size()));
  }

  // "((2,2),3):((24,2),8)".
  std::string ToString(const TextForm& form = {}) const;
  // "((24,2),8)", and "(2@0,1@1)" if has_basis().
  std::string StrideToString(const TextForm& form = {}) const;

  friend bool operator==(const Layout& a, const Layout& b) {
    return a.leaves_ == b.leaves_ && a.profile_ == b.profile_;
  }
  friend bool operator!=(const Layout& a, const Layout& b) { return !(a == b); }
  template <typename H>
  friend H AbslHashValue(H h, const Layout& layout) {
    return H::combine(std::move(h), layout.profile_, layout.leaves_);
  }

 private:
  Layout(Profile::Nodes nodes, Leaves leaves, int64_t size, int64_t cosize)
      : profile_(std::move(nodes)),
        leaves_(std::move(leaves)),
        size_(size),
        cosize_(cosize) {}

  Profile profile_;
  Leaves leaves_;
  int64_t size_ = 1;
  int64_t cosize_ = 1;
};

// Checks that strides of these basis elements can be added: 1@0 and 1@1 can;
// 1@0 and 1, or 1@0 and 1@1@0, cannot. Errors: kInvalidArgument.
absl::Status CheckBases(absl::Span<const Layout::Leaf> leaves);

// Builds a layout from left to right, in the order in which it is printed.
//
//   Layout::Builder builder;
//   builder.Tuple(2);
//   builder.Append({5, 16});
//   builder.Append({4, 80});
//   std::move(builder).Build();   // (5,4):(16,80)
class Layout::Builder {
 public:
  Builder() = default;
  // Creates the builder with all parts at once. Precondition: `nodes` is one
  // tree in preorder, with as many leaves as the other arguments, and without
  // `()` as a mode.
  Builder(Profile::Nodes nodes, Leaves leaves)
      : nodes_(std::move(nodes)), leaves_(std::move(leaves)) {}

  // Appends a tuple whose modes are the next `arity` trees that are appended.
  void Tuple(size_t arity) {
    nodes_.push_back(arity);
    has_empty_tuple_ |= arity == 0;
  }
  void Append(const Leaf& leaf) {
    nodes_.push_back(Profile::kLeaf);
    leaves_.push_back(leaf);
  }
  // Appends a single leaf for one entry, 1:0 for no entries, else a tuple.
  void AppendFlat(absl::Span<const Leaf> leaves);
  void Append(const Layout& layout);
  // Appends the subtree of `layout` between two places.
  void Append(const Layout& layout, ProfilePosition begin, ProfilePosition end);

  // Precondition: one whole tree was appended. Errors: those of Layout::Create
  // and Layout::Concatenate.
  absl::StatusOr<Layout> Build() &&;

 private:
  // The error of the first leaf that breaks a rule, or OK.
  absl::Status FindError() const;

  Profile::Nodes nodes_;
  Leaves leaves_;
  bool has_empty_tuple_ = false;
};

}  // namespace tessera::cute

TESSERA_DECLARE_VALUE(tessera::cute, Layout);

#endif  // TESSERA_CUTE_LAYOUT_H_
