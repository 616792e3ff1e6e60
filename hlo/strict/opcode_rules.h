// The facts about an opcode that the rules need, looked up once.
//
//   OpcodeRules rules("slice-start");
//   rules.facts->is_async_sugar;   // true
//   rules.required_attributes;     // {"slice"}
//
// The rules are those of xla/hlo/parser/hlo_parser.cc. Which other attributes
// an opcode may have is not among them: XLA adds some every few months.

#ifndef TESSERA_HLO_STRICT_OPCODE_RULES_H_
#define TESSERA_HLO_STRICT_OPCODE_RULES_H_

#include <optional>
#include <string_view>
#include <vector>

#include "tessera/hlo/hlo_opcode.h"

namespace tessera {
namespace hlo_internal {

struct OpcodeRules {
  enum class Parity { kAny, kEven, kOdd };

  explicit OpcodeRules(std::string_view name);

  std::optional<HloOpcodeFacts> facts;
  // The keys that an instruction must have. `foo-start` must have those of
  // `foo`. What `broadcast` and `conditional` require depends on their
  // operands, and is not here.
  std::vector<std::string_view> required_attributes;
  bool is_parameter;
  bool is_constant;
  bool is_broadcast;
  bool is_conditional;
  // Of the number of operands.
  Parity parity = Parity::kAny;
  // Of the opcodes that have any number of operands.
  bool needs_operand = false;
};

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_STRICT_OPCODE_RULES_H_
