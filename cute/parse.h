// Reads the text of CuTe's values, in every notation in use: C++ (cute::print,
// types, source and compiler messages), Python source, cutegen and the CuTe IR,
// and CUTLASS's documentation.
//
//   ParseLayout("((2,2),3):((24,2),8)")->ToString();
//       // "((2,2),3):((24,2),8)"
//   ParseLayout("(_3,(2,4)):(236,(26,1))")->ToString();
//       // "(3,(2,4)):(236,(26,1))": _3 is a compile-time 3
//   ParseLayout("(8,4):(1@0,1@1)")->ToString();
//       // "(8,4):(1@0,1@1)": coordinates for offsets
//
//   // C++ types and source, Python source.
//   ParseLayout("Layout<Shape<_4,_2>,Stride<_1,_16>>{}")->ToString();
//       // "(4,2):(1,16)"
//   ParseLayout("cute::Layout<cute::C<8>, cute::C<2> >")->ToString();
//       // "8:2"
//   ParseLayout("make_layout(make_shape(Int<8>{}, 4), LayoutRight{})")
//       ->ToString();
//       // "(8,4):(4,1)"
//   ParseLayout("cute.make_layout((4, 2), stride=(1, 4))")->ToString();
//       // "(4,2):(1,4)"
//
//   // A tiler in the notation of the documentation, the IR and C++.
//   ParseTiler("<3:4, 8:2>")->ToString();        // "(3:4,8:2)"
//   ParseTiler("[3:4;8:2]")->ToString();         // "(3:4,8:2)"
//   ParseTiler("(_3:_4,_,8)")->ToString();       // "(3:4,_,8:1)"
//
//   ParseIntTuple("(_,(2,3),)")->ToString();     // "(_,(2,3))"
//   ParseSwizzle("Sw<2,0,3>")->ToString();       // "Sw<2,0,3>"
//   ParseSwizzle("S<2,0,3>")->ToString();        // "Sw<2,0,3>"
//   ParseSwizzle("SW_2_0_3")->ToString();        // "Sw<2,0,3>"
//   ParseSwizzle("Swizzle<2,0,3>{}")->ToString();    // "Sw<2,0,3>"
//   ParseComposedLayout("Sw<2,0,3> o 0 o (8,8):(8,1)")->ToString();
//       // "Sw<2,0,3> o 0 o (8,8):(8,1)"
//
// White space and comments (/*...*/, //...) may appear between any two tokens.
// Pointers in front of a layout (`smem_ptr[16b](unset) o ...`), names and
// operations are read by cute/calculator/calculator.h.
//
// The following are refused, where cutegen continues with a poison value or a
// wrong one: sizes below 1, a stride that is not nested like its shape,
// products past 2^63-1, and the `?` of a run-time size, whose value is not in
// the text.
//
// Errors are kInvalidArgument, or kOutOfRange for an integer, size or cosize
// that exceeds int64_t; each carries a Diagnostic (base/text/diagnostic.h) that
// points at the place. One pass; no recursion, however deep the nesting.

#ifndef TESSERA_CUTE_PARSE_H_
#define TESSERA_CUTE_PARSE_H_

#include <cstddef>
#include <string_view>
#include <variant>

#include "absl/status/statusor.h"
#include "tessera/cute/composed_layout.h"
#include "tessera/cute/int_tuple.h"
#include "tessera/cute/layout.h"
#include "tessera/cute/swizzle.h"
#include "tessera/cute/tiler.h"

namespace tessera::cute {

struct ParseOptions {
  // Whether ParseLayout reads a bare shape as its column-major layout, as
  // cutegen does.
  bool allow_bare_shape = false;
};

// Each reads a whole text; only white space and comments may follow.
absl::StatusOr<IntTuple> ParseIntTuple(std::string_view text);
absl::StatusOr<Layout> ParseLayout(std::string_view text,
                                   const ParseOptions& options = {});
// A layout, `_`, a tuple of tilers, or a shape (Tiler::OfShape).
absl::StatusOr<Tiler> ParseTiler(std::string_view text);
absl::StatusOr<Swizzle> ParseSwizzle(std::string_view text);
absl::StatusOr<ComposedLayout> ParseComposedLayout(std::string_view text);

// The value of a text whose kind is not known in advance. A tuple of only
// integers is an IntTuple; the caller knows whether it is a shape, a coordinate
// or a tiler.
using Term = std::variant<IntTuple, Layout, Tiler, Swizzle, ComposedLayout>;

// Reads the longest term that begins at byte `*position` of `text` (or at its
// end, if that is past it), and moves `*position` past it. On failure
// `*position` is unchanged, and the diagnostic counts from the start of `text`.
// Reads only the first part of a composed layout, because `o` is an operator
// (see cute/calculator/calculator.h). `stopped_at_expression`, if not null,
// receives whether reading failed at a name or an operator, which may be part
// of an expression.
absl::StatusOr<Term> ReadTerm(std::string_view text, size_t* position,
                              bool* stopped_at_expression = nullptr);

// Like ReadTerm, but reads a multiple of a basis element, such as 2@0 or
// E<0>{}, and returns the layout of size 1 with this stride, 1:2@0.
absl::StatusOr<Layout> ReadBasis(std::string_view text, size_t* position);

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_PARSE_H_
