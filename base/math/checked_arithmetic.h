// Products and sums of sizes, checked against int64_t.
//
// Every size that comes from input passes through here once, when a value is
// built; after that the hot paths compute on proven bounds without checks.
//
//   CheckedMultiply(1 << 20, 1 << 20);     // 2^40
//   CheckedMultiply(int64_t{1} << 62, 2);  // nullopt
//   CeilOfRatio(5, 2);                     // 3

#ifndef TESSERA_BASE_MATH_CHECKED_ARITHMETIC_H_
#define TESSERA_BASE_MATH_CHECKED_ARITHMETIC_H_

#include <cstdint>
#include <optional>

#include "absl/types/span.h"

namespace tessera {

// Returns a * b, or nullopt if that does not fit.
inline std::optional<int64_t> CheckedMultiply(int64_t a, int64_t b) {
  int64_t result;
  if (__builtin_mul_overflow(a, b, &result)) return std::nullopt;
  return result;
}

// Returns a + b, or nullopt if that does not fit.
inline std::optional<int64_t> CheckedAdd(int64_t a, int64_t b) {
  int64_t result;
  if (__builtin_add_overflow(a, b, &result)) return std::nullopt;
  return result;
}

// Returns ceil(dividend / divisor). Precondition: divisor > 0.
constexpr int64_t CeilOfRatio(int64_t dividend, int64_t divisor) {
  return dividend / divisor + (dividend % divisor > 0 ? 1 : 0);
}

// Returns the smallest multiple of `multiple` that is at least `value`.
// Precondition: value >= 0, multiple > 0, and the result fits.
constexpr int64_t RoundUp(int64_t value, int64_t multiple) {
  return CeilOfRatio(value, multiple) * multiple;
}

// Returns the smallest multiple of `multiple` that is at least `value`, or
// nullopt if it does not fit. Precondition: value >= 0, multiple > 0.
inline std::optional<int64_t> CheckedRoundUp(int64_t value, int64_t multiple) {
  return CheckedMultiply(CeilOfRatio(value, multiple), multiple);
}

// Returns the product of `factors` (1 for none), or nullopt if it does not fit.
// A factor of zero anywhere gives 0 however large the others are.
// Precondition: no factor is negative.
std::optional<int64_t> CheckedProduct(absl::Span<const int64_t> factors);

}  // namespace tessera

#endif  // TESSERA_BASE_MATH_CHECKED_ARITHMETIC_H_
