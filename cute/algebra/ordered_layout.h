// Makes compact layouts with a given order of strides.
//
//   #include "tessera/cute/parse.h"
//
//   MakeOrderedLayout({3, 5}, {1, 0})->ToString();             // "(3,5):(5,1)"
//   MakeLayoutLike(*ParseLayout("(2,4,3):(12,0,1)"))->ToString();
//                                                          // "(2,4,3):(3,0,1)"
//   TileToShape(*ParseLayout("(2,2):(2,1)"), {4, 6}, {0, 1})->ToString();
//                                          // "((2,2),(2,3)):((2,4),(1,8))"
//
// Laws: MakeOrderedLayout has strides that grow with the order, and the offsets
// 0 ... size-1, each once, if the orders differ. MakeLayoutLike does the same
// for the modes with a stride other than 0, in the order of their strides.
// TileToShape repeats its block until it has the shape: mode i of the result is
// (mode i of the block, its repetitions).
//
// Definitions: include/cute/layout.hpp. Modes of size 1 get stride 0, as they
// do in C++ at compile time. Modes of equal order get equal strides, as in C++:
// (2,2,2) in the order (0,0,1) is (2,2,2):(1,1,4), which is not injective.
// Until CUTLASS 3.5, TileToShape coalesced each mode of its result.

#ifndef TESSERA_CUTE_ALGEBRA_ORDERED_LAYOUT_H_
#define TESSERA_CUTE_ALGEBRA_ORDERED_LAYOUT_H_

#include "absl/status/statusor.h"
#include "tessera/cute/int_tuple.h"
#include "tessera/cute/layout.h"

namespace tessera::cute {

// Returns the compact layout of a shape. The lowest order gets the stride 1,
// and each higher order gets the product of all parts of lower order. An
// integer of `order` applies to the whole part of `shape` in its place, whose
// strides grow from left to right.
// Errors: kInvalidArgument if the order is not WeaklyCongruent with the shape
// or a size is less than 1; kOutOfRange if the size exceeds 2^63-1.
absl::StatusOr<Layout> MakeOrderedLayout(const IntTuple& shape,
                                         const IntTuple& order);

// Return the strides of a compact layout that begins with the stride `first`,
// from left to right and from right to left; 0 for modes of size 1. If `first`
// is a tuple, each of its integers begins the strides of the part in its place.
// Errors: kInvalidArgument if `first` is not WeaklyCongruent with the shape or
// a size is less than 1; kOutOfRange if a stride exceeds int64_t.
absl::StatusOr<IntTuple> CompactColumnMajor(const IntTuple& shape,
                                            const IntTuple& first = 1);
absl::StatusOr<IntTuple> CompactRowMajor(const IntTuple& shape,
                                         const IntTuple& first = 1);

// Returns the compact layout with the order of the strides of `layout`. Errors:
// kInvalidArgument if strides are multiples of basis elements.
absl::StatusOr<Layout> MakeLayoutLike(const Layout& layout);

// Repeats `block` until it has the top-level sizes of `shape`, with the
// repetitions in the order of MakeOrderedLayout. Errors: kInvalidArgument if a
// size of the block does not divide that of the shape, or if the block has more
// modes; those of BlockedProduct.
absl::StatusOr<Layout> TileToShape(const Layout& block, const IntTuple& shape,
                                   const IntTuple& order);
// Uses the order from left to right.
absl::StatusOr<Layout> TileToShape(const Layout& block, const IntTuple& shape);

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_ALGEBRA_ORDERED_LAYOUT_H_
