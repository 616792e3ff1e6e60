#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "tessera/hlo/dataflow/opcode_traits.h"
#include "tessera/hlo/dataflow/value_draft.h"
#include "tessera/hlo/dataflow/value_passes.h"
#include "tessera/hlo/hlo_module.h"

namespace tessera {
namespace hlo_internal {
namespace {

class LiveRangeFinder {
 public:
  explicit LiveRangeFinder(ValueDraft* draft) : draft_(*draft) {}

  void Run();

 private:
  using Position = ValueDraft::Position;

  void HoldAt(int32_t instruction, int32_t time,
              std::vector<int32_t>* last_position);
  void UseOperands(int32_t user);
  void UseAt(int32_t time, const Position& operand, bool only_table);
  // What a while starts with is needed until its body has it.
  int32_t TimeOfWhileUse(int32_t user, int32_t time) const;

  ValueDraft& draft_;
  // Until when the results of instructions without a shape are used.
  absl::flat_hash_map<int32_t, int32_t> used_without_shape_;
};

void LiveRangeFinder::Run() {
  for (ProgramValues::Value& value : draft_.program.values) {
    const ProgramValues::Instruction& defined =
        draft_.program.instructions[value.instruction];
    value.start = defined.traits.flow == OperandFlow::kParameter
                      ? draft_.program.computations[defined.computation].begin
                      : defined.time;
    value.end = value.start;
  }
  std::vector<int32_t> last_position(draft_.program.values.size(), -1);
  for (size_t c = 0; c < draft_.program.computations.size(); ++c) {
    const ProgramValues::Computation& in = draft_.program.computations[c];
    const Position root = draft_.RootOf(c);
    for (int32_t i = 0; i < in.instruction_count; ++i) {
      const int32_t instruction = in.first_instruction + i;
      const int32_t time = instruction == root.instruction
                               ? in.end
                               : draft_.program.instructions[instruction].time;
      HoldAt(instruction, time, &last_position);
      UseOperands(instruction);
    }
  }
  // How the result of an instruction without a shape lies in its operands is
  // not known: they are there as long as it is. Users stand behind operands.
  for (int32_t i = draft_.program.instructions.size() - 1;
       !used_without_shape_.empty() && i >= 0; --i) {
    const auto used = used_without_shape_.find(i);
    if (used == used_without_shape_.end()) continue;
    const int32_t time = used->second;
    for (const Position& operand : draft_.OperandsOf(i)) {
      UseAt(time, operand, /*only_table=*/false);
    }
  }
  for (const auto& [user, operand] : draft_.nested_uses) {
    UseAt(draft_.program.instructions[user].time, operand,
          /*only_table=*/false);
  }
  for (size_t i = 0; i < draft_.program.values.size(); ++i) {
    ProgramValues::Value& value = draft_.program.values[i];
    value.end = std::max(value.end, last_position[i]);
    const ProgramValues::Instruction& defined =
        draft_.program.instructions[value.instruction];
    value.end = std::max(value.end,
                         draft_.program.computations[defined.computation].done);
    value.last_use = value.end;
    if (value.is_entry_parameter && !value.is_aliased) {
      value.end = draft_.program.end_time;
    }
  }
}

void LiveRangeFinder::HoldAt(int32_t instruction, int32_t time,
                             std::vector<int32_t>* last_position) {
  for (int64_t part = 0; part < draft_.SlotCount(instruction); ++part) {
    const int32_t value = draft_.ValueAt(instruction, part);
    if (value < 0 || (*last_position)[value] >= time) continue;
    (*last_position)[value] = time;
    draft_.program.values[value].end_instruction = instruction;
    draft_.program.values[value].end_part = part;
  }
}

void LiveRangeFinder::UseOperands(int32_t user) {
  const OperandFlow flow = draft_.program.instructions[user].traits.flow;
  const absl::string_view opcode = draft_.program.At(user).opcode();
  if (flow == OperandFlow::kTuple || flow == OperandFlow::kCall ||
      opcode == "domain") {
    return;
  }
  const bool uses_table_only =
      flow == OperandFlow::kTupleElement || flow == OperandFlow::kTupleCopy;
  int32_t time = draft_.program.instructions[user].time;
  if (flow == OperandFlow::kWhile) time = TimeOfWhileUse(user, time);
  for (const Position& operand : draft_.OperandsOf(user)) {
    UseAt(time, operand, uses_table_only);
  }
}

void LiveRangeFinder::UseAt(int32_t time, const Position& operand,
                            bool only_table) {
  if (!operand.exists()) return;
  const ArrayTable::ShapeParts* parts = draft_.PartsOf(operand.instruction);
  if (parts == nullptr) {
    int32_t& used = used_without_shape_[operand.instruction];
    used = std::max(used, time);
    return;
  }
  const int64_t end =
      only_table ? operand.part + 1 : (*parts)[operand.part].end;
  for (int64_t part = operand.part; part < end; ++part) {
    const int32_t value = draft_.ValueAt(operand.instruction, part);
    if (value < 0) continue;
    draft_.program.values[value].end =
        std::max(draft_.program.values[value].end, time);
  }
}

int32_t LiveRangeFinder::TimeOfWhileUse(int32_t user, int32_t time) const {
  const auto parameter = draft_.body_parameters.find(user);
  return parameter == draft_.body_parameters.end()
             ? time
             : draft_.program.instructions[parameter->second].time;
}

// Values of one buffer follow one another: each ends where the next begins.
void CutLiveRanges(ValueDraft* draft) {
  std::vector<int32_t> sorted;
  for (const ProgramValues::Buffer& buffer : draft->program.buffers) {
    if (buffer.values.size() < 2) continue;
    sorted = buffer.values;
    std::sort(sorted.begin(), sorted.end(), [draft](int32_t a, int32_t b) {
      const ProgramValues::Value& x = draft->program.values[a];
      const ProgramValues::Value& y = draft->program.values[b];
      return std::make_pair(x.start, x.end) < std::make_pair(y.start, y.end);
    });
    for (size_t i = 0; i + 1 < sorted.size(); ++i) {
      ProgramValues::Value& first = draft->program.values[sorted[i]];
      ProgramValues::Value& second = draft->program.values[sorted[i + 1]];
      if (first.start == second.start) {
        second.end = std::max(first.end, second.end);
      } else if (second.start < first.end) {
        second.end = std::max(first.end, second.end);
        first.end = second.start;
      }
    }
  }
}

}  // namespace

void FindLiveRanges(ValueDraft* draft) { LiveRangeFinder(draft).Run(); }

void MakeBuffers(ValueDraft* draft) {
  absl::flat_hash_map<int32_t, int32_t> buffer_of;
  for (size_t i = 0; i < draft->program.values.size(); ++i) {
    if (draft->redirects[i] != static_cast<int32_t>(i)) continue;
    ProgramValues::Value& value = draft->program.values[i];
    const auto [entry, is_new] = buffer_of.try_emplace(
        draft->sets.Find(i), draft->program.buffers.size());
    if (is_new) draft->program.buffers.emplace_back();
    value.buffer = entry->second;
    ProgramValues::Buffer& buffer = draft->program.buffers[value.buffer];
    buffer.values.push_back(i);
    buffer.bytes = std::max(buffer.bytes, value.bytes);
    if (is_new) buffer.memory_space = value.memory_space;
  }
  CutLiveRanges(draft);
  const ValueDraft::Position root = draft->RootOf(0);
  if (!root.exists()) return;
  for (int64_t part = 0; part < draft->SlotCount(root.instruction); ++part) {
    const int32_t value = draft->ValueAt(root.instruction, part);
    if (value >= 0) {
      draft->program.buffers[draft->program.values[value].buffer].lives_out =
          true;
    }
  }
}

}  // namespace hlo_internal
}  // namespace tessera
