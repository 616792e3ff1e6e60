// Finds the swizzles that remove the bank conflicts of an access to shared
// memory.
//
//   #include "tessera/cute/parse.h"
//
//   // ldmatrix of 8 rows of 8 elements of 2 bytes.
//   const std::vector<Swizzle> found = *FindSwizzles(
//       *ParseLayout("(8,64):(64,1)"), *ParseLayout("(8,8):(1,8)"), 2);
//   found.size();            // 1
//   found[0].ToString();     // "Sw<3,3,3>"
//   // Two rows, 2^12 elements apart: no swizzle of this form sees the row.
//   FindSwizzles(*ParseLayout("(2,4096):(4096,1)"), *ParseLayout("2:1"), 4)
//       ->size();            // 0
//
// Tries all Sw<B,M,S> with 1 <= B <= S and B + M + S <= 12, the range that
// kernels use, in the model of cute/access/bank_conflicts.h. A swizzle must
// keep the vectors of each thread contiguous; otherwise the access would be a
// different one.

#ifndef TESSERA_CUTE_ACCESS_FIND_SWIZZLE_H_
#define TESSERA_CUTE_ACCESS_FIND_SWIZZLE_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "tessera/cute/composed_layout.h"
#include "tessera/cute/layout.h"
#include "tessera/cute/swizzle.h"

namespace tessera::cute {

// The largest B + M + S that the search tries.
inline constexpr int kMaxSwizzleReach = 12;

// Returns the swizzles that leave no conflict if they are composed with
// `layout`, sorted by B, M, S. The first is Sw<0,0,0> if no swizzle is needed;
// the list is empty if no swizzle of this form suffices. Arguments and errors
// are those of BankConflictsOf; kOutOfRange also if an offset is negative.
absl::StatusOr<std::vector<Swizzle>> FindSwizzles(const Layout& layout,
                                                  const Layout& threads,
                                                  int64_t bytes);
// Returns swizzles to replace the one that the layout has. Errors: as above;
// kUnimplemented if the outer function is a layout.
absl::StatusOr<std::vector<Swizzle>> FindSwizzles(const ComposedLayout& layout,
                                                  const Layout& threads,
                                                  int64_t bytes);

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_ACCESS_FIND_SWIZZLE_H_
