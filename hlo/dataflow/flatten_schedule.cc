#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/types/optional.h"
#include "tessera/hlo/dataflow/opcode_traits.h"
#include "tessera/hlo/dataflow/value_draft.h"
#include "tessera/hlo/dataflow/value_flow.h"
#include "tessera/hlo/dataflow/value_passes.h"
#include "tessera/hlo/hlo_module.h"

namespace tessera {
namespace hlo_internal {
namespace {

// A computation whose instructions are being visited.
struct Frame {
  explicit Frame(int32_t computation) : computation(computation) {}

  int32_t computation;
  int32_t next = 0;  // instruction
  // The computations that the next instruction calls, and how many of them
  // have been visited.
  std::vector<HloCall> calls;
  size_t next_call = 0;
  bool has_calls = false;
};

class ScheduleFlattener {
 public:
  explicit ScheduleFlattener(ValueDraft* draft)
      : draft_(*draft), flow_(draft) {}

  void Run(HloComputation entry);

 private:
  using Position = ValueDraft::Position;

  // Text can call in circles, or one computation from many places, which XLA
  // makes copies of beforehand.
  bool MayEnter(HloComputation callee) const;
  int32_t Enter(HloComputation computation, int32_t caller);
  // Makes the slots of an instruction, and reads its operands.
  void PrepareInstruction(int32_t current);
  // What an operand names. Counts those that name nothing.
  Position PositionOf(const ProgramValues::Computation& in, HloOperand operand);
  // What is written within an operand is used where that is. It has no memory
  // of its own.
  void UseNested(int32_t user, HloOperand operand);

  ValueDraft& draft_;
  ValueFlow flow_;
  int32_t time_ = 0;
  // Computations of the dump that have been entered and are not done.
  absl::flat_hash_set<int64_t> open_;
  int64_t instruction_limit_ = 0;  // how many the module has
};

void ScheduleFlattener::Run(HloComputation entry) {
  for (const HloComputation computation : draft_.module.computations()) {
    instruction_limit_ += computation.instructions().size();
  }
  std::vector<Frame> open;
  open.push_back(Frame(Enter(entry, ValueDraft::kNone)));
  while (!open.empty()) {
    Frame& frame = open.back();
    ProgramValues::Computation& in =
        draft_.program.computations[frame.computation];
    if (frame.next == in.instruction_count) {
      in.end = time_;
      open_.erase(in.computation.index());
      open.pop_back();
      continue;
    }
    const int32_t current = in.first_instruction + frame.next;
    if (!frame.has_calls) {
      PrepareInstruction(current);
      frame.calls = flow_.CallsOf(current);
      frame.next_call = 0;
      frame.has_calls = true;
    }
    if (frame.next_call < frame.calls.size()) {
      const HloCall call = frame.calls[frame.next_call];
      const int64_t position = frame.next_call++;
      const absl::optional<HloComputation> callee = call.computation();
      if (!callee.has_value() || !MayEnter(*callee)) {
        ++draft_.program.doubts.unresolved_calls;
        continue;
      }
      const int32_t computation = Enter(*callee, current);
      flow_.Enter(current, call, position, computation);
      open.push_back(Frame(computation));
      continue;
    }
    draft_.program.instructions[current].time = time_++;
    flow_.Visit(current);
    frame.calls.clear();
    frame.has_calls = false;
    ++frame.next;
  }
  draft_.program.first_operand.push_back(draft_.program.operands.size());
  draft_.program.end_time = time_;
}

bool ScheduleFlattener::MayEnter(HloComputation callee) const {
  constexpr int64_t kMostCopies = 4;
  constexpr size_t kMostSlots = size_t{1} << 29;
  if (open_.contains(callee.index())) return false;
  if (!draft_.entered.contains(callee.index())) return true;
  return static_cast<int64_t>(draft_.program.instructions.size()) +
                 callee.instructions().size() <
             kMostCopies * instruction_limit_ &&
         draft_.program.value_at.size() < kMostSlots;
}

int32_t ScheduleFlattener::Enter(HloComputation computation, int32_t caller) {
  draft_.entered.insert(computation.index());
  open_.insert(computation.index());
  const int32_t number = draft_.program.computations.size();
  ProgramValues::Computation entered{computation};
  entered.first_instruction = draft_.program.instructions.size();
  entered.instruction_count = computation.instructions().size();
  entered.caller = caller;
  entered.begin = time_;
  draft_.program.computations.push_back(entered);
  draft_.program.instructions.resize(draft_.program.instructions.size() +
                                     entered.instruction_count);
  draft_.operand_ranges.resize(draft_.program.instructions.size());
  for (int32_t i = 0; i < entered.instruction_count; ++i) {
    ProgramValues::Instruction& instruction =
        draft_.program.instructions[entered.first_instruction + i];
    instruction.computation = number;
  }
  return number;
}

void ScheduleFlattener::PrepareInstruction(int32_t current) {
  const HloInstruction instruction = draft_.program.At(current);
  ProgramValues::Instruction& entry = draft_.program.instructions[current];
  entry.traits = TraitsOf(instruction.opcode());
  entry.first_slot = draft_.program.value_at.size();
  if (instruction.has_shape()) {
    entry.parts = &draft_.arrays.parts(instruction.shape_index());
  } else {
    ++draft_.program.doubts.instructions_without_shape;
  }
  if (entry.traits.flow == OperandFlow::kTupleCopy &&
      (entry.parts == nullptr || !(*entry.parts)[0].is_tuple())) {
    entry.traits.flow = OperandFlow::kNone;
  }
  draft_.program.value_at.resize(
      draft_.program.value_at.size() + draft_.SlotCount(current),
      ValueDraft::kUnset);
  const ProgramValues::Computation& in =
      draft_.program.computations[entry.computation];
  draft_.operand_ranges[current].first = draft_.operands.size();
  for (const HloOperand operand : instruction.operands()) {
    draft_.operands.push_back(PositionOf(in, operand));
    if (!operand.opcode().empty()) UseNested(current, operand);
  }
  draft_.operand_ranges[current].second = draft_.operands.size();
}

ScheduleFlattener::Position ScheduleFlattener::PositionOf(
    const ProgramValues::Computation& in, HloOperand operand) {
  if (!operand.opcode().empty()) return Position();
  const absl::optional<HloInstruction> definition = operand.instruction();
  Position position;
  if (definition.has_value()) {
    position.instruction =
        in.first_instruction +
        static_cast<int32_t>(definition->index_in_computation());
    position = draft_.Within(position, operand.tuple_indices());
  }
  if (!position.exists()) ++draft_.program.doubts.unresolved;
  return position;
}

void ScheduleFlattener::UseNested(int32_t user, HloOperand operand) {
  const ProgramValues::Computation& in =
      draft_.program
          .computations[draft_.program.instructions[user].computation];
  std::vector<HloOperand> pending = {operand};
  while (!pending.empty()) {
    const HloOperands nested = pending.back().operands();
    pending.pop_back();
    for (const HloOperand inner : nested) {
      if (inner.opcode().empty()) {
        draft_.nested_uses.emplace_back(user, PositionOf(in, inner));
      } else {
        pending.push_back(inner);
      }
    }
  }
}

}  // namespace

void FlattenSchedule(HloComputation entry, ValueDraft* draft) {
  ScheduleFlattener(draft).Run(entry);
}

}  // namespace hlo_internal
}  // namespace tessera
