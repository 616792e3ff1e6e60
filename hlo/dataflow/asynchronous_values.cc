#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/dataflow/opcode_traits.h"
#include "tessera/hlo/dataflow/value_draft.h"
#include "tessera/hlo/hlo_module.h"

namespace tessera {
namespace hlo_internal {
namespace {

using Position = ProgramValues::Position;
using Chain = ValueDraft::Chain;

// How many operands a start gets with updates, before it runs; 0 for one that
// has them.
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

// The chain that an update or done goes on with; null if it is not known.
const Chain* ChainOf(int32_t current, const ValueDraft& draft) {
  const auto found = draft.chains.find(draft.OperandOf(current, 0).instruction);
  return found == draft.chains.end() ? nullptr : &found->second;
}

// The same, if its start still waits for operands.
const Chain* WaitingFor(int32_t update, const ValueDraft& draft) {
  const Chain* const chain = ChainOf(update, draft);
  return chain == nullptr || chain->computation >= 0 ? nullptr : chain;
}

// The result is that of the computation.
void FinishRun(int32_t current, int32_t computation, ValueDraft* draft) {
  draft->Forward(draft->Within({current}, {1}), draft->RootOf(computation));
  draft->chains[current].computation = computation;
}

// Goes on with what is built alike.
void ForwardElement(int32_t current, int64_t i, Position chain,
                    ValueDraft* draft) {
  const Position to = draft->Within({current}, {i});
  const Position from = draft->Within(chain, {i});
  if (draft->SameStructure(to, from)) draft->Forward(to, from);
}

}  // namespace

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

Position ArgumentOf(int32_t update, int64_t number, const ValueDraft& draft) {
  const Chain* const waiting = WaitingFor(update, draft);
  const int64_t before = waiting == nullptr ? 0 : waiting->bound.size();
  return number < before ? waiting->bound[number]
                         : draft.OperandOf(update, number - before + 1);
}

bool IsScratch(Position at, const ValueDraft& draft) {
  const auto found = draft.chains.find(at.instruction);
  if (found == draft.chains.end() || found->second.computation >= 0) {
    return false;
  }
  const Position scratch = draft.Within({at.instruction}, {2, 0});
  return scratch.exists() && at.part == scratch.part;
}

// ((operands...), result, ...), or (operand, result, ...).
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

// Goes on with what the start has; or (start, operands...) binds them, and has
// them in its first element, beside the result and the context.
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
  // What stands behind operands and result stays, where the text does not say
  // so itself.
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

void KeepUntilDone(int32_t done, ValueDraft* draft) {
  const Chain* const chain = ChainOf(done, *draft);
  if (chain == nullptr || chain->computation < 0) return;
  draft->computations[chain->computation].done = draft->instructions[done].time;
}

}  // namespace hlo_internal
}  // namespace tessera
