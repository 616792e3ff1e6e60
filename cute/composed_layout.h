// CuTe's ComposedLayout: a composition that is not one layout, c ->
// outer(offset + layout(c)).
//
//   #include "tessera/cute/parse.h"
//
//   ComposedLayout composed(*Swizzle::Create(2, 0, 3), 0,
//                           *ParseLayout("(8,8):(8,1)"));
//   composed.ToString();    // "Sw<2,0,3> o 0 o (8,8):(8,1)"
//   composed(9);            // 8
//
// Definition (include/cute/layout_composed.hpp). The outer function is a
// swizzle or a layout. Coordinates, shape, rank and size are those of the inner
// layout, and most operations act only on it: composition(A o x o B, C) is A o
// x o composition(B, C).

#ifndef TESSERA_CUTE_COMPOSED_LAYOUT_H_
#define TESSERA_CUTE_COMPOSED_LAYOUT_H_

#include <cstdint>
#include <string>
#include <utility>
#include <variant>

#include "absl/status/statusor.h"
#include "tessera/base/text/value_type.h"
#include "tessera/cute/algebra/composition.h"
#include "tessera/cute/layout.h"
#include "tessera/cute/swizzle.h"
#include "tessera/cute/text_form.h"
#include "tessera/cute/tiler.h"

namespace tessera::cute {

class ComposedLayout {
 public:
  using Outer = std::variant<Swizzle, Layout>;

  ComposedLayout() = default;
  ComposedLayout(Outer outer, int64_t offset, Layout layout)
      : outer_(std::move(outer)), offset_(offset), layout_(std::move(layout)) {}

  const Outer& outer() const { return outer_; }
  int64_t offset() const { return offset_; }
  // The inner layout, which has the same domain.
  const Layout& layout() const { return layout_; }
  int64_t size() const { return layout_.size(); }

  // Precondition: coordinate >= 0, no stride is a multiple of a basis element,
  // and offset() + layout()(coordinate) fits into int64_t and is not negative.
  int64_t operator()(int64_t coordinate) const {
    return Apply(layout_(coordinate));
  }
  // Returns outer(offset + value). Precondition: as above.
  int64_t Apply(int64_t value) const;

  // "Sw<2,0,3> o 0 o (8,8):(8,1)".
  std::string ToString(const TextForm& form = {}) const;

  friend bool operator==(const ComposedLayout& a, const ComposedLayout& b) {
    return a.outer_ == b.outer_ && a.offset_ == b.offset_ &&
           a.layout_ == b.layout_;
  }
  friend bool operator!=(const ComposedLayout& a, const ComposedLayout& b) {
    return !(a == b);
  }
  template <typename H>
  friend H AbslHashValue(H h, const ComposedLayout& composed) {
    return H::combine(std::move(h), composed.outer_, composed.offset_,
                      composed.layout_);
  }

 private:
  Outer outer_;
  int64_t offset_ = 0;
  Layout layout_;
};

// The inverse of a swizzled layout with an offset: x -> layout(offset +
// swizzle(x)). Like a swizzle it has no shape. In CuTe it is a ComposedLayout.
class LayoutAfterSwizzle {
 public:
  LayoutAfterSwizzle() = default;
  LayoutAfterSwizzle(Layout layout, int64_t offset, const Swizzle& swizzle)
      : layout_(std::move(layout)), offset_(offset), swizzle_(swizzle) {}

  const Layout& layout() const { return layout_; }
  int64_t offset() const { return offset_; }
  const Swizzle& swizzle() const { return swizzle_; }

  // "(8,8):(8,1) o -4 o Sw<2,0,3>".
  std::string ToString(const TextForm& form = {}) const;

  TESSERA_VALUE_BY(LayoutAfterSwizzle, layout_, offset_, swizzle_)

 private:
  Layout layout_;
  int64_t offset_ = 0;
  Swizzle swizzle_;
};

// Returns outer o offset o Composition(layout, tiler). Errors: those of
// Composition.
absl::StatusOr<ComposedLayout> Composition(
    const ComposedLayout& a, const Tiler& tiler,
    const CompositionOptions& options = {});

}  // namespace tessera::cute

TESSERA_DECLARE_VALUE(tessera::cute, ComposedLayout);
TESSERA_DECLARE_VALUE(tessera::cute, LayoutAfterSwizzle);

#endif  // TESSERA_CUTE_COMPOSED_LAYOUT_H_
