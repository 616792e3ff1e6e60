// Counts the sectors and lines of global memory that a warp touches.
//
//   #include "tessera/cute/parse.h"
//
//   // A warp reads a row, then a column, of floats.
//   const Layout tensor = *ParseLayout("(32,32):(32,1)");
//   const Coalescing row =
//       *CoalescingOf(tensor, *ParseLayout("32:32"), 4);
//   row.sectors;         // 4
//   row.lines;           // 1
//   row.fewest_sectors;  // 4
//   const Coalescing column =
//       *CoalescingOf(tensor, *ParseLayout("32:1"), 4);
//   column.sectors;      // 32
//   column.lines;        // 32
//   column.ToString();
//       // "32 sectors of 32 bytes in 32 lines of 128 bytes, at best 4 ..."
//
// This is a model of the caches of NVIDIA's GPUs of compute capability 6.0 and
// later, not a measurement: memory moves in sectors of 32 bytes, and four
// sectors make a line of 128 bytes. Address 0 of the layout is aligned to 128
// bytes. Vectors are those of cute/access/bank_conflicts.h; a request is one
// vector of each thread of a warp.

#ifndef TESSERA_CUTE_ACCESS_COALESCING_H_
#define TESSERA_CUTE_ACCESS_COALESCING_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "tessera/cute/composed_layout.h"
#include "tessera/cute/layout.h"

namespace tessera::cute {

struct Coalescing {
  // The distinct sectors and lines of each warp, summed over all warps.
  int64_t sectors = 0;
  int64_t lines = 0;
  // The distinct bytes of each warp, and the fewest sectors that can hold them.
  int64_t bytes = 0;
  int64_t fewest_sectors = 0;
  // The requests, and the sectors that they touch. A sector that two requests
  // touch counts twice.
  int64_t requests = 0;
  int64_t request_sectors = 0;
  // The bytes that a thread accesses at a time.
  int64_t vector_bytes = 0;

  std::string ToString() const;
};

// Returns the sectors and lines that the accesses of `threads` touch. Arguments
// and errors are those of BankConflictsOf.
absl::StatusOr<Coalescing> CoalescingOf(const Layout& layout,
                                        const Layout& threads, int64_t bytes);
absl::StatusOr<Coalescing> CoalescingOf(const ComposedLayout& layout,
                                        const Layout& threads, int64_t bytes);

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_ACCESS_COALESCING_H_
