// The algebra of swizzles and of swizzled layouts.
//
//   #include "tessera/cute/parse.h"
//
//   const ComposedLayout layout =
//       *ParseComposedLayout("Sw<3,4,3> o 0 o (8,128):(128,1)");
//   // The same bytes as elements of 16 bits.
//   Recast(layout, 8, 16)->ToString();   // "Sw<3,3,3> o 0 o (8,64):(64,1)"
//   *MaxAlignment(layout);               // 16
//   RightInverse(*ParseComposedLayout("Sw<2,0,3> o 0 o (8,8):(8,1)"))
//       ->ToString();                    // "Sw<2,0,-3> o 0 o (8,8):(8,1)"
//   RightInverseWithOffset(
//       *ParseComposedLayout("Sw<2,0,3> o 4 o (8,8):(8,1)"))
//       ->ToString();                    // "(8,8):(8,1) o -4 o Sw<2,0,3>"
//   // Row 3 of a swizzled layout is a plain layout at an offset.
//   const PlainLayout row = *ToPlainLayout(
//       *ParseComposedLayout("Sw<3,3,3> o 192 o 64:1"));
//   row.layout.ToString();               // "(8,4,2):(1,-8,32)"
//   row.offset;                          // 216
//
// Definitions: include/cute/swizzle.hpp, swizzle_layout.hpp and
// layout_composed.hpp. If C++ answers without a proof, we evaluate both sides
// at every coordinate, and refuse results that differ.

#ifndef TESSERA_CUTE_ALGEBRA_SWIZZLED_H_
#define TESSERA_CUTE_ALGEBRA_SWIZZLED_H_

#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "tessera/cute/algebra/composition.h"
#include "tessera/cute/composed_layout.h"
#include "tessera/cute/layout.h"
#include "tessera/cute/swizzle.h"

