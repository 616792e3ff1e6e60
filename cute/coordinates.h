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
//   Idx2Crd({3, 1}, a.shape())->ToString();             // "((1,1),1)"
//   Idx2Crd(34, a)->ToString();          // "((1,1),1)": digit of each stride
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

namespace tessera::cute {

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
// Returns the natural coordinate of a coordinate that is WeaklyCongruent with
// `shape`: each integer is split in its place. Errors: as above, and
// kInvalidArgument if it is nested differently.
absl::StatusOr<IntTuple> Idx2Crd(const IntTuple& coordinate,
                                 const IntTuple& shape);
// Returns (offset / stride) mod size for each mode, and 0 for modes of size 1,
// as C++ does with a shape and a stride. It is the coordinate of the offset if
// the layout is compact. Errors: kOutOfRange if `offset` is negative;
// kInvalidArgument if a mode of more than one element has a stride below 1 or a
// basis element.
absl::StatusOr<IntTuple> Idx2Crd(int64_t offset, const Layout& layout);

// Converts a coordinate in `from_shape` to the natural coordinate in `to_shape`
// with the same integral coordinate. If both shapes have the same sizes at its
// integers, each integer is split in its place, also past the size. C++ goes
// mode by mode whenever all three are tuples, even if sizes differ, and then
// names another element. Errors: as above, and kInvalidArgument if it is not
// nested like `from_shape`.
absl::StatusOr<IntTuple> Crd2Crd(const IntTuple& coordinate,
                                 const IntTuple& from_shape,
                                 const IntTuple& to_shape);

// Returns whether every integer of the coordinate is at least 0 and below the
// size of the shape in its place; `_` is within every shape. Errors:
// kInvalidArgument if it is nested differently.
absl::StatusOr<bool> IsWithin(const IntTuple& coordinate,
                              const IntTuple& shape);

// Returns whether each integer of `a` is less than the one at the same place in
// `b`, which may have more modes, as C++ tests whether a coordinate is in a
// shape. Errors: kInvalidArgument if an integer is in the place of a tuple.
absl::StatusOr<bool> ElementwiseLess(const IntTuple& a, const IntTuple& b);

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

// Like the functions above, for the modes of a tuple; `()` if there are none.
absl::StatusOr<IntTuple> Slice(const IntTuple& coordinate,
                               const IntTuple& tuple);
absl::StatusOr<IntTuple> Dice(const IntTuple& coordinate,
                              const IntTuple& tuple);

// Returns the smallest shape that contains all values of the layout, counting
// strides as positive: 1 plus the sum of (size - 1) * |stride|, for each mode
// of the values if these are coordinates. Errors: kOutOfRange if an extent
// exceeds 2^63-1; kResourceExhausted as for Evaluate.
absl::StatusOr<IntTuple> Coshape(const Layout& layout);

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_COORDINATES_H_
