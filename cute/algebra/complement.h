// File: cute/algebra/complement.h
//
// The offsets that a layout leaves out: the layout of its repetitions.
//
//   #include "tessera/cute/parse.h"
//
//   // The hole is filled, then all of it repeated.
//   Complement(*ParseLayout("4:2"), 24)->ToString();           // "(2,3):(1,8)"
//   Complement(*ParseLayout("(2,4):(1,6)"), 24)->ToString();   // "3:2"
//   Complement(*ParseLayout("4:1"), 24)->ToString();           // "6:4"
//   // Nothing is left out.
//   Complement(*ParseLayout("(4,6):(1,4)"), 24)->ToString();   // "1:0"
//
// Definition (include/cute/layout.hpp): take the modes of A by rising stride d,
// those of size 1 or stride 0 left aside. With e the extent of what came
// before, 1 at first, each adds a mode (d div e):e, and makes the extent
// size*d. At last comes ceil(cotarget / extent):extent; the whole is coalesced.
//
// Laws, for R = Complement(A, M):
//   R is ordered: R(i - 1) < R(i) for 1 <= i < size(R). So R is unique.
//   A and R are disjoint: R(i) is no value of A, for 1 <= i < size(R); what is
//   more, the sums A(j) + R(i) are distinct as far as the A(j) are.
//   R is bounded: cosize(R) <= round_up(M, E), with the extent E of all of A.
//   Where each stride is a multiple of the extent before it, (A, R) has exactly
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
// size 0. cutegen prints 1:24 where nothing is left out. C++ pads each mode of
// a cotarget that is a shape; here it is a number, the size of the shape.

#ifndef TESSERA_CUTE_ALGEBRA_COMPLEMENT_H_
#define TESSERA_CUTE_ALGEBRA_COMPLEMENT_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "tessera/cute/layout.h"

namespace tessera {
namespace cute {

// Precondition of the definition: each stride is at least the extent of those
// before it. Errors: kInvalidArgument if it is not, which names both modes and
// a coordinate, if a stride of a mode of more than one element is negative or
// of a basis element, or if `cotarget` is less than 1; kOutOfRange if the
// cosize of the result exceeds 2^63-1.
absl::StatusOr<Layout> Complement(const Layout& layout, int64_t cotarget);

// With the cosize of Filter(layout) for a cotarget, as in C++: the holes alone.
// (pycute takes 1; cutegen adds a mode of size 1 that says where to go on.)
absl::StatusOr<Layout> Complement(const Layout& layout);

// The same with a last mode that is never merged away: modes fill the holes,
// and one of size 1 has the extent as its stride, so that coordinates past the
// size go on with the repetitions of the layout. For composition from the left.
absl::StatusOr<Layout> UnboundedComplement(const Layout& layout);

}  // namespace cute
}  // namespace tessera

#endif  // TESSERA_CUTE_ALGEBRA_COMPLEMENT_H_
