#include "tessera/layout/layout_utilities.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "absl/status/status.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"

namespace tessera {
namespace {

absl::Status NoSuchDimension(const Layout& layout, int64_t dimension) {
  return InvalidArgumentError("there is no dimension ", dimension, " in ",
                              layout.ToString());
}

// Returns the place of `dimension` in minor_to_major.
absl::StatusOr<int64_t> PositionOf(const Layout& layout, int64_t dimension) {
  absl::Span<const int64_t> order = layout.minor_to_major();
  const auto found = std::find(order.begin(), order.end(), dimension);
  if (found == order.end()) return NoSuchDimension(layout, dimension);
  return found - order.begin();
}

}  // namespace

Layout GetDefaultLayoutForRank(int64_t rank) {
  Layout::MinorToMajor order(rank);
  std::iota(order.rbegin(), order.rend(), 0);
  return Layout(std::move(order));
}

Layout MakeAscendingLayout(int64_t rank) {
  Layout::MinorToMajor order(rank);
  std::iota(order.begin(), order.end(), 0);
  return Layout(std::move(order));
}

Layout MakeLayoutFromMajorToMinor(absl::Span<const int64_t> major_to_minor) {
  return Layout(
      Layout::MinorToMajor(major_to_minor.rbegin(), major_to_minor.rend()));
}

bool IsMonotonicWithDim0Major(const Layout& layout) {
  absl::Span<const int64_t> order = layout.minor_to_major();
  return std::is_sorted(order.begin(), order.end(), std::greater<int64_t>());
}

bool IsMonotonicWithDim0Minor(const Layout& layout) {
  absl::Span<const int64_t> order = layout.minor_to_major();
  return std::is_sorted(order.begin(), order.end());
}

absl::StatusOr<int64_t> Major(const Layout& layout,
                              int64_t physical_dimension) {
  if (physical_dimension < 0 || physical_dimension >= layout.rank()) {
    return NoSuchDimension(layout, physical_dimension);
  }
  return layout.minor_to_major(layout.rank() - 1 - physical_dimension);
}

absl::StatusOr<int64_t> Minor(const Layout& layout,
                              int64_t physical_dimension) {
  if (physical_dimension < 0 || physical_dimension >= layout.rank()) {
    return NoSuchDimension(layout, physical_dimension);
  }
  return layout.minor_to_major(physical_dimension);
}

absl::StatusOr<Layout::MinorToMajor> MakeLogicalToPhysical(
    const Layout& layout) {
  const int64_t rank = layout.rank();
  Layout::MinorToMajor physical(rank, -1);
  for (int64_t i = 0; i < rank; ++i) {
    const int64_t dimension = layout.minor_to_major(i);
    if (dimension < 0 || dimension >= rank || physical[dimension] >= 0) {
      return InvalidArgumentError("minor_to_major of ", layout.ToString(),
                                  " is not a permutation");
    }
    physical[dimension] = rank - 1 - i;
  }
  return physical;
}

absl::StatusOr<bool> AreDimensionsConsecutive(
    const Layout& layout, absl::Span<const int64_t> dimensions) {
  absl::InlinedVector<int64_t, 6> positions;
  for (int64_t dimension : dimensions) {
    TESSERA_ASSIGN_OR_RETURN(int64_t position, PositionOf(layout, dimension));
    positions.push_back(position);
  }
  std::sort(positions.begin(), positions.end());
  return std::adjacent_find(positions.begin(), positions.end(),
                            [](int64_t a, int64_t b) { return b != a + 1; }) ==
         positions.end();
}

absl::StatusOr<Layout> MoveDimToMajor(const Layout& layout, int64_t dimension) {
  TESSERA_ASSIGN_OR_RETURN(int64_t position, PositionOf(layout, dimension));
  Layout::MinorToMajor order = layout.parts().minor_to_major;
  std::rotate(order.begin() + position, order.begin() + position + 1,
              order.end());
  return layout.WithMinorToMajor(std::move(order));
}

absl::StatusOr<Layout> MoveDimToMinor(const Layout& layout, int64_t dimension) {
  TESSERA_ASSIGN_OR_RETURN(int64_t position, PositionOf(layout, dimension));
  Layout::MinorToMajor order = layout.parts().minor_to_major;
  std::rotate(order.begin(), order.begin() + position,
              order.begin() + position + 1);
  return layout.WithMinorToMajor(std::move(order));
}

absl::StatusOr<Layout> DeleteDimension(const Layout& layout,
                                       int64_t dimension) {
  TESSERA_ASSIGN_OR_RETURN(int64_t position, PositionOf(layout, dimension));
  const int64_t physical = layout.rank() - 1 - position;
  Layout::Parts parts = layout.parts();
  parts.minor_to_major.erase(parts.minor_to_major.begin() + position);
  for (int64_t& other : parts.minor_to_major) {
    if (other > dimension) --other;
  }
  auto& splits = parts.split_configs;
  splits.erase(std::remove_if(splits.begin(), splits.end(),
                              [physical](const SplitConfig& split) {
                                return split.dimension == physical;
                              }),
               splits.end());
  for (SplitConfig& split : splits) {
    if (split.dimension > physical) --split.dimension;
  }
  return Layout(std::move(parts));
}

Layout DeviceLayoutToHostLayout(const Layout& layout) {
  Layout::Parts parts = layout.parts();
  const Layout::Parts bare;
  parts.tiles = bare.tiles;
  parts.tail_padding_alignment_in_elements =
      bare.tail_padding_alignment_in_elements;
  parts.element_size_in_bits = bare.element_size_in_bits;
  parts.memory_space = bare.memory_space;
  parts.physical_shape = bare.physical_shape;
  parts.dynamic_shape_metadata_prefix_bytes =
      bare.dynamic_shape_metadata_prefix_bytes;
  return Layout(std::move(parts));
}

}  // namespace tessera
