#include "tessera/hlo/strict/attribute_judge.h"

#include <algorithm>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/hlo/strict/selected_shape.h"
#include "tessera/hlo/strict/value_rules.h"
#include "tessera/shape/shape.h"

namespace tessera {
namespace hlo_internal {
namespace {

// There is always a byte after the key: the '=', or a byte before it.
bool HasEquals(const HloAttribute& attribute) {
  return attribute.key.data()[attribute.key.size()] == '=';
}

void ObjectToLack(std::string_view opcode, std::string_view key,
                  HloObjections* objections) {
  objections->Add(opcode,
                  absl::StrCat(AbslView(opcode), " must have the attribute ",
                               AbslView(key), "="));
}

void CheckRepetition(const HloAttributes& attributes,
                     HloObjections* objections) {
  TextSet<std::string_view> keys;
  for (const HloAttribute& attribute : attributes) {
    if (keys.insert(attribute.key).second) continue;
    objections->Add(attribute.key, absl::StrCat("'", AbslView(attribute.key),
                                                "' is given a second time"));
  }
}

void CheckEach(const HloAttributes& attributes, HloObjections* objections) {
  for (const HloAttribute& attribute : attributes) {
    if (!HasEquals(attribute)) {
      objections->Add(attribute.key,
                      absl::StrCat("'=' must follow '", AbslView(attribute.key),
                                   "' at once"));
    }
    objections->Add(FindObjectionToValue(attribute.key, attribute.value));
  }
}

// Only a scalar may be broadcast without dimensions.
void CheckBroadcast(HloInstruction instruction, HloObjections* objections) {
  if (instruction.operand_count() != 1) return;
  const Shape* const operand = SelectedShape(instruction.operand(0));
  if (operand != nullptr && !operand->dimensions().empty() &&
      !instruction.attribute("dimensions").has_value()) {
    ObjectToLack(instruction.opcode(), "dimensions", objections);
  }
}

}  // namespace

void CheckConditional(HloInstruction instruction, HloObjections* objections) {
  if (instruction.operand_count() == 0) return;
  const Shape* const index = SelectedShape(instruction.operand(0));
  if (index == nullptr) return;
  const bool is_scalar = index->IsArray() && index->dimensions().empty();
  if (!is_scalar ||
      (index->element_type() != PRED && index->element_type() != S32)) {
    objections->Add(
        instruction.operand(0).text(),
        absl::StrCat("the first operand of conditional must be pred[] or "
                     "s32[], not ",
                     index->ToString()));
    return;
  }
  const auto require = [&](std::string_view key) {
    if (instruction.attribute(key).has_value()) return;
    objections->Add(
        instruction.opcode(),
        absl::StrCat("conditional on ", index->ToString(),
                     " must have the attribute ", AbslView(key), "="));
  };
  if (index->element_type() == PRED) {
    require("true_computation");
    require("false_computation");
  } else {
    require("branch_computations");
  }
}

void CheckAttributes(const HloAttributes& attributes,
                     HloObjections* objections) {
  CheckRepetition(attributes, objections);
  CheckEach(attributes, objections);
}

void CheckAttributes(HloInstruction instruction, const OpcodeRules& rules,
                     HloObjections* objections) {
  // Reading attributes takes a third of the time of all rules.
  if (instruction.has_attribute_to_judge() || instruction.repeats_attribute()) {
    const HloAttributes attributes = instruction.attributes();
    if (instruction.repeats_attribute()) {
      CheckRepetition(attributes, objections);
    }
    CheckEach(attributes, objections);
    CheckRequiredAttributes(instruction.opcode(), rules, attributes,
                            objections);
  } else if (!rules.required_attributes.empty()) {
    // Most are the first in their list, and reading stops there.
    for (const std::string_view key : rules.required_attributes) {
      if (!instruction.attribute(key).has_value()) {
        ObjectToLack(instruction.opcode(), key, objections);
      }
    }
  }
  if (rules.is_broadcast) CheckBroadcast(instruction, objections);
}

bool MayObject(const OpcodeRules& rules,
               absl::Span<const HloAttribute> attributes) {
  const auto has = [attributes](std::string_view key) {
    return std::any_of(
        attributes.begin(), attributes.end(),
        [key](const HloAttribute& attribute) { return attribute.key == key; });
  };
  return (rules.is_broadcast && !has("dimensions")) ||
         !std::all_of(rules.required_attributes.begin(),
                      rules.required_attributes.end(), has) ||
         std::any_of(attributes.begin(), attributes.end(),
                     [](const HloAttribute& attribute) {
                       return !HasEquals(attribute) ||
                              FindObjectionToValue(attribute.key,
                                                   attribute.value)
                                  .has_value();
                     });
}

void CheckRequiredAttributes(std::string_view opcode, const OpcodeRules& rules,
                             const HloAttributes& attributes,
                             HloObjections* objections) {
  for (const std::string_view key : rules.required_attributes) {
    if (std::none_of(attributes.begin(), attributes.end(),
                     [key](const HloAttribute& attribute) {
                       return attribute.key == key;
                     })) {
      ObjectToLack(opcode, key, objections);
    }
  }
}

}  // namespace hlo_internal
}  // namespace tessera
