#include "tessera/cute/access/bank_conflicts.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/cute/internal/thread_access.h"

namespace tessera {
namespace cute {
namespace {

BankConflicts ConflictsOf(const ThreadAccess& access) {
  BankConflicts conflicts;
  conflicts.vector_bytes = access.vector_bytes;
  conflicts.phase_threads = access.phase_threads();
  ForEachGroup(
      access, conflicts.phase_threads,
      [&](int64_t vector, int64_t first, int64_t last) {
        const BankLoads loads = LoadsOf(access, vector, first, last);
        const int64_t phase = conflicts.fewest++;
        conflicts.wavefronts += loads.wavefronts();
        conflicts.ways = std::max(conflicts.ways, loads.wavefronts());
        if (loads.wavefronts() == 1) return true;
        if (conflicts.collisions.empty()) {
          conflicts.collisions.reserve(BankLoads::kBanks);
        }
        loads.ForEachCollision([&](int bank, int64_t thread, int64_t word) {
          conflicts.collisions.push_back({phase, bank, thread, word});
        });
        return true;
      });
  return conflicts;
}

// The words of the first bank that serves the most, and their threads.
std::string TextOfWorst(const BankConflicts& conflicts) {
  using Collision = BankConflicts::Collision;
  const auto is_same_bank = [](const Collision& a, const Collision& b) {
    return a.phase == b.phase && a.bank == b.bank;
  };
  const auto& all = conflicts.collisions;
  for (auto begin = all.begin(); begin != all.end();) {
    const auto end = std::find_if(begin, all.end(), [&](const Collision& c) {
      return !is_same_bank(c, *begin);
    });
    std::vector<int64_t> words;
    for (auto i = begin; i != end; ++i) {
      if (std::find(words.begin(), words.end(), i->word) == words.end()) {
        words.push_back(i->word);
      }
    }
    if (static_cast<int64_t>(words.size()) < conflicts.ways) {
      begin = end;
      continue;
    }
    std::string text =
        absl::StrCat("in phase ", begin->phase, " bank ", begin->bank, " has");
    const char* separator = " ";
    for (const int64_t word : words) {
      absl::StrAppend(&text, separator, "word ", word, " of");
      separator = ", ";
      for (auto i = begin; i != end; ++i) {
        if (i->word == word) absl::StrAppend(&text, " T", i->thread);
      }
    }
    return text;
  }
  return "";
}

}  // namespace

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
                      TextOfWorst(*this));
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

}  // namespace cute
}  // namespace tessera
