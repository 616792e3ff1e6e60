#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "tessera/hlo/dataflow/array_table.h"
#include "tessera/hlo/dataflow/opcode_traits.h"
#include "tessera/hlo/dataflow/value_draft.h"
#include "tessera/hlo/hlo_module.h"

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

}  // namespace

void AddThreadLocalValues(ValueDraft* draft) {
  // And whether a fusion calls it.
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

}  // namespace hlo_internal
}  // namespace tessera
