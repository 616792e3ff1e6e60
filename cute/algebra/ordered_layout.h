// File: cute/algebra/ordered_layout.h
//
// Makes compact layouts with a given order of strides.
//
//   #include "tessera/cute/parse.h"
//
//   MakeOrderedLayout({3, 5}, {1, 0})->ToString();             // "(3,5):(5,1)"
//   MakeLayoutLike(*ParseLayout("(2,4,3):(12,0,1)"))->ToString();
//                                                          // "(2,4,3):(3,0,1)"
//   TileToShape(*ParseLayout("(2,2):(2,1)"), {4, 6}, {0, 1})->ToString();
//                                                      // "(4,(2,3)):(2,(1,8))"
//
// Laws: MakeOrderedLayout has the offsets 0 ... size-1, each once, and strides
// that grow with the order. MakeLayoutLike does the same for the modes with a
// stride other than 0, in the order of their strides. TileToShape repeats its
// block until it has the shape, like BlockedProduct with each mode coalesced.
//
// Definitions: include/cute/layout.hpp. Modes of size 1 get stride 0, as they
// do in C++ at compile time.

#ifndef TESSERA_CUTE_ALGEBRA_ORDERED_LAYOUT_H_
#define TESSERA_CUTE_ALGEBRA_ORDERED_LAYOUT_H_

#include "absl/status/statusor.h"
#include "tessera/cute/int_tuple.h"
#include "tessera/cute/layout.h"

namespace tessera {
namespace cute {

// The lowest order gets the smallest stride; among equal orders, the leftmost.
// An integer of `order` applies to the whole part of `shape` in its place.
// Errors: kInvalidArgument if the order is not WeaklyCongruent with the shape
// or a size is less than 1; kOutOfRange if the size exceeds 2^63-1.
absl::StatusOr<Layout> MakeOrderedLayout(const IntTuple& shape,
                                         const IntTuple& order);

// Errors: kInvalidArgument if strides are multiples of basis elements.
absl::StatusOr<Layout> MakeLayoutLike(const Layout& layout);

// Repeats `block` until it has the top-level sizes of `shape`, with the
// repetitions in the order of MakeOrderedLayout. Errors: kInvalidArgument if a
// size of the block does not divide that of the shape, or if the block has more
// modes; those of BlockedProduct.
absl::StatusOr<Layout> TileToShape(const Layout& block, const IntTuple& shape,
                                   const IntTuple& order);
// Uses the order from left to right.
absl::StatusOr<Layout> TileToShape(const Layout& block, const IntTuple& shape);

}  // namespace cute
}  // namespace tessera

#endif  // TESSERA_CUTE_ALGEBRA_ORDERED_LAYOUT_H_
