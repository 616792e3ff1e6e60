// Finds the layout that has given values, if one exists.
//
//   ExactLayout result = FindExactLayout(4, [](int64_t i) {
//     return (*ParseLayout("(3,5):(7,100)"))(2 * i); });   // 0, 14, 107, 200
//   result.witness;   // 3: no layout goes on to 200 there
//   result.expected;  // 121, of the only one that has the values before it
//
// Why it is exact. Let g be the values of a layout of size n, and s0:d0, s1:d1,
// ... its coalesced modes. g(x) = x*d0 for x < s0, and g(s0) = d1, which is not
// s0*d0 or the modes would have merged. So s0 is where g first leaves the line
// through g(1), which the values alone determine; the other modes follow in the
// same way from g(s0*y). Every layout with these values coalesces to this one.
// So if this one does not have the values, no layout does. Takes 2*n
// evaluations.

#ifndef TESSERA_CUTE_INTERNAL_EXACT_LAYOUT_H_
#define TESSERA_CUTE_INTERNAL_EXACT_LAYOUT_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "tessera/cute/layout.h"

namespace tessera::cute {

struct ExactLayout {
  // The coalesced modes; if there is a witness, those found before it.
  Layout::Leaves modes;
  // The first coordinate at which a layout cannot have the requested value, or
  // -1.
  int64_t witness = -1;
  // The requested value there, and the value of the only layout that agrees
  // before the witness.
  int64_t value = 0;
  int64_t expected = 0;
  // If the witness ends a run of equal steps whose length does not divide the
  // remaining size: that length and size; else 0.
  int64_t run = 0;
  int64_t rest = 0;
};

// Precondition: size >= 1; values(0) == 0, and the values of every layout that
// the modes can make fit into int64_t.
ExactLayout FindExactLayout(int64_t size,
                            absl::FunctionRef<int64_t(int64_t)> values);

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_INTERNAL_EXACT_LAYOUT_H_
