#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
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
using Chain = ValueDraft::Chain;

// Returns the number of operands that a start gets from updates before it runs;
// 0 for a start that has its operands.
int64_t AwaitedOperands(int32_t start, const ValueDraft& draft) {
  const HloInstruction instruction = draft.At(start);
  int64_t count = 0;
  if (!instruction.operands().empty()) return count;
  for (const HloCall call : instruction.calls()) {
    const std::optional<HloComputation> callee = call.computation();
    if (!callee.has_value()) continue;
    for (const HloInstruction called : callee->instructions()) {
      count += called.opcode() == "parameter";
    }
  }
  return count;
}

// Returns the chain of an update or done; null if it is not known.
const Chain* ChainOf(int32_t current, const ValueDraft& draft) {
  const auto found = draft.chains.find(draft.OperandOf(current, 0).instruction);
  return found == draft.chains.end() ? nullptr : &found->second;
}

// Like ChainOf, but only if the start still waits for operands.
const Chain* WaitingFor(int32_t update, const ValueDraft& draft) {
  const Chain* const chain = ChainOf(update, draft);
  return chain == nullptr || chain->computation >= 0 ? nullptr : chain;
}

// The result of the computation becomes that of `current`.
void FinishRun(int32_t current, int32_t computation, ValueDraft* draft) {
  draft->Forward(draft->Within({current}, {1}), draft->RootOf(computation));
  draft->chains[current].computation = computation;
}

// Forwards an element of the chain if the structure is the same.
void ForwardElement(int32_t current, int64_t i, Position chain,
                    ValueDraft* draft) {
  const Position to = draft->Within({current}, {i});
  const Position from = draft->Within(chain, {i});
  if (draft->SameStructure(to, from)) draft->Forward(to, from);
}

// Returns the instruction whose computations run when this one runs; -1 if none
// runs. A start runs its own, unless it waits for operands. In that case, the
// update with the last operand runs the computations of the start.
int32_t CallerAt(int32_t current, const ValueDraft& draft) {
  const OperandFlow flow = draft.instructions[current].traits.flow;
  if (flow == OperandFlow::kStart && AwaitedOperands(current, draft) > 0) {
    return ValueDraft::kNone;
  }
  if (flow != OperandFlow::kUpdate) return current;
  const int64_t brought = draft.OperandsOf(current).size() - 1;
  const Chain* const waiting = WaitingFor(current, draft);
  if (brought < 1 || waiting == nullptr ||
      static_cast<int64_t>(waiting->bound.size()) + brought <
          waiting->parameter_count) {
    return ValueDraft::kNone;
  }
  return waiting->start;
}

// Returns the argument for parameter `number` of the computation that `update`
// runs.
Position ArgumentOf(int32_t update, int64_t number, const ValueDraft& draft) {
  const Chain* const waiting = WaitingFor(update, draft);
  const int64_t before = waiting == nullptr ? 0 : waiting->bound.size();
  return number < before ? waiting->bound[number]
                         : draft.OperandOf(update, number - before + 1);
}

// Whether this is the scratch memory of SparseCore.
bool IsScratch(Position at, const ValueDraft& draft) {
  const auto found = draft.chains.find(at.instruction);
  if (found == draft.chains.end() || found->second.computation >= 0) {
    return false;
  }
  const Position scratch = draft.Within({at.instruction}, {2, 0});
  return scratch.exists() && at.part == scratch.part;
}

// The result is ((operands...), result, ...) or (operand, result, ...).
void FinishStart(int32_t current, absl::Span<const int32_t> run,
                 ValueDraft* draft) {
  const Position first = draft->Within({current}, {0});
  const absl::Span<const Position> operands = draft->OperandsOf(current);
  if (!first.exists()) return;
  if ((*draft->PartsOf(current))[first.part].is_tuple()) {
    int64_t i = 0;
    for (const Position operand : operands) {
      draft->Forward(draft->Within(first, {i++}), operand);
    }
  } else if (operands.size() == 1 || draft->IsInPlacePermute(current)) {
    draft->Forward(first, operands[0]);
  }
  if (!run.empty()) {
    FinishRun(current, run[0], draft);
  } else if (const int64_t count = AwaitedOperands(current, *draft);
             count > 0) {
    draft->chains[current] = {current, count, {}};
  }
}

// Forwards the elements of the start. An update (start, operands...) also binds
// its operands, and has them in its first element, next to the result and the
// context.
void FinishUpdate(int32_t current, absl::Span<const int32_t> run,
                  ValueDraft* draft) {
  const Position before = draft->OperandOf(current, 0);
  if (!before.exists()) return;
  const absl::Span<const Position> operands =
      draft->OperandsOf(current).subspan(1);
  if (WaitingFor(current, *draft) == nullptr || operands.empty()) {
    if (const Chain* const found = ChainOf(current, *draft); found != nullptr) {
      Chain chain = *found;
      draft->chains[current] = std::move(chain);
    }
    draft->Forward({current}, before);
    draft->ValueAt({current}) = ValueDraft::kUnset;
    return;
  }
  Chain chain = *WaitingFor(current, *draft);
  chain.bound.insert(chain.bound.end(), operands.begin(), operands.end());
  for (size_t i = 0; i < chain.bound.size(); ++i) {
    draft->Forward(draft->Within({current}, {0, static_cast<int64_t>(i)}),
                   chain.bound[i]);
  }
  // The elements after operands and result stay, unless the text has its own
  // aliases.
  const bool has_aliases = StrContains(draft->At(current).attributes_text(),
                                       "output_to_operand_aliasing");
  if (!has_aliases && draft->PartsOf(current) != nullptr) {
    const int64_t count = (*draft->PartsOf(current))[0].child_count;
    for (int64_t i = 2; i < count; ++i) {
      ForwardElement(current, i, before, draft);
    }
  }
  if (run.empty()) {
    ForwardElement(current, 1, before, draft);
    draft->chains[current] = std::move(chain);
    return;
  }
  FinishRun(current, run[0], draft);
  Position to = draft->Within({current}, {1});
  Position from = draft->Within(before, {1});
  if (has_aliases || !draft->SameStructure(to, from)) return;
  for (const int32_t end = (*draft->PartsOf(current))[to.part].end;
       to.part < end; ++to.part, ++from.part) {
    draft->Join(to, from);
  }
}

// Keeps the values of the computation that ran until `done`.
void KeepUntilDone(int32_t done, ValueDraft* draft) {
  const Chain* const chain = ChainOf(done, *draft);
  if (chain == nullptr || chain->computation < 0) return;
  draft->computations[chain->computation].done = draft->instructions[done].time;
}

// Assigns the caller's argument to a parameter of a running computation.
void BindParameter(int32_t current, ValueDraft* draft) {
  ProgramValues::Computation& in =
      draft->computations[draft->instructions[current].computation];
  const std::optional<int64_t> number = draft->At(current).parameter_number();
  if (in.caller < 0 || !number.has_value()) return;
  in.parameter = current;
  switch (draft->instructions[in.caller].traits.flow) {
    case OperandFlow::kWhile:
      // It holds the value of the previous iteration: FinishWhile joins them.
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
      // Every iteration leaves it unchanged.
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

// Adds new values for the parts that are not known to be those of an operand.
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
