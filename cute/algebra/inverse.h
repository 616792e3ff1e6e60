// Inverses of a layout: from offsets back to coordinates.
//
//   #include "tessera/cute/parse.h"
//
//   RightInverse(*ParseLayout("(4,8):(8,1)"))->ToString();     // "(8,4):(4,1)"
//   RightInverse(*ParseLayout("(2,4):(0,1)"))->ToString();     // "4:2"
//   LeftInverse(*ParseLayout("4:2"))->ToString();              // "(2,4):(0,1)"
//   LeftInverse(*ParseLayout("(2,2):(4,5)"))->ToString();      // "(4,3):(1,1)"
//   Nullspace(*ParseLayout("(2,4,3):(1,0,2)")).ToString();     // "4:2"
//   // From coordinates back to integral coordinates.
//   RightInverse(*ParseLayout("(4,8):(1@1,1@0)"))->ToString();
//                                                              // "(8,4):(4,1)"
//
// Laws, for integral coordinates:
//   R = RightInverse(A): A(R(i)) == i for 0 <= i < size(R). R covers the
//   offsets that A reaches without a gap from 0 on, as far as its modes chain.
//   L = LeftInverse(A): A(L(A(i))) == A(i) for 0 <= i < size(A), and if A is
//   injective, L(A(i)) == i.
//   N = Nullspace(A): A(N(j)) == 0 for 0 <= j < size(N), and size(N) is the
//   product of the sizes of the modes of stride 0.
//
// Definitions (include/cute/layout.hpp), on the coalesced A, with its modes by
// increasing stride. Right: a mode whose stride is the extent so far continues
// the chain; the others are skipped. Left: each stride is a multiple of the
// stride before, and the mode before is extended up to it, as in (2,3):(1,3),
// whose left inverse is (3,3):(1,2); the first stride becomes a mode of stride
// 0. The offsets decide the cases that this does not admit, and those in which
// modes overlap (cute/internal/layout_through.h). Below 0, where
// implementations differ on layouts of several modes, only layouts of a single
// mode have an inverse: 4:-1 is its own, and (2,3):(1,-2) has none.
//
// Where the implementations differ: pycute's right_inverse stops at the first
// mode that does not chain, so a stride of 0 makes it 1:0; its left_inverse is
// wrong if A has gaps or strides of 0: (2,3):(1,3) gives 2:1. We follow C++,
// which refuses most cases that the offsets decide; we return the inverse.
//
// If strides are multiples of basis elements, the values of A are coordinates.
// Its inverses have one mode for each of their modes: the inverse of the modes
// of A that move it, so the laws hold with i as a coordinate.

#ifndef TESSERA_CUTE_ALGEBRA_INVERSE_H_
#define TESSERA_CUTE_ALGEBRA_INVERSE_H_

#include "absl/status/statusor.h"
#include "tessera/cute/layout.h"

namespace tessera::cute {

// Returns the right inverse. Errors: kOutOfRange if a stride of the result
// exceeds 2^63-1.
absl::StatusOr<Layout> RightInverse(const Layout& layout);

// Returns the left inverse. Errors name the mode and the coordinate that
// prevent an inverse: kInvalidArgument "no left inverse" if it does not exist;
// kInvalidArgument "no left inverse was found" if A is not injective, because
// this case is not decided, or if strides are multiples of basis elements, for
// which the offsets decide nothing; kResourceExhausted "no left inverse was
// found" if a decision costs too much; kOutOfRange if an extent exceeds 2^63-1.
absl::StatusOr<Layout> LeftInverse(const Layout& layout);

Layout Nullspace(const Layout& layout);

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_ALGEBRA_INVERSE_H_
