#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "tessera/hlo/attributes/attribute_values.h"
#include "tessera/hlo/attributes/module_header.h"
#include "tessera/hlo/dataflow/aliasing_operands.h"
#include "tessera/hlo/dataflow/fused_graph.h"
#include "tessera/hlo/dataflow/opcode_traits.h"
#include "tessera/hlo/dataflow/value_draft.h"
#include "tessera/hlo/dataflow/value_passes.h"
#include "tessera/hlo/hlo_call_kind.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/shape/shape_index.h"

namespace tessera {
namespace hlo_internal {
namespace {

class AliasJoiner {
 public:
  explicit AliasJoiner(ValueDraft* draft) : draft_(*draft) {}

  void Run() {
    for (size_t i = 0; i < draft_.program.instructions.size(); ++i) {
      JoinInPlace(i);
    }
    JoinSorts();
    AliasResults();
    ReadDonors();
  }

 private:
  using Position = ValueDraft::Position;

  void JoinInPlace(int32_t current);
  // On TPU a sort takes the place of each operand that nothing else uses.
  void JoinSorts();
  void JoinFusion(int32_t current, HloInstruction fusion);
  static bool MayBeInPlace(HloComputation fused);
  void JoinOutputAliases(int32_t current, HloInstruction instruction);
  // The program's results and the parameters that input_output_alias names.
  void AliasResults();
  // By their numbers.
  absl::flat_hash_map<int64_t, int32_t> EntryParameters() const;
  Position InParameter(const absl::flat_hash_map<int64_t, int32_t>& parameters,
                       int64_t number, ShapeIndexView index) const;
  // The parameters that a caller gives away, and that are no result.
  void ReadDonors();

