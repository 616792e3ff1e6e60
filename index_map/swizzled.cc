// The last step of a map: some bits of a position are XORed into others.
//
// It is linear over bits. For every multiple of 2^end(), it maps the positions
// below that multiple one-to-one onto themselves. For a number between two such
// multiples, a position below it may become larger than the number. The largest
// result follows from the blocks of 2^i positions that make up a range [0, n),
// one for each bit of n.

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <memory>
#include <utility>

#include "absl/numeric/bits.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/index_map/index_map.h"

namespace tessera {
namespace {

using index_map_internal::CompiledMap;

// The number of bits of a position, which is never negative.
constexpr int kPositionBits = 63;

absl::Status CheckSwizzle(const IndexMap::BitSwizzle& swizzle) {
  if (swizzle.bits < 0 || swizzle.base < 0) {
    return InvalidArgumentError("a swizzle of ", swizzle.bits, " bits at bit ",
                                swizzle.base, " has a negative number");
  }
  const int64_t distance = std::abs(int64_t{swizzle.shift});
  if (distance < swizzle.bits) {
    return InvalidArgumentError("a swizzle of ", swizzle.bits, " bits by ",
                                swizzle.shift, " takes bits that it changes");
  }
  if (swizzle.base + distance + swizzle.bits > kPositionBits) {
    return OutOfRangeError("a swizzle of ", swizzle.bits, " bits at bit ",
                           swizzle.base, " by ", swizzle.shift,
                           " reaches past bit ", kPositionBits - 1);
  }
  return absl::OkStatus();
}

// Returns the swizzle from the lowest to the highest bit that it reads and that
// is `possible`.
IndexMap::BitSwizzle Trimmed(const IndexMap::BitSwizzle& swizzle,
                             uint64_t possible) {
  const uint64_t taken = swizzle.mask() & possible;
  if (taken == 0) return {};
  const int lowest = absl::countr_zero(taken);
  const int highest = 63 - absl::countl_zero(taken);
  IndexMap::BitSwizzle trimmed = swizzle;
  trimmed.bits = highest - lowest + 1;
  trimmed.base += lowest - absl::countr_zero(swizzle.mask());
  return trimmed;
}

// Returns the largest position that `swizzle` gives for those in [0, end), end
// > 0.
int64_t LargestOf(const IndexMap::BitSwizzle& swizzle, int64_t end) {
  int64_t largest = 0;
  for (int i = 0; i < kPositionBits; ++i) {
    const int64_t size = int64_t{1} << i;
    if ((end & size) == 0) continue;
    // The positions of this block have any bits below i.
    const int64_t free = size - 1;
    const int64_t fixed = swizzle.Apply(end & ~free & ~size);
    // The bits from i on that they can change become 1. For that, those of them
    // that would change a 1 must be 0; all others can give a 1 below.
    const int64_t changeable = swizzle.Apply(free) & ~free;
    const int64_t must_be_zero =
        swizzle.shift < 0 ? (fixed & changeable) >> -swizzle.shift : 0;
    largest = std::max(largest,
                       (fixed & ~free) | changeable | (free & ~must_be_zero));
  }
  return largest;
}

// Returns all bits that a position of digits can have; possibly more if digits
// carry into one another.
uint64_t PossibleBits(const MapStructure& map) {
  // A number with bits of `possible` plus `summand` or nothing: a bit is 1 in
  // an operand or by a carry, and more 1 bits give more carries.
  uint64_t possible = 0;
  auto add = [&possible](uint64_t summand) {
    possible |= summand | (possible + summand);
  };
  for (const MapStructure::Digit& digit : map.digits) {
    const int64_t largest_value = digit.modulus - 1;
    for (int i = 0; largest_value >> i != 0; ++i) add(digit.unit() << i);
  }
  add(static_cast<uint64_t>(map.lowest));
  const int unused_bits =
      absl::countl_zero(static_cast<uint64_t>(map.tail_begin - 1) | 1);
  return possible & (std::numeric_limits<uint64_t>::max() >> unused_bits);
}

}  // namespace

absl::StatusOr<IndexMap> IndexMap::Swizzled(const BitSwizzle& swizzle) const {
  TESSERA_RETURN_IF_ERROR(CheckSwizzle(swizzle));
  if (swizzle.bits == 0 || element_count() == 0) return *this;
  if (is_swizzled()) {
    return absl::UnimplementedError(
        "the map is swizzled already, and a sum is swizzled only once");
  }
  auto compiled = std::make_shared<CompiledMap>(structure());
  MapStructure& map = *compiled;
  map.swizzle = Trimmed(swizzle, PossibleBits(map));
  if (map.swizzle.bits == 0) return *this;
  const int64_t largest = LargestOf(map.swizzle, map.tail_begin);
  if (largest == std::numeric_limits<int64_t>::max()) {
    return absl::OutOfRangeError("the swizzle makes a position past 2^63-2");
  }
  map.tail_begin = largest + 1;
  map.position_count = std::max(map.position_count, map.tail_begin);
  index_map_internal::Derive(compiled.get());
  return IndexMap(std::move(compiled));
}

}  // namespace tessera
