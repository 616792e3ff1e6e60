// Merges modes: the same function with as few modes as possible.
//
//   #include "tessera/cute/parse.h"
//
//   const Layout layout = *ParseLayout("(2,(1,6)):(1,(6,2))");
//   Coalesce(layout).ToString();                      // "12:1"
//   CoalesceByProfile(layout, {1, 1})->ToString();    // "(2,6):(1,2)"
//
// Definition (02_layout_algebra.md): flatten, drop modes of size 1, and merge
// neighbours s0:d0, s1:d1 into s0*s1:d0 if d1 = s0*d0.
//
// Laws, for R = Coalesce(L):
//   size(R) == size(L); depth(R) <= 1; R(i) == L(i) for 0 <= i < size(L).
//   Coalesce(R) == R. Layouts that are the same function on [0, size) and have
//   no two runs to merge have the same text: R is a normal form.
// Past the size R may differ: (4,1):(1,0) becomes 4:1, which keeps growing
// while the original stays at its last value. CoalesceExtended keeps the values
// at every coordinate >= 0.
//
// The implementations agree, except on a layout whose modes all have size 1:
// 1:0 here, in C++ and in pycute; cutegen keeps the last stride. C++ with
// run-time sizes cannot drop or merge anything; here sizes are run-time values
// and the result is that of C++ with compile-time ones.

#ifndef TESSERA_CUTE_ALGEBRA_COALESCE_H_
#define TESSERA_CUTE_ALGEBRA_COALESCE_H_

#include "absl/status/statusor.h"
#include "tessera/cute/int_tuple.h"
#include "tessera/cute/layout.h"

namespace tessera::cute {

Layout Coalesce(const Layout& layout);

// Coalesces the part of the layout at each leaf of `profile`, whose values are
// ignored. If the profile has fewer modes than the layout, the remaining modes
// are unchanged; an integral mode counts as a tuple of one. Errors:
// kInvalidArgument if it has more modes.
absl::StatusOr<Layout> CoalesceByProfile(const Layout& layout,
                                         const IntTuple& profile);

// Law: R(i) == L(i) for every i >= 0. Like Coalesce, but a last mode of size 1
// stays unless it merges, since it receives the rest of a coordinate.
Layout CoalesceExtended(const Layout& layout);

// Returns `leaves` merged as in Coalesce, without those of size 1: none for
// 1:0.
Layout::Leaves CoalescedLeaves(absl::Span<const Layout::Leaf> leaves);
// Returns `leaves` merged as in CoalesceExtended: at least one.
Layout::Leaves ExtendedLeaves(absl::Span<const Layout::Leaf> leaves);

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_ALGEBRA_COALESCE_H_
