#include <cstddef>
#include <map>

#include "tessera/hlo/dataflow/opcode_traits.h"
#include "tessera/hlo/dataflow/value_draft.h"
#include "tessera/hlo/hlo_call_kind.h"

namespace tessera {
namespace hlo_internal {
namespace {

class LiveRangeFinder {
 public:
  explicit LiveRangeFinder(ValueDraft* draft)
      : draft_(*draft), last_position_(draft->values.size(), -1) {}

  void Run() {
    for (ProgramValues::Value& value : draft_.values) {
      const ProgramValues::Instruction& defined =
          draft_.instructions[value.instruction];
      value.start = defined.traits.flow == OperandFlow::kParameter
                        ? draft_.computations[defined.computation].begin
                        : defined.time;
      value.end = value.start;
    }
    for (const ProgramValues::Computation& in : draft_.computations) {
      if (in.call_kind == HloCallKind::kWhileBody && in.parameter >= 0) {
        body_times_[in.caller] = draft_.instructions[in.parameter].time;
      }
    }
    for (size_t c = 0; c < draft_.computations.size(); ++c) {
      const ProgramValues::Computation& in = draft_.computations[c];
      const int32_t root = draft_.RootOf(c).instruction;
      for (int32_t i = in.first_instruction;
           i < in.first_instruction + in.instruction_count; ++i) {
        if (!draft_.check.GoesOn()) return;
        HoldAt(i, i == root ? in.end : draft_.instructions[i].time);
        UseOperands(i);
      }
    }
    // It is not known which operands the result of an instruction without a
    // shape contains. So all are live as long as the result. Users come after
    // operands.
    for (int32_t i = draft_.instructions.size() - 1;
         !used_without_shape_.empty() && i >= 0; --i) {
      const auto used = used_without_shape_.find(i);
      if (used == used_without_shape_.end()) continue;
      const int32_t time = used->second;
      for (const Position operand : draft_.OperandsOf(i)) UseAt(time, operand);
    }
    for (const auto& [user, operand] : draft_.nested_uses) {
      UseAt(draft_.instructions[user].time, operand);
    }
    for (size_t i = 0; i < draft_.values.size(); ++i) {
      ProgramValues::Value& value = draft_.values[i];
      const int32_t computation =
          draft_.instructions[value.instruction].computation;
      value.end = std::max({value.end, last_position_[i],
                            draft_.computations[computation].done});
      value.last_use = value.end;
      if (value.is_entry_parameter && !value.is_aliased) {
        value.end = draft_.end_time;
      }
    }
  }

 private:
  using Position = ValueDraft::Position;

  void HoldAt(int32_t instruction, int32_t time) {
    for (int32_t part = 0; part < draft_.SlotCount(instruction); ++part) {
      const int32_t value = draft_.ValueAt({instruction, part});
      if (value < 0 || last_position_[value] >= time) continue;
      last_position_[value] = time;
      draft_.values[value].end_position = {instruction, part};
    }
  }

  void UseOperands(int32_t user) {
    const OperandFlow flow = draft_.instructions[user].traits.flow;
    if (flow == OperandFlow::kTuple || flow == OperandFlow::kCall ||
        draft_.At(user).opcode() == "domain") {
      return;
    }
    int32_t time = draft_.instructions[user].time;
    if (flow == OperandFlow::kWhile) {
      // Its initial value is needed until the body receives it.
      const auto of_body = body_times_.find(user);
      if (of_body != body_times_.end()) time = of_body->second;
    }
    for (const Position operand : draft_.OperandsOf(user)) {
      UseAt(time, operand,
            flow == OperandFlow::kTupleElement ||
                flow == OperandFlow::kTupleCopy);
    }
  }

  void UseAt(int32_t time, Position operand, bool only_table = false) {
    if (!operand.exists()) return;
    const ProgramValues::ShapeParts* parts =
        draft_.PartsOf(operand.instruction);
    if (parts == nullptr) {
      int32_t& used = used_without_shape_[operand.instruction];
      used = std::max(used, time);
      return;
    }
    const int32_t end =
        only_table ? operand.part + 1 : (*parts)[operand.part].end;
    for (; operand.part < end; ++operand.part) {
      const int32_t number = draft_.ValueAt(operand);
      if (number < 0) continue;
      ProgramValues::Value& value = draft_.values[number];
      value.end = std::max(value.end, time);
    }
  }

  ValueDraft& draft_;
  std::vector<int32_t> last_position_;
  // The time of the body's parameter, by while instruction.
  absl::flat_hash_map<int32_t, int32_t> body_times_;
  // The last use of each result of an instruction without a shape.
  absl::flat_hash_map<int32_t, int32_t> used_without_shape_;
};

// The values of a buffer follow one another: each ends where the next begins.
void CutLiveRanges(std::vector<int32_t> numbers,
                   std::vector<ProgramValues::Value>* values) {
  std::sort(numbers.begin(), numbers.end(), [values](int32_t a, int32_t b) {
    const ProgramValues::Value& x = (*values)[a];
    const ProgramValues::Value& y = (*values)[b];
    return std::make_pair(x.start, x.end) < std::make_pair(y.start, y.end);
  });
  for (size_t i = 0; i + 1 < numbers.size(); ++i) {
    ProgramValues::Value& first = (*values)[numbers[i]];
    ProgramValues::Value& second = (*values)[numbers[i + 1]];
    if (first.start == second.start) {
      second.end = std::max(first.end, second.end);
    } else if (second.start < first.end) {
      second.end = std::max(first.end, second.end);
      first.end = second.start;
    }
  }
}

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

void FindLiveRanges(ValueDraft* draft) { LiveRangeFinder(draft).Run(); }

void MakeBuffers(ValueDraft* draft) {
  absl::flat_hash_map<int32_t, int32_t> buffer_of;  // by set
  for (size_t i = 0; i < draft->values.size(); ++i) {
    ProgramValues::Value& value = draft->values[i];
    if (value.buffer < 0) continue;
    const auto [entry, is_new] =
        buffer_of.try_emplace(value.buffer, draft->buffers.size());
    if (is_new) {
      draft->buffers.emplace_back();
      draft->buffers.back().memory_space = value.memory_space;
    }
    value.buffer = entry->second;
    ProgramValues::Buffer& buffer = draft->buffers[value.buffer];
    buffer.values.push_back(i);
    buffer.bytes = std::max(buffer.bytes, value.bytes);
  }
  for (const ProgramValues::Buffer& buffer : draft->buffers) {
    if (!draft->check.GoesOn(buffer.values.size())) return;
    if (buffer.values.size() > 1) CutLiveRanges(buffer.values, &draft->values);
  }
  draft->ForEachValueIn(draft->RootOf(0), [draft](int32_t value) {
    draft->buffers[draft->values[value].buffer].lives_out = true;
  });
}

void FindIdleBranches(ValueDraft* draft) {
  if (draft->rules.is_tpu) IdleBranchFinder(draft).Run();
}

}  // namespace hlo_internal
}  // namespace tessera
