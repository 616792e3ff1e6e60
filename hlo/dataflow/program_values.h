// The values that a scheduled program computes, their live ranges, and which of
// them must share a buffer.
//
// The terms and rules are those of XLA: xla/hlo/analysis/
// {hlo_dataflow_analysis,hlo_alias_analysis}.cc,
// xla/hlo/utils/hlo_live_range.cc. The schedule is flattened: the computations
// that a while, conditional, call or asynchronous start runs come before it. A
// time is a place in that order.

#ifndef TESSERA_HLO_DATAFLOW_PROGRAM_VALUES_H_
#define TESSERA_HLO_DATAFLOW_PROGRAM_VALUES_H_

#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/hlo/dataflow/array_table.h"
#include "tessera/hlo/dataflow/opcode_traits.h"
#include "tessera/hlo/dataflow/work_check.h"
#include "tessera/hlo/hlo_call_kind.h"
#include "tessera/hlo/hlo_module.h"

namespace tessera {
namespace hlo_internal {

struct ProgramValues {
  using ShapeParts = ArrayTable::ShapeParts;

  // A part of the result of an instruction.
  struct Position {
    int32_t instruction = -1;
    int32_t part = 0;

    bool exists() const { return instruction >= 0; }
    // Whether it is in the result of that instruction.
    bool operator==(int32_t other) const { return instruction == other; }
  };

  struct Computation {
    HloComputation computation;
    int32_t first_instruction = 0;  // its instructions are consecutive
    int32_t instruction_count = 0;
    // The instruction that runs it, or -1 for the entry, and the number of the
    // call among those of that instruction, in the order of the schedule.
    int32_t caller = -1;
    HloCallKind call_kind = HloCallKind::kCalls;
    int32_t call = 0;
    int32_t parameter = -1;  // the last parameter instruction
    // The time of its first instruction, and the time after its last.
    int32_t begin = 0;
    int32_t end = 0;
    // The time until which the values of an asynchronous computation are kept;
    // -1 for other computations.
    int32_t done = -1;
  };

  struct Instruction {
    int32_t computation = 0;
    int32_t time = 0;
    // The number in the computation's post order, by which XLA breaks ties.
    int32_t post_order = 0;
    int32_t first_slot = 0;
    // Null if the text does not give a shape; there is one slot nevertheless.
    const ShapeParts* parts = nullptr;
    OpcodeTraits traits;
  };

  // The value of a position.
  struct Value {
    int32_t instruction = 0;
    int32_t part = 0;
    int64_t bytes = 0;
    int64_t unpadded_bytes = 0;
    int32_t memory_space = 0;
    bool is_tuple = false;
    bool is_constant = false;
    bool is_entry_parameter = false;
    // Whether buffer_donor names it. It is not needed after its last use.
    bool is_donated = false;
    // Whether input_output_alias names it. A result finally takes its place.
    bool is_aliased = false;
    // Whether it is the scratch memory of SparseCore: element {2,0} of a start
    // that gets its operands later.
    bool is_scratch = false;
    // The index in `buffers`.
    int32_t buffer = -1;
    // The live range, both ends included.
    int32_t start = 0;
    int32_t end = 0;
    // Like `end`, but a parameter is not kept for the caller.
    int32_t last_use = 0;
    // The latest that holds it.
    Position end_position;
  };

  // Values that must share one place.
  struct Buffer {
    std::vector<int32_t> values;
    int64_t bytes = 0;  // of the largest value
    int32_t memory_space = 0;
    bool lives_out = false;
  };

  struct ReducerConstant {
    std::string_view instruction;
    int64_t memory_space = 0;
    int64_t bytes = 0;
  };

  // The same counts as ModuleAnalysis::Doubts.
  struct Doubts {
    int64_t instructions_without_shape = 0;
    int64_t arrays_with_unbounded_dimension = 0;
    int64_t unresolved = 0;
    int64_t unresolved_calls = 0;
  };

