// File: cute/coordinates.h
//
// Converts coordinates between their forms, and to offsets.
//
//   #include "tessera/cute/parse.h"
//
//   const auto _ = IntTuple::kUnderscore;
//   Layout a = *ParseLayout("((2,2),3):((24,2),8)");
//   Crd2Idx(7, a);                       // 34: integral
//   Crd2Idx({3, 1}, a);                  // 34: partly split
//   Crd2Idx({{1, 1}, 1}, a);             // 34: natural, nested like the shape
//   Idx2Crd(7, a.shape())->ToString();   // "((1,1),1)"
//   Crd2Crd({3, 1}, {4, 3}, {{2, 2}, 3})->ToString();   // "((1,1),1)"
//   Slice({{1, _}, _}, a)->ToString();   // "(2,3):(2,8)": what is left open
//   Dice({{1, _}, _}, a)->ToString();    // "(2):(24)": what is not
//
// Definitions: include/cute/stride.hpp and layout.hpp. A coordinate's integers
// are split as in cute/layout.h. They are not checked against the sizes, since
// layouts are defined past them; C++ and cutegen do the same (pycute wraps the
// last coordinate of idx2crd).

#ifndef TESSERA_CUTE_COORDINATES_H_
#define TESSERA_CUTE_COORDINATES_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "tessera/cute/int_tuple.h"
#include "tessera/cute/layout.h"

namespace tessera {
namespace cute {

// Returns the offset at a coordinate that is WeaklyCongruent with the shape.
// `_` counts as 0. Errors: kInvalidArgument if it is nested differently, or if
// the layout's strides are multiples of basis elements; kOutOfRange if an
// integer is negative or the offset exceeds int64_t.
absl::StatusOr<int64_t> Crd2Idx(const IntTuple& coordinate,
                                const Layout& layout);

// Returns the value at a coordinate. If strides are multiples of basis
// elements, this is a coordinate: a tuple with all modes up to the last one
// that a basis element names. Otherwise it is the offset, as an integer.
// Errors: as above, and kResourceExhausted for a coordinate of more than 2^20
// modes.
absl::StatusOr<IntTuple> Evaluate(const IntTuple& coordinate,
                                  const Layout& layout);

// Returns the natural coordinate, congruent with `shape`, of an integral one;
// the last integer takes the rest. Errors: kOutOfRange if `index` is negative
// or the size of the shape exceeds 2^63-1; kInvalidArgument if a size is less
// than 1.
absl::StatusOr<IntTuple> Idx2Crd(int64_t index, const IntTuple& shape);

// Converts a coordinate in `from_shape` to the natural coordinate in `to_shape`
// with the same integral coordinate. If both shapes have the same sizes at its
// integers, each integer is split in its place, also past the size. C++ goes
// mode by mode whenever all three are tuples, even if sizes differ, and then
// names another element. Errors: as above, and kInvalidArgument if it is not
// nested like `from_shape`.
absl::StatusOr<IntTuple> Crd2Crd(const IntTuple& coordinate,
                                 const IntTuple& from_shape,
                                 const IntTuple& to_shape);

// Returns whether `a` comes before `b` in colexicographic order: the last
// integer counts most. Precondition: Congruent(a, b).
bool ColexicographicallyLess(const IntTuple& a, const IntTuple& b);

// Returns the modes at which the coordinate has `_`, in one flat tuple, as in
// C++, whatever the nesting of the coordinate; the layout itself for `_`;
// `():()` if there are no such modes. The offset of the rest is
// Crd2Idx(coordinate, layout). Errors: kInvalidArgument if the coordinate is
// nested differently.
absl::StatusOr<Layout> Slice(const IntTuple& coordinate, const Layout& layout);

// Returns the modes at which the coordinate has integers.
absl::StatusOr<Layout> Dice(const IntTuple& coordinate, const Layout& layout);

}  // namespace cute
}  // namespace tessera

#endif  // TESSERA_CUTE_COORDINATES_H_
