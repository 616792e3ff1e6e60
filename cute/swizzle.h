// CuTe's Swizzle<B,M,S>: an exclusive or of one field of bits of an offset with
// another, which spreads columns over the banks of shared memory.
//
//   absl::StatusOr<Swizzle> swizzle = Swizzle::Create(2, 0, 3);
//   (*swizzle)(13);            // 12: bits 3 and 4 of 01101, exclusive-or'ed
//                              // into bits 0 and 1
//   swizzle->ToString();       // "Sw<2,0,3>"
//
// Definition (include/cute/swizzle.hpp): B bits, M unchanged bits below them,
// and a distance S between the two fields:
//
//   x ^ ((x & Y) >> S), Y = (2^B - 1) << (M + S), for S >= 0,
//   x ^ ((x & Y) << -S), Y = (2^B - 1) << M, for S < 0.
//
// Law: swizzle(swizzle(x)) == x, because |S| >= B keeps the fields apart.

#ifndef TESSERA_CUTE_SWIZZLE_H_
#define TESSERA_CUTE_SWIZZLE_H_

#include <cstdint>
#include <string>
#include <tuple>
#include <utility>

#include "absl/status/statusor.h"
#include "tessera/base/text/value_type.h"
#include "tessera/cute/text_form.h"

namespace tessera::cute {

class Swizzle {
 public:
  // Creates Sw<0,0,0>, which leaves every offset unchanged.
  Swizzle() = default;

  // Errors: kInvalidArgument if `bits` or `base` is negative, |shift| < bits,
  // or a field reaches past bit 62.
  static absl::StatusOr<Swizzle> Create(int64_t bits, int64_t base,
                                        int64_t shift);

  int bits() const { return bits_; }
  int base() const { return base_; }
  int shift() const { return shift_; }
  bool is_identity() const { return bits_ == 0; }

  // Returns the swizzled offset, in the unit of `offset`. Precondition: offset
  // >= 0.
  int64_t operator()(int64_t offset) const {
    const uint64_t x = offset;
    return shift_ >= 0 ? x ^ (x & mask()) >> shift_
                       : x ^ (x & mask()) << -shift_;
  }

  // "Sw<2,0,3>", or "S<2,0,3>" in the form of the IR.
  std::string ToString(const TextForm& form = {}) const;

  friend bool operator==(const Swizzle& a, const Swizzle& b) {
    return a.Key() == b.Key();
  }
  friend bool operator!=(const Swizzle& a, const Swizzle& b) {
    return !(a == b);
  }
  template <typename H>
  friend H AbslHashValue(H h, const Swizzle& swizzle) {
    return H::combine(std::move(h), swizzle.Key());
  }

 private:
  std::tuple<int, int, int> Key() const { return {bits_, base_, shift_}; }
  // The field that is read.
  uint64_t mask() const {
    return ((uint64_t{1} << bits_) - 1) << (base_ + (shift_ > 0 ? shift_ : 0));
  }

  int bits_ = 0;
  int base_ = 0;
  int shift_ = 0;
};

}  // namespace tessera::cute

TESSERA_DECLARE_VALUE(tessera::cute, Swizzle);

#endif  // TESSERA_CUTE_SWIZZLE_H_
