#include "tessera/hlo/dataflow/program_values.h"

#include <algorithm>
#include <optional>

#include "absl/container/flat_hash_set.h"
#include "tessera/base/math/status_macros.h"
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
