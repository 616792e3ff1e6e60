#include "tessera/index_map/dimension_digits.h"

namespace tessera {

absl::optional<DimensionDigits> DigitsOfDimension(const IndexMap& map,
                                                  int64_t dimension) {
  DimensionDigits digits;
  for (const IndexMap::Term& term : map.terms()) {
    if (term.source != dimension) continue;
    if (digits.empty() && term.divisor != 1) digits.push_back({1, 0});
    // What the digits so far go on to add is taken off; see IndexMap's head.
    uint64_t stride = term.coefficient;
    if (!digits.empty()) {
      const DimensionDigit& last = digits.back();
      if (term.divisor % last.divisor != 0) return absl::nullopt;
      stride += static_cast<uint64_t>(last.stride) *
                static_cast<uint64_t>(term.divisor / last.divisor);
    }
    digits.push_back({term.divisor, static_cast<int64_t>(stride)});
  }
  if (digits.empty()) digits.push_back({1, 0});
  return digits;
}

}  // namespace tessera
