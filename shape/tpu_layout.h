// The default layouts that the TPU compiler gives to arrays.
//
//   const Shape tall = Shape::Array(F32, {2000, 3});
//   DefaultTpuLayout(tall)->ToString();       // "{0,1:T(4,128)}"
//   DefaultTpuLayout(Shape::Array(BF16, {9, 130}))->ToString();
//       // "{1,0:T(8,128)(2,1)}"
//   // The tiles for a given order.
//   WithTpuLayouts(tall.WithLayout(Layout({1, 0})))->ToString();
//       // "f32[2000,3]{1,0:T(8,128)}"
//   WithTpuLayouts(Shape::Tuple({tall, Shape::Array(S4, {7})}))->ToString();
//       // "(f32[2000,3]{0,1:T(4,128)}, s4[7]{0:T(1024)(128)(8,1)E(4)})"
//
// It is the layout of a parameter, and of other arrays that XLA lays out "by
// default", on v4, v5e, v5p, v6e and v7x alike. Arrays between the parameters
// and the result get their layout from layout assignment, which may choose
// another.
//
// The rule is not published. It was derived from answers of libtpu 0.0.52's
// client (GetDefaultLayout), and explains each of 300,000. The tiles of a given
// order, bounded dimensions and empty arrays were checked in compiled programs.
//
// A register has 8 sublanes of 128 lanes of 32 bits. An element counts as 32
// bits, 16, 8 (pred too), 4, 2 or 1; those of 64 bits and more, and complex
// ones, are several arrays of 32 bits. So `packing` elements, 32 / bits, share
// a word.
//
//   Rank 0    T(128 * packing).
//   Rank 1    T(n): n is the smallest 128 * 2^k that is at least the dimension,
//             but at least 128 * packing, and at most 1024, or 128 * packing if
//             that is more.
//   Rank 2    T(rows,128): `rows` is the smallest power of two that is at least
//   and more  the second-minor dimension, but at least `packing`, and at most 8,
//             or `packing` if that is more. It is 8 * packing if elements have
//             8 bits or fewer and the dimension is a multiple of that.
//   Packed    If several elements share a word, (packing,1) follows: after
//             (128) in rank 1, and not in rank 0.
//   E         E(bits) below 8 bits.
//   Empty     An array without elements has no tiles and the row-major order.
//
//   Order     The two minor dimensions are the pair whose padding to whole
//             tiles costs the least, where `rows` counts as 8 if it is more.
//             Among equal pairs, those that fill whole tiles win, then the one
//             whose minor dimension comes last in the shape, then the one whose
//             second-minor dimension does. All others follow, the last first.

#ifndef TESSERA_SHAPE_TPU_LAYOUT_H_
#define TESSERA_SHAPE_TPU_LAYOUT_H_

#include "absl/status/statusor.h"
#include "tessera/layout/layout.h"
#include "tessera/shape/shape.h"

namespace tessera {

// Returns the layout of a parameter with the type and dimensions of `array`;
// bounded dimensions count as their bounds. Ignores the layout of `array`.
//
// Errors: kFailedPrecondition if it is not an array, or has an unbounded
// dimension; kInvalidArgument if it is not valid; kUnimplemented for the types
// of 6 bits, which the compiler refuses; kResourceExhausted for more than 1,024
// dimensions; kOutOfRange if positions exceed int64_t, padding included.
absl::StatusOr<Layout> DefaultTpuLayout(const Shape& array);

// Returns `shape` with a layout of TPU in every array in it, in tuples and
// buffers too. An array without a layout gets DefaultTpuLayout. One without
// tiles gets those for its order, like JAX's Layout(major_to_minor=); the rest
// of its layout stays. One with tiles is unchanged.
//
// Errors: those of DefaultTpuLayout, of the first array that has one.
absl::StatusOr<Shape> WithTpuLayouts(const Shape& shape);

}  // namespace tessera

#endif  // TESSERA_SHAPE_TPU_LAYOUT_H_
