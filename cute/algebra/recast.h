// The same memory seen in wider or narrower elements.
//
//   #include "tessera/cute/parse.h"
//
//   const Layout layout = *ParseLayout("(4,8):(1,4)");
//   Upcast(layout, 2)->ToString();         // "(2,8):(1,2)"
//   Downcast(layout, 2)->ToString();       // "(8,8):(1,8)"
//   Recast(layout, 16, 32)->ToString();    // "(2,8):(1,2)": 16 bits to 32
//
// Laws: Upcast(Downcast(L, n), n) is L, unless it is refused. For R = Upcast(L,
// n), R(c') is L(c) divided by n and rounded down, where c' is c with the
// coordinate of each mode of stride d < n divided by n/d: the wide element that
// contains the narrow one.
//
// Definition (include/cute/layout.hpp): up, a mode s:d with |d| >= n becomes
// s:d/n, one with |d| < n becomes ceil(s/(n/|d|)):1; down, a mode of stride 1
// becomes s*n:1, any other s:d*n. Modes of stride 0 stay. Upcasts in C++ only
// require that one of n and |d| divides the other. We also refuse the cases in
// which the law does not hold: modes with strides below n that together reach
// past a wide element, as in (4,3):(3,2) by 6, and a mode that runs backwards
// among modes that run forwards. (If all run backwards, offsets are rounded
// up.)

#ifndef TESSERA_CUTE_ALGEBRA_RECAST_H_
#define TESSERA_CUTE_ALGEBRA_RECAST_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tessera/cute/layout.h"

namespace tessera::cute {

// Makes elements `factor` times as wide. Errors: kInvalidArgument if a mode is
// refused as above (the message names it), or if `factor` < 1.
absl::StatusOr<Layout> Upcast(const Layout& layout, int64_t factor);

// Makes elements `factor` times as narrow. Errors: kInvalidArgument if `factor`
// < 1; kOutOfRange if the result exceeds int64_t.
absl::StatusOr<Layout> Downcast(const Layout& layout, int64_t factor);

// Checks that elements have at least one bit. Errors: kInvalidArgument.
absl::Status CheckElementBits(int64_t from_bits, int64_t to_bits);

// Makes elements of `to_bits` bits out of elements of `from_bits` bits: a
// downcast by `from_bits`, then an upcast by `to_bits`, both without their
// common factors.
absl::StatusOr<Layout> Recast(const Layout& layout, int64_t from_bits,
                              int64_t to_bits);

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_ALGEBRA_RECAST_H_
