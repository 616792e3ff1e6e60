// File: tenstorrent/derive/strides.h
//
// How far apart do neighbours in a dimension lie, and how is room left between
// them?
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

namespace tessera {
namespace tenstorrent {

// Returns for each dimension of a tensor of the given shape how many elements
// of its physical box one step in the dimension passes over. The box is
// row-major, has a dimension for each result of `map`, and the size of each is
// the result's value at the last index plus one: 40 x 32 for `bumped` above,
// without the padding of grid and tile, and without the gap that the last step
// of a bumped dimension would leave behind. Strides of a map are therefore not
// those of TTNN (ttnn_shape.h), whose box has 64 rows here.
//
// A dimension in several results takes one step in each of them:
// (d0 * 96 + d1, d1, d2) on 8x96x32 has the strides {294912, 3104, 1}.
// tt-mlir's getStride, the source of the rule, lets the step in the outermost
// result stand for all, and returns 3072.
//
// Errors: kInvalidArgument if there is not one size of at least 1 for each
// dimension, or a result is not linear (AffineExpression::Form), or it is
// negative at the first index or decreases along a dimension, so that its last
// value does not bound it; kOutOfRange if a number exceeds 2^63-1.
absl::StatusOr<Dimensions> Strides(const AffineMap& map,
                                   absl::Span<const int64_t> shape);

// Returns `map` with larger coefficients, so that what the dimensions from i
// inwards to the innermost one of the same result take is rounded up to a
// multiple of alignments[i] before the next dimension of the result steps over
// it. The alignment of the outermost dimension of a result therefore changes
// nothing, nor does an alignment of 1. Source: "we can bump our stride between
// dimensions" in the section "Padding" of tt-mlir's tensor-layout document, and
// the dim_alignments of the attribute since 2025-06, which round in this order
// too.
//
// A bumped dimension begins at a multiple of the alignment in the tensor's
// physical rows. Whether that is the beginning of a tile too depends on the
// grid: it is where the height of a shard is a multiple of the tile's.
//
// `map` is one that CollapsedMap makes for `shape`: each dimension is in one
// result at most, and each result is 0 or counts its dimensions in row-major
// order. Errors: kInvalidArgument if it is not, or a size or alignment is below
// 1 or missing; kOutOfRange if a coefficient would exceed 2^63-1.
absl::StatusOr<AffineMap> BumpedMap(const AffineMap& map,
                                    absl::Span<const int64_t> shape,
                                    absl::Span<const int64_t> alignments);

}  // namespace tenstorrent
}  // namespace tessera

#endif  // TESSERA_TENSTORRENT_DERIVE_STRIDES_H_
