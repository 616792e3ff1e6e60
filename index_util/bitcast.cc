#include "tessera/index_util/bitcast.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/index_map/algebra.h"
#include "tessera/index_util/to_index_map.h"
#include "tessera/layout/layout_utilities.h"
#include "tessera/shape/shape_utilities.h"

namespace tessera {
namespace {

// Both maps are reshaped to common bounds, the coarsest that both shapes cut
// further: f32[4,6,5] and f32[24,5] share (24, 5).
// Precondition: both have the same number of elements, not 0.
absl::StatusOr<std::pair<IndexMap, IndexMap>> ReshapedToCommonBounds(
    const IndexMap& from, const IndexMap& to) {
  const std::vector<int64_t> bounds = CommonBounds(from.bounds(), to.bounds());
  TESSERA_ASSIGN_OR_RETURN(IndexMap a, Reshaped(from, bounds));
  TESSERA_ASSIGN_OR_RETURN(IndexMap b, Reshaped(to, bounds));
  return std::make_pair(std::move(a), std::move(b));
}

// Returns the untiled stride of each dimension, in elements. `order` lists the
// dimensions from minor to major. Precondition: the number of elements fits and
// is not 0.
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

// Returns the reason why elements cannot be in their places; "" if there is
// none.
std::string DifferenceOfElements(const ArrayBuffer& from,
                                 const ArrayBuffer& to) {
  if (from.map.element_count() != to.map.element_count()) {
    return absl::StrCat(from.map.element_count(), " and ",
                        to.map.element_count(), " elements");
  }
  if (from.element_bits != to.element_bits) {
    return absl::StrCat("elements of ", from.element_bits, " and of ",
                        to.element_bits, " bits");
  }
  if (from.prefix_bytes != to.prefix_bytes) {
    return absl::StrCat("metadata prefixes of ", from.prefix_bytes, " and of ",
                        to.prefix_bytes, " bytes");
  }
  return "";
}

std::string DifferenceOfMemory(const ArrayBuffer& from, const ArrayBuffer& to) {
  if (from.memory_space == to.memory_space) return "";
  const auto name = [](const ArrayBuffer& buffer) {
    return buffer.memory_space.empty() ? std::string("the default")
                                       : buffer.memory_space;
  };
  return absl::StrCat("two memory spaces, ", name(from), " and ", name(to));
}

// Precondition: both have the same number of elements.
absl::StatusOr<bool> SameInRowMajorOrder(const IndexMap& from,
                                         const IndexMap& to,
                                         const SameFunctionOptions& options) {
  if (from.element_count() == 0) return true;
  TESSERA_ASSIGN_OR_RETURN(const auto& maps, ReshapedToCommonBounds(from, to));
  return SameFunction(maps.first, maps.second, options);
}

// The properties of a dimension that a transpose keeps: its bound, and the
// position of the element with index 1 along it and 0 along the others.
struct BitcastAxis {
  friend bool operator<(const BitcastAxis& a, const BitcastAxis& b) {
    return std::tie(a.bound, a.position, a.dimension) <
           std::tie(b.bound, b.position, b.dimension);
  }
  bool IsLike(const BitcastAxis& other) const {
    return bound == other.bound && position == other.position;
  }

