#include "tessera/tenstorrent/internal/size_checks.h"

#include <cstddef>
#include <optional>
#include <string_view>

#include "absl/strings/str_join.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/tenstorrent/affine/affine_expression.h"

namespace tessera::tenstorrent {

absl::Status CheckSizes(absl::Span<const int64_t> sizes, std::string_view name,
                        int64_t limit) {
  const int64_t rank = sizes.size();
  if (rank > AffineExpression::kMaxDims) {
    return ResourceExhaustedError(name, " has ", rank, " dimensions; at most ",
                                  AffineExpression::kMaxDims, " are supported");
  }
  for (int64_t i = 0; i < rank; ++i) {
    if (sizes[i] < limit) {
      return InvalidArgumentError(name, "[", i, "] = ", sizes[i],
                                  "; expected at least ", limit);
    }
  }
  return absl::OkStatus();
}

absl::Status CheckAtLeast(int64_t limit, int64_t value, std::string_view what) {
  if (value >= limit) return absl::OkStatus();
  return InvalidArgumentError(what, " is ", value, "; expected at least ",
                              limit);
}

absl::Status CheckCount(int64_t found, int64_t expected,
                        std::string_view what) {
  if (found == expected) return absl::OkStatus();
  return InvalidArgumentError("expected ", expected, " ", what, ", found ",
                              found);
}

absl::Status CheckIndex(absl::Span<const int64_t> index,
                        absl::Span<const int64_t> sizes,
                        std::string_view name) {
  if (index.size() != sizes.size()) {
    return InvalidArgumentError(name, " has ", index.size(),
                                " coordinates; expected ", sizes.size());
  }
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (index[i] < 0 || index[i] >= sizes[i]) {
      return OutOfRangeError(name, "[", i, "] = ", index[i], " is outside [0, ",
                             sizes[i], ")");
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<int64_t> Product(absl::Span<const int64_t> factors,
                                std::string_view what) {
  const std::optional<int64_t> product = CheckedProduct(factors);
  if (product.has_value()) return *product;
  return OutOfRangeError(what, ", ", absl::StrJoin(factors, " * "),
                         ", exceeds 2^63-1");
}

int64_t KnownProduct(absl::Span<const int64_t> factors) {
  int64_t product = 1;
  for (const int64_t factor : factors) product *= factor;
  return product;
}

int64_t RowMajorNumber(absl::Span<const int64_t> index,
                       absl::Span<const int64_t> sizes) {
  int64_t number = 0;
  for (size_t i = 0; i < sizes.size(); ++i) {
    number = number * sizes[i] + index[i];
  }
  return number;
}

}  // namespace tessera::tenstorrent
