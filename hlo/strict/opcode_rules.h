// File: hlo/strict/opcode_rules.h
//
// What do the rules ask about an opcode, however many instructions have it?
//
//   OpcodeRules rules("abs-start");
//   rules.async_phase == OpcodeRules::AsyncPhase::kStart;   // true
//   rules.wrapped;                                          // "abs"

#ifndef TESSERA_HLO_STRICT_OPCODE_RULES_H_
#define TESSERA_HLO_STRICT_OPCODE_RULES_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "tessera/hlo/hlo_opcode.h"
#include "tessera/hlo/strict/attribute_rules.h"

namespace tessera {
namespace hlo_internal {

struct OpcodeRules {
  // Of async-start and its kin, and of those short for them.
  enum class AsyncPhase { kNone, kStart, kUpdate, kDone };
  enum class Parity { kAny, kEven, kOdd };

  // `name` must outlive the rules.
  explicit OpcodeRules(absl::string_view name);

  absl::optional<HloOpcodeFacts> facts;
  // nullopt where they are not known.
  absl::optional<HloAttributeRules> attributes;
  int64_t required_attributes = 0;
  bool is_parameter;
  bool is_constant;
  bool is_broadcast;
  bool is_conditional;
  // Of the number of operands.
  Parity parity = Parity::kAny;
  AsyncPhase async_phase = AsyncPhase::kNone;
  // `abs` of `abs-start`, short for async-start; else empty.
  absl::string_view wrapped;
};

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_STRICT_OPCODE_RULES_H_