namespace tessera::cute {

// Returns the swizzle x -> a(b(x)). Errors: kInvalidArgument if it is not a
// swizzle: the shifts differ, b moves bits that `a` reads, or the bits that the
// two move together have a gap.
absl::StatusOr<Swizzle> Composition(const Swizzle& a, const Swizzle& b);

// Returns the swizzle of elements `factor` times as wide, R(x / factor) ==
// swizzle(x) / factor for multiples x of the factor: the base loses
// log2(factor) bits, and if it would fall below 0, the number of bits falls
// instead. Errors: kInvalidArgument if the factor is not a power of two.
absl::StatusOr<Swizzle> Upcast(const Swizzle& swizzle, int64_t factor);
// Returns the swizzle of elements `factor` times as narrow. Errors: as above,
// and if a field reaches past bit 62.
absl::StatusOr<Swizzle> Downcast(const Swizzle& swizzle, int64_t factor);
absl::StatusOr<Swizzle> Recast(const Swizzle& swizzle, int64_t from_bits,
                               int64_t to_bits);

// Like the functions of cute/algebra/recast.h, with the law of Upcast there.
// Errors: those of the swizzle and of the inner layout; kInvalidArgument if the
// offset is not a multiple of the factor, or if the swizzle separates elements
// that become one (only if its shift is negative). An outer layout is recast as
// well, as in C++; also kInvalidArgument if the law then breaks, and
// kResourceExhausted if the size exceeds max_evaluations of CompositionOptions.
absl::StatusOr<ComposedLayout> Upcast(const ComposedLayout& layout,
                                      int64_t factor);
absl::StatusOr<ComposedLayout> Downcast(const ComposedLayout& layout,
                                        int64_t factor);
absl::StatusOr<ComposedLayout> Recast(const ComposedLayout& layout,
                                      int64_t from_bits, int64_t to_bits);

// Returns the swizzled layout R with R(x) == a(swizzle(x)) for 0 <= x <
// size(a). Errors: kInvalidArgument if C++'s rule, which passes the bits of the
// swizzle through `a`, gives no swizzle or other values; kResourceExhausted if
// size(a) exceeds options.max_evaluations.
absl::StatusOr<ComposedLayout> Composition(
    const Layout& a, const Swizzle& swizzle,
    const CompositionOptions& options = {});
// Returns (a o outer) o inner for the outer function and the inner layout of b.
// If the outer function is a layout, the result has an identity swizzle.
// Errors: as above, and those of the compositions; kInvalidArgument if b has an
// offset, which C++ refuses ("Require offset == 0.").
absl::StatusOr<ComposedLayout> Composition(
    const Layout& a, const ComposedLayout& b,
    const CompositionOptions& options = {});

// The laws are those of cute/algebra/inverse.h. The result is that of C++'s
// rule; if that breaks the law and the swizzle moves no offset, it is the
// inverse of the inner layout. Errors: those of the inverse of the inner layout
// and of its composition with the swizzle; kInvalidArgument if a swizzled
// layout has an offset (see RightInverseWithOffset).
//
// If the outer function A is a layout, the inverse of A o x o B is B' o -x o
// A', where A' and B' are inverses of the parts. As a right inverse it returns
// i if A'(i) - x is a coordinate of B'; a left inverse is checked at every
// coordinate. Errors: those of the inverses of the parts; for the left inverse
// also those of LayoutValues::Create.
absl::StatusOr<ComposedLayout> RightInverse(
    const ComposedLayout& layout, const CompositionOptions& options = {});
absl::StatusOr<ComposedLayout> LeftInverse(
    const ComposedLayout& layout, const CompositionOptions& options = {});

// Returns the inverse B' o -x o Sw of Sw o x o B. As a right inverse it returns
// i if Sw(i) - x is a coordinate of B'; as a left inverse, it returns every
// coordinate of B. Errors: those of the inverse of B; kInvalidArgument if the
// outer function is a layout, or offsets of B are negative.
absl::StatusOr<LayoutAfterSwizzle> RightInverseWithOffset(
    const ComposedLayout& layout);
absl::StatusOr<LayoutAfterSwizzle> LeftInverseWithOffset(
    const ComposedLayout& layout);
// Returns the inverse Sw o -x o A' of A o x o Sw.
absl::StatusOr<ComposedLayout> RightInverse(const LayoutAfterSwizzle& layout);
absl::StatusOr<ComposedLayout> LeftInverse(const LayoutAfterSwizzle& layout);

// Like the functions of cute/algebra/common_layout.h, for offsets relative to
// those of coordinate 0. A swizzle keeps runs of 2^base elements together; two
// equal swizzles keep every common vector together. Errors: those of the inner
// layouts; kUnimplemented if an outer function is a layout.
absl::StatusOr<Layout> MaxCommonLayout(const ComposedLayout& a,
                                       const ComposedLayout& b,
                                       const CompositionOptions& options = {});
absl::StatusOr<int64_t> MaxCommonVector(const ComposedLayout& a,
                                        const ComposedLayout& b,
                                        const CompositionOptions& options = {});
// Returns 2^base.
int64_t MaxAlignment(const Swizzle& swizzle);
// Returns the greatest common divisor of the alignments of swizzle, offset and
// layout; 1 if the outer function is a layout, as in C++.
absl::StatusOr<int64_t> MaxAlignment(const ComposedLayout& layout);

// Like the functions of cute/algebra/common_layout.h: a swizzle keeps runs of
// 2^base elements together, from a multiple of 2^base on. Precondition: the
// outer function is a swizzle, and strides are not multiples of basis elements.
int64_t ContiguousElements(const ComposedLayout& layout);
int64_t VectorElements(const ComposedLayout& layout);

// A layout whose values begin at an offset: c -> offset + layout(c).
struct PlainLayout {
  Layout layout;
  int64_t offset = 0;
};

// Returns the plain layout with the values of a swizzled one, or nullopt if the
// rule of slice_and_offset gives none: the layout moves two bits that the
// swizzle combines. Also nullopt if the size exceeds options.max_evaluations.
std::optional<PlainLayout> ToPlainLayout(
    const ComposedLayout& layout, const CompositionOptions& options = {});

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_ALGEBRA_SWIZZLED_H_
