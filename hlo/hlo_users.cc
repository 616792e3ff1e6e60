#include "tessera/hlo/hlo_users.h"

#include <optional>

namespace tessera {
namespace {

// Calls `visit(user, used)` for every instruction that another one reads, once
// per pair, with their numbers in the computation.
template <typename Visit>
void ForEachUse(HloRange<HloInstruction> instructions, Visit visit) {
  if (instructions.empty()) return;
  const int64_t first = instructions[0].index();
  // The last user of each.
  std::vector<int32_t> last(instructions.size(), -1);
  for (int32_t user = 0; user < instructions.size(); ++user) {
    for (const HloOperand operand : instructions[user].all_operands()) {
      const std::optional<HloInstruction> used = operand.instruction();
      if (!used.has_value()) continue;
      const int64_t number = used->index() - first;
      // The instruction is in the computation around this one, which is written
      // inline.
      if (number < 0 || number >= instructions.size()) continue;
      if (last[number] == user) continue;
      last[number] = user;
      visit(user, number);
    }
  }
}

}  // namespace

HloUsers::HloUsers(HloComputation computation)
    : instructions_(computation.instructions()),
      first_(instructions_.size() + 1) {
  ForEachUse(instructions_,
             [this](int32_t, int64_t used) { ++first_[used + 1]; });
  for (size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  users_.resize(first_.back());
  std::vector<int32_t> next(first_.begin(), first_.end() - 1);
  ForEachUse(instructions_,
             [&](int32_t user, int64_t used) { users_[next[used]++] = user; });
}

std::vector<HloInstruction> HloUsers::Of(HloInstruction instruction) const {
  const int64_t number = instruction.index_in_computation();
  std::vector<HloInstruction> users;
  for (int32_t i = first_[number]; i < first_[number + 1]; ++i) {
    users.push_back(instructions_[users_[i]]);
  }
  return users;
}

}  // namespace tessera
