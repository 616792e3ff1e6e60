#include <algorithm>
#include <optional>
#include <string_view>

#include "absl/types/span.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/buffer_assignment/buffer_assigner.h"
#include "tessera/hlo/hlo_call_kind.h"
#include "tessera/layout/primitive_type.h"
#include "tessera/shape/shape.h"
#include "tessera/shape/shape_utilities.h"

namespace tessera {
namespace hlo_internal {

const FusedGraph* BufferSharing::GraphOf(int32_t fusion) {
  const auto [entry, is_new] = graphs_.try_emplace(fusion);
  if (is_new) {
    const std::optional<HloComputation> fused =
        program_.At(fusion).called(HloCallKind::kCalls);
    if (fused.has_value()) entry->second = std::make_unique<FusedGraph>(*fused);
  }
  return entry->second.get();
}

bool BufferSharing::MayOverwrite(Position from, Position to) {
  if (program_.PartsOf(from.instruction) == nullptr ||
      program_.PartsOf(to.instruction) == nullptr) {
    return false;
  }
  return program_.At(to.instruction).opcode() == "fusion"
             ? FusionMayOverwrite(from, to)
             : OtherMayOverwrite(from, to);
}

bool BufferSharing::FusionMayOverwrite(Position from, Position to) {
  const ArrayTable::Part& given =
      (*program_.PartsOf(from.instruction))[from.part];
  const ArrayTable::ShapeParts& parts = *program_.PartsOf(to.instruction);
  const Shape& before = *given.shape;
  const Shape& after = *parts[to.part].shape;
  if (!before.IsArray() || !after.IsArray()) return false;
  const bool fits =
      given.array == parts[to.part].array ||
      (rules_ == Rules::kGpu && ElementsIn(before) == ElementsIn(after) &&
       BitWidth(before.element_type()) == BitWidth(after.element_type()));
  if (!fits) return false;
  const FusedGraph* graph = GraphOf(to.instruction);
  if (graph == nullptr) return false;
  work_left_ -= graph->size();
  if (work_left_ < 0) return false;
  int64_t output = 0;
  if (graph->has_tuple()) {
    while (output < graph->output_count() &&
           parts.child(0, output) != to.part) {
      ++output;
    }
    if (output == graph->output_count()) return false;
  }
  // Only through the operand itself, not through a part of it.
  if (from.part != 0) return false;
  const absl::Span<const ProgramValues::Position> operands =
      program_.OperandsOf(to.instruction);
  const auto* const found =
      std::find(operands.begin(), operands.end(), from.instruction);
  if (found == operands.end()) return false;
  const int64_t parameter = found - operands.begin();
  if (rules_ == Rules::kGpu) return graph->MayOverwrite(parameter, output);
  const std::string_view kind =
      program_.At(to.instruction).attribute("kind").value_or("");
  if (kind == "kLoop" || kind == "kInput") {
    return graph->IsElementwiseFrom(parameter, /*through_tuple=*/true);
  }
  if (kind == "kOutput" && graph->RootIsAdd()) {
    return graph->AddsToProduct(parameter);
  }
  return graph->IsElementwiseFrom(parameter, /*through_tuple=*/false);
}

bool BufferSharing::OtherMayOverwrite(Position from, Position to) {
  const ArrayTable::ShapeParts& parts = *program_.PartsOf(to.instruction);
  const int64_t array = (*program_.PartsOf(from.instruction))[from.part].array;
  const bool is_equal = array == parts[to.part].array;
  const int32_t operand = from.instruction;
  const HloInstruction instruction = program_.At(to.instruction);
  const std::string_view opcode = instruction.opcode();
  const absl::Span<const ProgramValues::Position> operands =
      program_.OperandsOf(to.instruction);
  const int64_t uses = std::count(operands.begin(), operands.end(), operand);
  if (rules_ == Rules::kGpu) {
    if (opcode == "all-reduce" || opcode == "collective-broadcast") {
      return is_equal;
    }
    if (opcode == "custom-call") {
      const std::string_view attributes = instruction.attributes_text();
      return StrContains(attributes, "__cublas$lt$matmul") &&
             !StrContains(attributes, "__cublas$lt$matmul$f8") &&
             !StrContains(attributes, "\"beta\":0") && uses == 1 &&
             operands.size() > 2 && operands[2] == operand &&
             to.part == (parts[0].is_tuple() ? parts.child(0, 0) : 0);
    }
  }
  if (!is_equal || array < 0) return false;
  if (opcode == "while" || opcode == "conditional") return true;
  if (opcode == "dynamic-update-slice" || opcode == "scatter" ||
      opcode == "set-dimension-size") {
    return uses == 1 && operands[0] == operand;
  }
  if (opcode == "triangular-solve") {
    return uses == 1 && operands.size() > 1 && operands[1] == operand;
  }
  if (opcode == "sort") {
    // Even earlier instructions must not use the operand.
    if (use_counts_.empty()) use_counts_ = program_.CountUses();
    if (use_counts_[operand] != 1) return false;
    const auto* const found =
        std::find(operands.begin(), operands.end(), operand);
    const int64_t number = found - operands.begin();
    return to.part == (parts[0].is_tuple() ? parts.child(0, number) : 0);
  }
  return to.part == 0 &&
         program_.instructions[to.instruction].traits.is_elementwise;
}

}  // namespace hlo_internal
}  // namespace tessera
