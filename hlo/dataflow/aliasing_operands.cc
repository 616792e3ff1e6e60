#include "tessera/hlo/dataflow/aliasing_operands.h"

#include <cstddef>
#include <optional>
#include <string_view>

#include "absl/strings/numbers.h"
#include "tessera/base/text/absl_view.h"

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

}  // namespace hlo_internal
}  // namespace tessera
