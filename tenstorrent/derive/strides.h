// Computes how far apart neighbours in a dimension lie, and lets a layout leave
// room between them.
//
//   const std::vector<int64_t> shape = {2, 8, 32};
//   const AffineMap packed =
//       *CollapsedMap(shape, DefaultCollapseIntervals(), 2);   // collapse.h
//   packed.ToString();                       // "(d0, d1, d2) -> (d0 * 8 + d1,
//                                            // d2)"
//   *Strides(packed, shape);                 // {256, 32, 1}
//
//   const AffineMap bumped = *BumpedMap(packed, shape, {1, 32, 1});
//   bumped.ToString();                       // "(d0, d1, d2) -> (d0 * 32 + d1,
//                                            // d2)"
//   *Strides(bumped, shape);                 // {1024, 32, 1}

#ifndef TESSERA_TENSTORRENT_DERIVE_STRIDES_H_
#define TESSERA_TENSTORRENT_DERIVE_STRIDES_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/tenstorrent/affine/affine_map.h"
#include "tessera/tenstorrent/dimensions.h"

namespace tessera::tenstorrent {

// Returns, for each dimension of a tensor of the given shape, the number of
// elements of its physical box that one step in the dimension passes over. The
// box is row-major and has a dimension for each result of `map`. The size of
// each is the result's value at the last index plus one: 40 x 32 for `bumped`
// above. It does not include the padding of grid and tile, or the gap that the
// last step of a bumped dimension would leave. Strides of a map are therefore
// not those of TTNN (ttnn_shape.h), whose box has 64 rows here.
//
// A dimension in several results takes one step in each of them: (d0 * 96 + d1,
// d1, d2) on 8x96x32 has the strides {294912, 3104, 1}. tt-mlir's getStride,
// the source of the rule, uses only the step in the outermost result, and
// returns 3072.
//
// Errors: kInvalidArgument if there is not one size of at least 1 for each
// dimension, or if a result is not linear (AffineExpression::Form), is negative
// at the first index, or decreases along a dimension, because its last value
// then does not bound it; kOutOfRange if a number exceeds 2^63-1.
absl::StatusOr<Dimensions> Strides(const AffineMap& map,
                                   absl::Span<const int64_t> shape);

// Returns `map` with larger coefficients. The extent of the dimensions of a
// result from dimension i inwards is rounded up to a multiple of alignments[i],
// and the next outer dimension of the result steps over the rounded extent. The
// alignment of the outermost dimension of a result therefore changes nothing,
// and neither does an alignment of 1. Source: "we can bump our stride between
// dimensions" in the section "Padding" of tt-mlir's tensor-layout document, and
// the dim_alignments of the attribute since 2025-06, which round in this order
// too.
//
// A bumped dimension begins at a multiple of the alignment in the tensor's
// physical rows. Whether it also begins at the beginning of a tile depends on
// the grid: it does if the height of a shard is a multiple of the tile's.
//
// `map` is one that CollapsedMap makes for `shape`: each dimension is in one
// result at most, and each result is 0 or counts its dimensions in row-major
// order. Errors: kInvalidArgument if it is not, or a size or alignment is below
// 1 or missing; kOutOfRange if a coefficient would exceed 2^63-1.
absl::StatusOr<AffineMap> BumpedMap(const AffineMap& map,
                                    absl::Span<const int64_t> shape,
                                    absl::Span<const int64_t> alignments);

}  // namespace tessera::tenstorrent

#endif  // TESSERA_TENSTORRENT_DERIVE_STRIDES_H_
