// File: cute/parse.h
//
// Reads the text of CuTe's values, in every spelling that is about: C++
// (cute::print), cutegen and the CuTe IR, and CUTLASS's documentation.
//
//   ParseLayout("((2,2),3):((24,2),8)")->ToString();
//       // "((2,2),3):((24,2),8)"
//   ParseLayout("(_3,(2,4)):(236,(26,1))")->ToString();
//       // "(3,(2,4)):(236,(26,1))": _3 is a compile-time 3
//   ParseLayout("(8,4):(1@0,1@1)")->ToString();
//       // "(8,4):(1@0,1@1)": coordinates for offsets
//
//   // A tiler as the documentation, the IR and C++ write it.
//   ParseTiler("<3:4, 8:2>")->ToString();        // "(3:4,8:2)"
//   ParseTiler("[3:4;8:2]")->ToString();         // "(3:4,8:2)"
//   ParseTiler("(_3:_4,_,8)")->ToString();       // "(3:4,_,8:1)"
//
//   ParseIntTuple("(_,(2,3),)")->ToString();     // "(_,(2,3))"
//   ParseSwizzle("Sw<2,0,3>")->ToString();       // "Sw<2,0,3>"
//   ParseSwizzle("S<2,0,3>")->ToString();        // "Sw<2,0,3>"
//   ParseSwizzle("SW_2_0_3")->ToString();        // "Sw<2,0,3>"
//   ParseComposedLayout("Sw<2,0,3> o 0 o (8,8):(8,1)")->ToString();
//       // "Sw<2,0,3> o 0 o (8,8):(8,1)"
//
// White space and comments (/*...*/, //...) may stand between any two tokens.
// Refused, where cutegen reads on with a poison value or a wrong one: sizes
// below 1, a stride that is nested otherwise than its shape, products past
// 2^63-1, and the `?` of a run-time size, whose value the text does not give.
//
// Errors are kInvalidArgument, or kOutOfRange for an integer, size or cosize
// that exceeds int64_t; each carries a Diagnostic (base/text/diagnostic.h) that
// points at the place. One pass; no recursion, however deep the nesting.

#ifndef TESSERA_CUTE_PARSE_H_
#define TESSERA_CUTE_PARSE_H_

#include <cstddef>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/variant.h"
#include "tessera/cute/composed_layout.h"
#include "tessera/cute/int_tuple.h"
#include "tessera/cute/layout.h"
#include "tessera/cute/swizzle.h"
#include "tessera/cute/tiler.h"

namespace tessera {
namespace cute {

struct ParseOptions {
  // Whether ParseLayout reads a bare shape as the column-major layout of it, as
  // cutegen does.
  bool allow_bare_shape = false;
};

// Each reads a whole text; only white space and comments may follow.
absl::StatusOr<IntTuple> ParseIntTuple(absl::string_view text);
absl::StatusOr<Layout> ParseLayout(absl::string_view text,
                                   const ParseOptions& options = {});
// A layout, `_`, a tuple of tilers, or a shape (Tiler::OfShape).
absl::StatusOr<Tiler> ParseTiler(absl::string_view text);
absl::StatusOr<Swizzle> ParseSwizzle(absl::string_view text);
absl::StatusOr<ComposedLayout> ParseComposedLayout(absl::string_view text);

// What a text may be without more being known of it. A tuple of nothing but
// integers is an IntTuple; whether it is meant as a shape, a coordinate or a
// tiler, its reader knows.
using Term = absl::variant<IntTuple, Layout, Tiler, Swizzle, ComposedLayout>;

// Reads the longest term that begins at byte `*position` of `text` (or at its
// end, if that is past it), and moves `*position` behind it. On failure
// `*position` is unchanged, and the diagnostic counts from the start of `text`.
// A composed layout is read as its first part only: `o` is an operator (see
// cute/calculator/calculator.h).
absl::StatusOr<Term> ReadTerm(absl::string_view text, size_t* position);

}  // namespace cute
}  // namespace tessera

#endif  // TESSERA_CUTE_PARSE_H_
