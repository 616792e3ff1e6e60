// The facts about an opcode that the strict rules need. They are looked up
// once.
//
//   OpcodeRules rules("slice-start");
//   rules.facts->is_async_sugar;   // true
//   rules.required_attributes;     // {"slice"}
//
// The rules are those of xla/hlo/parser/hlo_parser.cc. They do not list the
// other attributes that an opcode may have, because XLA adds some every few
// months.

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
  // `foo`. The requirements of `broadcast` and `conditional` depend on their
  // operands, and are not here.
  std::vector<std::string_view> required_attributes;
  bool is_parameter;
  bool is_constant;
  bool is_broadcast;
  bool is_conditional;
  // The parity of the number of operands.
  Parity parity = Parity::kAny;
  // For opcodes with any number of operands: whether 0 is too few.
  bool needs_operand = false;
};

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_STRICT_OPCODE_RULES_H_
