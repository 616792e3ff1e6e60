// Derives the affine map of a tensor from a list of collapse intervals.
//
//   const std::vector<int64_t> shape = {2, 3, 64, 128};
//   *CollapsedMap(shape, DefaultCollapseIntervals(), 2);
//   // (d0, d1, d2, d3) -> (d0 * 192 + d1 * 64 + d2, d3)
//   *CollapsedMap(shape, {{1, -1}}, 3);
//   // (d0, d1, d2, d3) -> (d0, d1 * 64 + d2, d3)
//   *CollapseNotation(7, {{0, 3}, {-3, -1}});
//   // "(d0, d1, d2, d3, d4, d5, d6) -> (d0 <> d1 <> d2, d3, d4 <> d5, d6)"
//
// The map has one result for each interval, in which its dimensions are
// numbered in row-major order, and one for each dimension outside of all
// intervals, in the order of the dimensions. Source: the section "Dimension
// Collapsing" of tt-mlir's tensor-layout document. The attribute stores the
// map, not the intervals.

#ifndef TESSERA_TENSTORRENT_DERIVE_COLLAPSE_H_
#define TESSERA_TENSTORRENT_DERIVE_COLLAPSE_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/tenstorrent/affine/affine_map.h"

namespace tessera::tenstorrent {

// The dimensions from `begin` up to, not including, `end`. A negative bound
// counts from the end of the shape: -1 is the last dimension. An interval
// without a dimension changes nothing.
struct CollapseInterval {
  int64_t begin = 0;
  int64_t end = 0;

  friend bool operator==(const CollapseInterval& a, const CollapseInterval& b) {
    return a.begin == b.begin && a.end == b.end;
  }
  friend bool operator!=(const CollapseInterval& a, const CollapseInterval& b) {
    return !(a == b);
  }
};

// {{0, -1}}: all dimensions but the last. It is empty on a tensor of rank 1,
// and also on one of rank 0, although -1 is not a bound there.
absl::Span<const CollapseInterval> DefaultCollapseIntervals();

enum class CollapseRule {
  // The document's section on collapsing: a dimension is in exactly one result.
  kSpecification,
  // The result of tt-mlir's constructor for the same arguments from 2024-07 to
  // 2025-06 (collapsedLinearAffineMap). It starts from the last dimensions, as
  // many as the grid has. It puts the interval that begins at dimension b in
  // the place of result b. Then it puts each dimension before the first
  // interval in the place of the result with its number. If too many dimensions
  // were collapsed away for the grid, others are left in two results, and the
  // tensor takes a multiple of the memory. The third and fourth map of the
  // document's section "Multi-core" are examples. A second interval, after one
  // that joins dimensions, is put in the place of the wrong result or of none.
  kReference2024,
};

// Returns the map from indices of a tensor of the given shape to the physical
// positions that a grid of rank `grid_rank` divides. It has `grid_rank`
// results. If the tensor has fewer dimensions than the grid, the first results
// are 0, as many as it lacks: (d0) -> (0, 0, d0) on a grid of rank 3.
//
// Errors of kSpecification: kInvalidArgument if a size is negative, the rank
// negative, an interval reaches outside of the shape, ends before it begins or
// shares a dimension with another, or the number of results is not the rank of
// the grid (the document requires the same number; zeros represent dimensions
// that the tensor lacks, not collapsed ones, and the message names these);
// kOutOfRange if a coefficient exceeds 2^63-1; kResourceExhausted if the shape
// or the grid has more than AffineExpression::kMaxDims dimensions.
//
// Errors of kReference2024: those about sizes, ranks, coefficients and
// intervals that reach outside of the shape, and kInvalidArgument if the
// constructor's assertions fail: an interval ends at dimension 0, there is no
// result with the number of its first dimension, or a dimension is not in any
// result. Intervals may share dimensions.
absl::StatusOr<AffineMap> CollapsedMap(
    absl::Span<const int64_t> shape,
    absl::Span<const CollapseInterval> intervals, int64_t grid_rank,
    CollapseRule rule = CollapseRule::kSpecification);

// Returns the dimensions that are joined, whatever their sizes, in the
// document's notation: "(d0, d1, d2) -> (d0 <> d1, d2)". Errors: those of
// kSpecification about intervals and the number of dimensions.
absl::StatusOr<std::string> CollapseNotation(
    int64_t rank, absl::Span<const CollapseInterval> intervals);

}  // namespace tessera::tenstorrent

#endif  // TESSERA_TENSTORRENT_DERIVE_COLLAPSE_H_
