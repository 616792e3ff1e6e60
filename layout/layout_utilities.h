// The part of XLA's LayoutUtil that creates layouts and queries or edits their
// dimension order.
//
//   GetDefaultLayoutForRank(3).ToString();            // "{2,1,0}"
//   Layout layout = MakeLayoutFromMajorToMinor({1, 0, 2});
//   layout.ToString();                                // "{2,0,1}"
//   Major(layout, 0);                                 // 1
//   MoveDimToMajor(layout, 2)->ToString();            // "{0,1,2}"
//   DeleteDimension(layout, 0)->ToString();           // "{1,0}"
//
// Names and results are those of xla/layout_util.h; where XLA aborts, these
// functions return an error. Logical dimensions are numbered as in the shape,
// *physical* ones by their place in memory, 0 being the major-most.
//
// Errors, unless documented otherwise: kInvalidArgument for a dimension that
// the layout does not have.

#ifndef TESSERA_LAYOUT_LAYOUT_UTILITIES_H_
#define TESSERA_LAYOUT_LAYOUT_UTILITIES_H_

#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/layout/layout.h"

namespace tessera {

// Returns {rank-1,...,1,0}: dimension 0 is the major-most. Precondition: rank
// >= 0.
Layout GetDefaultLayoutForRank(int64_t rank);
// Returns {0,1,...,rank-1}. Precondition: rank >= 0.
Layout MakeAscendingLayout(int64_t rank);
Layout MakeLayoutFromMajorToMinor(absl::Span<const int64_t> major_to_minor);

// Return whether minor_to_major is strictly decreasing (dimension 0 is the
// major-most) or strictly increasing. Both are true for ranks 0 and 1. Tiles
// are ignored.
bool IsMonotonicWithDim0Major(const Layout& layout);
bool IsMonotonicWithDim0Minor(const Layout& layout);

// Returns the logical number of the physical dimension, counted from the
// major-most (Major) or from the minor-most (Minor).
absl::StatusOr<int64_t> Major(const Layout& layout, int64_t physical_dimension);
absl::StatusOr<int64_t> Minor(const Layout& layout, int64_t physical_dimension);

// Returns the physical number of each logical dimension. Errors:
// kInvalidArgument if minor_to_major is not a permutation.
absl::StatusOr<Layout::MinorToMajor> MakeLogicalToPhysical(
    const Layout& layout);

// Returns whether the logical dimensions, in any order, are adjacent in memory,
// with no other dimension between them.
absl::StatusOr<bool> AreDimensionsConsecutive(
    const Layout& layout, absl::Span<const int64_t> dimensions);

// Returns `layout` with a logical dimension moved to the major-most or
// minor-most place. Nothing else changes: tiles and splits apply to the
// dimensions that are in their places afterwards.
absl::StatusOr<Layout> MoveDimToMajor(const Layout& layout, int64_t dimension);
absl::StatusOr<Layout> MoveDimToMinor(const Layout& layout, int64_t dimension);

// Returns `layout` for an array without one of its logical dimensions. Higher
// dimensions are renumbered, both logically and physically; the dimension's own
// split is removed; tiles stay.
absl::StatusOr<Layout> DeleteDimension(const Layout& layout, int64_t dimension);

// Returns the host's version of a device layout: the order of dimensions and
// the splits, without tiles, tail padding, element size, memory space, physical
// shape and metadata prefix.
Layout DeviceLayoutToHostLayout(const Layout& layout);

}  // namespace tessera

#endif  // TESSERA_LAYOUT_LAYOUT_UTILITIES_H_
