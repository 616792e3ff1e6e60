#include "tessera/cute/access/bank_conflicts.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/cute/internal/thread_access.h"

namespace tessera::cute {
namespace {

BankConflicts ConflictsOf(const ThreadAccess& access) {
  BankConflicts conflicts;
  conflicts.vector_bytes = access.vector_bytes;
  conflicts.phase_threads = access.phase_threads();
  ForEachGroup(
      access, conflicts.phase_threads,
      [&](int64_t vector, int64_t first, int64_t last) {
        const int64_t phase = conflicts.fewest++;
        if (IsFree(access, vector, first, last)) {
          ++conflicts.wavefronts;
          return true;
        }
        BankLoads loads;
        ForEachWord(access, vector, first, last,
                    [&](int64_t thread, int64_t word) {
                      loads.Add(thread, word);
                      return true;
                    });
        conflicts.wavefronts += loads.wavefronts();
        conflicts.ways = std::max(conflicts.ways, loads.wavefronts());
        if (conflicts.collisions.empty()) {
          // Room for the phases of a warp.
          conflicts.collisions.reserve(4 * BankLoads::kBanks);
        }
        loads.ForEachCollision([&](int bank, int64_t thread, int64_t word) {
          conflicts.collisions.push_back({phase, bank, thread, word});
        });
        return true;
      });
  return conflicts;
}

// Returns the words without duplicates, in the order of their first thread.
std::vector<int64_t> DistinctWords(
    absl::Span<const BankConflicts::Collision> collisions) {
  std::vector<int64_t> words;
  for (const BankConflicts::Collision& collision : collisions) {
    if (std::find(words.begin(), words.end(), collision.word) == words.end()) {
      words.push_back(collision.word);
    }
  }
  return words;
}

// "in phase 0 bank 0 has word 0 of T0 T4, word 32 of T1".
std::string TextOfBank(absl::Span<const BankConflicts::Collision> collisions) {
  std::string text = absl::StrCat("in phase ", collisions[0].phase, " bank ",
                                  collisions[0].bank, " has");
  const char* separator = " ";
  for (const int64_t word : DistinctWords(collisions)) {
    absl::StrAppend(&text, separator, "word ", word, " of");
    separator = ", ";
    for (const BankConflicts::Collision& collision : collisions) {
      if (collision.word == word) {
        absl::StrAppend(&text, " T", collision.thread);
      }
    }
  }
  return text;
}

}  // namespace

absl::Span<const BankConflicts::Collision> BankConflicts::Worst() const {
  size_t begin = 0;
  for (size_t i = 1; i <= collisions.size(); ++i) {
    if (i < collisions.size() &&
        collisions[i].phase == collisions[begin].phase &&
        collisions[i].bank == collisions[begin].bank) {
      continue;
    }
    const auto of_bank =
        absl::MakeConstSpan(collisions).subspan(begin, i - begin);
    if (static_cast<int64_t>(DistinctWords(of_bank).size()) == ways) {
      return of_bank;
    }
    begin = i;
  }
  return {};
}

std::string BankConflicts::ToString() const {
  const std::string phases =
      absl::StrCat(vector_bytes, vector_bytes == 1 ? " byte" : " bytes",
                   " per thread, ", phase_threads, " threads per phase");
  if (ways == 1) {
    return absl::StrCat("no conflict: ", wavefronts,
                        wavefronts == 1 ? " wavefront (" : " wavefronts (",
                        phases, ")");
  }
  return absl::StrCat(ways, "-way conflict: ", wavefronts,
                      " wavefronts instead of ", fewest, " (", phases, "); ",
                      TextOfBank(Worst()));
}

absl::StatusOr<BankConflicts> BankConflictsOf(const Layout& layout,
                                              const Layout& threads,
                                              int64_t bytes) {
  TESSERA_ASSIGN_OR_RETURN(const ThreadAccess access,
                           MakeThreadAccess(layout, threads, bytes));
  return ConflictsOf(access);
}

absl::StatusOr<BankConflicts> BankConflictsOf(const ComposedLayout& layout,
                                              const Layout& threads,
                                              int64_t bytes) {
  TESSERA_ASSIGN_OR_RETURN(const ThreadAccess access,
                           MakeThreadAccess(layout, threads, bytes));
  return ConflictsOf(access);
}

}  // namespace tessera::cute
