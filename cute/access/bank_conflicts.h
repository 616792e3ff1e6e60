// Counts bank conflicts among threads that access shared memory at the same
// time.
//
//   #include "tessera/cute/parse.h"
//
//   // ldmatrix: 8 threads, each with a row of 8 elements of 2 bytes.
//   const Layout rows = *ParseLayout("(8,8):(1,8)");
//   const BankConflicts plain =
//       *BankConflictsOf(*ParseLayout("(8,64):(64,1)"), rows, 2);
//   plain.ways;                  // 8
//   plain.wavefronts;            // 8
//   plain.fewest;                // 1
//   plain.collisions[1].thread;  // 1
//   plain.collisions[1].word;    // 32: in the bank of word 0 of thread 0
//   BankConflictsOf(*ParseComposedLayout("Sw<3,3,3> o 0 o (8,64):(64,1)"),
//                   rows, 2)->ways;   // 1
//   BankConflictsOf(*ParseComposedLayout("Sw<3,4,3> o 0 o (8,64):(64,1)"),
//                   rows, 2)->ways;   // 2
//
// This is a model of the shared memory of NVIDIA's GPUs of compute capability
// 5.0 and later (CUDA C++ Programming Guide, "Shared Memory"), not a
// measurement. Address 0 of the layout is aligned to 128 bytes.
//
// Banks: word w, of 4 bytes, is in bank w mod 32. In one wavefront each bank
// serves one word, to any number of threads.
//
// Vectors: a thread accesses its values in vectors. The model uses the widest
// vectors, of up to 16 bytes, that are contiguous and aligned for every thread,
// as CuTe's copies do. Each vector of a warp of 32 threads is one access.
//
// Phases: an access runs in phases of 32 threads for vectors of up to 4 bytes,
// of 16 threads for 8 bytes, and of 8 threads for 16 bytes. ldmatrix and
// stmatrix run in phases of 8 rows of 16 bytes, so they are accesses with
// vectors of 16 bytes: thread t has row t. A phase takes as many wavefronts as
// its busiest bank has distinct words.

#ifndef TESSERA_CUTE_ACCESS_BANK_CONFLICTS_H_
#define TESSERA_CUTE_ACCESS_BANK_CONFLICTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/cute/composed_layout.h"
#include "tessera/cute/layout.h"

namespace tessera::cute {

struct BankConflicts {
  // The word of one thread, in a bank that must serve several words in the same
  // phase.
  struct Collision {
    int64_t phase = 0;  // of all phases, in order of time
    int64_t bank = 0;
    int64_t thread = 0;
    int64_t word = 0;  // its address is 4 * word

    friend bool operator==(const Collision& a, const Collision& b) {
      return a.phase == b.phase && a.bank == b.bank && a.thread == b.thread &&
             a.word == b.word;
    }
  };

  // The sum over all phases.
  int64_t wavefronts = 0;
  // The number of phases: each takes at least one wavefront.
  int64_t fewest = 0;
  // The largest number of wavefronts of a phase; 1 if there is no conflict.
  int64_t ways = 1;
  // The bytes that a thread accesses at a time, and the threads of a phase.
  int64_t vector_bytes = 0;
  int64_t phase_threads = 0;
  // Sorted by phase, bank and thread; empty if there is no conflict.
  std::vector<Collision> collisions;

  // Returns the collisions of the first bank that serves the most words; empty
  // if there is no conflict.
  absl::Span<const Collision> Worst() const;

  // Returns "8-way conflict: 8 wavefronts instead of 1; ..." or "no conflict:
  // ...".
  std::string ToString() const;
};

// The limit on the elements that all threads access together.
inline constexpr int64_t kMaxAccessElements = int64_t{1} << 16;

// Returns the conflicts of one access. `threads` has the shape (thread, value)
// or (thread), and its offsets are coordinates of `layout`. The offsets of
// `layout` count elements of `bytes` bytes. Every 32 threads are a warp.
// Errors: kInvalidArgument if `bytes` is not 1, 2, 4, 8 or 16, if `threads` has
// other modes, or if a stride is a multiple of a basis element; kOutOfRange if
// a coordinate is outside of `layout`, or an address exceeds 2^62 bytes;
// kResourceExhausted past kMaxAccessElements.
absl::StatusOr<BankConflicts> BankConflictsOf(const Layout& layout,
                                              const Layout& threads,
                                              int64_t bytes);
// Like the function above, for a composed layout. Errors: as above; kOutOfRange
// if the outer function is applied to a negative number, or if it is a layout
// and the number is not within its size.
absl::StatusOr<BankConflicts> BankConflictsOf(const ComposedLayout& layout,
                                              const Layout& threads,
                                              int64_t bytes);

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_ACCESS_BANK_CONFLICTS_H_
