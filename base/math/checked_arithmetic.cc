#include "tessera/base/math/checked_arithmetic.h"

#include <algorithm>
#include <optional>

namespace tessera {

std::optional<int64_t> CheckedProduct(absl::Span<const int64_t> factors) {
  if (std::find(factors.begin(), factors.end(), 0) != factors.end()) return 0;
  int64_t product = 1;
  for (int64_t factor : factors) {
    if (__builtin_mul_overflow(product, factor, &product)) return std::nullopt;
  }
  return product;
}

}  // namespace tessera
