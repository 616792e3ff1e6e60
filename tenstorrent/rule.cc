#include "tessera/tenstorrent/rule.h"

#include <iterator>
#include <optional>
#include <string_view>

#include "absl/strings/cord.h"
#include "tessera/base/text/absl_view.h"

namespace tessera::tenstorrent {
namespace {

constexpr std::string_view kPayload = "type.googleapis.com/tessera.Rule";

// The names by the number of the rule.
constexpr std::string_view kNames[] = {
    "tensor-size",    "grid-size",     "map-symbols",    "map-dims",
    "map-results",    "memref-rank",   "tile-rank",      "tile-type",
    "block-float",    "size-overflow", "position-below", "position-past",
    "position-twice", "memref-shape",  "dim-alignments", "collapsed-intervals",
    "tensor-rank",    "uneven-grid",   "memory-layout",  "interleaved-grid",
    "core-ranges",    "element-types", "repeated-dims",  "empty-cells",
    "shard-size",     "gaps",          "undecided",
};
static_assert(std::size(kNames) == static_cast<size_t>(Rule::kUndecided) + 1,
              "a name for every rule");

}  // namespace

std::string_view NameOf(Rule rule) { return kNames[static_cast<size_t>(rule)]; }

absl::Status RuleError(Rule rule, std::string_view message,
                       absl::StatusCode code) {
  absl::Status status(code, AbslView(message));
  status.SetPayload(AbslView(kPayload), absl::Cord(AbslView(NameOf(rule))));
  return status;
}

absl::Status SizeOverflowError(std::string_view what) {
  return RuleError(Rule::kSizeOverflow, StrCat(what, " exceeds 2^63-1"),
                   absl::StatusCode::kOutOfRange);
}

std::optional<Rule> RuleOf(const absl::Status& status) {
  const absl::optional<absl::Cord> name = status.GetPayload(AbslView(kPayload));
  if (!name.has_value()) return std::nullopt;
  for (size_t i = 0; i < std::size(kNames); ++i) {
    if (*name == AbslView(kNames[i])) return static_cast<Rule>(i);
  }
  return std::nullopt;
}

}  // namespace tessera::tenstorrent
