// Composes two layouts: R = A o B, where R(c) = A(B(c)).
//
//   #include "tessera/cute/parse.h"
//
//   Composition(*ParseLayout("(6,2):(8,2)"), *ParseLayout("(4,3):(3,1)"))
//       ->ToString();   // "((2,2),3):((24,2),8)"
//
//   const Layout a = *ParseLayout("(12,(4,8)):(59,(13,1))");
//   Composition(a, *ParseTiler("<3:4, 8:2>"))->ToString();
//                       // "(3,(2,4)):(236,(26,1))"
//   Composition(a, *Tiler::OfShape({3, 8}))->ToString();
//                       // "(3,(4,2)):(59,(13,1))"
//
//   Composition(*ParseLayout("(3,5):(7,100)"), *ParseLayout("4:2")).status();
//       // INVALID_ARGUMENT: no layout equals A o B: in B, 4:2, A(B) is 200
//       // at coordinate 3, where (2,2):(14,107), the only layout with the
//       // earlier values, gives 121
//
// Two laws apply to every result: Compatible(B.shape(), R.shape()), and R(c) ==
// A(B(c)) for every coordinate c of B, where A is defined past its size, too
// (cute/layout.h), and below 0. Each leaf of B becomes one mode of R. CuTe's
// own implementations return wrong layouts for some pairs.
//
// Most results come from a rule that is linear in the leaves: Shah's
// admissibility, with the sum of the largest digits in each mode of A below its
// size, so nothing carries. For pairs that the rule does not admit, an exact
// decision looks at the values. Whether a layout with these values exists is
// decidable, because they determine its coalesced form
// (cute/internal/exact_layout.h).
//
// Where the implementations differ:
// - C++ (since 3.9), cutegen and we cut a run short within a mode of A:
//   (8,8):(8,1) o 3:3 is 3:24. pycute refuses that.
// - (3,5):(7,100) o 4:2 is (2,2):(14,100) in C++ and cutegen, which is wrong.
//   (12,2):(1,100) o (3,2):(4,6) is (3,2):(4,6) in all of them, which is wrong.
//   (6,2):(8,2) o 9:1 is 6:8 in pycute, of the wrong size. We refuse all three.
// - All of them, and we, let the last mode of A run past its size: (4,3):(3,1)
//   o 8:1 is (4,2):(3,1). To cap it, append 1:0 to A.
// - A mode of size 1 has the stride of C++'s rule, and 0 if C++ refuses the
//   mode because of its stride.
// - If a negative stride leads B below coordinate 0 of A, A is continued as in
//   C++, whose division truncates: A(-x) is -A(x). So (2,4):(-1,512) o 4:-1 is
//   (2,2):(1,-512).

#ifndef TESSERA_CUTE_ALGEBRA_COMPOSITION_H_
#define TESSERA_CUTE_ALGEBRA_COMPOSITION_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "tessera/cute/layout.h"
#include "tessera/cute/tiler.h"

namespace tessera::cute {

struct CompositionOptions {
  // The largest number of values of A that an exact decision may look at; 0
  // turns it off. Few pairs need it: 2 % of those that have a composition, in a
  // random sample.
  int64_t max_evaluations = int64_t{1} << 20;
};

// Returns A o B. If strides of A are multiples of basis elements, so are those
// of R. If strides of B are, B yields coordinates of A, and each leaf is
// composed with the mode that its basis element names.
//
// Errors name the mode of B, the numbers and a coordinate; most carry these as
// data (CompositionRefusalOf, composition_refusal.h): kInvalidArgument if no
// layout equals A o B, or if a basis element names no mode of A;
// kResourceExhausted if the rule does not admit the pair and an exact decision
// takes more values than allowed; kUnimplemented if the rule does not admit the
// pair and strides of A are multiples of basis elements, for which there is no
// exact decision; kOutOfRange if a stride exceeds int64_t.
absl::StatusOr<Layout> Composition(const Layout& a, const Layout& b,
                                   const CompositionOptions& options = {});

// Composes by mode: mode i of A with mode i of the tiler. `_` leaves a mode
// unchanged. Modes of A past those of the tiler are dropped, as in C++ and
// cutegen (pycute keeps them): mode 0 of a zipped divide is this composition.
//
// Errors: as above, naming the mode; kInvalidArgument if the tiler has more
// modes than A.
absl::StatusOr<Layout> Composition(const Layout& a, const Tiler& tiler,
                                   const CompositionOptions& options = {});

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_ALGEBRA_COMPOSITION_H_
