#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>

#include "absl/strings/numbers.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/dataflow/opcode_traits.h"
#include "tessera/hlo/dataflow/value_draft.h"
#include "tessera/hlo/hlo_call_kind.h"

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

// Gives each element of a tuple the values of an operand.
void ForwardElements(Position tuple, absl::Span<const Position> elements,
                     ValueDraft* draft) {
  int64_t i = 0;
  for (const Position element : elements) {
    draft->Forward(draft->Within(tuple, {i++}), element);
  }
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
    ForwardElements(first, operands, draft);
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
  ForwardElements(draft->Within({current}, {0}), chain.bound, draft);
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

// Returns the calls that an instruction makes, in the order of the called
// computations in the schedule.
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

// Finds the values in the result of an instruction that come from its operands
// and from the computations that it has run, by OperandFlow. The rest is new.
void FillSlots(int32_t current, absl::Span<const int32_t> run,
               ValueDraft* draft) {
  const Position all = {current};
  const Position operand = draft->OperandOf(current, 0);
  const OpcodeTraits& traits = draft->instructions[current].traits;
  const auto element = [draft](Position of, int64_t i) {
    return i < 0 ? of : draft->Within(of, {i});
  };
  switch (traits.flow) {
    case OperandFlow::kNone:
      break;
    case OperandFlow::kParameter:
      BindParameter(current, draft);
      break;
    case OperandFlow::kPart:
      draft->Forward(element(all, traits.result_element),
                     element(operand, traits.operand_element));
      break;
    case OperandFlow::kTuple:
      ForwardElements(all, draft->OperandsOf(current), draft);
      break;
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

class ScheduleFlattener {
 public:
  explicit ScheduleFlattener(ValueDraft* draft) : draft_(*draft) {}

  void Run(HloComputation entry) {
    for (const HloComputation computation : draft_.module.computations()) {
      instruction_limit_ += computation.instructions().size();
    }
    std::vector<Frame> open = {Frame{Enter({entry})}};
    while (!open.empty() && draft_.check.GoesOn()) {
      Frame& frame = open.back();
      ProgramValues::Computation& in = draft_.computations[frame.computation];
      if (frame.next == in.instruction_count) {
        in.end = time_;
        open_.erase(in.computation.index());
        open.pop_back();
        continue;
      }
      const int32_t current = in.first_instruction + frame.next;
      if (frame.next_call < 0) {
        frame.calls = CallsOf(current, draft_);
        frame.next_call = 0;
      }
      if (frame.next_call < static_cast<int32_t>(frame.calls.size())) {
        const int32_t number = frame.next_call++;
        const HloCall call = frame.calls[number];
        const std::optional<HloComputation> callee = call.computation();
        if (!callee.has_value() || !MayEnter(*callee)) {
          ++draft_.doubts.unresolved_calls;
          continue;
        }
        frame.run.push_back(
            Enter({*callee, 0, 0, current, call.kind(), number}));
        open.push_back(Frame{frame.run.back()});
        continue;
      }
      draft_.instructions[current].time = time_++;
      FillSlots(current, frame.run, &draft_);
      frame.run.clear();
      frame.next_call = -1;
      ++frame.next;
    }
    draft_.end_time = time_;
  }

 private:
  struct Frame {
    int32_t computation;
    int32_t next = 0;  // instruction
    // The calls of the next instruction, once they are known, and the
    // computations that have been visited for them.
    std::vector<HloCall> calls = {};
    int32_t next_call = -1;
    std::vector<int32_t> run = {};
  };

  // Calls in a text may be recursive, or may call one computation from many
  // places. XLA copies such a computation beforehand.
  bool MayEnter(HloComputation callee) const {
    constexpr int64_t kMostCopies = 4;
    constexpr int64_t kSmall = int64_t{1} << 18;  // takes less than a second
    constexpr size_t kMostSlots = size_t{1} << 29;
    if (open_.contains(callee.index())) return false;
    if (!draft_.entered.contains(callee.index())) return true;
    return static_cast<int64_t>(draft_.instructions.size()) +
                   callee.instructions().size() <
               std::max(kMostCopies * instruction_limit_, kSmall) &&
           draft_.value_at.size() < kMostSlots;
  }

  int32_t Enter(ProgramValues::Computation entered) {
    draft_.entered.insert(entered.computation.index());
    open_.insert(entered.computation.index());
    entered.first_instruction = draft_.instructions.size();
    entered.instruction_count = entered.computation.instructions().size();
    entered.begin = time_;
    draft_.instructions.resize(entered.first_instruction +
                               entered.instruction_count);
    draft_.computations.push_back(entered);
    int32_t number = entered.first_instruction;
    for (const HloInstruction instruction :
         entered.computation.instructions()) {
      Prepare(instruction, number++);
    }
    return draft_.computations.size() - 1;
  }

  // Adds the slots of an instruction, and resolves its operands, which come
  // before it.
  void Prepare(HloInstruction instruction, int32_t number) {
    ProgramValues::Instruction& entry = draft_.instructions[number];
    entry.computation = draft_.computations.size() - 1;
    entry.traits = TraitsOf(instruction.opcode());
    entry.first_slot = draft_.value_at.size();
    if (instruction.has_shape()) {
      entry.parts = &draft_.arrays.parts(instruction.shape_index());
    } else {
      ++draft_.doubts.instructions_without_shape;
    }
    if (entry.traits.flow == OperandFlow::kTupleCopy &&
        !draft_.IsTuple(number)) {
      entry.traits.flow = OperandFlow::kNone;
    }
    draft_.value_at.resize(draft_.value_at.size() + draft_.SlotCount(number),
                           ValueDraft::kUnset);
    for (const HloOperand operand : instruction.operands()) {
      const bool is_nested = !operand.opcode().empty();
      draft_.operands.push_back(is_nested ? Position() : PositionOf(operand));
      if (is_nested) UseNested(number, operand);
    }
    draft_.first_operand.push_back(draft_.operands.size());
  }

  // Returns the position that an operand names. Counts unresolved ones.
  Position PositionOf(HloOperand operand) {
    const std::optional<HloInstruction> definition = operand.instruction();
    Position position;
    if (definition.has_value()) {
      position.instruction =
          draft_.computations.back().first_instruction +
          static_cast<int32_t>(definition->index_in_computation());
      position = draft_.Within(position, operand.tuple_indices());
    }
    if (!position.exists()) ++draft_.doubts.unresolved;
    return position;
  }

  // A nested expression is used where its operand is used. It has no memory of
  // its own.
  void UseNested(int32_t user, HloOperand operand) {
    std::vector<HloOperand> pending = {operand};
    while (!pending.empty()) {
      const HloOperands nested = pending.back().operands();
      pending.pop_back();
      for (const HloOperand inner : nested) {
        if (inner.opcode().empty()) {
          draft_.nested_uses.emplace_back(user, PositionOf(inner));
        } else {
          pending.push_back(inner);
        }
      }
    }
  }

  ValueDraft& draft_;
  int32_t time_ = 0;
  // Computations of the dump that have been entered and have not ended.
  absl::flat_hash_set<int64_t> open_;
  int64_t instruction_limit_ = 0;  // the number of instructions in the module
};

}  // namespace

void FlattenSchedule(HloComputation entry, ValueDraft* draft) {
  ScheduleFlattener(draft).Run(entry);
}

}  // namespace hlo_internal
}  // namespace tessera
