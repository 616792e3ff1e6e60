#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "tessera/hlo/dataflow/opcode_traits.h"
#include "tessera/hlo/dataflow/value_draft.h"
#include "tessera/hlo/hlo_module.h"

namespace tessera {
namespace hlo_internal {
namespace {

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
  using Position = ValueDraft::Position;

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
    constexpr size_t kMostSlots = size_t{1} << 29;
    if (open_.contains(callee.index())) return false;
    if (!draft_.entered.contains(callee.index())) return true;
    return static_cast<int64_t>(draft_.instructions.size()) +
                   callee.instructions().size() <
               kMostCopies * instruction_limit_ &&
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
