#include "tessera/hlo/dataflow/program_values.h"

#include <algorithm>
#include <optional>
#include <tuple>

#include "absl/container/flat_hash_set.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/attributes/attribute_values.h"
#include "tessera/hlo/dataflow/value_draft.h"

namespace tessera {
namespace hlo_internal {
namespace {

void AddBytes(HloInstruction instruction, ValueDraft* draft) {
  const OperandFlow flow = TraitsOf(instruction.opcode()).flow;
  if (draft->rules.is_tpu && flow == OperandFlow::kTuple) {
    ++draft->thread_local_values;
  }
  if (flow != OperandFlow::kNone && flow != OperandFlow::kParameter) return;
  const ArrayTable::ShapeParts& parts =
      draft->arrays.parts(instruction.shape_index());
  for (int64_t part = 0; part < parts.size(); ++part) {
    if (parts[part].array < 0) continue;
    const ArrayTable::Array& array = draft->arrays.array(parts[part].array);
    ++draft->thread_local_values;
    if (!array.sizes.has_value()) continue;
    const int64_t memory_space = array.shape->layout().memory_space();
    const int64_t bytes = array.sizes->padded_bytes;
    if (instruction.opcode() == "constant") {
      draft->constants_of_reducers.push_back(
          {instruction.name(), memory_space, bytes});
    } else {
      draft->thread_local_bytes[memory_space] += bytes;
    }
  }
}

// Adds up the values of computations that run for each element, such as
// reducers. Fusions do not have such values of their own.
void AddThreadLocalValues(ValueDraft* draft) {
  // Each has a flag: whether a fusion calls it.
  std::vector<std::pair<HloComputation, bool>> pending;
  absl::flat_hash_set<int64_t> seen = draft->entered;
  const auto add_calls = [&](HloInstruction instruction) {
    for (const HloCall call : instruction.calls()) {
      const std::optional<HloComputation> callee = call.computation();
      if (callee.has_value() && seen.insert(callee->index()).second) {
        pending.emplace_back(*callee, instruction.opcode() == "fusion");
      }
    }
  };
  for (const ProgramValues::Computation& in : draft->computations) {
    for (const HloInstruction instruction : in.computation.instructions()) {
      if (!instruction.calls().empty()) add_calls(instruction);
    }
  }
  while (!pending.empty()) {
    const auto [computation, is_fused] = pending.back();
    pending.pop_back();
    for (const HloInstruction instruction : computation.instructions()) {
      if (!instruction.calls().empty()) add_calls(instruction);
      if (!is_fused && instruction.has_shape()) AddBytes(instruction, draft);
    }
  }
}

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

ProgramValues::Position ProgramValues::RootOf(int32_t computation) const {
  const Computation& in = computations[computation];
  const std::optional<HloInstruction> root = in.computation.root();
  if (!root.has_value()) return Position();
  return {in.first_instruction +
          static_cast<int32_t>(root->index_in_computation())};
}

std::vector<int32_t> ProgramValues::CountUses() const {
  std::vector<int32_t> counts(instructions.size());
  for (const Position operand : operands) {
    if (operand.exists()) ++counts[operand.instruction];
  }
  return counts;
}

std::vector<std::pair<int32_t, int32_t>> ProgramValues::RangesOf(
    int32_t value) const {
  std::vector<std::pair<int32_t, int32_t>> ranges;
  int32_t first = values[value].start;
  const int32_t end = values[value].end;
  const auto idle = idle_branches.find(value);
  if (idle != idle_branches.end()) {
    for (const auto& [begin, last] : idle->second) {
      // The next value in its place may begin earlier.
      if (begin <= first || begin > end) continue;
      ranges.emplace_back(first, begin - 1);
      first = last + 1;
    }
  }
  if (first <= end) ranges.emplace_back(first, end);
  return ranges;
}

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

absl::StatusOr<ProgramValues> FindProgramValues(HloModule module,
                                                HloComputation entry,
                                                const ValueRules& rules,
                                                ArrayTable* arrays,
                                                WorkCheck* check) {
  ValueDraft draft(module, rules, arrays, check);
  FlattenSchedule(entry, &draft);
  for (const auto step :
       {JoinAliases, NumberValues, FindLiveRanges, JoinDyingOperands,
        FindIdleBranches, MakeBuffers, AddThreadLocalValues}) {
    // Each step needs the complete results of the previous steps.
    TESSERA_RETURN_IF_ERROR(check->status());
    step(&draft);
  }
  TESSERA_RETURN_IF_ERROR(check->status());
  return std::move(static_cast<ProgramValues&>(draft));
}

void RemovePadding(ProgramValues* program) {
  for (ProgramValues::Value& value : program->values) {
    value.bytes = value.unpadded_bytes;
  }
  for (ProgramValues::Buffer& buffer : program->buffers) {
    buffer.bytes = 0;
    for (const int32_t value : buffer.values) {
      buffer.bytes = std::max(buffer.bytes, program->values[value].bytes);
    }
  }
}

}  // namespace hlo_internal
}  // namespace tessera
