// The digits of one dimension of an array, as they contribute to positions.
//
//   // Columns of 3 x 5 in tiles of 2 x 2, as pictured in
//   // index_map/index_map.h: x -> 4 * (x div 2) + x mod 2.
//   DigitsOfDimension(map, 1);
//       // divisor  stride
//       //       1       1
//       //       2       4
//
// These are the terms of the map (IndexMap::terms) in another form: a digit
// counts from its divisor up to where the next one begins, the last without an
// end.

#ifndef TESSERA_INDEX_MAP_DIMENSION_DIGITS_H_
#define TESSERA_INDEX_MAP_DIMENSION_DIGITS_H_

#include <cstdint>
#include <optional>

#include "absl/container/inlined_vector.h"
#include "tessera/index_map/index_map.h"

namespace tessera {

struct DimensionDigit {
  int64_t divisor = 1;
  int64_t stride = 0;  // in positions

  friend bool operator==(const DimensionDigit& a, const DimensionDigit& b) {
    return a.divisor == b.divisor && a.stride == b.stride;
  }
};
using DimensionDigits = absl::InlinedVector<DimensionDigit, 8>;

// Returns the digits of `dimension` by rising divisor, the first being 1, or
// nullopt if their divisors do not divide one another. They include neither the
// contributions of sources past the rank nor a swizzle.
//
// Precondition: 0 <= dimension < map.rank().
std::optional<DimensionDigits> DigitsOfDimension(const IndexMap& map,
                                                 int64_t dimension);

}  // namespace tessera

#endif  // TESSERA_INDEX_MAP_DIMENSION_DIGITS_H_
