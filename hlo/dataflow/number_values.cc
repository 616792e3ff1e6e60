#include <cstddef>
#include <optional>
#include <string_view>
#include <tuple>

#include "absl/status/statusor.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/attributes/attribute_values.h"
#include "tessera/hlo/dataflow/value_draft.h"

namespace tessera {
namespace hlo_internal {
namespace {

class PostOrderFinder {
 public:
  explicit PostOrderFinder(ValueDraft* draft) : draft_(*draft) {}

  // The order is that of HloComputation::MakeInstructionPostOrder.
  void Run(int32_t computation) {
    const ProgramValues::Computation& in = draft_.computations[computation];
    const int32_t first = in.first_instruction;
    std::vector<bool> has_user(in.instruction_count);
    for (int32_t i = 0; i < in.instruction_count; ++i) {
      for (const ValueDraft::Position operand : draft_.OperandsOf(first + i)) {
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
        if (!draft_.check.GoesOn()) return;
        const int32_t current = stack.back();
        if (states[current] == kNew) {
          states[current] = kOpen;
          const absl::Span<const ValueDraft::Position> operands =
              draft_.OperandsOf(first + current);
          for (auto i = operands.rbegin(); i != operands.rend(); ++i) {
            if (i->exists()) stack.push_back(i->instruction - first);
          }
          PushControlPredecessors(in, current, &stack);
          continue;
        }
        stack.pop_back();
        if (states[current] == kOpen) {
          states[current] = kDone;
          draft_.instructions[first + current].post_order = next++;
        }
      }
    }
  }

 private:
  // Pushes those that come before the instruction.
  void PushControlPredecessors(const ProgramValues::Computation& in,
                               int32_t current, std::vector<int32_t>* stack) {
    const std::optional<std::string_view> text =
        draft_.At(in.first_instruction + current)
            .attribute("control-predecessors");
    if (!text.has_value()) return;
    const absl::StatusOr<HloNames> names = DecodeNames(*text);
    if (!names.ok()) return;
    if (named_first_ != in.first_instruction) {
      named_first_ = in.first_instruction;
      names_.clear();
      for (const HloInstruction named : in.computation.instructions()) {
        names_.emplace(named.name(), named.index_in_computation());
      }
    }
    for (const std::string_view name : *names) {
      const auto found = names_.find(name);
      if (found != names_.end() && found->second < current) {
        stack->push_back(found->second);
      }
    }
  }

  ValueDraft& draft_;
  // `names_` has the instructions of the computation that begins here.
  int32_t named_first_ = ValueDraft::kNone;
  TextMap<std::string_view, int32_t> names_;
};

}  // namespace

// Sorts by computation in text order, then by post order. The values that join
// other values come last.
void NumberValues(ValueDraft* draft) {
  PostOrderFinder post_order(draft);
  for (size_t i = 0; i < draft->computations.size(); ++i) post_order.Run(i);
  if (!draft->check.status().ok()) return;
  using Key = std::tuple<bool, int64_t, int32_t, int32_t, int32_t>;
  std::vector<Key> keys;
  keys.reserve(draft->values.size());
  for (size_t i = 0; i < draft->values.size(); ++i) {
    const int32_t number = i;
    if (draft->is_phi[i]) {
      keys.emplace_back(true, 0, 0, number, number);
      continue;
    }
    const ProgramValues::Value& value = draft->values[i];
    const ProgramValues::Instruction& defined =
        draft->instructions[value.instruction];
    keys.emplace_back(
        false, draft->computations[defined.computation].computation.index(),
        defined.post_order, value.part, number);
  }
  std::sort(keys.begin(), keys.end());
  std::vector<int32_t> new_number(keys.size());
  std::vector<ProgramValues::Value> values;
  values.reserve(keys.size());
  for (const Key& key : keys) {
    const int32_t number = std::get<4>(key);
    new_number[number] = values.size();
    values.push_back(draft->values[number]);
    if (draft->redirects[number] == number) {
      values.back().buffer = draft->sets.Find(number);
    }
  }
  for (int32_t& value : draft->value_at) {
    if (value >= 0) value = new_number[draft->Resolve(value)];
  }
  draft->values = std::move(values);
}

}  // namespace hlo_internal
}  // namespace tessera
