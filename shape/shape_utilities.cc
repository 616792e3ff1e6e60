#include "tessera/shape/shape_utilities.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_join.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/layout/layout_utilities.h"
#include "tessera/layout/primitive_type.h"
#include "tessera/layout/validate_layout.h"
#include "tessera/shape/shape_index.h"

namespace tessera {
namespace {

absl::Status CheckArray(const Shape& shape) {
  if (shape.IsArray()) return absl::OkStatus();
  return FailedPreconditionError(shape.ToString(), " is not an array");
}

absl::Status CheckDimension(const Shape& array, int64_t dimension) {
  const absl::Status status = CheckArray(array);
  if (!status.ok() || (dimension >= 0 && dimension < array.rank())) {
    return status;
  }
  return InvalidArgumentError("there is no dimension ", dimension, " in ",
                              array.ToString());
}

absl::StatusOr<int64_t> ElementCount(const Shape& array,
                                     absl::Span<const int64_t> sizes) {
  const std::optional<int64_t> product = CheckedProduct(sizes);
  if (product.has_value()) return *product;
  return OutOfRangeError("the number of elements of ", array.ToString(),
                         " exceeds 2^63-1");
}

// Checks that `array` has a size in each dimension, and a valid layout if any.
absl::Status CheckSplits(const Shape& array) {
  const absl::Status status = CheckBoundedArray(array);
  if (!status.ok() || !array.has_layout()) return status;
  return ValidateLayout(array.layout(), array.element_type(),
                        array.dimensions());
}

// Returns the sizes of the pieces into which `split` cuts a dimension.
// Precondition: it is valid.
absl::InlinedVector<int64_t, 4> Pieces(int64_t dimension_size,
                                       const SplitConfig& split) {
  absl::InlinedVector<int64_t, 4> sizes;
  int64_t start = 0;
  for (int64_t index : split.split_indices) {
    sizes.push_back(index - start);
    start = index;
  }
  sizes.push_back(dimension_size - start);
  return sizes;
}

// Returns whether `leaf`, which is not a tuple, has a layout or does not need
// one.
bool LeafHasLayout(const Shape& leaf) {
  const Shape* content = &leaf;
  while (content->IsBuffer() && !content->tuple_shapes().empty()) {
    content = &content->tuple_shapes(0);
  }
  return !content->IsArray() || content->has_layout();
}

// The number of leaves of `shape` that `predicate` holds for.
int64_t CountLeaves(const Shape& shape,
                    absl::FunctionRef<bool(const Shape& leaf)> predicate) {
  int64_t count = 0;
  ForEachLeafShape(shape, [&](const Shape& leaf, ShapeIndexView) {
    if (predicate(leaf)) ++count;
  });
  return count;
}

Shape TransformLayouts(
    const Shape& shape,
    absl::FunctionRef<Layout(PrimitiveType element_type, const Layout& layout)>
        transform) {
  return TransformArrays(shape, [transform](const Shape& array) {
    if (!array.has_layout()) return array;
    return array.WithLayout(transform(array.element_type(), array.layout()));
  });
}

}  // namespace

absl::Status CheckBoundedArray(const Shape& shape) {
  const absl::Status status = CheckArray(shape);
  if (!status.ok() || !shape.has_unbounded_dimension()) return status;
  return FailedPreconditionError(shape.ToString(),
                                 " has an unbounded dimension");
}

absl::Status CheckOrder(const Shape& array,
                        absl::Span<const int64_t> minor_to_major) {
  Shape::Dimensions sorted(minor_to_major.begin(), minor_to_major.end());
  std::sort(sorted.begin(), sorted.end());
  bool is_permutation = static_cast<int64_t>(sorted.size()) == array.rank();
  for (size_t i = 0; is_permutation && i < sorted.size(); ++i) {
    is_permutation = sorted[i] == static_cast<int64_t>(i);
  }
  if (is_permutation) return absl::OkStatus();
  return InvalidArgumentError(
      "minor_to_major {", absl::StrJoin(minor_to_major, ","),
      "} is not a permutation of the ", array.rank(), " dimensions of ",
      array.ToString(/*with_layout=*/false));
}

absl::Status CheckOrderedArray(const Shape& shape) {
  TESSERA_RETURN_IF_ERROR(CheckBoundedArray(shape));
  if (!shape.has_layout()) {
    return FailedPreconditionError(shape.ToString(), " has no layout");
  }
  return CheckOrder(shape, shape.layout().minor_to_major());
}

absl::StatusOr<int64_t> ElementsIn(const Shape& array) {
  TESSERA_RETURN_IF_ERROR(CheckBoundedArray(array));
  return ElementCount(array, array.dimensions());
}

int64_t TrueNumDimensions(const Shape& shape) {
  absl::Span<const int64_t> sizes = shape.dimensions();
  return std::count_if(sizes.begin(), sizes.end(),
                       [](int64_t size) { return size != 1; });
}

bool IsEffectiveScalar(const Shape& shape) {
  return shape.IsArray() && TrueNumDimensions(shape) == 0;
}

bool HasLayout(const Shape& shape) {
  return CountLeaves(shape, LeafHasLayout) == GetLeafCount(shape);
}

bool HasAnyLayout(const Shape& shape) {
  return CountLeaves(shape, LeafHasLayout) > 0;
}

int64_t MemorySpace(const Shape& shape) {
  return shape.has_layout() ? shape.layout().memory_space() : 0;
}

absl::StatusOr<Layout> GetDefaultLayoutForShape(const Shape& shape) {
  if (shape.IsToken() || shape.IsOpaque()) return Layout();
  TESSERA_RETURN_IF_ERROR(CheckArray(shape));
  return GetDefaultLayoutForRank(shape.rank());
}

Shape TransformArrays(const Shape& shape,
                      absl::FunctionRef<Shape(const Shape& array)> transform) {
  // The shapes from the outermost to the innermost that is being transformed,
  // each with its elements that have been transformed.
  struct Open {
    const Shape* shape;
    std::vector<Shape> elements;
  };
  std::vector<Open> path = {{&shape, {}}};
  while (true) {
    const Shape& innermost = *path.back().shape;
    const size_t done = path.back().elements.size();
    if (done < innermost.tuple_shapes().size()) {
      path.push_back({&innermost.tuple_shapes(done), {}});
      continue;
    }
    Shape result = innermost;
    if (innermost.IsArray()) {
      result = transform(innermost);
    } else if (innermost.IsBuffer() && done > 0) {
      result = Shape::Buffer(std::move(path.back().elements[0]));
    } else if (innermost.IsTuple()) {
      result = Shape::Tuple(std::move(path.back().elements));
    }
    path.pop_back();
    if (path.empty()) return result;
    path.back().elements.push_back(std::move(result));
  }
}

Shape DeviceShapeToHostShape(const Shape& shape) {
  return TransformLayouts(shape, [](PrimitiveType, const Layout& layout) {
    return DeviceLayoutToHostLayout(layout);
  });
}

bool DeviceShapeIsHostShape(const Shape& shape) {
  return DeviceShapeToHostShape(shape) == shape;
}

Shape UpdateElementSizeInBits(const Shape& shape, bool pack_subbyte_types) {
  return TransformLayouts(shape, [pack_subbyte_types](
                                     PrimitiveType element_type,
                                     const Layout& layout) {
    const bool is_packed =
        pack_subbyte_types && IsSubByteNonPredType(element_type);
    return layout.WithElementSizeInBits(is_packed ? BitWidth(element_type) : 0);
  });
}

absl::StatusOr<Shape> PermuteDimensions(absl::Span<const int64_t> permutation,
                                        const Shape& array) {
  TESSERA_RETURN_IF_ERROR(CheckArray(array));
  const int64_t rank = array.rank();
  // new_number[d] is the number of dimension d of `array` in the result.
  Shape::Dimensions new_number(rank, -1);
  for (size_t i = 0; i < permutation.size(); ++i) {
    const int64_t d = permutation[i];
    if (d >= 0 && d < rank && new_number[d] < 0) new_number[d] = i;
  }
  if (static_cast<int64_t>(permutation.size()) != rank ||
      std::count(new_number.begin(), new_number.end(), -1) > 0) {
    return InvalidArgumentError("{", absl::StrJoin(permutation, ","),
                                "} is not a permutation of the dimensions of ",
                                array.ToString());
  }
  Shape::Dimensions dimensions;
  Shape::DynamicDimensions is_dynamic;
  for (int64_t d : permutation) {
    dimensions.push_back(array.dimensions(d));
    is_dynamic.push_back(array.is_dynamic_dimension(d));
  }
  std::optional<Layout> layout = array.optional_layout();
  if (layout.has_value()) {
    TESSERA_RETURN_IF_ERROR(
        ValidateLayout(*layout, array.element_type(), array.dimensions()));
    Layout::MinorToMajor order = layout->parts().minor_to_major;
    for (int64_t& dimension : order) dimension = new_number[dimension];
    layout = layout->WithMinorToMajor(std::move(order));
  }
  return Shape::Array(array.element_type(), std::move(dimensions),
                      std::move(layout), std::move(is_dynamic));
}

absl::StatusOr<Shape> DeleteDimension(int64_t dimension, const Shape& array) {
  TESSERA_RETURN_IF_ERROR(CheckDimension(array, dimension));
  Shape::Dimensions dimensions;
  Shape::DynamicDimensions is_dynamic;
  for (int64_t i = 0; i < array.rank(); ++i) {
    if (i == dimension) continue;
    dimensions.push_back(array.dimensions(i));
    is_dynamic.push_back(array.is_dynamic_dimension(i));
  }
  std::optional<Layout> layout;
  if (array.has_layout()) {
    TESSERA_ASSIGN_OR_RETURN(layout,
                             DeleteDimension(array.layout(), dimension));
  }
  return Shape::Array(array.element_type(), std::move(dimensions),
                      std::move(layout), std::move(is_dynamic));
}

absl::StatusOr<Shape> MoveDimToMajor(const Shape& array, int64_t dimension) {
  TESSERA_RETURN_IF_ERROR(CheckDimension(array, dimension));
  if (!array.has_layout()) return array;
  TESSERA_ASSIGN_OR_RETURN(Layout layout,
                           MoveDimToMajor(array.layout(), dimension));
  TESSERA_RETURN_IF_ERROR(
      ValidateLayout(layout, array.element_type(), array.dimensions()));
  return array.WithLayout(std::move(layout));
}

absl::StatusOr<Shape> PrependMajorDimension(int64_t bound, const Shape& array) {
  TESSERA_RETURN_IF_ERROR(CheckArray(array));
  if (bound < 0) {
    return InvalidArgumentError("the bound of a dimension, ", bound,
                                ", is negative");
  }
  Shape::Dimensions dimensions = {bound};
  Shape::DynamicDimensions is_dynamic = {false};
  for (int64_t i = 0; i < array.rank(); ++i) {
    dimensions.push_back(array.dimensions(i));
    is_dynamic.push_back(array.is_dynamic_dimension(i));
  }
  std::optional<Layout> layout;
  if (array.has_layout()) {
    Layout::Parts parts = array.layout().parts();
    for (int64_t& logical : parts.minor_to_major) ++logical;
    parts.minor_to_major.push_back(0);
    for (SplitConfig& split : parts.split_configs) ++split.dimension;
    layout = Layout(std::move(parts));
  }
  return Shape::Array(array.element_type(), std::move(dimensions),
                      std::move(layout), std::move(is_dynamic));
}

absl::StatusOr<int64_t> PackedFactorFor1DInterleavedArray(const Shape& array) {
  const absl::Span<const Tile> tiles =
      array.has_layout() ? array.layout().tiles() : absl::Span<const Tile>();
  if (array.rank() == 1 && tiles.size() == 3 &&
      tiles[2].dimensions().size() == 2) {
    return tiles[2].dimension(0);
  }
  return InvalidArgumentError(array.ToString(),
                              " is not a 1-D interleaved array");
}

absl::StatusOr<absl::InlinedVector<int64_t, 4>> SplitSizes(const Shape& array,
                                                           int64_t dimension) {
  TESSERA_RETURN_IF_ERROR(CheckSplits(array));
  TESSERA_RETURN_IF_ERROR(CheckDimension(array, dimension));
  const int64_t size = array.dimensions(dimension);
  if (array.has_layout()) {
    for (const SplitConfig& split : array.layout().split_configs()) {
      if (*Major(array.layout(), split.dimension) == dimension) {
        return Pieces(size, split);
      }
    }
  }
  return Pieces(size, SplitConfig());
}

absl::StatusOr<int64_t> MaxSplitSize(const Shape& array, int64_t dimension) {
  TESSERA_ASSIGN_OR_RETURN(const auto sizes, SplitSizes(array, dimension));
  return *std::max_element(sizes.begin(), sizes.end());
}

absl::StatusOr<int64_t> MaxElementsInPerSplit(const Shape& array) {
  TESSERA_RETURN_IF_ERROR(CheckSplits(array));
  Shape::Dimensions sizes(array.dimensions().begin(), array.dimensions().end());
  if (array.has_layout()) {
    for (const SplitConfig& split : array.layout().split_configs()) {
      int64_t& size = sizes[*Major(array.layout(), split.dimension)];
      const absl::InlinedVector<int64_t, 4> pieces = Pieces(size, split);
      size = *std::max_element(pieces.begin(), pieces.end());
    }
  }
  return ElementCount(array, sizes);
}

}  // namespace tessera