  int64_t bound;
  int64_t position;
  int64_t dimension;
};

std::vector<BitcastAxis> SortedAxes(const IndexMap& map) {
  std::vector<int64_t> index(map.rank());
  std::vector<BitcastAxis> axes;
  for (int64_t i = 0; i < map.rank(); ++i) {
    const int64_t bound = map.bounds()[i];
    int64_t position = 0;
    if (bound > 1 && map.element_count() > 0) {
      index[i] = 1;
      position = map.LinearIndexUnchecked(index);
      index[i] = 0;
    }
    axes.push_back({bound, position, i});
  }
  absl::c_sort(axes);
  return axes;
}

// The only dimensions with which `to` can be a transpose of `from`: no two
// elements of a shape have one position, so each dimension that has an element
// at 1 is identified by the position of that element. Nullopt if there are
// none.
std::optional<std::vector<int64_t>> MatchingDimensions(const IndexMap& from,
                                                       const IndexMap& to) {
  if (from.rank() != to.rank()) return std::nullopt;
  const std::vector<BitcastAxis> from_axes = SortedAxes(from);
  const std::vector<BitcastAxis> to_axes = SortedAxes(to);
  std::vector<int64_t> dimensions(to.rank());
  for (size_t i = 0; i < to_axes.size(); ++i) {
    if (!from_axes[i].IsLike(to_axes[i])) return std::nullopt;
    dimensions[to_axes[i].dimension] = from_axes[i].dimension;
  }
  return dimensions;
}

// The map of the transpose, if it has the bounds of `to`.
absl::StatusOr<IndexMap> TransposedToBoundsOf(
    const IndexMap& from, const IndexMap& to,
    absl::Span<const int64_t> dimensions) {
  TESSERA_ASSIGN_OR_RETURN(IndexMap transposed, Permuted(from, dimensions));
  if (transposed.bounds() == to.bounds()) return transposed;
  return InvalidArgumentError("dimensions={", absl::StrJoin(dimensions, ","),
                              "} make [",
                              absl::StrJoin(transposed.bounds(), ","), "] of [",
                              absl::StrJoin(from.bounds(), ","), "], not [",
                              absl::StrJoin(to.bounds(), ","), "]");
}

std::optional<bool> Either(std::optional<bool> a, std::optional<bool> b) {
  if (a == true || b == true) return true;
  if (a == false && b == false) return false;
  return std::nullopt;
}

// Sets the answer, unless it takes too long.
absl::Status Tell(const absl::StatusOr<bool>& told,
                  std::optional<bool>* answer) {
  if (told.ok()) {
    *answer = *told;
  } else if (!absl::IsResourceExhausted(told.status())) {
    return told.status();
  }
  return absl::OkStatus();
}

// Pairs the dimensions of size 1, which positions do not distinguish, in the
// order of memory. Precondition: the dimensions transpose `from` to `to`.
void PairUnitDimensions(const Shape& from, const Shape& to,
                        std::vector<int64_t>* dimensions) {
  if (absl::c_is_sorted(*dimensions)) return;  // each stays as it is
  const auto units = [](const Shape& shape) {
    std::vector<int64_t> units;
    absl::c_copy_if(shape.layout().minor_to_major(), std::back_inserter(units),
                    [&](int64_t i) { return shape.dimensions(i) == 1; });
    return units;
  };
  const std::vector<int64_t> from_units = units(from);
  const std::vector<int64_t> to_units = units(to);
  for (size_t i = 0; i < to_units.size(); ++i) {
    (*dimensions)[to_units[i]] = from_units[i];
  }
}

// The array with its dimensions in the order of memory, the major-most first:
// one buffer with `shape`, whose tiles and splits are of physical dimensions.
Shape InOrderOfMemory(const Shape& shape,
                      absl::Span<const int64_t> major_to_minor) {
  Shape::Dimensions dimensions;
  Shape::DynamicDimensions is_dynamic;
  for (const int64_t dimension : major_to_minor) {
    dimensions.push_back(shape.dimensions(dimension));
    is_dynamic.push_back(shape.is_dynamic_dimension(dimension));
  }
  return Shape::Array(
      shape.element_type(), std::move(dimensions),
      shape.layout().WithMinorToMajor(
          GetDefaultLayoutForRank(shape.rank()).parts().minor_to_major),
      std::move(is_dynamic));
}

// Precondition: the buffers are those of the shapes, their elements alike.
absl::StatusOr<std::optional<BitcastSteps>> FindSteps(
    const Shape& from, const Shape& to, const ArrayBuffer& from_buffer,
    const ArrayBuffer& to_buffer, const SameFunctionOptions& options) {
  const auto major_to_minor = [](const Shape& shape) {
    const absl::Span<const int64_t> order = shape.layout().minor_to_major();
    return std::vector<int64_t>(order.rbegin(), order.rend());
  };
  const std::vector<int64_t> from_order = major_to_minor(from);
  const std::vector<int64_t> to_order = major_to_minor(to);
  TESSERA_ASSIGN_OR_RETURN(const IndexMap from_map,
                           Permuted(from_buffer.map, from_order));
  TESSERA_ASSIGN_OR_RETURN(const IndexMap to_map,
                           Permuted(to_buffer.map, to_order));
  std::optional<bool> is_same;
  TESSERA_RETURN_IF_ERROR(
      Tell(SameInRowMajorOrder(from_map, to_map, options), &is_same));
  if (!is_same.value_or(false)) return std::optional<BitcastSteps>();

  BitcastSteps steps;
  steps.first_dimensions = from_order;
  steps.transposed = InOrderOfMemory(from, from_order);
  steps.reshaped = InOrderOfMemory(to, to_order);
  steps.last_dimensions.resize(to_order.size());
  for (size_t i = 0; i < to_order.size(); ++i) {
    steps.last_dimensions[to_order[i]] = i;
  }
  return std::optional<BitcastSteps>(std::move(steps));
}

}  // namespace

absl::StatusOr<ArrayBuffer> ToArrayBuffer(const Shape& shape) {
  TESSERA_ASSIGN_OR_RETURN(IndexMap map, ToIndexMap(shape));
  const Layout& layout = shape.layout();
  const int64_t space = layout.memory_space();
  return ArrayBuffer{std::move(map), StorageBits(shape),
                     layout.dynamic_shape_metadata_prefix_bytes(),
                     space == 0 ? "" : absl::StrCat("S(", space, ")")};
}

absl::StatusOr<bool> IsBitcast(const Shape& from, const Shape& to) {
  TESSERA_ASSIGN_OR_RETURN(const ArrayBuffer a, ToArrayBuffer(from));
  TESSERA_ASSIGN_OR_RETURN(const ArrayBuffer b, ToArrayBuffer(to));
  if (!DifferenceOfElements(a, b).empty() ||
      !DifferenceOfMemory(a, b).empty()) {
    return false;
  }
  return SameInRowMajorOrder(a.map, b.map, SameFunctionOptions());
}

absl::StatusOr<Bitcasts> FindBitcasts(const ArrayBuffer& from,
                                      const ArrayBuffer& to,
                                      const BitcastOptions& options) {
  const bool is_asked_to_find = options.dimensions.empty();
  std::optional<IndexMap> transposed;
  if (!is_asked_to_find) {
    TESSERA_ASSIGN_OR_RETURN(
        transposed, TransposedToBoundsOf(from.map, to.map, options.dimensions));
  }
  Bitcasts bitcasts;
  bitcasts.dimensions = options.dimensions;
  bitcasts.obstacle = DifferenceOfElements(from, to);
  if (!bitcasts.obstacle.empty()) {
    bitcasts.is_bitcast = false;
    if (is_asked_to_find) bitcasts.as_reshape = false;
    bitcasts.as_transpose = false;
    return bitcasts;
  }

  std::optional<std::vector<int64_t>> found;
  if (is_asked_to_find) {
    TESSERA_RETURN_IF_ERROR(
        Tell(SameInRowMajorOrder(from.map, to.map, options.same_function),
             &bitcasts.as_reshape));
    found = MatchingDimensions(from.map, to.map);
    if (found.has_value()) {
      TESSERA_ASSIGN_OR_RETURN(transposed, Permuted(from.map, *found));
    }
  }
  if (!transposed.has_value()) {
    bitcasts.as_transpose = false;
  } else if (transposed->element_count() == 0) {
    bitcasts.as_transpose = true;
  } else {
    TESSERA_RETURN_IF_ERROR(
        Tell(SameFunction(*transposed, to.map, options.same_function),
             &bitcasts.as_transpose));
  }
  if (bitcasts.as_transpose == true && found.has_value()) {
    bitcasts.dimensions = *std::move(found);
  }

  bitcasts.obstacle = DifferenceOfMemory(from, to);
  bitcasts.is_bitcast = !bitcasts.obstacle.empty() ? false
                        : is_asked_to_find
                            ? Either(bitcasts.as_reshape, bitcasts.as_transpose)
                            : bitcasts.as_transpose;
  return bitcasts;
}

absl::StatusOr<Bitcasts> FindBitcasts(const Shape& from, const Shape& to,
                                      const BitcastOptions& options) {
  TESSERA_ASSIGN_OR_RETURN(const ArrayBuffer from_buffer, ToArrayBuffer(from));
  TESSERA_ASSIGN_OR_RETURN(const ArrayBuffer to_buffer, ToArrayBuffer(to));
  TESSERA_ASSIGN_OR_RETURN(Bitcasts bitcasts,
                           FindBitcasts(from_buffer, to_buffer, options));
  if (!options.dimensions.empty()) return bitcasts;
  if (bitcasts.as_transpose == true) {
    PairUnitDimensions(from, to, &bitcasts.dimensions);
  }
  const bool is_neither =
      bitcasts.as_reshape == false && bitcasts.as_transpose == false;
  if (is_neither && DifferenceOfElements(from_buffer, to_buffer).empty()) {
    TESSERA_ASSIGN_OR_RETURN(
        bitcasts.steps,
        FindSteps(from, to, from_buffer, to_buffer, options.same_function));
  }
  return bitcasts;
}

absl::StatusOr<std::pair<IndexMap, IndexMap>> RowMajorMaps(const Shape& from,
                                                           const Shape& to) {
  TESSERA_ASSIGN_OR_RETURN(const IndexMap from_map, ToIndexMap(from));
  TESSERA_ASSIGN_OR_RETURN(const IndexMap to_map, ToIndexMap(to));
  if (from_map.element_count() != to_map.element_count() ||
      from_map.element_count() == 0) {
    return FailedPreconditionError(from_map.element_count(), " and ",
                                   to_map.element_count(),
                                   " elements have no order in common");
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
    return InvalidArgumentError("{", absl::StrJoin(dimension_mapping, ","),
                                "} does not map the dimensions of ",
                                to.ToString(), " to those of ",
                                from.ToString());
  }
  bool same_order = true;
  for (int64_t i = 0; i < to.rank(); ++i) {
    const int64_t mapped = dimension_mapping[i];
    if (to.dimensions(i) != from.dimensions(mapped)) {
      return InvalidArgumentError("dimension ", i, " of ", to.ToString(),
                                  " differs in size from dimension ", mapped,
                                  " of ", from.ToString());
    }
    same_order =
        same_order && dimension_mapping[to.layout().minor_to_major(i)] ==
                          from.layout().minor_to_major(i);
  }
  return same_order && from.element_type() == to.element_type();
}

}  // namespace tessera