  ValueDraft& draft_;
  std::vector<int32_t> sorts_;
};

void AliasJoiner::JoinInPlace(int32_t current) {
  const HloInstruction instruction = draft_.program.At(current);
  const absl::string_view opcode = instruction.opcode();
  const ArrayTable::ShapeParts* parts = draft_.PartsOf(current);
  if (parts == nullptr) return;
  const absl::Span<const Position> operands = draft_.OperandsOf(current);
  if (!draft_.rules.is_in_place_by_opcode) {
    // Nothing by its opcode.
  } else if (opcode == "dynamic-update-slice" ||
             opcode == "set-dimension-size") {
    draft_.Join(current, 0, draft_.OperandOf(current, 0));
  } else if (opcode == "scatter" || opcode == "all-reduce-start") {
    const int64_t count =
        opcode == "scatter" ? operands.size() / 2 : operands.size();
    for (int64_t i = 0; i < count; ++i) {
      draft_.JoinEqual(current, (*parts)[0].is_tuple() ? parts->child(0, i) : 0,
                       operands[i]);
    }
  } else if (opcode == "ragged-all-to-all") {
    draft_.Join(current, 0, draft_.OperandOf(current, 1));
  } else if (draft_.IsInPlacePermute(current)) {
    draft_.Join(current,
                opcode == "collective-permute" ? 0 : parts->child(0, 1),
                draft_.OperandOf(current, 1));
  }
  if (opcode == "sort" && draft_.rules.is_in_place_by_opcode &&
      draft_.rules.is_tpu) {
    sorts_.push_back(current);
  }
  if (opcode == "fusion" && draft_.rules.is_in_place_by_opcode) {
    JoinFusion(current, instruction);
  }
  JoinOutputAliases(current, instruction);
  for (const AliasingOperand& alias : FindAliasingOperands(instruction)) {
    draft_.Join(
        current,
        (*parts)[0].is_tuple() ? parts->child(0, alias.output) : alias.output,
        draft_.OperandOf(current, alias.operand));
  }
}

void AliasJoiner::JoinSorts() {
  if (sorts_.empty()) return;
  std::vector<int32_t> use_counts(draft_.program.instructions.size());
  for (const Position& operand : draft_.operands) {
    if (operand.exists()) ++use_counts[operand.instruction];
  }
  for (const int32_t sort : sorts_) {
    if (draft_.PartsOf(sort) == nullptr) continue;
    const bool has_tuple = (*draft_.PartsOf(sort))[0].is_tuple();
    const absl::Span<const Position> operands = draft_.OperandsOf(sort);
    for (size_t i = 0; i < operands.size(); ++i) {
      if (!operands[i].exists() || use_counts[operands[i].instruction] != 1 ||
          draft_.program.instructions[operands[i].instruction].traits.flow ==
              OperandFlow::kParameter) {
        continue;
      }
      draft_.JoinEqual(sort, has_tuple ? draft_.Child(sort, 0, i) : 0,
                       operands[i]);
    }
  }
}

void AliasJoiner::JoinFusion(int32_t current, HloInstruction fusion) {
  const absl::optional<HloComputation> fused =
      fusion.called(HloCallKind::kCalls);
  if (!fused.has_value() || !MayBeInPlace(*fused)) return;
  const FusedGraph graph(*fused);
  for (const FusedGraph::InPlacePair& pair : graph.FindInPlacePairs()) {
    draft_.JoinEqual(
        current, graph.has_tuple() ? draft_.Child(current, 0, pair.output) : 0,
        draft_.OperandOf(current, pair.parameter));
  }
}

bool AliasJoiner::MayBeInPlace(HloComputation fused) {
  for (const HloInstruction instruction : fused.instructions()) {
    const absl::string_view opcode = instruction.opcode();
    if (opcode == "dynamic-update-slice" || opcode == "scatter") return true;
  }
  return false;
}

void AliasJoiner::JoinOutputAliases(int32_t current,
                                    HloInstruction instruction) {
  const absl::optional<absl::string_view> text =
      instruction.attribute("output_to_operand_aliasing");
  if (!text.has_value()) return;
  const absl::StatusOr<std::vector<OutputOperandAlias>> aliases =
      DecodeOutputOperandAliases(*text);
  if (!aliases.ok()) return;
  for (const OutputOperandAlias& alias : *aliases) {
    draft_.Join(current, draft_.PartsOf(current)->Find(alias.output_index),
                draft_.Within(draft_.OperandOf(current, alias.operand_number),
                              alias.operand_index));
  }
}

void AliasJoiner::AliasResults() {
  const absl::optional<absl::string_view> text =
      draft_.module.attribute("input_output_alias");
  const Position root = draft_.RootOf(0);
  if (!draft_.program.computations[0].computation.is_entry() ||
      !text.has_value() || !root.exists()) {
    return;
  }
  const absl::StatusOr<std::vector<InputOutputAlias>> aliases =
      DecodeInputOutputAliases(*text);
  if (!aliases.ok()) {
    ++draft_.program.doubts.unresolved;
    return;
  }
  const absl::flat_hash_map<int64_t, int32_t> parameters = EntryParameters();
  for (const InputOutputAlias& alias : *aliases) {
    const Position from =
        InParameter(parameters, alias.parameter_number, alias.parameter_index);
    const Position to = draft_.Within(root, alias.output_index);
    if (!from.exists() || !to.exists()) {
      ++draft_.program.doubts.unresolved;
      continue;
    }
    const int32_t given = draft_.ValueAt(from.instruction, from.part);
    if (given >= 0) draft_.program.values[given].is_aliased = true;
    draft_.Join(to.instruction, to.part, from);
  }
}

absl::flat_hash_map<int64_t, int32_t> AliasJoiner::EntryParameters() const {
  absl::flat_hash_map<int64_t, int32_t> parameters;
  const ProgramValues::Computation& entry = draft_.program.computations[0];
  for (int32_t i = 0; i < entry.instruction_count; ++i) {
    const absl::optional<int64_t> number =
        draft_.program.At(entry.first_instruction + i).parameter_number();
    if (number.has_value()) {
      parameters.emplace(*number, entry.first_instruction + i);
    }
  }
  return parameters;
}

AliasJoiner::Position AliasJoiner::InParameter(
    const absl::flat_hash_map<int64_t, int32_t>& parameters, int64_t number,
    ShapeIndexView index) const {
  const auto parameter = parameters.find(number);
  return parameter == parameters.end()
             ? Position()
             : draft_.Within({parameter->second, 0}, index);
}

void AliasJoiner::ReadDonors() {
  const absl::optional<absl::string_view> text =
      draft_.module.attribute("buffer_donor");
  if (!draft_.program.computations[0].computation.is_entry() ||
      !text.has_value()) {
    return;
  }
  const absl::StatusOr<std::vector<BufferDonor>> donors =
      DecodeBufferDonors(*text);
  if (!donors.ok()) {
    ++draft_.program.doubts.unresolved;
    return;
  }
  const absl::flat_hash_map<int64_t, int32_t> parameters = EntryParameters();
  for (const BufferDonor& donor : *donors) {
    const Position from =
        InParameter(parameters, donor.parameter_number, donor.parameter_index);
    if (!from.exists()) continue;
    const int32_t given = draft_.ValueAt(from.instruction, from.part);
    if (given >= 0) draft_.program.values[given].is_donated = true;
  }
}

}  // namespace

void JoinAliases(ValueDraft* draft) { AliasJoiner(draft).Run(); }

}  // namespace hlo_internal
}  // namespace tessera
