#include "tessera/hlo/strict/opcode_rules.h"

#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace tessera {
namespace hlo_internal {

OpcodeRules::OpcodeRules(absl::string_view name)
    : facts(FindHloOpcode(name)),
      attributes(AttributesOfOpcode(name)),
      is_parameter(name == "parameter"),
      is_constant(name == "constant"),
      is_broadcast(name == "broadcast"),
      is_conditional(name == "conditional") {
  if (attributes.has_value()) {
    for (const HloAttributeRule& rule : *attributes) {
      required_attributes += rule.is_required;
    }
  }
  if (name == "reduce" || name == "reduce-window") parity = Parity::kEven;
  if (name == "scatter") parity = Parity::kOdd;
  const bool is_sugar = facts.has_value() && facts->is_async_sugar;
  if (!is_sugar && !absl::StartsWith(name, "async-")) return;
  constexpr std::pair<absl::string_view, AsyncPhase> kPhases[] = {
      {"-start", AsyncPhase::kStart},
      {"-update", AsyncPhase::kUpdate},
      {"-done", AsyncPhase::kDone}};
  for (const auto& [suffix, phase] : kPhases) {
    if (!absl::ConsumeSuffix(&name, suffix)) continue;
    async_phase = phase;
    if (is_sugar) wrapped = name;
    return;
  }
}

}  // namespace hlo_internal
}  // namespace tessera
