// File: cute/algebra/recast.h
//
// The same memory seen in wider or narrower elements.
//
//   #include "tessera/cute/parse.h"
//
//   const Layout layout = *ParseLayout("(4,8):(1,4)");
//   Upcast(layout, 2)->ToString();         // "(2,8):(1,2)"
//   Downcast(layout, 2)->ToString();       // "(8,8):(1,8)"
//   Recast(layout, 16, 32)->ToString();    // "(2,8):(1,2)": 16 bits to 32
//
// Laws: Upcast(Downcast(L, n), n) is L, where it is not refused. For R =
// Upcast(L, n), R(c') is L(c) divided by n and rounded down, where c' is c with
// the coordinate of each mode of stride d < n divided by n/d: the wide element
// that a narrow one lies in.
//
// Definition (include/cute/layout.hpp): up, a mode s:d with |d| >= n becomes
// s:d/n, one with |d| < n becomes ceil(s/(n/|d|)):1; down, a mode of stride 1
// becomes s*n:1, any other s:d*n. Modes of stride 0 stay. Up, C++ asks that one
// of n and |d| divides the other, and no more. We also refuse where the law
// would not hold: where modes of strides below n together reach past a wide
// element, as those of (4,3):(3,2) by 6 do, or one runs backwards among modes
// that run forwards. (Where all run backwards, offsets are rounded up.)

#ifndef TESSERA_CUTE_ALGEBRA_RECAST_H_
#define TESSERA_CUTE_ALGEBRA_RECAST_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "tessera/cute/layout.h"

namespace tessera {
namespace cute {

// Elements `factor` times as wide. Errors: kInvalidArgument, with the mode, if
// one is refused as above, or `factor` < 1.
absl::StatusOr<Layout> Upcast(const Layout& layout, int64_t factor);

// Elements `factor` times as narrow. Errors: kInvalidArgument if `factor` < 1;
// kOutOfRange if the result exceeds int64_t.
absl::StatusOr<Layout> Downcast(const Layout& layout, int64_t factor);

// Elements of `to_bits` bits in place of `from_bits`: down by what is left of
// `from_bits`, and up by what is left of `to_bits`, without common factors.
absl::StatusOr<Layout> Recast(const Layout& layout, int64_t from_bits,
                              int64_t to_bits);

}  // namespace cute
}  // namespace tessera

#endif  // TESSERA_CUTE_ALGEBRA_RECAST_H_
