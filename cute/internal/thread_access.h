// The addresses that threads access, vector by vector.
//
//   const ThreadAccess access = *MakeThreadAccess(
//       *ParseLayout("(8,64):(64,1)"), *ParseLayout("(8,8):(1,8)"), 2);
//   access.vector_bytes;     // 16
//   access.vectors;          // 1 of each thread
//   access.addresses[3];     // 384: in bytes, of thread 3
//
// cute/access/bank_conflicts.h has the rules.

#ifndef TESSERA_CUTE_INTERNAL_THREAD_ACCESS_H_
#define TESSERA_CUTE_INTERNAL_THREAD_ACCESS_H_

#include <algorithm>
#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "tessera/cute/composed_layout.h"
#include "tessera/cute/layout.h"

namespace tessera::cute {

inline constexpr int64_t kWarpThreads = 32;

// Inline for one value per thread of a warp.
using AccessNumbers = absl::InlinedVector<int64_t, kWarpThreads>;

struct ThreadAccess {
  // Vector v of thread t begins at addresses[v * threads + t].
  AccessNumbers addresses;
  int64_t threads = 0;
  int64_t vectors = 0;  // of each thread
  int64_t vector_bytes = 0;

  // The number of words that an aligned vector touches.
  int64_t vector_words() const {
    return std::max<int64_t>(vector_bytes / 4, 1);
  }
  int64_t phase_threads() const {
    return std::min(kWarpThreads, 128 / vector_bytes);
  }
};

absl::StatusOr<ThreadAccess> MakeThreadAccess(const Layout& layout,
                                              const Layout& threads,
                                              int64_t bytes);
absl::StatusOr<ThreadAccess> MakeThreadAccess(const ComposedLayout& layout,
                                              const Layout& threads,
                                              int64_t bytes);

// Calls visit(vector, first, last) for the threads [first, last) of every group
// of `group` threads of a warp, in the order of execution, while it returns
// true.
template <typename Visit>
void ForEachGroup(const ThreadAccess& access, int64_t group,
                  const Visit& visit) {
  for (int64_t warp = 0; warp < access.threads; warp += kWarpThreads) {
    const int64_t end = std::min(warp + kWarpThreads, access.threads);
    for (int64_t vector = 0; vector < access.vectors; ++vector) {
      for (int64_t first = warp; first < end; first += group) {
        if (!visit(vector, first, std::min(first + group, end))) return;
      }
    }
  }
}

// The words that the threads of a phase access, by bank: at most 32.
class BankLoads {
 public:
  static constexpr int kBanks = 32;

  BankLoads() { std::fill_n(heads_, kBanks, kEnd); }

  // Precondition: at most 32 words are added.
  void Add(int64_t thread, int64_t word) {
    const int bank = static_cast<int>(word & (kBanks - 1));
    const int8_t added = count_++;
    entries_[added] = {word, thread, kEnd};
    if (heads_[bank] == kEnd) {
      heads_[bank] = tails_[bank] = added;
      distinct_[bank] = 1;
      greatest_[bank] = word;
      return;
    }
    // Words increase in most accesses.
    bool is_new = true;
    if (word <= greatest_[bank]) {
      for (int8_t i = heads_[bank]; i != kEnd; i = entries_[i].next) {
        is_new &= entries_[i].word != word;
      }
    } else {
      greatest_[bank] = word;
    }
    entries_[tails_[bank]].next = added;
    tails_[bank] = added;
    distinct_[bank] += is_new;
    wavefronts_ = std::max<int64_t>(wavefronts_, distinct_[bank]);
  }

  int64_t wavefronts() const { return wavefronts_; }

  // Calls visit(bank, thread, word) for the words of banks that serve several,
  // by bank, in the order of Add.
  template <typename Visit>
  void ForEachCollision(const Visit& visit) const {
    for (int bank = 0; bank < kBanks; ++bank) {
      if (heads_[bank] == kEnd || distinct_[bank] < 2) continue;
      for (int8_t i = heads_[bank]; i != kEnd; i = entries_[i].next) {
        visit(bank, entries_[i].thread, entries_[i].word);
      }
    }
  }

 private:
  static constexpr int8_t kEnd = -1;
  struct Entry {
    int64_t word;
    int64_t thread;
    int8_t next;
  };

  int8_t heads_[kBanks];
  // Set only for banks that have a head.
  int8_t tails_[kBanks];
  int8_t distinct_[kBanks];
  int64_t greatest_[kBanks];
  Entry entries_[kBanks];
  int8_t count_ = 0;
  int64_t wavefronts_ = 1;
};

// Calls visit(thread, word) for the words of a phase, while it returns true.
template <typename Visit>
bool ForEachWord(const ThreadAccess& access, int64_t vector, int64_t first,
                 int64_t last, const Visit& visit) {
  const int64_t words = access.vector_words();
  for (int64_t thread = first; thread < last; ++thread) {
    const int64_t word =
        access.addresses[vector * access.threads + thread] >> 2;
    for (int64_t i = 0; i < words; ++i) {
      if (!visit(thread, word + i)) return false;
    }
  }
  return true;
}

// Returns whether every bank serves at most one word in a phase.
inline bool IsFree(const ThreadAccess& access, int64_t vector, int64_t first,
                   int64_t last) {
  int64_t words[BankLoads::kBanks];
  uint32_t seen = 0;
  return ForEachWord(access, vector, first, last,
                     [&](int64_t /*thread*/, int64_t word) {
                       const int64_t bank = word & (BankLoads::kBanks - 1);
                       const uint32_t bit = uint32_t{1} << bank;
                       if ((seen & bit) != 0) return words[bank] == word;
                       seen |= bit;
                       words[bank] = word;
                       return true;
                     });
}

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_INTERNAL_THREAD_ACCESS_H_
