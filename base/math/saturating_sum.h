// Saturating sums for sizes that come from input.
//
//   bool is_saturated = false;
//   int64_t bytes = 0;
//   SaturatingAdd(5, &bytes, &is_saturated);         // 5
//   SaturatingAddProduct(int64_t{1} << 62, 4, &bytes, &is_saturated);
//   // bytes == 2^63-1, is_saturated
//
// For totals that are shown to people, where an error would hide all the rest.

#ifndef TESSERA_BASE_MATH_SATURATING_SUM_H_
#define TESSERA_BASE_MATH_SATURATING_SUM_H_

#include <cstdint>
#include <limits>

namespace tessera {

// Adds `value` to `*sum`. A sum past 2^63-1 is clamped to it and sets
// `*is_saturated`, which is never cleared. Precondition: neither is negative.
inline void SaturatingAdd(int64_t value, int64_t* sum, bool* is_saturated) {
  if (__builtin_add_overflow(*sum, value, sum)) {
    *sum = std::numeric_limits<int64_t>::max();
    *is_saturated = true;
  }
}

// Returns a * b, saturated in the same way.
inline int64_t SaturatingMultiply(int64_t a, int64_t b, bool* is_saturated) {
  int64_t product;
  if (!__builtin_mul_overflow(a, b, &product)) return product;
  *is_saturated = true;
  return std::numeric_limits<int64_t>::max();
}

// Adds a * b, saturated in the same way.
inline void SaturatingAddProduct(int64_t a, int64_t b, int64_t* sum,
                                 bool* is_saturated) {
  SaturatingAdd(SaturatingMultiply(a, b, is_saturated), sum, is_saturated);
}

}  // namespace tessera

#endif  // TESSERA_BASE_MATH_SATURATING_SUM_H_
