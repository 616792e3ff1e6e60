// Computes the layout whose offsets fill the gaps of a layout, and repeat it.
//
//   #include "tessera/cute/parse.h"
//
//   // The hole is filled, then all of it repeated.
//   Complement(*ParseLayout("4:2"), 24)->ToString();           // "(2,3):(1,8)"
//   Complement(*ParseLayout("(2,4):(1,6)"), 24)->ToString();   // "3:2"
//   Complement(*ParseLayout("4:1"), 24)->ToString();           // "6:4"
//   // No offset is left out.
//   Complement(*ParseLayout("(4,6):(1,4)"), 24)->ToString();   // "1:0"
//
// Definition (include/cute/layout.hpp): take the modes of A by increasing
// stride d, without those of size 1 or stride 0. Each adds a mode (d div e):e,
// where e is the extent so far, 1 at first, and makes the extent size*d. The
// last mode is ceil(cotarget / extent):extent; the result is coalesced.
//
// Laws, for R = Complement(A, M):
//   R is ordered: R(i - 1) < R(i) for 1 <= i < size(R). So R is unique.
//   A and R are disjoint: R(i) is not a value of A, for 1 <= i < size(R);
//     moreover, the sums A(j) + R(i) are distinct as far as the A(j) are.
//   R is bounded: cosize(R) <= round_up(M, E), with the extent E of all of A.
//   If each stride is a multiple of the extent before it, (A, R) has exactly
//   the offsets below round_up(M, E), each as often as A has 0.
//
// The documented bounds, cosize(R) >= (or <=) round_up(M, cosize(A)) and
// cosize((A,R)) >= M, are not laws. complement(2:5, 12) is (5,2):(1,10), of
// cosize 15, which is more than round_up(12, 6); complement(2:4, 9) is
// (4,2):(1,8), of cosize 12, more than round_up(9, 5), though 4 is a multiple
// of 1; and ((2,2):(5,2), (2,4):(1,10)) stops at 39 < 40.
//
// Where the implementations differ: given (2,2):(2,3), whose strides
// interleave, C++ refuses, and so do we; pycute and cutegen return a mode of
// size 0. cutegen prints 1:24 if no offset is left out. C++ pads each mode of a
// cotarget that is a shape: the last mode is ceil((3,5) / extent), as in
// CeilDiv (cute/shape_division.h), which may reach further than the size of the
// shape.

#ifndef TESSERA_CUTE_ALGEBRA_COMPLEMENT_H_
#define TESSERA_CUTE_ALGEBRA_COMPLEMENT_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "tessera/cute/int_tuple.h"
#include "tessera/cute/layout.h"

namespace tessera::cute {

// Returns the complement. The definition requires that each stride is at least
// the extent of the modes before it. Errors: kInvalidArgument if one is not
// (the message names both modes and a coordinate), if a mode of more than one
// element has a stride that is negative or a multiple of a basis element, or if
// `cotarget` is less than 1; kOutOfRange if the cosize of the result exceeds
// 2^63-1.
absl::StatusOr<Layout> Complement(const Layout& layout, int64_t cotarget);
// Pads each mode of the shape `cotarget`, as C++ does. Errors: as above, and
// kInvalidArgument if a size is less than 1.
absl::StatusOr<Layout> Complement(const Layout& layout,
                                  const IntTuple& cotarget);

// Uses the cosize of Filter(layout) as the cotarget, as C++ does, and so fills
// only the holes. (pycute uses 1; cutegen adds a mode of size 1 that marks
// where to continue.)
absl::StatusOr<Layout> Complement(const Layout& layout);

// Like Complement, but never merges the last mode: modes fill the holes, and a
// mode of size 1 has the extent as its stride, so coordinates past the size
// continue with repetitions of the layout. For composition from the left.
absl::StatusOr<Layout> UnboundedComplement(const Layout& layout);

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_ALGEBRA_COMPLEMENT_H_
