#include "tessera/hlo/dataflow/aliasing_operands.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>

#include "absl/strings/numbers.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/dataflow/opcode_traits.h"
#include "tessera/shape/shape_utilities.h"

namespace tessera {
namespace hlo_internal {
namespace {

constexpr std::string_view kLists = "\"aliasing_operands\":{\"lists\":[";
constexpr std::string_view kIndices = "{\"indices\":[";

// Reads a number in quotes, as in JSON for 64 bits; -1 for any other text.
int64_t NumberOf(std::string_view quoted) {
  int64_t number = -1;
  if (!ConsumePrefix(&quoted, "\"") || !ConsumeSuffix(&quoted, "\"") ||
      !absl::SimpleAtoi(AbslView(quoted), &number)) {
    return -1;
  }
  return number;
}

void AddPairs(std::string_view indices, int64_t operand_count,
              std::vector<AliasingOperand>* pairs) {
  std::vector<int64_t> operands;
  std::vector<int64_t> outputs;
  for (const std::string_view index : SplitViews(indices, ',')) {
    const int64_t number = NumberOf(index);
    if (number >= operand_count) {
      outputs.push_back(number - operand_count);
    } else if (number >= 0) {
      operands.push_back(number);
    }
  }
  for (const int64_t output : outputs) {
    for (const int64_t operand : operands) pairs->push_back({operand, output});
  }
}

bool SameDimensions(HloInstruction a, HloInstruction b) {
  return a.shape() != nullptr && b.shape() != nullptr && a.shape()->IsArray() &&
         b.shape()->IsArray() &&
         a.shape()->dimensions() == b.shape()->dimensions();
}

}  // namespace

std::vector<AliasingOperand> FindAliasingOperands(HloInstruction instruction) {
  std::vector<AliasingOperand> pairs;
  std::string_view text = instruction.attributes_text();
  const size_t begin = text.find(kLists);
  if (begin == std::string_view::npos) return pairs;
  text.remove_prefix(begin + kLists.size());
  while (ConsumePrefix(&text, kIndices)) {
    const size_t end = text.find(']');
    if (end == std::string_view::npos) break;
    AddPairs(text.substr(0, end), instruction.operands().size(), &pairs);
    text.remove_prefix(end + 1);
    if (!ConsumePrefix(&text, "},")) break;
  }
  return pairs;
}

std::vector<OutputOperandAlias> FindOutputAliases(HloInstruction instruction) {
  constexpr std::string_view kAliasing = "output_to_operand_aliasing";
  // Few instructions have the key. Searching all attributes for it at once is
  // much faster than reading them.
  if (!StrContains(instruction.attributes_text(), kAliasing)) return {};
  const std::optional<std::string_view> text = instruction.attribute(kAliasing);
  if (!text.has_value()) return {};
  return DecodeOutputOperandAliases(*text).value_or(
      std::vector<OutputOperandAlias>());
}

bool IsConcatBitcast(HloInstruction instruction) {
  return instruction.opcode() == "custom-call" &&
         StrContains(instruction.attributes_text(),
                     "custom_call_target=\"ConcatBitcast\"");
}

FusedGraph::FusedGraph(HloComputation computation) : computation_(computation) {
  const int64_t count = computation.instructions().size();
  first_operand_.reserve(count + 1);
  std::vector<int32_t> use_counts(count + 1);
  for (int64_t i = 0; i < count; ++i) {
    const HloInstruction instruction = At(i);
    first_operand_.push_back(operands_.size());
    for (const HloOperand operand : instruction.operands()) {
      const std::optional<HloInstruction> definition = operand.instruction();
      const int32_t node =
          definition.has_value() ? definition->index_in_computation() : -1;
      operands_.push_back(node);
      if (node >= 0) ++use_counts[node];
    }
    const std::optional<int64_t> number = instruction.parameter_number();
    if (number.has_value()) parameters_.emplace(*number, i);
  }
  first_operand_.push_back(operands_.size());

  first_user_.assign(count + 1, 0);
  for (int64_t i = 0; i < count; ++i) {
    first_user_[i + 1] = first_user_[i] + use_counts[i];
  }
  users_.resize(first_user_[count]);
  std::vector<int32_t> next(first_user_.begin(), first_user_.end());
  for (int64_t i = 0; i < count; ++i) {
    for (const int32_t operand : OperandsOf(i)) {
      if (operand >= 0) users_[next[operand]++] = i;
    }
  }

  const std::optional<HloInstruction> root = computation.root();
  if (!root.has_value()) return;
  root_ = root->index_in_computation();
  has_tuple_ = root->opcode() == "tuple";
  if (has_tuple_) {
    const absl::Span<const int32_t> elements = OperandsOf(root_);
    outputs_.assign(elements.begin(), elements.end());
  } else {
    outputs_.push_back(root_);
  }
  is_output_.resize(count);
  for (const int32_t output : outputs_) {
    if (output >= 0) is_output_[output] = true;
  }
  reduction_ = FindReduction();
}

absl::Span<const int32_t> FusedGraph::OperandsOf(int64_t node) const {
  return absl::MakeConstSpan(operands_).subspan(
      first_operand_[node], first_operand_[node + 1] - first_operand_[node]);
}

absl::Span<const int32_t> FusedGraph::UsersOf(int64_t node) const {
  return absl::MakeConstSpan(users_).subspan(
      first_user_[node], first_user_[node + 1] - first_user_[node]);
}

int64_t FusedGraph::PastBitcasts(int64_t node) const {
  while (node >= 0 && At(node).opcode() == "bitcast") {
    const absl::Span<const int32_t> operands = OperandsOf(node);
    node = operands.empty() ? -1 : operands[0];
  }
  return node;
}

int64_t FusedGraph::ParameterNode(int64_t number) const {
  const auto found = parameters_.find(number);
  return found == parameters_.end() ? -1 : found->second;
}

std::vector<AliasingOperand> FusedGraph::FindInPlacePairs() const {
  std::vector<AliasingOperand> pairs;
  for (int64_t output = 0; output < output_count(); ++output) {
    const int64_t node = PastBitcasts(outputs_[output]);
    if (node < 0) continue;
    const std::string_view opcode = At(node).opcode();
    if (opcode != "dynamic-update-slice" && opcode != "scatter") continue;
    const absl::Span<const int32_t> operands = OperandsOf(node);
    // A scatter of several arrays has a tuple as its result.
    if (operands.empty() || (opcode == "scatter" && operands.size() != 3)) {
      continue;
    }
    const int64_t source = PastBitcasts(operands[0]);
    if (source < 0) continue;
    const std::optional<int64_t> number = At(source).parameter_number();
    if (number.has_value()) pairs.push_back({*number, output});
  }
  return pairs;
}

int64_t FusedGraph::FindReduction() const {
  // Heroes are close to the root, but there may be many outputs.
  int64_t steps_left = 100000;
  for (const int32_t output : outputs_) {
    int64_t node = output;
    // Elementwise operations of one operand lead to the hero.
    while (node >= 0 && steps_left-- > 0) {
      const HloInstruction instruction = At(node);
      if (instruction.opcode() == "reduce") return node;
      const absl::Span<const int32_t> operands = OperandsOf(node);
      const bool passes = operands.size() == 1 &&
                          (instruction.opcode() == "bitcast" ||
                           TraitsOf(instruction.opcode()).is_elementwise);
      if (!passes) break;
      node = operands[0];
    }
  }
  return -1;
}

bool FusedGraph::KeepsElements(int64_t operand, int64_t user,
                               int64_t output_root) const {
  const HloInstruction instruction = At(user);
  const std::string_view opcode = instruction.opcode();
  if (user == reduction_ || opcode == "bitcast") return true;
  const absl::Span<const int32_t> operands = OperandsOf(user);
  const bool writes_slices =
      output_root >= 0 && At(output_root).opcode() == "dynamic-update-slice";
  if (opcode == "dynamic-slice" && writes_slices) {
    // It reads the slice that the output writes, or both are single elements.
    const absl::Span<const int32_t> written = OperandsOf(output_root);
    if (operands.empty() || written.size() != operands.size() + 1 ||
        PastBitcasts(operands[0]) != PastBitcasts(written[0]) ||
        written[1] < 0 || !SameDimensions(instruction, At(written[1]))) {
      return false;
    }
    if (IsEffectiveScalar(*instruction.shape())) return true;
    for (size_t i = 1; i < operands.size(); ++i) {
      if (operands[i] != written[i + 1]) return false;
    }
    return true;
  }
  if (opcode == "dynamic-update-slice") {
    if (operands.empty()) return false;
    // The updated array, or the array that the output writes into it.
    return operands[0] == operand ||
           (user == output_root && operands.size() > 1 &&
            operands[1] == operand);
  }
  if (opcode == "scatter") {
    return !operands.empty() && operands[0] == operand;
  }
  return opcode != "copy" && TraitsOf(opcode).is_elementwise;
}

bool FusedGraph::MayOverwrite(int64_t parameter, int64_t output) const {
  const int64_t source = ParameterNode(parameter);
  if (source < 0 || output >= output_count() || outputs_[output] < 0) {
    return false;
  }
  const int64_t target = outputs_[output];
  const int64_t target_root = PastBitcasts(target);
  std::vector<int32_t> pending = {static_cast<int32_t>(source)};
  std::vector<bool> seen(computation_.instructions().size());
  seen[source] = true;
  bool is_reached = source == target;
  bool reaches_others = false;
  while (!pending.empty()) {
    const int64_t node = pending.back();
    pending.pop_back();
    if (is_output_[node]) {
      if (node == target) {
        is_reached = true;
      } else {
        reaches_others = true;
      }
    }
    for (const int32_t user : UsersOf(node)) {
      if (has_tuple_ && user == root_) continue;
      if (seen[user]) continue;
      if (!KeepsElements(node, user, target_root)) return false;
      seen[user] = true;
      // A reduction ends before another output is written.
      if (user != reduction_) {
        pending.push_back(user);
      } else if (user != target_root) {
        reaches_others = true;
      }
    }
  }
  if (!is_reached) return false;
  if (!reaches_others || reduction_ >= 0) return true;
  return target_root >= 0 && TraitsOf(At(target_root).opcode()).is_elementwise;
}

bool FusedGraph::IsElementwiseOn(int64_t operand, int64_t user) const {
  const HloInstruction instruction = At(user);
  if (instruction.opcode() == "dynamic-update-slice") {
    // Only in the updated array.
    const absl::Span<const int32_t> operands = OperandsOf(user);
    return std::count(operands.begin(), operands.end(), operand) == 1 &&
           operands[0] == operand;
  }
  return TraitsOf(instruction.opcode()).is_elementwise;
}

bool FusedGraph::IsElementwiseFrom(int64_t parameter,
                                   bool through_tuple) const {
  const int64_t source = ParameterNode(parameter);
  if (source < 0) return false;
  std::vector<int32_t> pending = {static_cast<int32_t>(source)};
  std::vector<bool> seen(computation_.instructions().size());
  while (!pending.empty()) {
    const int64_t node = pending.back();
    pending.pop_back();
    for (const int32_t user : UsersOf(node)) {
      if (has_tuple_ && user == root_ && through_tuple) continue;
      // Every use counts: another operand may be used in a different way.
      if (!IsElementwiseOn(node, user)) return false;
      if (seen[user]) continue;
      seen[user] = true;
      pending.push_back(user);
    }
  }
  return true;
}

bool FusedGraph::RootIsAdd() const {
  return root_ >= 0 && At(root_).opcode() == "add";
}

bool FusedGraph::AddsToProduct(int64_t parameter) const {
  const int64_t source = ParameterNode(parameter);
  if (source < 0 || !RootIsAdd()) return false;
  const absl::Span<const int32_t> summands = OperandsOf(root_);
  if (summands.size() != 2) return false;
  const auto is_product = [this](int32_t node) {
    return node >= 0 &&
           (At(node).opcode() == "dot" || At(node).opcode() == "convolution");
  };
  const auto* const product =
      std::find_if(summands.begin(), summands.end(), is_product);
  if (product == summands.end()) return false;
  const int32_t other = summands[product == summands.begin() ? 1 : 0];
  return other == source && UsersOf(source).size() == 1;
}

}  // namespace hlo_internal
}  // namespace tessera