  HloInstruction At(int32_t instruction) const {
    const Computation& in = computations[instructions[instruction].computation];
    return in.computation.instructions()[instruction - in.first_instruction];
  }
  const ShapeParts* PartsOf(int32_t instruction) const {
    return instructions[instruction].parts;
  }
  int32_t SlotCount(int32_t instruction) const {
    const ShapeParts* parts = PartsOf(instruction);
    return parts == nullptr ? 1 : parts->size();
  }
  // Returns the number of the value there; -1 for none.
  int32_t ValueAt(Position at) const {
    return value_at[instructions[at.instruction].first_slot + at.part];
  }
  // Calls `visit` for each value at and within a position.
  template <typename Visit>
  void ForEachValueIn(Position at, Visit visit) const {
    if (!at.exists()) return;
    const ShapeParts* const parts = PartsOf(at.instruction);
    const int32_t end = parts == nullptr ? at.part + 1 : (*parts)[at.part].end;
    for (; at.part < end; ++at.part) {
      if (const int32_t value = ValueAt(at); value >= 0) visit(value);
    }
  }
  Position RootOf(int32_t computation) const;
  // Returns how often each instruction is an operand.
  std::vector<int32_t> CountUses() const;
  // An operand that is not an instruction has a position that does not exist.
  absl::Span<const Position> OperandsOf(int32_t instruction) const {
    return absl::MakeConstSpan(operands).subspan(
        first_operand[instruction],
        first_operand[instruction + 1] - first_operand[instruction]);
  }

  std::vector<Computation> computations;  // the entry first
  std::vector<Instruction> instructions;
  std::vector<int32_t> first_operand = {0};  // by instruction, and the end
  std::vector<Position> operands;
  std::vector<int32_t> value_at;  // by slot; -1 for none
  // Returns the live range of a value without its idle branches: first and last
  // steps, both included, in order.
  std::vector<std::pair<int32_t, int32_t>> RangesOf(int32_t value) const;

  // In XLA's order.
  std::vector<Value> values;
  // For each value in the memories of a TPU's core, the steps within its live
  // range at which it is idle, in order. A value is idle in a branch that no
  // longer needs it if nothing after the conditional does. Only one of the
  // branches runs, so the compiler reuses the memory.
  std::map<int32_t, std::vector<std::pair<int32_t, int32_t>>> idle_branches;
  std::vector<Buffer> buffers;
  // One past the last time.
  int32_t end_time = 0;
  // The memory of computations that run for each element: reducers in fusions.
  std::map<int64_t, int64_t> thread_local_bytes;  // by memory space
  int64_t thread_local_values = 0;
  // The constants in these computations that take device memory nevertheless.
  std::vector<ReducerConstant> constants_of_reducers;
  Doubts doubts;
};

// The rules by which a backend shares memory between values.
struct ValueRules {
  // Whether opcodes such as dynamic-update-slice put a result in the place of
  // an operand. If not, only the text does so (aliasing_operands.h).
  bool is_in_place_by_opcode = true;
  // Whether the rules are those of TPU: tables in reducers count as
  // thread-local values, and sorts are in place.
  bool is_tpu = false;
  // For tuple tables: the bytes per element, and the alignment of the sum.
  int64_t pointer_bytes = 8;
  int64_t table_alignment = 1;
  // For an untiled array of rank 0 or 1 in the memories of the core: the number
  // of elements is rounded up to a multiple of this.
  int64_t untiled_elements = 1;
};

// The dump and `arrays` must outlive the result. `entry` is the computation
// that runs; input_output_alias holds for the one that is marked ENTRY.
// Errors: that of `check`.
absl::StatusOr<ProgramValues> FindProgramValues(HloModule module,
                                                HloComputation entry,
                                                const ValueRules& rules,
                                                ArrayTable* arrays,
                                                WorkCheck* check);

// Sets the bytes of all values and buffers to those without padding. Live
// ranges do not depend on sizes.
void RemovePadding(ProgramValues* program);

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_DATAFLOW_PROGRAM_VALUES_H_
