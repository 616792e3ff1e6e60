#include "tessera/hlo/dataflow/value_flow.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "tessera/hlo/dataflow/opcode_traits.h"

namespace tessera {
namespace hlo_internal {

std::vector<HloCall> ValueFlow::CallsOf(int32_t current) const {
  std::vector<HloCall> calls;
  if (!draft_.program.instructions[current].traits.runs_computations) {
    return calls;
  }
  const int32_t caller = asynchronous_.CallerAt(current);
  if (caller < 0) return calls;
  for (const HloCall call : draft_.program.At(caller).calls()) {
    calls.push_back(call);
  }
  std::stable_sort(calls.begin(), calls.end(), [](HloCall a, HloCall b) {
    return (a.kind() == HloCallKind::kWhileCondition) >
           (b.kind() == HloCallKind::kWhileCondition);
  });
  return calls;
}

void ValueFlow::Enter(int32_t caller, HloCall call, int64_t position,
                      int32_t computation) {
  runs_[caller].push_back({call.kind(), position, computation});
}

void ValueFlow::Visit(int32_t current) {
  const Position operand = draft_.OperandOf(current, 0);
  switch (draft_.program.instructions[current].traits.flow) {
    case OperandFlow::kNone:
      break;
    case OperandFlow::kParameter:
      BindParameter(current);
      break;
    case OperandFlow::kAll:
      draft_.Forward(current, 0, operand);
      break;
    case OperandFlow::kTuple: {
      int64_t i = 0;
      for (const Position& element : draft_.OperandsOf(current)) {
        draft_.Forward(current, draft_.Child(current, 0, i++), element);
      }
      break;
    }
    case OperandFlow::kTupleElement: {
      int64_t index = -1;
      const absl::optional<absl::string_view> text =
          draft_.program.At(current).attribute("index");
      if (text.has_value() && absl::SimpleAtoi(*text, &index)) {
        draft_.Forward(current, 0, draft_.Within(operand, {index}));
      }
      break;
    }
    case OperandFlow::kTupleCopy:
      draft_.Forward(current, 0, operand);
      if (draft_.SlotCount(current) > 0) {
        draft_.ValueAt(current, 0) = ValueDraft::kUnset;
      }
      break;
    case OperandFlow::kWhile:
      FinishWhile(current);
      break;
    case OperandFlow::kConditional:
      FinishConditional(current);
      break;
    case OperandFlow::kCall:
      if (const int32_t run = ComputationRunBy(current); run >= 0) {
        draft_.Forward(current, 0, draft_.RootOf(run));
      }
      break;
    case OperandFlow::kCopyStart:
      draft_.Forward(current, draft_.Child(current, 0, 1), operand);
      break;
    case OperandFlow::kSend:
      draft_.Forward(current, draft_.Child(current, 0, 0), operand);
      break;
    case OperandFlow::kReceiveDone:
      draft_.Forward(current, draft_.Child(current, 0, 0),
                     draft_.Within(operand, {0}));
      break;
    case OperandFlow::kCopyDone:
      draft_.Forward(current, 0, draft_.Within(operand, {0}));
      break;
    case OperandFlow::kStart:
      asynchronous_.FinishStart(current, ComputationRunBy(current));
      break;
    case OperandFlow::kUpdate:
      asynchronous_.FinishUpdate(current, ComputationRunBy(current));
      break;
    case OperandFlow::kDone:
      draft_.Forward(current, 0, draft_.Within(operand, {1}));
      // The table of a tuple is new.
      if (draft_.PartsOf(current) != nullptr &&
          (*draft_.PartsOf(current))[0].is_tuple()) {
        draft_.ValueAt(current, 0) = ValueDraft::kUnset;
      }
      asynchronous_.KeepUntilDone(current);
      break;
  }
  FillRest(current);
  runs_.erase(current);
}

int32_t ValueFlow::ComputationRunBy(int32_t current) const {
  const auto found = runs_.find(current);
  return found == runs_.end() ? ValueDraft::kNone
                              : found->second[0].computation;
}

void ValueFlow::BindParameter(int32_t current) {
  const int32_t computation = draft_.program.instructions[current].computation;
  const int32_t caller = draft_.program.computations[computation].caller;
  const absl::optional<int64_t> number =
      draft_.program.At(current).parameter_number();
  if (caller < 0 || !number.has_value()) return;
  const Run& run = runs_[caller].back();
  switch (draft_.program.instructions[caller].traits.flow) {
    case OperandFlow::kWhile:
      // Holds what the last turn left: FinishWhile joins them.
      for (int64_t part = 0; part < draft_.SlotCount(current); ++part) {
        draft_.ValueAt(current, part) = draft_.NewPhi(current, part);
      }
      while_parameters_[computation] = current;
      if (run.kind == HloCallKind::kWhileBody) {
        draft_.body_parameters[caller] = current;
      }
      return;
    case OperandFlow::kConditional:
      draft_.Forward(current, 0, draft_.OperandOf(caller, run.position + 1));
      return;
    case OperandFlow::kUpdate:
      draft_.Forward(current, 0, asynchronous_.ArgumentOf(caller, *number));
      return;
    default:
      draft_.Forward(current, 0, draft_.OperandOf(caller, *number));
      return;
  }
}

void ValueFlow::FinishWhile(int32_t current) {
  const Position init = draft_.OperandOf(current, 0);
  int32_t body = ValueDraft::kNone;
  int32_t condition = ValueDraft::kNone;
  for (const Run& run : runs_[current]) {
    if (run.kind == HloCallKind::kWhileBody) body = run.computation;
    if (run.kind == HloCallKind::kWhileCondition) condition = run.computation;
  }
  const Position root = body < 0 ? Position() : draft_.RootOf(body);
  const Position in_body = ParameterOfWhile(body);
  const Position in_condition = ParameterOfWhile(condition);
  if (!draft_.SameStructure(current, 0, init) ||
      !draft_.SameStructure(current, 0, root) ||
      !draft_.SameStructure(current, 0, in_body)) {
    draft_.Forward(current, 0, init);
    return;
  }
  const bool has_condition = draft_.SameStructure(current, 0, in_condition);
  for (int64_t part = 0; part < draft_.SlotCount(current); ++part) {
    const int32_t before = draft_.ValueAt(init.instruction, init.part + part);
    const int32_t after = draft_.ValueAt(root.instruction, part);
    const int32_t carried = draft_.ValueAt(in_body.instruction, part);
    const int32_t tested = has_condition
                               ? draft_.ValueAt(in_condition.instruction, part)
                               : ValueDraft::kNone;
    if (before < 0 || after < 0 || carried < 0) continue;
    if (draft_.Resolve(after) == draft_.Resolve(carried)) {
      // Every turn leaves it as it was.
      draft_.Redirect(carried, before);
      draft_.Redirect(tested, before);
      draft_.ValueAt(current, part) = before;
      continue;
    }
    const int32_t result = draft_.NewPhi(current, part);
    for (const int32_t value : {before, after, carried, tested}) {
      if (value >= 0) draft_.sets.Join(result, value);
    }
    draft_.ValueAt(current, part) = result;
  }
}

ValueFlow::Position ValueFlow::ParameterOfWhile(int32_t computation) const {
  const auto found = while_parameters_.find(computation);
  return found == while_parameters_.end() ? Position()
                                          : Position{found->second, 0};
}

void ValueFlow::FinishConditional(int32_t current) {
  std::vector<Position> roots;
  for (const Run& run : runs_[current]) {
    roots.push_back(draft_.RootOf(run.computation));
    if (!draft_.SameStructure(current, 0, roots.back())) return;
  }
  if (roots.empty()) return;
  for (int64_t part = 0; part < draft_.SlotCount(current); ++part) {
    const int32_t first = draft_.ValueAt(roots[0].instruction, part);
    if (first < 0) continue;
    const bool is_same =
        std::all_of(roots.begin(), roots.end(), [&](const Position& root) {
          return draft_.ValueAt(root.instruction, part) == first;
        });
    if (is_same) {
      draft_.ValueAt(current, part) = first;
      continue;
    }
    const int32_t result = draft_.NewPhi(current, part);
    for (const Position& root : roots) {
      const int32_t value = draft_.ValueAt(root.instruction, part);
      if (value >= 0) draft_.sets.Join(result, value);
    }
    draft_.ValueAt(current, part) = result;
  }
}

void ValueFlow::FillRest(int32_t current) {
  const HloInstruction instruction = draft_.program.At(current);
  const bool is_constant = instruction.opcode() == "constant";
  const bool is_entry_parameter =
      draft_.program.instructions[current].traits.flow ==
          OperandFlow::kParameter &&
      draft_.program.instructions[current].computation == 0;
  for (int64_t part = 0; part < draft_.SlotCount(current); ++part) {
    int32_t& value = draft_.ValueAt(current, part);
    if (value != ValueDraft::kUnset) continue;
    value = draft_.NewValue(current, part);
    if (value < 0) continue;
    draft_.program.values[value].is_constant = is_constant;
    draft_.program.values[value].is_scratch =
        asynchronous_.IsScratch(current, part);
    draft_.program.values[value].is_entry_parameter = is_entry_parameter;
  }
}

}  // namespace hlo_internal
}  // namespace tessera
