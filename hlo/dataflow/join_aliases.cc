#include <cstddef>
#include <optional>
#include <string_view>

#include "absl/algorithm/container.h"
#include "absl/status/statusor.h"
#include "tessera/hlo/attributes/attribute_values.h"
#include "tessera/hlo/attributes/module_header.h"
#include "tessera/hlo/dataflow/aliasing_operands.h"
#include "tessera/hlo/dataflow/opcode_traits.h"
#include "tessera/hlo/dataflow/value_draft.h"
#include "tessera/hlo/hlo_call_kind.h"
#include "tessera/shape/shape_index.h"

namespace tessera {
namespace hlo_internal {
namespace {

// Returns element `i` of the result, or the whole result if it is not a tuple.
ValueDraft::Position Output(const ValueDraft& draft, int32_t instruction,
                            int64_t i) {
  return draft.IsTuple(instruction) ? draft.Within({instruction}, {i})
                                    : ValueDraft::Position{instruction};
}

class AliasJoiner {
 public:
  explicit AliasJoiner(ValueDraft* draft) : draft_(*draft) {}

  void Run() {
    for (size_t i = 0; i < draft_.instructions.size() && draft_.check.GoesOn();
         ++i) {
      if (draft_.PartsOf(i) == nullptr) continue;
      if (draft_.rules.is_in_place_by_opcode) JoinInPlace(i);
      JoinAsWritten(i);
    }
    JoinSorts();
    if (!draft_.computations[0].computation.is_entry()) return;
    for (int32_t i = 0; i < draft_.computations[0].instruction_count; ++i) {
      const bool is_parameter =
          draft_.instructions[i].traits.flow == OperandFlow::kParameter;
      const std::optional<int64_t> number =
          is_parameter ? draft_.At(i).parameter_number() : std::nullopt;
      if (number.has_value()) parameters_.emplace(*number, i);
    }
    AliasResults();
    ReadDonors();
  }

 private:
  using Position = ValueDraft::Position;

  void JoinInPlace(int32_t current) {
    const HloInstruction instruction = draft_.At(current);
    const std::string_view opcode = instruction.opcode();
    const absl::Span<const Position> operands = draft_.OperandsOf(current);
    if (opcode == "dynamic-update-slice" || opcode == "set-dimension-size") {
      draft_.Join({current}, draft_.OperandOf(current, 0));
    } else if (opcode == "scatter" || opcode == "all-reduce-start") {
      const size_t count =
          opcode == "scatter" ? operands.size() / 2 : operands.size();
      for (size_t i = 0; i < count; ++i) {
        draft_.JoinEqual(Output(draft_, current, i), operands[i]);
      }
    } else if (opcode == "ragged-all-to-all") {
      draft_.Join({current}, draft_.OperandOf(current, 1));
    } else if (draft_.IsInPlacePermute(current)) {
      draft_.Join(opcode == "collective-permute"
                      ? Position{current}
                      : draft_.Within({current}, {1}),
                  operands[1]);
    } else if (opcode == "sort" && draft_.rules.is_tpu) {
      sorts_.push_back(current);
    } else if (opcode == "fusion") {
      JoinFusion(current, instruction);
    }
  }

  void JoinFusion(int32_t current, HloInstruction fusion) {
    const std::optional<HloComputation> fused =
        fusion.called(HloCallKind::kCalls);
    if (!fused.has_value() || !MayBeInPlace(*fused)) return;
    const FusedGraph graph(*fused);
    draft_.check.GoesOn(fused->instructions().size());
    for (const AliasingOperand& pair : graph.FindInPlacePairs()) {
      draft_.JoinEqual(graph.has_tuple()
                           ? draft_.Within({current}, {pair.output})
                           : Position{current},
                       draft_.OperandOf(current, pair.operand));
    }
  }

  static bool MayBeInPlace(HloComputation fused) {
    return absl::c_any_of(fused.instructions(), [](HloInstruction each) {
      return each.opcode() == "dynamic-update-slice" ||
             each.opcode() == "scatter";
    });
  }

  // Joins the results and operands that the text itself names.
  void JoinAsWritten(int32_t current) {
    const HloInstruction instruction = draft_.At(current);
    for (const OutputOperandAlias& alias : FindOutputAliases(instruction)) {
      draft_.Join(draft_.Within({current}, alias.output_index),
                  draft_.Within(draft_.OperandOf(current, alias.operand_number),
                                alias.operand_index));
    }
  }

