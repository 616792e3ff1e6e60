// Divides shapes: the arithmetic beneath composition and tiling.
//
//   // The number of tiles that cover each mode. An integer covers one mode
//   // after the other.
//   CeilDiv({10, 7}, {4, 2})->ToString();         // "(3,4)"
//   CeilDiv({6, 4}, 12)->ToString();              // "(1,2)"
//   // The shape divided by 9, and the part that 9 covers.
//   ShapeDiv({3, 6, 2, 8}, 9)->ToString();        // "(1,2,2,8)"
//   ShapeMod({3, 6, 2, 8}, 9)->ToString();        // "(3,3,1,1)"
//   // By a tuple: each mode by its own divisor.
//   ShapeDiv({12, 4}, {1, 4})->ToString();        // "(12,1)"
//   RoundUp({10, 7}, {4, 2})->ToString();         // "(12,8)"
//   *EvenlyDivides({12, 8}, {4, 2});              // true
//   DomainDistribute({6, 2}, 4)->ToString();      // "(2,2):(1,6)"
//
// Definitions: shape_div and ceil_div of include/cute/int_tuple.hpp, and
// shape_mod of 02_layout_algebra.md. Dividing by d takes a mode s to ceil(s/d)
// and continues with ceil(d/s); shape_div and shape_mod require that one of d
// and s divides the other. CuTe's C++ checks this only for static integers;
// these functions check it for all. Since CUTLASS 3.9, composition may cut a
// mode short (cute/algebra/composition.h).

#ifndef TESSERA_CUTE_SHAPE_DIVISION_H_
#define TESSERA_CUTE_SHAPE_DIVISION_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "tessera/cute/int_tuple.h"
#include "tessera/cute/layout.h"

namespace tessera::cute {

// Divides by an integer progressively, and by a tuple mode by mode; modes of
// `shape` past those of the tiler are unchanged. An integer is divided by the
// size of a tuple. Errors: kInvalidArgument for an entry below 1 or a tiler
// with more modes.
absl::StatusOr<IntTuple> CeilDiv(const IntTuple& shape, const IntTuple& tiler);

// Divides by a layout: the shape of Complement(tiler, shape), which is the part
// of a divide that counts the tiles. Errors: those of Complement.
absl::StatusOr<IntTuple> CeilDiv(const IntTuple& shape, const Layout& tiler);

// Rounds each integer up to a multiple of the corresponding integer of
// `multiple`; modes of `shape` past those of the multiple are unchanged.
// Errors: kInvalidArgument for an entry below 1, a multiple with more modes, or
// one that is nested differently; kOutOfRange past 2^63-1.
absl::StatusOr<IntTuple> RoundUp(const IntTuple& shape,
                                 const IntTuple& multiple);

// Returns whether tiles of the sizes in `tiler` cover the shape without a
// remainder. A tuple divides mode by mode. An integer divides the shape as a
// whole, one mode after the other. Errors: kInvalidArgument for an entry below
// 1; kOutOfRange past 2^63-1.
absl::StatusOr<bool> EvenlyDivides(const IntTuple& shape,
                                   const IntTuple& tiler);

// Return the quotient of each mode of `shape` by `divisor`, and `modulus`
// spread over the modes: each mode of the shape is the product of the two. An
// integer divides the flattened modes from the left; a tuple of the same rank
// divides mode by mode, and its nested tuples likewise. An integer is divided
// by the size of a tuple.
//
//   ShapeDiv({12, 4}, {1, 4})    (12,1)      ShapeMod({12, 4}, {1, 4})   (1,4)
//   ShapeDiv({12, 4}, 4)         (3,4)       ShapeMod({12, 4}, 4)        (4,1)
//   ShapeDiv(12, {3, 2})         2           ShapeMod(12, {3, 2})        6
//
// The document defines shape_mod only by an integer; tuples are treated as in
// shape_div. Errors: kInvalidArgument, naming the mode and the numbers, for an
// entry below 1, for tuples of different ranks, or if neither of two numbers
// divides the other; kOutOfRange if a size exceeds 2^63-1.
absl::StatusOr<IntTuple> ShapeDiv(const IntTuple& shape,
                                  const IntTuple& divisor);
absl::StatusOr<IntTuple> ShapeMod(const IntTuple& shape,
                                  const IntTuple& modulus);

// Returns a layout R of up to `size` coordinates, spread over `shape` as evenly
// as common divisors allow: R is increasing, and composes with every layout of
// this shape. size(R) divides `size`, and equals `size` if the modes have the
// factors for it. Errors: kInvalidArgument for an entry or size below 1;
// kOutOfRange past 2^63-1.
absl::StatusOr<Layout> DomainDistribute(const IntTuple& shape, int64_t size);

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_SHAPE_DIVISION_H_
