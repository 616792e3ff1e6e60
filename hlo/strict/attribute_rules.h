// File: hlo/strict/attribute_rules.h
//
// Which attributes does XLA take here, and which must be there?
//
//   HloAttributeRules rules = *AttributesOfOpcode("slice");
//   FindAttributeRule(rules, "slice")->is_required;     // true
//   FindAttributeRule(rules, "metadata")->is_required;  // false
//   FindAttributeRule(rules, "foo");                    // nullptr
//
// The rules are those of xla/hlo/parser/hlo_parser.cc.

#ifndef TESSERA_HLO_STRICT_ATTRIBUTE_RULES_H_
#define TESSERA_HLO_STRICT_ATTRIBUTE_RULES_H_

#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "tessera/hlo/strict/value_rules.h"

namespace tessera {
namespace hlo_internal {

struct HloAttributeRule {
  absl::string_view key;
  HloValueKind kind = HloValueKind::kAnything;
  bool is_required = false;
};

using HloAttributeRules = std::vector<HloAttributeRule>;

// Of the line of a module.
HloAttributeRules AttributesOfModule();
// Of what stands behind the closing brace of a computation.
HloAttributeRules AttributesOfComputation();
// Of an instruction. `foo-start` has those of `foo` too. nullopt where they are
// not known: for what is no opcode, and for those newer than XLA's parser as it
// was read.
//
// What `broadcast` and `conditional` require depends on their operands, and is
// not marked.
absl::optional<HloAttributeRules> AttributesOfOpcode(absl::string_view opcode);

// The rule for this key, or nullptr.
const HloAttributeRule* FindAttributeRule(const HloAttributeRules& rules,
                                          absl::string_view key);

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_STRICT_ATTRIBUTE_RULES_H_
