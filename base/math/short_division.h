// Quotient and remainder, fast for small numbers.
//
//   DivideShort(80, 6);   // {13, 2}
//
// Many processors take several times as long for a 64-bit division as for a
// 32-bit one, whatever the numbers; a test for small ones pays at once.

#ifndef TESSERA_BASE_MATH_SHORT_DIVISION_H_
#define TESSERA_BASE_MATH_SHORT_DIVISION_H_

#include <cstdint>

namespace tessera {

struct ShortDivision {
  int64_t quotient;
  int64_t remainder;
};

// Precondition: dividend >= 0, divisor > 0.
inline ShortDivision DivideShort(int64_t dividend, int64_t divisor) {
  if (((dividend | divisor) >> 32) == 0) {
    const uint32_t a = static_cast<uint32_t>(dividend);
    const uint32_t b = static_cast<uint32_t>(divisor);
    return {a / b, a % b};
  }
  return {dividend / divisor, dividend % divisor};
}

}  // namespace tessera

#endif  // TESSERA_BASE_MATH_SHORT_DIVISION_H_
