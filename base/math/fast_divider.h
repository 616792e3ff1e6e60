// Fast division by a divisor that is known in advance.
//
//   FastDivider by_160(160);
//   by_160.Divide(20971519);  // 131071
//
// One widening multiplication and one shift, for powers of two and others
// alike, so that a loop over several dividers has no branches.

#ifndef TESSERA_BASE_MATH_FAST_DIVIDER_H_
#define TESSERA_BASE_MATH_FAST_DIVIDER_H_

#include <cassert>
#include <cstdint>

#include "absl/numeric/bits.h"

namespace tessera {

class FastDivider {
 public:
  // Divides by 1.
  FastDivider() : FastDivider(1) {}

  // Precondition: divisor > 0.
  //
  // With 2^(l-1) < divisor <= 2^l, the multiplier m = floor(2^(63+l) / divisor)
  // + 1 fits 64 bits and exceeds the exact ratio by at most 2^l / 2^63 relative
  // to dividends below 2^63, which keeps every quotient exact (Granlund and
  // Montgomery, 1994). For a power of two the ratio itself, 2^63, is exact.
  explicit FastDivider(int64_t divisor) {
    assert(divisor > 0);
    const uint64_t d = divisor;
    shift_ = absl::bit_width(d - 1);
    if (absl::has_single_bit(d)) {
      multiplier_ = uint64_t{1} << 63;
      return;
    }
    multiplier_ =
        static_cast<uint64_t>(
            (static_cast<unsigned __int128>(1) << (63 + shift_)) / d) +
        1;
  }

  // Returns floor(dividend / divisor). Precondition: dividend >= 0.
  int64_t Divide(int64_t dividend) const {
    const uint64_t doubled = static_cast<uint64_t>(dividend) << 1;
    return static_cast<int64_t>(
        static_cast<uint64_t>(
            (static_cast<unsigned __int128>(doubled) * multiplier_) >> 64) >>
        shift_);
  }

  // For code that divides many numbers at once. The quotient is the upper half
  // of the 128 bits of 2 * dividend * multiplier(), shifted down by shift().
  uint64_t multiplier() const { return multiplier_; }
  uint32_t shift() const { return shift_; }

 private:
  uint64_t multiplier_;
  uint32_t shift_ = 0;
};

}  // namespace tessera

#endif  // TESSERA_BASE_MATH_FAST_DIVIDER_H_
