#include "tessera/hlo/hlo_call_kind.h"

#include <cstddef>
#include <iterator>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"

namespace tessera {
namespace {

// In the order of the enumerators.
constexpr absl::string_view kKeys[] = {
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

absl::optional<HloCallKind> HloCallKindOf(absl::string_view key) {
  // Nearly every key is none of them, and most begin with another letter.
  constexpr absl::string_view kFirstLetters = "tcbsf";
  if (key.empty() || kFirstLetters.find(key.front()) == key.npos) {
    return absl::nullopt;
  }
  for (size_t i = 0; i < std::size(kKeys); ++i) {
    if (key == kKeys[i]) return static_cast<HloCallKind>(i);
  }
  return absl::nullopt;
}

absl::string_view HloCallKindName(HloCallKind kind) {
  return kKeys[static_cast<size_t>(kind)];
}

}  // namespace tessera
