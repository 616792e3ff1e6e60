// The inverse of a map whose digits are mostly powers of two: all such digits
// of a dimension are gathered from the position at once.

#include <cstdint>
#include <limits>
#include <vector>

#include "tessera/index_map/gather_bits.h"
#include "tessera/index_map/index_map.h"

namespace tessera {
namespace {

bool IsPowerOfTwo(int64_t value) { return (value & (value - 1)) == 0; }

}  // namespace

void IndexMap::GatherBits() {
  gathered_bits_.assign(bounds_.size(), {});
  loose_digits_.clear();
  std::vector<bool> loose(digits_.size());
  // From the minor-most digit up, so that the bits of a dimension come in
  // order.
  for (size_t i = digits_.size(); i-- > 0;) {
    const Digit& digit = digits_[i];
    GatheredBits& bits = gathered_bits_[digit.source];
    const bool is_major_most = i == 0;
    const int64_t next_divisor = bits.weight << __builtin_popcountll(bits.mask);
    const bool continues = bits.mask == 0 || next_divisor == digit.divisor;
    if (continues && IsPowerOfTwo(digit.stride) &&
        IsPowerOfTwo(digit.divisor) &&
        (is_major_most || IsPowerOfTwo(digit.modulus))) {
      // What stands above the major-most digit is 0.
      const uint64_t values = is_major_most
                                  ? std::numeric_limits<uint64_t>::max()
                                  : static_cast<uint64_t>(digit.modulus) - 1;
      if (bits.mask == 0) bits.weight = static_cast<uint64_t>(digit.divisor);
      bits.mask |= values * static_cast<uint64_t>(digit.stride);
    } else {
      loose[i] = true;
    }
  }
  for (size_t i = 0; i < digits_.size(); ++i) {
    if (!loose[i]) continue;
    const Digit& digit = digits_[i];
    if (i > 0 && !loose[i - 1]) {
      loose_digits_.push_back({FastDivider(digits_[i - 1].stride), 0, 0, 0});
    }
    loose_digits_.push_back({FastDivider(digit.stride),
                             i == 0 ? 0 : static_cast<uint64_t>(digit.modulus),
                             static_cast<uint64_t>(digit.divisor),
                             static_cast<uint32_t>(digit.source)});
  }
}

TESSERA_GATHERS_BITS PositionKind IndexMap::GatheringMultidimensionalIndex(
    int64_t linear_index, absl::Span<int64_t> index) const {
  if (linear_index >= tail_begin_) return PositionKind::kTail;
  const uint64_t position = static_cast<uint64_t>(linear_index);
  int64_t* x = index.data();
  for (const GatheredBits& bits : gathered_bits_) {
    *x++ = GatherBitsUnder(bits.mask, position) * bits.weight;
  }
  uint64_t more_major = 0;
  for (const LooseDigit& digit : loose_digits_) {
    const uint64_t quotient = digit.by_stride.Divide(linear_index);
    index[digit.source] +=
        (quotient - more_major * digit.modulus) * digit.divisor;
    more_major = quotient;
  }
  return IsWithinBounds(index) ? PositionKind::kElement
                               : PositionKind::kPadding;
}

}  // namespace tessera
