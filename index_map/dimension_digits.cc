#include "tessera/index_map/dimension_digits.h"

#include <optional>

namespace tessera {

std::optional<DimensionDigits> DigitsOfDimension(const IndexMap& map,
                                                 int64_t dimension) {
  DimensionDigits digits;
  bool goes_on = false;
  for (const IndexMap::Term& term : map.terms()) {
    if (term.source != dimension) continue;
    if (digits.empty() && term.divisor != 1) {
      digits.push_back({1, 0});
    } else if (!digits.empty() && !goes_on) {
      return std::nullopt;
    }
    digits.push_back({term.divisor, term.stride});
    goes_on = term.modulus != 0;
  }
  if (digits.empty()) digits.push_back({1, 0});
  return digits;
}

}  // namespace tessera
