#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "tessera/hlo/attributes/attribute_values.h"
#include "tessera/hlo/dataflow/value_draft.h"
#include "tessera/hlo/dataflow/value_passes.h"
#include "tessera/hlo/hlo_module.h"

namespace tessera {
namespace hlo_internal {
namespace {

class ValueNumberer {
 public:
  explicit ValueNumberer(ValueDraft* draft) : draft_(*draft) {}

  void Run() {
    for (size_t i = 0; i < draft_.program.computations.size(); ++i) {
      FindPostOrder(i);
    }
    NumberValues();
    ResolveValues();
  }

 private:
  using Position = ValueDraft::Position;

  // HloComputation::MakeInstructionPostOrder.
  void FindPostOrder(int32_t computation);
  std::vector<int32_t> ControlPredecessors(int32_t instruction);
  // Computations as they stand in the text, instructions by post order, and
  // behind them the values that join others.
  void NumberValues();
  void ResolveValues();

  ValueDraft& draft_;
  // The instructions of one computation.
  int32_t named_computation_ = ValueDraft::kNone;
  absl::flat_hash_map<absl::string_view, int32_t> names_;
};

void ValueNumberer::FindPostOrder(int32_t computation) {
  const ProgramValues::Computation& in =
      draft_.program.computations[computation];
  const int32_t first = in.first_instruction;
  std::vector<bool> has_user(in.instruction_count);
  for (int32_t i = 0; i < in.instruction_count; ++i) {
    for (const Position& operand : draft_.OperandsOf(first + i)) {
      if (operand.exists()) has_user[operand.instruction - first] = true;
    }
  }
  enum State : char { kNew, kOpen, kDone };
  std::vector<State> states(in.instruction_count, kNew);
  std::vector<int32_t> stack;
  int32_t next = 0;
  for (int32_t root = 0; root < in.instruction_count; ++root) {
    if (has_user[root]) continue;
    stack.push_back(root);
    while (!stack.empty()) {
      const int32_t current = stack.back();
      if (states[current] == kNew) {
        states[current] = kOpen;
        const absl::Span<const Position> operands =
            draft_.OperandsOf(first + current);
        for (auto i = operands.rbegin(); i != operands.rend(); ++i) {
          if (i->exists() && i->instruction < first + current) {
            stack.push_back(i->instruction - first);
          }
        }
        for (const int32_t before : ControlPredecessors(first + current)) {
          if (before < first + current) stack.push_back(before - first);
        }
        continue;
      }
      stack.pop_back();
      if (states[current] == kOpen) {
        states[current] = kDone;
        draft_.program.instructions[first + current].post_order = next++;
      }
    }
  }
}

std::vector<int32_t> ValueNumberer::ControlPredecessors(int32_t instruction) {
  std::vector<int32_t> predecessors;
  const absl::optional<absl::string_view> text =
      draft_.program.At(instruction).attribute("control-predecessors");
  if (!text.has_value()) return predecessors;
  const absl::StatusOr<HloNames> names = DecodeNames(*text);
  if (!names.ok()) return predecessors;
  const int32_t computation =
      draft_.program.instructions[instruction].computation;
  const ProgramValues::Computation& in =
      draft_.program.computations[computation];
  if (named_computation_ != computation) {
    named_computation_ = computation;
    names_.clear();
    for (const HloInstruction named : in.computation.instructions()) {
      names_.emplace(named.name(),
                     in.first_instruction + named.index_in_computation());
    }
  }
  for (const absl::string_view name : *names) {
    const auto found = names_.find(name);
    if (found != names_.end()) predecessors.push_back(found->second);
  }
  return predecessors;
}

void ValueNumberer::NumberValues() {
  using Key = std::tuple<bool, int64_t, int32_t, int32_t, int32_t>;
  std::vector<Key> keys;
  keys.reserve(draft_.program.values.size());
  for (size_t i = 0; i < draft_.program.values.size(); ++i) {
    const ProgramValues::Value& value = draft_.program.values[i];
    const ProgramValues::Instruction& defined =
        draft_.program.instructions[value.instruction];
    const int32_t number = i;
    if (draft_.is_phi[i]) {
      keys.emplace_back(true, 0, 0, number, number);
    } else {
      keys.emplace_back(
          false,
          draft_.program.computations[defined.computation].computation.index(),
          defined.post_order, value.part, number);
    }
  }
  std::sort(keys.begin(), keys.end());
  std::vector<int32_t> new_number(keys.size());
  std::vector<ProgramValues::Value> values;
  values.reserve(keys.size());
  for (const Key& key : keys) {
    new_number[std::get<4>(key)] = values.size();
    values.push_back(draft_.program.values[std::get<4>(key)]);
  }
  std::vector<int32_t> redirects(keys.size());
  DisjointSets sets;
  for (size_t i = 0; i < keys.size(); ++i) sets.Add();
  for (size_t i = 0; i < keys.size(); ++i) {
    redirects[new_number[i]] = new_number[draft_.redirects[i]];
    sets.Join(new_number[i], new_number[draft_.sets.Find(i)]);
  }
  for (int32_t& value : draft_.program.value_at) {
    if (value >= 0) value = new_number[value];
  }
  draft_.program.values = std::move(values);
  draft_.redirects = std::move(redirects);
  draft_.sets = std::move(sets);
}

void ValueNumberer::ResolveValues() {
  for (int32_t& value : draft_.program.value_at) value = draft_.Resolve(value);
  draft_.program.operands.reserve(draft_.operands.size());
  draft_.program.first_operand.clear();
  for (size_t i = 0; i < draft_.operand_ranges.size(); ++i) {
    draft_.program.first_operand.push_back(draft_.program.operands.size());
    for (const Position& operand : draft_.OperandsOf(i)) {
      draft_.program.operands.push_back(operand.instruction);
    }
  }
  draft_.program.first_operand.push_back(draft_.program.operands.size());
}

}  // namespace

void NumberValues(ValueDraft* draft) { ValueNumberer(draft).Run(); }

}  // namespace hlo_internal
}  // namespace tessera