  // On TPU a sort takes the place of each operand that nothing else uses.
  void JoinSorts() {
    if (sorts_.empty()) return;
    const std::vector<int32_t> use_counts = draft_.CountUses();
    for (const int32_t sort : sorts_) {
      int64_t i = 0;
      for (const Position operand : draft_.OperandsOf(sort)) {
        const Position output = Output(draft_, sort, i++);
        if (operand.exists() && use_counts[operand.instruction] == 1 &&
            draft_.instructions[operand.instruction].traits.flow !=
                OperandFlow::kParameter) {
          draft_.JoinEqual(output, operand);
        }
      }
    }
  }

  // Joins the results of the program with parameters by input_output_alias.
  void AliasResults() {
    const std::optional<std::string_view> text =
        draft_.module.attribute("input_output_alias");
    const Position root = draft_.RootOf(0);
    if (!text.has_value() || !root.exists()) return;
    const absl::StatusOr<std::vector<InputOutputAlias>> aliases =
        DecodeInputOutputAliases(*text);
    draft_.doubts.unresolved += !aliases.ok();
    if (!aliases.ok()) return;
    for (const InputOutputAlias& alias : *aliases) {
      const Position from =
          InParameter(alias.parameter_number, alias.parameter_index);
      const Position to = draft_.Within(root, alias.output_index);
      if (!from.exists() || !to.exists()) {
        ++draft_.doubts.unresolved;
        continue;
      }
      const int32_t given = draft_.ValueAt(from);
      if (given >= 0) draft_.values[given].is_aliased = true;
      draft_.Join(to, from);
    }
  }

  // Reads the parameters that the caller donates and that are not results.
  void ReadDonors() {
    const std::optional<std::string_view> text =
        draft_.module.attribute("buffer_donor");
    if (!text.has_value()) return;
    const absl::StatusOr<std::vector<BufferDonor>> donors =
        DecodeBufferDonors(*text);
    draft_.doubts.unresolved += !donors.ok();
    if (!donors.ok()) return;
    for (const BufferDonor& donor : *donors) {
      const Position from =
          InParameter(donor.parameter_number, donor.parameter_index);
      const int32_t given =
          from.exists() ? draft_.ValueAt(from) : ValueDraft::kNone;
      if (given >= 0) draft_.values[given].is_donated = true;
    }
  }

  Position InParameter(int64_t number, ShapeIndexView index) const {
    const auto found = parameters_.find(number);
    return found == parameters_.end() ? Position()
                                      : draft_.Within({found->second}, index);
  }

  ValueDraft& draft_;
  std::vector<int32_t> sorts_;
  absl::flat_hash_map<int64_t, int32_t> parameters_;  // by number
};

}  // namespace

void JoinAliases(ValueDraft* draft) { AliasJoiner(draft).Run(); }

void JoinDyingOperands(ValueDraft* draft) {
  bool joined = false;
  for (size_t i = 0; i < draft->instructions.size(); ++i) {
    if (!draft->check.GoesOn()) return;
    if (draft->PartsOf(i) == nullptr) continue;
    int64_t joined_output = -1;
    for (const AliasingOperand& alias : FindAliasingOperands(draft->At(i))) {
      if (alias.output == joined_output ||
          (alias.output > 0 && !draft->IsTuple(i))) {
        continue;
      }
      const ValueDraft::Position output = Output(*draft, i, alias.output);
      const ValueDraft::Position operand = draft->OperandOf(i, alias.operand);
      if (!output.exists() || !operand.exists()) continue;
      const int32_t result = draft->ValueAt(output);
      const int32_t given = draft->ValueAt(operand);
      if (result < 0 || given < 0) continue;
      const ProgramValues::Value& a = draft->values[result];
      const ProgramValues::Value& b = draft->values[given];
      if (a.is_tuple != b.is_tuple || b.end > draft->instructions[i].time) {
        continue;
      }
      draft->sets.Join(a.buffer, b.buffer);
      joined_output = alias.output;
      joined = true;
    }
  }
  if (!joined) return;
  for (ProgramValues::Value& value : draft->values) {
    if (value.buffer >= 0) value.buffer = draft->sets.Find(value.buffer);
  }
}

}  // namespace hlo_internal
}  // namespace tessera
