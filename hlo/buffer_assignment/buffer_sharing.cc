#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "absl/types/span.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/buffer_assignment/buffer_assigner.h"
#include "tessera/hlo/hlo_call_kind.h"
#include "tessera/hlo/hlo_module.h"
#include "tessera/layout/primitive_type.h"
#include "tessera/shape/shape.h"

namespace tessera {
namespace hlo_internal {
namespace {

int64_t ElementCount(const Shape& array) {
  int64_t count = 1;
  for (const int64_t size : array.dimensions()) count *= size;
  return count;
}

}  // namespace

const FusedGraph* BufferSharing::GraphOf(int32_t fusion) {
  const auto [entry, is_new] = graphs_.try_emplace(fusion);
  if (is_new) {
    const std::optional<HloComputation> fused =
        program_.At(fusion).called(HloCallKind::kCalls);
    if (fused.has_value()) entry->second = std::make_unique<FusedGraph>(*fused);
  }
  return entry->second.get();
}

int32_t BufferSharing::UseCount(int32_t instruction) {
  if (use_counts_.empty()) {
    use_counts_.resize(program_.instructions.size());
    for (const ProgramValues::Position operand : program_.operands) {
      if (operand.exists()) ++use_counts_[operand.instruction];
    }
  }
  return use_counts_[instruction];
}

bool BufferSharing::MayOverwrite(int32_t operand, int32_t operand_part,
                                 int32_t user, int32_t user_part) {
  if (program_.PartsOf(operand) == nullptr ||
      program_.PartsOf(user) == nullptr) {
    return false;
  }
  if (program_.At(user).opcode() == "fusion") {
    return FusionMayOverwrite(operand, operand_part, user, user_part);
  }
  return OtherMayOverwrite(operand, operand_part, user, user_part);
}

bool BufferSharing::FusionMayOverwrite(int32_t operand, int32_t operand_part,
                                       int32_t user, int32_t user_part) {
  const ArrayTable::ShapeParts& from = *program_.PartsOf(operand);
  const ArrayTable::ShapeParts& to = *program_.PartsOf(user);
  const Shape& before = *from[operand_part].shape;
  const Shape& after = *to[user_part].shape;
  if (!before.IsArray() || !after.IsArray()) return false;
  const bool is_equal = from[operand_part].array == to[user_part].array;
  if (rules_ == Rules::kGpu) {
    if (!is_equal &&
        (ElementCount(before) != ElementCount(after) ||
         BitWidth(before.element_type()) != BitWidth(after.element_type()))) {
      return false;
    }
  } else if (!is_equal) {
    return false;
  }
  const FusedGraph* graph = GraphOf(user);
  if (graph == nullptr) return false;
  work_left_ -= graph->size();
  if (work_left_ < 0) return false;
  int64_t output = 0;
  if (graph->has_tuple()) {
    while (output < graph->output_count() && to.child(0, output) != user_part) {
      ++output;
    }
    if (output == graph->output_count()) return false;
  }
  // Only through the operand itself, not through a part of it.
  if (operand_part != 0) return false;
  const absl::Span<const ProgramValues::Position> operands =
      program_.OperandsOf(user);
  const auto* const found =
      std::find(operands.begin(), operands.end(), operand);
  if (found == operands.end()) return false;
  const int64_t parameter = found - operands.begin();
  if (rules_ == Rules::kGpu) return graph->MayOverwrite(parameter, output);
  const std::string_view kind =
      program_.At(user).attribute("kind").value_or("");
  if (kind == "kLoop" || kind == "kInput") {
    return graph->IsElementwiseFrom(parameter, /*through_tuple=*/true);
  }
  if (kind == "kOutput" && graph->RootIsAdd()) {
    return graph->AddsToProduct(parameter);
  }
  return graph->IsElementwiseFrom(parameter, /*through_tuple=*/false);
}

bool BufferSharing::OtherMayOverwrite(int32_t operand, int32_t operand_part,
                                      int32_t user, int32_t user_part) {
  const ArrayTable::ShapeParts& from = *program_.PartsOf(operand);
  const ArrayTable::ShapeParts& to = *program_.PartsOf(user);
  const HloInstruction instruction = program_.At(user);
  const std::string_view opcode = instruction.opcode();
  const absl::Span<const ProgramValues::Position> operands =
      program_.OperandsOf(user);
  const int64_t uses = std::count(operands.begin(), operands.end(), operand);
  if (rules_ == Rules::kGpu) {
    if (opcode == "all-reduce" || opcode == "collective-broadcast") {
      return from[operand_part].array == to[user_part].array;
    }
    if (opcode == "custom-call") {
      const std::string_view attributes = instruction.attributes_text();
      return StrContains(attributes, "__cublas$lt$matmul") &&
             !StrContains(attributes, "__cublas$lt$matmul$f8") &&
             !StrContains(attributes, "\"beta\":0") && uses == 1 &&
             operands.size() > 2 && operands[2] == operand &&
             (to[0].is_tuple() ? user_part == to.child(0, 0) : user_part == 0);
    }
  }
  if (from[operand_part].array != to[user_part].array ||
      from[operand_part].array < 0) {
    return false;
  }
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
    if (UseCount(operand) != 1) return false;
    const auto* const found =
        std::find(operands.begin(), operands.end(), operand);
    const int64_t number = found - operands.begin();
    return to[0].is_tuple() ? to.child(0, number) == user_part : user_part == 0;
  }
  return user_part == 0 && program_.instructions[user].traits.is_elementwise;
}

}  // namespace hlo_internal
}  // namespace tessera
