// Division that rounds down, where C++ rounds towards zero.
//
//   FloorOfRatio(-5, 3);     // -2
//   FloorRemainder(-5, 3);   // 1: -5 == 3 * -2 + 1
//
// For indices, which may be negative where sizes are not (short_division.h).
// CeilOfRatio, which rounds up, is in checked_arithmetic.h.

#ifndef TESSERA_BASE_MATH_FLOOR_DIVISION_H_
#define TESSERA_BASE_MATH_FLOOR_DIVISION_H_

#include <cstdint>

namespace tessera {

// Returns floor(dividend / divisor). Precondition: divisor > 0.
constexpr int64_t FloorOfRatio(int64_t dividend, int64_t divisor) {
  return dividend / divisor - (dividend % divisor < 0 ? 1 : 0);
}

// Returns dividend - divisor * FloorOfRatio(dividend, divisor), which is in
// [0, divisor). Precondition: divisor > 0.
constexpr int64_t FloorRemainder(int64_t dividend, int64_t divisor) {
  const int64_t remainder = dividend % divisor;
  return remainder < 0 ? remainder + divisor : remainder;
}

}  // namespace tessera

#endif  // TESSERA_BASE_MATH_FLOOR_DIVISION_H_
