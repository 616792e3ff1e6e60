#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/types/span.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/dataflow/opcode_traits.h"
#include "tessera/hlo/dataflow/value_draft.h"
#include "tessera/hlo/hlo_call_kind.h"
#include "tessera/hlo/hlo_module.h"

namespace tessera {
namespace hlo_internal {
namespace {

using Position = ProgramValues::Position;

// A parameter of a computation that is run holds what the caller gives.
void BindParameter(int32_t current, ValueDraft* draft) {
  ProgramValues::Computation& in =
      draft->computations[draft->instructions[current].computation];
  const std::optional<int64_t> number = draft->At(current).parameter_number();
  if (in.caller < 0 || !number.has_value()) return;
  in.parameter = current;
  switch (draft->instructions[in.caller].traits.flow) {
    case OperandFlow::kWhile:
      // Holds what the last turn left: FinishWhile joins them.
      for (Position at = {current}; at.part < draft->SlotCount(current);
           ++at.part) {
        draft->ValueAt(at) = draft->NewPhi(at);
      }
      return;
    case OperandFlow::kConditional:
      draft->Forward({current}, draft->OperandOf(in.caller, in.call + 1));
      return;
    case OperandFlow::kUpdate:
      draft->Forward({current}, ArgumentOf(in.caller, *number, *draft));
      return;
    default:
      draft->Forward({current}, draft->OperandOf(in.caller, *number));
      return;
  }
}

void FinishWhile(int32_t current, absl::Span<const int32_t> run,
                 ValueDraft* draft) {
  const Position init = draft->OperandOf(current, 0);
  Position root, in_body, in_condition;
  for (const int32_t computation : run) {
    const ProgramValues::Computation& in = draft->computations[computation];
    if (in.call_kind == HloCallKind::kWhileCondition) {
      in_condition = {in.parameter};
    } else if (in.call_kind == HloCallKind::kWhileBody) {
      in_body = {in.parameter};
      root = draft->RootOf(computation);
    }
  }
  if (!draft->SameStructure({current}, init) ||
      !draft->SameStructure({current}, root) ||
      !draft->SameStructure({current}, in_body)) {
    draft->Forward({current}, init);
    return;
  }
  const bool has_condition = draft->SameStructure({current}, in_condition);
  for (int32_t part = 0; part < draft->SlotCount(current); ++part) {
    const auto value_in = [&](Position of) {
      return draft->ValueAt({of.instruction, of.part + part});
    };
    const int32_t before = value_in(init);
    const int32_t after = value_in(root);
    const int32_t carried = value_in(in_body);
    const int32_t tested =
        has_condition ? value_in(in_condition) : ValueDraft::kNone;
    if (before < 0 || after < 0 || carried < 0) continue;
    int32_t& result = draft->ValueAt({current, part});
    if (draft->Resolve(after) == draft->Resolve(carried)) {
      // Every turn leaves it as it was.
      draft->Redirect(carried, before);
      draft->Redirect(tested, before);
      result = before;
      continue;
    }
    result = draft->NewPhi({current, part});
    for (const int32_t value : {before, after, carried, tested}) {
      if (value >= 0) draft->sets.Join(result, value);
    }
  }
}

void FinishConditional(int32_t current, absl::Span<const int32_t> run,
                       ValueDraft* draft) {
  for (const int32_t computation : run) {
    if (!draft->SameStructure({current}, draft->RootOf(computation))) return;
  }
  if (run.empty()) return;
  std::vector<int32_t> branches(run.size());
  for (int32_t part = 0; part < draft->SlotCount(current); ++part) {
    for (size_t i = 0; i < run.size(); ++i) {
      branches[i] = draft->ValueAt({draft->RootOf(run[i]).instruction, part});
    }
    if (branches[0] < 0) continue;
    int32_t& result = draft->ValueAt({current, part});
    result = branches[0];
    if (std::count(branches.begin(), branches.end(), result) ==
        static_cast<int64_t>(branches.size())) {
      continue;
    }
    result = draft->NewPhi({current, part});
    for (const int32_t value : branches) {
      if (value >= 0) draft->sets.Join(result, value);
    }
  }
}

// What is not known to be an operand's is new.
void FillRest(int32_t current, ValueDraft* draft) {
  const bool is_constant = draft->At(current).opcode() == "constant";
  const bool is_entry_parameter =
      draft->instructions[current].traits.flow == OperandFlow::kParameter &&
      draft->instructions[current].computation == 0;
  for (Position at = {current}; at.part < draft->SlotCount(current);
       ++at.part) {
    int32_t& number = draft->ValueAt(at);
    if (number != ValueDraft::kUnset) continue;
    number = draft->NewValue(at);
    if (number < 0) continue;
    ProgramValues::Value& value = draft->values[number];
    value.is_constant = is_constant;
    value.is_scratch = IsScratch(at, *draft);
    value.is_entry_parameter = is_entry_parameter;
  }
}

}  // namespace

std::vector<HloCall> CallsOf(int32_t current, const ValueDraft& draft) {
  std::vector<HloCall> calls;
  if (!draft.instructions[current].traits.runs_computations) return calls;
  const int32_t caller = CallerAt(current, draft);
  if (caller < 0) return calls;
  for (const HloCall call : draft.At(caller).calls()) calls.push_back(call);
  std::stable_sort(calls.begin(), calls.end(), [](HloCall a, HloCall b) {
    return (a.kind() == HloCallKind::kWhileCondition) >
           (b.kind() == HloCallKind::kWhileCondition);
  });
  return calls;
}

void FillSlots(int32_t current, absl::Span<const int32_t> run,
               ValueDraft* draft) {
  const Position all = {current};
  const Position operand = draft->OperandOf(current, 0);
  switch (draft->instructions[current].traits.flow) {
    case OperandFlow::kNone:
      break;
    case OperandFlow::kParameter:
      BindParameter(current, draft);
      break;
    case OperandFlow::kAll:
      draft->Forward(all, operand);
      break;
    case OperandFlow::kTuple: {
      int64_t i = 0;
      for (const Position element : draft->OperandsOf(current)) {
        draft->Forward(draft->Within(all, {i++}), element);
      }
      break;
    }
    case OperandFlow::kTupleElement: {
      int64_t index = -1;
      const std::optional<std::string_view> text =
          draft->At(current).attribute("index");
      if (text.has_value() && absl::SimpleAtoi(AbslView(*text), &index)) {
        draft->Forward(all, draft->Within(operand, {index}));
      }
      break;
    }
    case OperandFlow::kTupleCopy:
      draft->Forward(all, operand);
      draft->ValueAt(all) = ValueDraft::kUnset;
      break;
    case OperandFlow::kWhile:
      FinishWhile(current, run, draft);
      break;
    case OperandFlow::kConditional:
      FinishConditional(current, run, draft);
      break;
    case OperandFlow::kCall:
      if (!run.empty()) draft->Forward(all, draft->RootOf(run[0]));
      break;
    case OperandFlow::kCopyStart:
      draft->Forward(draft->Within(all, {1}), operand);
      break;
    case OperandFlow::kSend:
      draft->Forward(draft->Within(all, {0}), operand);
      break;
    case OperandFlow::kReceiveDone:
      draft->Forward(draft->Within(all, {0}), draft->Within(operand, {0}));
      break;
    case OperandFlow::kCopyDone:
      draft->Forward(all, draft->Within(operand, {0}));
      break;
    case OperandFlow::kStart:
      FinishStart(current, run, draft);
      break;
    case OperandFlow::kUpdate:
      FinishUpdate(current, run, draft);
      break;
    case OperandFlow::kDone:
      draft->Forward(all, draft->Within(operand, {1}));
      // The table of a tuple is new.
      if (draft->IsTuple(current)) draft->ValueAt(all) = ValueDraft::kUnset;
      KeepUntilDone(current, draft);
      break;
  }
  FillRest(current, draft);
}

}  // namespace hlo_internal
}  // namespace tessera
