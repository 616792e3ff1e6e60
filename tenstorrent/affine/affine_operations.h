// Computes with affine expressions: sums, products, quotients, remainders and
// substitutions.
//
//   const AffineExpression d0 = AffineExpression::Dim(0);
//   const AffineExpression d1 = AffineExpression::Dim(1);
//   const AffineExpression four = AffineExpression::Constant(4);
//   const AffineExpression row = *Add(d1, *Multiply(four, d0));
//   row.ToString();                                     // "d1 + d0 * 4"
//   FloorDiv(row, four)->ToString();                    // "d1 floordiv 4 + d0"
//   Mod(row, four)->ToString();                         // "d1 mod 4"
//   Substitute(row, {*Add(d0, four)})->ToString();      // "d1 + (d0 + 4) * 4"
//
// Every result is simplified as MLIR simplifies (see affine_expression.h), and
// no further.
//
// Each function returns kOutOfRange if a constant would exceed 2^63-1 in
// magnitude, and kResourceExhausted if the result would have more than
// AffineExpression::kMaxNodes operands and operations.

#ifndef TESSERA_TENSTORRENT_AFFINE_AFFINE_OPERATIONS_H_
#define TESSERA_TENSTORRENT_AFFINE_AFFINE_OPERATIONS_H_

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/tenstorrent/affine/affine_expression.h"

namespace tessera::tenstorrent {

absl::StatusOr<AffineExpression> Add(const AffineExpression& a,
                                     const AffineExpression& b);
absl::StatusOr<AffineExpression> Subtract(const AffineExpression& a,
                                          const AffineExpression& b);
// Also kInvalidArgument if both have dimensions.
absl::StatusOr<AffineExpression> Multiply(const AffineExpression& a,
                                          const AffineExpression& b);
// Also kInvalidArgument if `divisor` has dimensions or is a constant below 1.
absl::StatusOr<AffineExpression> FloorDiv(const AffineExpression& a,
                                          const AffineExpression& divisor);
absl::StatusOr<AffineExpression> CeilDiv(const AffineExpression& a,
                                         const AffineExpression& divisor);
absl::StatusOr<AffineExpression> Mod(const AffineExpression& a,
                                     const AffineExpression& divisor);

// Replaces dimension i by dims[i] and symbol i by symbols[i], and simplifies
// again. Those past the end of the spans are unchanged. Also kInvalidArgument,
// as for the operations, if a factor gets dimensions or a divisor becomes 0.
absl::StatusOr<AffineExpression> Substitute(
    const AffineExpression& expression, absl::Span<const AffineExpression> dims,
    absl::Span<const AffineExpression> symbols = {});

}  // namespace tessera::tenstorrent

#endif  // TESSERA_TENSTORRENT_AFFINE_AFFINE_OPERATIONS_H_
