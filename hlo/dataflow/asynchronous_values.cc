#include "tessera/hlo/dataflow/asynchronous_values.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "tessera/hlo/dataflow/opcode_traits.h"
#include "tessera/hlo/hlo_module.h"

namespace tessera {
namespace hlo_internal {

int32_t AsynchronousValues::CallerAt(int32_t current) const {
  const OperandFlow flow = draft_.program.instructions[current].traits.flow;
  if (flow == OperandFlow::kStart && AwaitedOperands(current) > 0) {
    return ValueDraft::kNone;
  }
  if (flow != OperandFlow::kUpdate) return current;
  const int64_t brought = draft_.OperandsOf(current).size() - 1;
  const WaitingStart* const waiting = WaitingFor(current);
  if (brought < 1 || waiting == nullptr ||
      static_cast<int64_t>(waiting->bound.size()) + brought <
          waiting->parameter_count) {
    return ValueDraft::kNone;
  }
  return waiting->start;
}

ValueDraft::Position AsynchronousValues::ArgumentOf(int32_t update,
                                                    int64_t number) const {
  const WaitingStart* const waiting = WaitingFor(update);
  const int64_t before = waiting == nullptr ? 0 : waiting->bound.size();
  return number < before ? waiting->bound[number]
                         : draft_.OperandOf(update, number - before + 1);
}

bool AsynchronousValues::IsScratch(int32_t start, int64_t part) const {
  return waiting_starts_.contains(start) &&
         part == draft_.Child(start, draft_.Child(start, 0, 2), 0);
}

int64_t AsynchronousValues::AwaitedOperands(int32_t start) const {
  const HloInstruction instruction = draft_.program.At(start);
  int64_t count = 0;
  if (!instruction.operands().empty()) return count;
  for (const HloCall call : instruction.calls()) {
    const absl::optional<HloComputation> callee = call.computation();
    if (!callee.has_value()) continue;
    for (const HloInstruction called : callee->instructions()) {
      count += called.opcode() == "parameter";
    }
  }
  return count;
}

const AsynchronousValues::WaitingStart* AsynchronousValues::WaitingFor(
    int32_t update) const {
  const Position chain = draft_.OperandOf(update, 0);
  if (!chain.exists()) return nullptr;
  const auto found = waiting_starts_.find(chain.instruction);
  return found == waiting_starts_.end() ? nullptr : &found->second;
}

// ((operands...), result, ...), or (operand, result, ...).
void AsynchronousValues::FinishStart(int32_t current, int32_t computation) {
  const int64_t first = draft_.Child(current, 0, 0);
  const absl::Span<const Position> operands = draft_.OperandsOf(current);
  if (first < 0) return;
  const bool is_in_place = draft_.IsInPlacePermute(current);
  if (!(*draft_.PartsOf(current))[first].is_tuple()) {
    if (!operands.empty() && (operands.size() == 1 || is_in_place)) {
      draft_.Forward(current, first, operands[0]);
    }
  } else {
    int64_t i = 0;
    for (const Position& operand : operands) {
      draft_.Forward(current, draft_.Child(current, first, i++), operand);
    }
  }
  if (computation >= 0) {
    draft_.Forward(current, draft_.Child(current, 0, 1),
                   draft_.RootOf(computation));
    async_computations_[current] = computation;
  } else if (const int64_t count = AwaitedOperands(current); count > 0) {
    waiting_starts_[current] = {current, count, {}};
  }
}

// Goes on with what the start has; or (start, operands...) binds them, and has
// them in its first element, beside the result and the context.
void AsynchronousValues::FinishUpdate(int32_t current, int32_t computation) {
  const Position chain = draft_.OperandOf(current, 0);
  if (!chain.exists()) return;
  const WaitingStart* const waiting = WaitingFor(current);
  const absl::Span<const Position> operands =
      draft_.OperandsOf(current).subspan(1);
  if (waiting != nullptr && !operands.empty()) {
    WaitingStart bound = *waiting;
    bound.bound.insert(bound.bound.end(), operands.begin(), operands.end());
    for (size_t i = 0; i < bound.bound.size(); ++i) {
      draft_.Forward(current,
                     draft_.Child(current, draft_.Child(current, 0, 0), i),
                     bound.bound[i]);
    }
    ForwardContext(current, chain);
    if (computation < 0) {
      ForwardResult(current, draft_.Within(chain, {1}));
      waiting_starts_[current] = std::move(bound);
      return;
    }
    draft_.Forward(current, draft_.Child(current, 0, 1),
                   draft_.RootOf(computation));
    async_computations_[current] = computation;
    if (!HasAliases(current)) {
      JoinParts(current, draft_.Child(current, 0, 1),
                draft_.Within(chain, {1}));
    }
    return;
  }
  if (waiting != nullptr) waiting_starts_[current] = WaitingStart(*waiting);
  draft_.Forward(current, 0, chain);
  if (draft_.SlotCount(current) > 0) {
    draft_.ValueAt(current, 0) = ValueDraft::kUnset;
  }
  const auto found = async_computations_.find(chain.instruction);
  if (found != async_computations_.end()) {
    const int32_t running = found->second;
    async_computations_[current] = running;
  }
}

bool AsynchronousValues::HasAliases(int32_t current) const {
  return absl::StrContains(draft_.program.At(current).attributes_text(),
                           "output_to_operand_aliasing");
}

void AsynchronousValues::ForwardContext(int32_t current,
                                        const Position& chain) {
  if (HasAliases(current) || draft_.PartsOf(current) == nullptr) return;
  for (int64_t i = 2; i < (*draft_.PartsOf(current))[0].child_count; ++i) {
    const Position before = draft_.Within(chain, {i});
    const int64_t part = draft_.Child(current, 0, i);
    if (draft_.SameStructure(current, part, before)) {
      draft_.Forward(current, part, before);
    }
  }
}

void AsynchronousValues::ForwardResult(int32_t current,
                                       const Position& before) {
  const int64_t part = draft_.Child(current, 0, 1);
  if (draft_.SameStructure(current, part, before)) {
    draft_.Forward(current, part, before);
  }
}

void AsynchronousValues::JoinParts(int32_t current, int64_t part,
                                   const Position& from) {
  if (!draft_.SameStructure(current, part, from)) return;
  const int64_t size = (*draft_.PartsOf(current))[part].end - part;
  for (int64_t i = 0; i < size; ++i) {
    draft_.Join(current, part + i, {from.instruction, from.part + i});
  }
}

void AsynchronousValues::KeepUntilDone(int32_t done) {
  const Position chain = draft_.OperandOf(done, 0);
  if (!chain.exists()) return;
  const auto found = async_computations_.find(chain.instruction);
  if (found == async_computations_.end()) return;
  draft_.program.computations[found->second].done =
      draft_.program.instructions[done].time;
}

}  // namespace hlo_internal
}  // namespace tessera
