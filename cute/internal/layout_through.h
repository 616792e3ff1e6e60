// Finds a layout that has given values at given coordinates, if one exists.
//
//   // f(4) = 1, f(5) = 2, f(9) = 3
//   FindLayoutThrough({{0, 0}, {4, 1}, {5, 2}, {9, 3}}, 1000).layout
//   // (4,3):(1,1)
//   FindLayoutThrough({{0, 0}, {1, 1}, {2, 1}, {3, 3}}, 1000).is_decided
//   // true, without a layout: there is none
//
// Why it is exact. A layout writes a coordinate in digits, by the sizes of all
// modes but the last, which takes the rest, and adds up digit times stride. A
// mode may be split into modes of prime size, so it suffices to try chains of
// primes. Sizes past the largest coordinate change nothing. For given sizes,
// the values are linear equations in the strides, which may have an integer
// solution. Points that differ in the digits so far but not in the rest differ
// by the same amount in every longer chain. So if their equations have no
// solution, no longer chain has one.

#ifndef TESSERA_CUTE_INTERNAL_LAYOUT_THROUGH_H_
#define TESSERA_CUTE_INTERNAL_LAYOUT_THROUGH_H_

#include <cstdint>
#include <optional>

#include "absl/types/span.h"
#include "tessera/cute/layout.h"

namespace tessera::cute {

struct LayoutPoint {
  int64_t coordinate;
  int64_t value;
};

struct LayoutThrough {
  // A coalesced layout whose size exceeds all coordinates. It has few modes,
  // and no negative strides if the steps suffice to find such a layout.
  std::optional<Layout> layout;
  // If `layout` is empty: true if no such layout exists, false if none was
  // found.
  bool is_decided = false;
};

// Takes at most about `max_steps` steps of one division each. Precondition:
// there are points, their coordinates rise from 0 on, the value at 0 is 0, and
// no value is beyond 2^62 or -2^62.
LayoutThrough FindLayoutThrough(absl::Span<const LayoutPoint> points,
                                int64_t max_steps);

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_INTERNAL_LAYOUT_THROUGH_H_
