// Finds the least and the greatest value of an affine expression when each
// dimension runs from 0 up to a bound.
//
//   AffineMap map = *ParseAffineMap(
//       "(d0, d1) -> (d0 * 8 - d1, (d0 * 8 + d1) floordiv 4, d0 * 4 mod 8)");
//   std::vector<AffineRange> ranges = *RangesOf(map, {3, 8});
//   // ranges[0]: -7 to 16, exact; every value between is taken
//   // ranges[1]: 0 to 5, exact
//   // ranges[2]: 0 to 4, exact, in steps of 4
//
// `min` and `max` bound every value. They are exact, and marked so, if the
// range follows from the parts:
//
// - linear forms (AffineExpression::Form), with any signs, however often a
//   dimension occurs;
// - sums of exact parts that share no dimension, or in which each shared
//   dimension raises all parts or lowers all parts;
// - floordiv and ceildiv of an exact part;
// - mod m of an exact part that stays between two neighbouring multiples of m;
// - mod m of a part that takes every value from its least to its greatest, in
//   steps that divide m or in so many steps that all remainders occur.
//
// So every map that collapses dimensions, splits them by floordiv and mod, or
// maps cores to devices is exact. Two expressions are not exact: d0 - d0 mod 4,
// whose parts share a dimension that raises one and both raises and lowers the
// other, and (d0 * 3) mod 8 for a d0 of less than eight values.

#ifndef TESSERA_TENSTORRENT_AFFINE_AFFINE_RANGE_H_
#define TESSERA_TENSTORRENT_AFFINE_AFFINE_RANGE_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/tenstorrent/affine/affine_expression.h"
#include "tessera/tenstorrent/affine/affine_map.h"

namespace tessera::tenstorrent {

struct AffineRange {
  int64_t min = 0;
  int64_t max = 0;
  // Every value, including max, is min plus a multiple of this; 0 if min ==
  // max.
  int64_t step = 0;
  // Whether min and max are values.
  bool is_exact = true;
  // Whether every min + i * step up to max is known to be a value.
  bool is_complete = true;
};

// Returns the range of `expression` for indices with 0 <= index[i] < bounds[i],
// given the values of the symbols. Preconditions: there are at least
// dim_limit() bounds and symbol_limit() symbols. Errors: kInvalidArgument if a
// bound or a divisor is below 1; kOutOfRange if a bound of the range of the
// expression or of a part of it, or the difference of two, exceeds 2^63-1 in
// magnitude.
absl::StatusOr<AffineRange> RangeOf(const AffineExpression& expression,
                                    absl::Span<const int64_t> bounds,
                                    absl::Span<const int64_t> symbols = {});

// The same for each result of `map`. Errors: also kInvalidArgument if there are
// not num_dims() bounds and num_symbols() symbols.
absl::StatusOr<std::vector<AffineRange>> RangesOf(
    const AffineMap& map, absl::Span<const int64_t> bounds,
    absl::Span<const int64_t> symbols = {});

}  // namespace tessera::tenstorrent

#endif  // TESSERA_TENSTORRENT_AFFINE_AFFINE_RANGE_H_
