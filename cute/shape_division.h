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
//   // By a tuple, each mode by its own.
//   ShapeDiv({12, 4}, {1, 4})->ToString();        // "(12,1)"
//   DomainDistribute({6, 2}, 4)->ToString();      // "(2,2):(1,6)"
//
// Definitions: shape_div and ceil_div of include/cute/int_tuple.hpp, and
// shape_mod of 02_layout_algebra.md. Dividing by d takes a mode s to ceil(s/d)
// and goes on with ceil(d/s), in shape_div and shape_mod provided that one of d
// and s divides the other. C++ asks for that of static integers alone; it is
// asked for here of all. Composition has allowed to cut a mode short since
// CUTLASS 3.9 (cute/algebra/composition.h).

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

// What is left of each mode of `shape` without `divisor`, and `modulus` itself
// spread over the modes: of the pair, each mode of the shape is the product.
// By an integer, the flattened modes from the left; by a tuple of as many
// modes, mode by mode, and so on in what is nested. An integer is divided by
// the size of a tuple.
//
//   ShapeDiv({12, 4}, {1, 4})    (12,1)      ShapeMod({12, 4}, {1, 4})   (1,4)
//   ShapeDiv({12, 4}, 4)         (3,4)       ShapeMod({12, 4}, 4)        (4,1)
//   ShapeDiv(12, {3, 2})         2           ShapeMod(12, {3, 2})        6
//
// Of shape_mod, the document defines division by an integer; tuples are taken
// as shape_div takes them.
// Errors: kInvalidArgument, with the mode and the numbers, for an entry below
// 1, for tuples of different ranks, or where neither of two numbers divides the
// other; kOutOfRange if a size exceeds 2^63-1.
absl::StatusOr<IntTuple> ShapeDiv(const IntTuple& shape,
                                  const IntTuple& divisor);
absl::StatusOr<IntTuple> ShapeMod(const IntTuple& shape,
                                  const IntTuple& modulus);

// A layout R of up to `size` coordinates, spread over `shape` as evenly as
// common divisors allow: R is increasing, and composes with every layout of
// this shape. size(R) divides `size`, and is `size` wherever the modes have the
// factors for it. Errors: kInvalidArgument for an entry or size below 1;
// kOutOfRange past 2^63-1.
absl::StatusOr<Layout> DomainDistribute(const IntTuple& shape, int64_t size);

}  // namespace cute
}  // namespace tessera

#endif  // TESSERA_CUTE_SHAPE_DIVISION_H_
