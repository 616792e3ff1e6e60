// Finds how much can be copied at once between two layouts of the same
// coordinates.
//
//   #include "tessera/cute/parse.h"
//
//   const Layout a = *ParseLayout("(4,8):(1,4)");
//   const Layout b = *ParseLayout("(4,8):(1,8)");
//   MaxCommonLayout(a, b)->ToString();              // "4:1"
//   MaxCommonVector(a, b);                          // 4
//   MaxAlignment(*ParseLayout("(10,4):(4,1)"));     // 40
//   // Rows of 24 elements that begin at multiples of 40.
//   const Layout rows = *ParseLayout("(16,24):(40,1)");
//   ContiguousElements(rows);                       // 24
//   VectorElements(rows);                           // 8
//
// Laws: R = MaxCommonLayout(A, B): A(R(i)) == i == B(R(i)) for 0 <= i <
// size(R). size(R) == MaxCommonVector(A, B). The offsets of A come in aligned
// blocks of n = MaxAlignment(A): k*n is an offset iff all of k*n ... k*n + n-1
// are.
//
// Definition (include/cute/layout.hpp): the first mode of Coalesce(A o
// RightInverse(B)) if its stride is 1. The alignment is the greatest common
// divisor of the size of RightInverse(A) and of the strides that it skips;
// cutegen uses only the first contiguous mode and returns 4 for the example.

#ifndef TESSERA_CUTE_ALGEBRA_COMMON_LAYOUT_H_
#define TESSERA_CUTE_ALGEBRA_COMMON_LAYOUT_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "tessera/cute/algebra/composition.h"
#include "tessera/cute/layout.h"

namespace tessera::cute {

// Returns R of the laws. If A o RightInverse(B) is not a layout, uses as many
// modes of the inverse as give a layout. Errors: kInvalidArgument if strides
// are multiples of basis elements; those of RightInverse.
absl::StatusOr<Layout> MaxCommonLayout(const Layout& a, const Layout& b,
                                       const CompositionOptions& options = {});
absl::StatusOr<int64_t> MaxCommonVector(const Layout& a, const Layout& b,
                                        const CompositionOptions& options = {});

// Returns n of the laws. Errors: as above.
absl::StatusOr<int64_t> MaxAlignment(const Layout& layout);

// Returns how many elements follow one another in memory along the innermost
// mode, the one of stride 1 of the coalesced layout; 1 if it has no such mode.
// Precondition here and below: !layout.has_basis().
int64_t ContiguousElements(const Layout& layout);
// Returns how many elements a load can take at once along the innermost mode,
// if the first of them has to be at a multiple of that number: the greatest
// common divisor of ContiguousElements and of the strides of all other modes.
int64_t VectorElements(const Layout& layout);

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_ALGEBRA_COMMON_LAYOUT_H_
