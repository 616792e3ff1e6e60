// Both maps are reshaped to common bounds, the coarsest that both shapes cut
// further: f32[4,6,5] and f32[24,5] share (24, 5).

#include "tessera/index_util/bitcast.h"

#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tessera/index_map/algebra.h"
#include "tessera/index_map/same_function.h"
#include "tessera/index_util/to_index_map.h"
#include "tessera/layout/layout_utilities.h"
#include "tessera/math/status_macros.h"
#include "tessera/shape/shape_utilities.h"

namespace tessera {
namespace {

// Precondition: both have the same number of elements, not 0.
absl::StatusOr<std::pair<IndexMap, IndexMap>> ReshapedToCommonBounds(
    const IndexMap& from, const IndexMap& to) {
  const std::vector<int64_t> bounds = CommonBounds(from.bounds(), to.bounds());
  TESSERA_ASSIGN_OR_RETURN(IndexMap a, Reshaped(from, bounds));
  TESSERA_ASSIGN_OR_RETURN(IndexMap b, Reshaped(to, bounds));
  return std::make_pair(std::move(a), std::move(b));
}

// The untiled stride of each dimension, in elements, as `order` says from minor
// to major. Precondition: the number of elements fits and is not 0.
std::vector<int64_t> Strides(const Shape& shape,
                             absl::Span<const int64_t> order) {
  std::vector<int64_t> strides(shape.rank());
  int64_t stride = 1;
  for (int64_t dimension : order) {
    strides[dimension] = stride;
    stride *= shape.dimensions(dimension);
  }
  return strides;
}

// Whether each unit index of `a` has the same untiled linear index as that of
// `b` with the same row-major number. Preconditions: as above for both.
bool KeepsUnitIndices(const Shape& a, const Shape& b) {
  const Layout::MinorToMajor a_rows =
      GetDefaultLayoutForRank(a.rank()).parts().minor_to_major;
  const std::vector<int64_t> a_numbers = Strides(a, a_rows);
  const std::vector<int64_t> a_strides =
      Strides(a, a.layout().minor_to_major());
  const std::vector<int64_t> b_strides =
      Strides(b, b.layout().minor_to_major());
  for (int64_t i = 0; i < a.rank(); ++i) {
    if (a.dimensions(i) == 1) continue;
    int64_t rest = a_numbers[i];
    int64_t linear_index = 0;
    for (int64_t d = b.rank(); d-- > 0;) {
      linear_index += rest % b.dimensions(d) * b_strides[d];
      rest /= b.dimensions(d);
    }
    if (linear_index != a_strides[i]) return false;
  }
  return true;
}

}  // namespace

absl::StatusOr<bool> IsBitcast(const Shape& from, const Shape& to) {
  TESSERA_ASSIGN_OR_RETURN(IndexMap from_map, ToIndexMap(from));
  TESSERA_ASSIGN_OR_RETURN(IndexMap to_map, ToIndexMap(to));
  if (from_map.element_count() != to_map.element_count() ||
      StorageBits(from) != StorageBits(to) ||
      from.layout().memory_space() != to.layout().memory_space() ||
      from.layout().dynamic_shape_metadata_prefix_bytes() !=
          to.layout().dynamic_shape_metadata_prefix_bytes()) {
    return false;
  }
  if (from_map.element_count() == 0) return true;

  TESSERA_ASSIGN_OR_RETURN(const auto& maps,
                           ReshapedToCommonBounds(from_map, to_map));
  return SameFunction(maps.first, maps.second);
}

absl::StatusOr<std::pair<IndexMap, IndexMap>> RowMajorMaps(const Shape& from,
                                                           const Shape& to) {
  TESSERA_ASSIGN_OR_RETURN(const IndexMap from_map, ToIndexMap(from));
  TESSERA_ASSIGN_OR_RETURN(const IndexMap to_map, ToIndexMap(to));
  if (from_map.element_count() != to_map.element_count() ||
      from_map.element_count() == 0) {
    return absl::FailedPreconditionError(
        absl::StrCat(from_map.element_count(), " and ", to_map.element_count(),
                     " elements have no order in common"));
  }

  return ReshapedToCommonBounds(from_map, to_map);
}

absl::StatusOr<bool> ReshapeIsBitcast(const Shape& from, const Shape& to) {
  for (const Shape* shape : {&from, &to}) {
    TESSERA_RETURN_IF_ERROR(CheckOrderedArray(*shape));
  }
  TESSERA_ASSIGN_OR_RETURN(const int64_t from_elements, ElementsIn(from));
  TESSERA_ASSIGN_OR_RETURN(const int64_t to_elements, ElementsIn(to));
  if (from.element_type() != to.element_type() ||
      from_elements != to_elements) {
    return false;
  }
  if (from_elements == 0) return true;
  return KeepsUnitIndices(from, to) && KeepsUnitIndices(to, from);
}

absl::StatusOr<bool> TransposeIsBitcast(
    const Shape& from, const Shape& to,
    absl::Span<const int64_t> dimension_mapping) {
  for (const Shape* shape : {&from, &to}) {
    TESSERA_RETURN_IF_ERROR(CheckOrderedArray(*shape));
  }
  if (to.rank() != from.rank() || !CheckOrder(from, dimension_mapping).ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("{", absl::StrJoin(dimension_mapping, ","),
                     "} does not map the dimensions of ", to.ToString(),
                     " to those of ", from.ToString()));
  }
  bool same_order = true;
  for (int64_t i = 0; i < to.rank(); ++i) {
    const int64_t mapped = dimension_mapping[i];
    if (to.dimensions(i) != from.dimensions(mapped)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "dimension ", i, " of ", to.ToString(),
          " differs in size from dimension ", mapped, " of ", from.ToString()));
    }
    same_order =
        same_order && dimension_mapping[to.layout().minor_to_major(i)] ==
                          from.layout().minor_to_major(i);
  }
  return same_order && from.element_type() == to.element_type();
}

}  // namespace tessera
