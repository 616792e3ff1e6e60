// Derives a tensor from tt-mlir's attribute of 2025: its physical dimensions,
// its shape, and where its elements lie.
//
//   AlignedLayout layout;
//   layout.logical_shape = {2, 33, 128};
//   layout.dim_alignments = {1, 32, 32};
//   layout.collapsed_intervals = {{0, 2}, {2, 3}};
//   const AlignedDerivation derivation = *DeriveAligned(layout);
//   derivation.linear.ToString();   // "(d0, d1, d2) -> (d0 * 64 + d1, d2)"
//   derivation.physical_shape;      // {128, 128}, in scalars
//   derivation.host_strides;        // {8192, 128, 1}
//   derivation.host_volume;         // 16384
//
//   const ElementType tile{DataType::kF32, TileShape{32, 32}};
//   const AlignedTensor tensor = *DeriveAlignedTensor(layout, tile, {4, 4});
//   tensor.shape;                   // {4, 4, 1, 1}
//   GeometryOf(tensor)->memref;     // {1, 1}, in tiles
//
//   // Alignments that let an 8x8 grid divide exactly.
//   DefaultDimAlignments({9, 43, 7}, DefaultCollapsedIntervals(3), {8, 8});
//                                   // {256, 32, 32}
//
// A physical dimension joins the logical dimensions of an interval. From the
// innermost of them outwards, its size is multiplied by the logical size and
// then rounded up to that dimension's alignment. Then the tile divides it
// exactly, and then the grid does: tile first, grid second, without rounding,
// the reverse of the document's form (derivation.h). All padding comes from
// alignments, and counts as tile padding (placement.h).
//
// Source: MetalLayoutAttr in TTCoreOpsTypes.cpp of tt-mlir since 2025-06
// (c60496c369).

#ifndef TESSERA_TENSTORRENT_DERIVE_ALIGNED_DERIVATION_H_
#define TESSERA_TENSTORRENT_DERIVE_ALIGNED_DERIVATION_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/tenstorrent/affine/affine_map.h"
#include "tessera/tenstorrent/aligned_layout.h"
#include "tessera/tenstorrent/dimensions.h"
#include "tessera/tenstorrent/element_type.h"
#include "tessera/tenstorrent/geometry.h"

namespace tessera::tenstorrent {

struct AlignedDerivation {
  // In order, with bounds from 0 to the rank; each dimension is in exactly one
  // interval, and no interval is empty.
  AlignedLayout::Intervals intervals;
  // From an index to a position in the physical shape.
  AffineMap linear;
  // The aligned size of each interval, in scalars. To make room for tiles, a
  // tensor of rank 1 gets a leading dimension of 32 rows, and a tensor of rank
  // 0 is 32x32.
  Dimensions physical_shape;
  // The steps of the dimensions in a row-major array of the physical shape, as
  // stored on the host, and its number of scalars.
  Dimensions host_strides;
  int64_t host_volume = 0;
};

// Returns the values derived from the attribute alone: its shape, alignments
// and intervals. A dimension after the last interval is an interval of its own.
//
// Errors, each with its rule (rule.h): those of CheckAligned; kOutOfRange for
// kSizeOverflow; kResourceExhausted for more than AffineExpression::kMaxDims
// dimensions.
absl::StatusOr<AlignedDerivation> DeriveAligned(const AlignedLayout& layout);

// Returns all errors of the attribute by itself (DeriveAligned returns the
// first): kInvalidArgument for kTensorSize, and in the words of tt-mlir's
// verifier for kDimAlignments and kCollapsedIntervals. Two more errors of
// kCollapsedIntervals are ours: tt-mlir lets intervals overlap, and silently
// drops a dimension before or between intervals, such as the first under [[1,
// 2]].
std::vector<absl::Status> CheckAligned(const AlignedLayout& layout);

// Returns tt-mlir's default intervals: all dimensions but the last, and the
// last. Precondition: rank >= 0.
AlignedLayout::Intervals DefaultCollapsedIntervals(int64_t rank);

// Returns tt-mlir's default alignments, one for each dimension: 32 for the last
// dimension of each of the last two intervals, which hold the tiles, and else
// 1. With a grid (which may be empty), the first dimension of an interval that
// is longer than the grid gets an alignment of 32 times the cells along it, or
// of just the cells if the interval does not hold tiles, so that the grid
// divides exactly.
//
// Errors: those of DeriveAligned; kInvalidArgument for kTensorRank if the grid
// is not empty and does not have the rank of the physical shape, and for
// kGridSize if one of its sizes is below 1.
absl::StatusOr<Dimensions> DefaultDimAlignments(
    absl::Span<const int64_t> logical_shape,
    const AlignedLayout::Intervals& intervals,
    absl::Span<const int64_t> grid = {});

// Returns the tensor of `element`, a scalar or a tile, with this layout on a
// grid. Its shape is that of the grid, followed by that of a shard. Errors:
// those of GeometryOf.
absl::StatusOr<AlignedTensor> DeriveAlignedTensor(
    const AlignedLayout& layout, const ElementType& element,
    absl::Span<const int64_t> grid);

// Returns the geometry of a tensor whose shape begins with the grid. The rest
// of the shape, the shard, is ignored: the memref of the geometry is the one
// that the rules give. The order is kTileFirst.
//
// Errors: those of DeriveAligned and of Geometry::Create; kInvalidArgument for
// kTensorRank if the shape is not a grid of the physical shape's rank followed
// by as many dimensions, for kDimAlignments if tiles do not divide the physical
// shape, and for kUnevenGrid if the grid does not.
absl::StatusOr<Geometry> GeometryOf(const AlignedTensor& tensor);

}  // namespace tessera::tenstorrent

#endif  // TESSERA_TENSTORRENT_DERIVE_ALIGNED_DERIVATION_H_
