// File: cute/shape_division.h
//
// Shapes divided: the arithmetic under composition and tiling.
//
//   // How many tiles cover each mode; of an integer, one after the other.
//   CeilDiv({10, 7}, {4, 2})->ToString();         // "(3,4)"
//   CeilDiv({6, 4}, 12)->ToString();              // "(1,2)"
//   // Without the first 9, and the first 9 alone.
//   ShapeDiv({3, 6, 2, 8}, 9)->ToString();        // "(1,2,2,8)"
//   ShapeMod({3, 6, 2, 8}, 9)->ToString();        // "(3,3,1,1)"
//   DomainDistribute({6, 2}, 4)->ToString();      // "(2,2):(1,6)"
//
// Definitions: shape_div and shape_mod of 02_layout_algebra.md, where dividing
// by d takes a mode s to ceil(s/d) and goes on with ceil(d/s), provided that
// one of d and s divides the other; ceil_div of include/cute/int_tuple.hpp. The
// document's asserts are kept here; composition has allowed to cut a mode short
// since CUTLASS 3.9 (cute/algebra/composition.h).

#ifndef TESSERA_CUTE_SHAPE_DIVISION_H_
#define TESSERA_CUTE_SHAPE_DIVISION_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "tessera/cute/int_tuple.h"
#include "tessera/cute/layout.h"

namespace tessera {
namespace cute {

// By an integer, progressively; by a tuple, mode by mode, where modes of
// `shape` past those of the tiler stay as they are. An integer is divided by
// the size of a tuple.
// Errors: kInvalidArgument for an entry below 1 or a tiler of more modes.
absl::StatusOr<IntTuple> CeilDiv(const IntTuple& shape, const IntTuple& tiler);

// Each takes the flattened modes from the left.
// Errors: kInvalidArgument, with the mode and the numbers, for an entry below 1
// or where neither of the two numbers divides the other.
absl::StatusOr<IntTuple> ShapeDiv(const IntTuple& shape, int64_t divisor);
absl::StatusOr<IntTuple> ShapeMod(const IntTuple& shape, int64_t modulus);

// A layout R of up to `size` coordinates, spread over `shape` as evenly as
// common divisors allow: R is increasing, and composes with every layout of
// this shape. size(R) divides `size`, and is `size` wherever the modes have the
// factors for it. Errors: kInvalidArgument for an entry or size below 1;
// kOutOfRange past 2^63-1.
absl::StatusOr<Layout> DomainDistribute(const IntTuple& shape, int64_t size);

}  // namespace cute
}  // namespace tessera

#endif  // TESSERA_CUTE_SHAPE_DIVISION_H_
