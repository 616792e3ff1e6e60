#include "tessera/hlo/hlo_module.h"

#include <cstdint>
#include <optional>
#include <string_view>

#include "absl/strings/numbers.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/cursor.h"
#include "tessera/hlo/hlo_attributes.h"
#include "tessera/hlo/model/hlo_store.h"

namespace tessera {
namespace {

using hlo_internal::HloStore;

// Returns `count` operands from `index` on. The descendants of each follow it.
HloOperands OperandsFrom(const HloStore* store, int64_t index, int64_t count) {
  HloOperands operands;
  operands.reserve(count);
  for (; count > 0; --count) {
    operands.emplace_back(store, index);
    index += 1 + store->operands[index].descendants;
  }
  return operands;
}

}  // namespace

std::string_view HloCall::name() const {
  return store_->View(entry().name_begin, entry().name_size);
}

std::optional<HloComputation> HloCall::computation() const {
  if (entry().computation < 0) return std::nullopt;
  return HloComputation(store_, entry().computation);
}

HloInstruction HloCall::instruction() const {
  return HloInstruction(store_, entry().instruction);
}

std::string_view HloOperand::name() const {
  if (entry().kind != HloStore::OperandKind::kName) return std::string_view();
  return Part(entry().name_begin, entry().name_size);
}

std::string_view HloOperand::opcode() const {
  if (entry().kind != HloStore::OperandKind::kExpression) {
    return std::string_view();
  }
  return Part(entry().name_begin, entry().name_size);
}

std::optional<HloInstruction> HloOperand::instruction() const {
  if (entry().instruction < 0) return std::nullopt;
  const HloStore::Instruction& owner = store_->instructions[entry().owner];
  const int64_t first =
      store_->computations[owner.computation].first_instruction;
  return HloInstruction(store_, first + entry().instruction);
}

std::string_view HloOperand::tuple_path() const {
  if (entry().kind != HloStore::OperandKind::kName) return std::string_view();
  // Only a path may follow the name.
  const uint32_t end = entry().begin + entry().size;
  const uint32_t past_name = entry().name_begin + entry().name_size;
  const std::string_view rest = Part(past_name, end - past_name);
  const size_t hash = rest.find('#');
  return hash == rest.npos ? std::string_view() : rest.substr(hash);
}

absl::InlinedVector<int64_t, 2> HloOperand::tuple_indices() const {
  absl::InlinedVector<int64_t, 2> indices;
  std::string_view path = tuple_path();
  while (!path.empty()) {
    path.remove_prefix(1);
    const size_t size = path.find('#');
    int64_t index = -1;
    if (!absl::SimpleAtoi(AbslView(path.substr(0, size)), &index)) index = -1;
    indices.push_back(index);
    path.remove_prefix(size == path.npos ? path.size() : size);
  }
  return indices;
}

HloOperands HloOperand::operands() const {
  int64_t count = 0;
  const int64_t end = index() + 1 + entry().descendants;
  for (int64_t i = index() + 1; i < end; ++count) {
    i += 1 + store_->operands[i].descendants;
  }
  return OperandsFrom(store_, index() + 1, count);
}

HloComputation HloInstruction::computation() const {
  return HloComputation(store_, entry().computation);
}

int64_t HloInstruction::index_in_computation() const {
  return index() - store_->computations[entry().computation].first_instruction;
}

HloOperands HloInstruction::operands() const {
  return OperandsFrom(store_, entry().first_operand, entry().operand_count);
}

HloOperand HloInstruction::operand(int64_t i) const {
  if (!entry().has_nested_operands) {
    return HloOperand(store_, entry().first_operand + i);
  }
  return operands()[i];
}

HloRange<HloOperand> HloInstruction::all_operands() const {
  const int64_t begin = entry().first_operand;
  if (!entry().has_nested_operands) {
    return {store_, begin, entry().operand_count};
  }
  int64_t end = begin;
  for (int64_t left = entry().operand_count; left > 0; --left) {
    end += 1 + store_->operands[end].descendants;
  }
  return {store_, begin, end - begin};
}

std::optional<int64_t> HloInstruction::parameter_number() const {
  int64_t number = 0;
  Cursor cursor(operand_text());
  if (opcode() != "parameter" || !cursor.TakeInteger(&number) ||
      !cursor.AtEnd()) {
    return std::nullopt;
  }
  return number;
}

HloAttributes HloInstruction::attributes() const {
  return ReadHloAttributes(attributes_text(), InlineEnds());
}

std::optional<std::string_view> HloInstruction::attribute(
    std::string_view key) const {
  return FindHloAttribute(attributes_text(), key, InlineEnds());
}

// Without these, callers that read every level of inline computations would
// read the innermost as often as there are levels.
HloInlineEnds HloInstruction::InlineEnds() const {
  HloInlineEnds ends;
  for (const HloCall call : calls()) {
    const std::optional<HloComputation> computation = call.computation();
    if (call.name().empty() && computation.has_value()) {
      ends.push_back(
          store_->computations[computation->index()].attributes_text.data());
    }
  }
  return ends;
}

std::optional<HloComputation> HloInstruction::called(HloCallKind kind) const {
  for (const HloCall call : calls()) {
    if (call.kind() == kind && call.computation().has_value()) {
      return call.computation();
    }
  }
  return std::nullopt;
}

HloModule HloComputation::module() const {
  return HloModule(store_, entry().module);
}

std::optional<HloInstruction> HloComputation::caller() const {
  if (entry().caller < 0) return std::nullopt;
  return HloInstruction(store_, entry().caller);
}

std::optional<HloInstruction> HloComputation::root() const {
  if (entry().instruction_count == 0) return std::nullopt;
  const int64_t root =
      entry().root >= 0 ? entry().root : entry().instruction_count - 1;
  return HloInstruction(store_, entry().first_instruction + root);
}

std::optional<HloComputation> HloModule::entry_computation() const {
  for (const HloComputation computation : computations()) {
    if (computation.is_entry()) return computation;
  }
  return std::nullopt;
}

}  // namespace tessera
