#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "tessera/hlo/dataflow/opcode_traits.h"
#include "tessera/hlo/dataflow/value_draft.h"
#include "tessera/hlo/hlo_call_kind.h"

namespace tessera {
namespace hlo_internal {
namespace {

class IdleBranchFinder {
 public:
  explicit IdleBranchFinder(ValueDraft* draft) : draft_(*draft) {}

  void Run() {
    std::map<int32_t, std::vector<int32_t>> branches;  // by conditional
    for (size_t c = 0; c < draft_.computations.size(); ++c) {
      if (IsBranch(draft_.computations[c])) {
        branches[draft_.computations[c].caller].push_back(c);
      }
    }
    if (branches.empty()) return;
    for (size_t v = 0; v < draft_.values.size(); ++v) {
      const ProgramValues::Value& value = draft_.values[v];
      if (value.memory_space == 0 || value.is_entry_parameter) continue;
      by_end_.emplace_back(value.end, v);
    }
    std::sort(by_end_.begin(), by_end_.end());
    for (auto& [conditional, computations] : branches) {
      if (!draft_.check.GoesOn()) return;
      FindIn(std::move(computations));
    }
    for (auto& [value, ranges] : draft_.idle_branches) {
      std::sort(ranges.begin(), ranges.end());
    }
  }

 private:
  using Position = ValueDraft::Position;
  using Computation = ProgramValues::Computation;
  struct NestedUse {
    int32_t time;
    Position operand;
  };

  static bool IsBranch(const Computation& computation) {
    return computation.caller >= 0 &&
           (computation.call_kind == HloCallKind::kTrueComputation ||
            computation.call_kind == HloCallKind::kFalseComputation ||
            computation.call_kind == HloCallKind::kBranchComputations);
  }

  // The computations that a branch runs come before its instructions, so a
  // branch begins where the previous one ends.
  void FindIn(std::vector<int32_t> branches) {
    std::sort(branches.begin(), branches.end(), [this](int32_t a, int32_t b) {
      return draft_.computations[a].begin < draft_.computations[b].begin;
    });
    const int32_t begin = draft_.computations[branches.front()].begin;
    const int32_t end = draft_.computations[branches.back()].end;
    // The values that a branch needs, but that nothing needs after the
    // conditional. The conditional itself, at the step `end`, uses the values
    // that it passes on.
    std::vector<int32_t> candidates;
    for (auto i = std::lower_bound(by_end_.begin(), by_end_.end(),
                                   std::make_pair(begin, int32_t{0}));
         i != by_end_.end() && i->first <= end; ++i) {
      if (draft_.values[i->second].start < begin) {
        candidates.push_back(i->second);
      }
    }
    if (candidates.empty()) return;
    for (size_t i = 0; i < branches.size(); ++i) {
      const int32_t first =
          i == 0 ? begin : draft_.computations[branches[i - 1]].end;
      const int32_t past = draft_.computations[branches[i]].end;
      last_uses_.clear();
      for (const int32_t value : candidates) {
        // It ends in this branch.
        if (draft_.values[value].end < past) continue;
        last_uses_.emplace(value, first - 1);
      }
      if (last_uses_.empty()) continue;
      FindLastUses(first, past);
      for (const auto& [value, last_use] : last_uses_) {
        if (last_use + 1 < past) {
          draft_.idle_branches[value].emplace_back(last_use + 1, past - 1);
        }
      }
    }
  }

  // Finds the last uses from step `first` on and before step `past`.
  void FindLastUses(int32_t first, int32_t past) {
    if (instruction_at_.empty()) FindTimes();
    for (int32_t time = first; time < past; ++time) {
      const int32_t i = instruction_at_[time];
      if (i < 0 || !draft_.check.GoesOn()) continue;
      const Computation& in =
          draft_.computations[draft_.instructions[i].computation];
      UseAt(draft_.RootOf(draft_.instructions[i].computation) == i
                ? std::max(time, in.end - 1)
                : time,
            {i});
      const bool reads_table =
          draft_.instructions[i].traits.flow == OperandFlow::kTupleElement;
      for (const Position operand : draft_.OperandsOf(i)) {
        if (!reads_table) UseAt(time, operand);
      }
    }
    for (auto use = std::lower_bound(
             nested_uses_.begin(), nested_uses_.end(), first,
             [](const NestedUse&use, int32_t time) { return use.time < time; });
         use != nested_uses_.end() && use->time < past; ++use) {
      UseAt(use->time, use->operand);
    }
  }

  void FindTimes() {
    instruction_at_.resize(draft_.end_time, -1);
    for (size_t i = 0; i < draft_.instructions.size(); ++i) {
      instruction_at_[draft_.instructions[i].time] = i;
    }
    for (const auto& [user, operand] : draft_.nested_uses) {
      nested_uses_.push_back({draft_.instructions[user].time, operand});
    }
    std::sort(
        nested_uses_.begin(), nested_uses_.end(),
        [](const NestedUse& a, const NestedUse& b) { return a.time < b.time; });
  }

  void UseAt(int32_t time, Position at) {
    draft_.ForEachValueIn(at, [&](int32_t value) {
      const auto used = last_uses_.find(value);
      if (used != last_uses_.end()) used->second = std::max(used->second, time);
    });
  }

  ValueDraft& draft_;
  // The values of the memories of a core, by their last step.
  std::vector<std::pair<int32_t, int32_t>> by_end_;
  std::vector<int32_t> instruction_at_;  // by step
  std::vector<NestedUse> nested_uses_;   // in the order of time
  // By value.
  absl::flat_hash_map<int32_t, int32_t> last_uses_;
};

}  // namespace

void FindIdleBranches(ValueDraft* draft) {
  if (draft->rules.is_tpu) IdleBranchFinder(draft).Run();
}

}  // namespace hlo_internal
}  // namespace tessera
