#include "tessera/hlo/hlo_call_kind.h"

#include <cstddef>
#include <iterator>
#include <optional>
#include <string_view>

namespace tessera {
namespace {

// In the order of the enumerators.
constexpr std::string_view kKeys[] = {
    "to_apply",
    "calls",
    "condition",
    "body",
    "select",
    "scatter",
    "true_computation",
    "false_computation",
    "branch_computations",
    "called_computations",
};

}  // namespace

std::optional<HloCallKind> HloCallKindOf(std::string_view key) {
  // Nearly all keys are not in the table, and most have another first letter.
  constexpr std::string_view kFirstLetters = "tcbsf";
  if (key.empty() || kFirstLetters.find(key.front()) == key.npos) {
    return std::nullopt;
  }
  for (size_t i = 0; i < std::size(kKeys); ++i) {
    if (key == kKeys[i]) return static_cast<HloCallKind>(i);
  }
  return std::nullopt;
}

std::string_view HloCallKindName(HloCallKind kind) {
  return kKeys[static_cast<size_t>(kind)];
}

}  // namespace tessera
