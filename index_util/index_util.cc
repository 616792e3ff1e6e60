#include "tessera/index_util/index_util.h"

#include <algorithm>
#include <optional>

#include "absl/algorithm/container.h"
#include "absl/strings/str_join.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/shape/shape_utilities.h"

namespace tessera {
absl::StatusOr<int64_t> IndexUtil::MultidimensionalIndexToLinearIndex(
    const Shape& shape, absl::Span<const int64_t> multi_index) {
  if (absl::Status status = CheckOrderedArray(shape); !status.ok())
    return status;
  return MultidimensionalIndexToLinearIndex(
      shape, shape.layout().minor_to_major(), multi_index);
}

absl::StatusOr<int64_t> IndexUtil::MultidimensionalIndexToLinearIndex(
    const Shape& shape, absl::Span<const int64_t> minor_to_major,
    absl::Span<const int64_t> multi_index) {
  absl::Status status = CheckBoundedArray(shape);
  if (status.ok()) status = CheckOrder(shape, minor_to_major);
  if (!status.ok()) return status;
  if (static_cast<int64_t>(multi_index.size()) != shape.rank()) {
    return InvalidArgumentError(
        "the index has ", multi_index.size(),
        multi_index.size() == 1 ? " entry but " : " entries but ",
        shape.ToString(), " has ", shape.rank(),
        shape.rank() == 1 ? " dimension" : " dimensions");
  }
  std::optional<int64_t> linear_index = 0;
  for (size_t i = minor_to_major.size(); i-- > 0;) {
    const int64_t dimension = minor_to_major[i];
    const int64_t bound = shape.dimensions(dimension);
    const int64_t entry = multi_index[dimension];
    if (entry < 0 || entry >= bound) {
      return OutOfRangeError("index[", dimension, "] = ", entry,
                             " is outside [0, ", bound, ")");
    }
    linear_index = CheckedMultiply(*linear_index, bound);
    if (linear_index.has_value()) {
      linear_index = CheckedAdd(*linear_index, entry);
    }
    if (!linear_index.has_value()) {
      return OutOfRangeError("the untiled linear index of (",
                             absl::StrJoin(multi_index, ","), ") in ",
                             shape.ToString(), " exceeds 2^63-1");
    }
  }
  return *linear_index;
}

absl::StatusOr<IndexUtil::DimensionVector>
IndexUtil::LinearIndexToMultidimensionalIndex(const Shape& shape,
                                              int64_t linear_index) {
  if (absl::Status status = CheckOrderedArray(shape); !status.ok())
    return status;
  DimensionVector index(shape.rank(), 0);
  int64_t rest = linear_index;
  for (int64_t dimension : shape.layout().minor_to_major()) {
    const int64_t bound = shape.dimensions(dimension);
    if (rest < 0 || bound == 0) break;
    index[dimension] = rest % bound;
    rest /= bound;
  }
  const bool is_empty = absl::c_linear_search(shape.dimensions(), int64_t{0});
  if (rest != 0 || is_empty) {
    return OutOfRangeError("untiled linear index ", linear_index,
                           " is outside the elements of ", shape.ToString());
  }
  return index;
}

bool IndexUtil::BumpIndices(const Shape& shape, absl::Span<int64_t> indices) {
  if (!IndexInBounds(shape, indices)) return false;
  for (size_t i = indices.size(); i-- > 0;) {
    if (indices[i] + 1 < shape.dimensions(i)) {
      ++indices[i];
      std::fill(indices.begin() + i + 1, indices.end(), 0);
      return true;
    }
  }
  return false;
}

absl::StatusOr<int64_t> IndexUtil::GetDimensionStride(const Shape& shape,
                                                      int64_t dimension) {
  if (absl::Status status = CheckOrderedArray(shape); !status.ok())
    return status;
  if (dimension < 0 || dimension >= shape.rank()) {
    return InvalidArgumentError(shape.ToString(), " has no dimension ",
                                dimension);
  }
  DimensionVector more_minor;
  for (int64_t d : shape.layout().minor_to_major()) {
    if (d == dimension) break;
    more_minor.push_back(shape.dimensions(d));
  }
  const std::optional<int64_t> stride = CheckedProduct(more_minor);
  if (!stride.has_value()) {
    return OutOfRangeError(
        "the stride of dimension ", dimension, " of ", shape.ToString(), ", ",
        absl::StrJoin(more_minor, " x "), ", exceeds 2^63-1");
  }
  return *stride;
}

bool IndexUtil::IndexInBounds(const Shape& shape,
                              absl::Span<const int64_t> index) {
  if (static_cast<int64_t>(index.size()) != shape.rank()) return false;
  for (size_t i = 0; i < index.size(); ++i) {
    if (index[i] < 0) return false;
    if (!shape.is_unbounded_dimension(i) && index[i] >= shape.dimensions(i)) {
      return false;
    }
  }
  return true;
}

absl::StatusOr<int> IndexUtil::CompareIndices(absl::Span<const int64_t> lhs,
                                              absl::Span<const int64_t> rhs) {
  if (lhs.size() != rhs.size()) {
    return InvalidArgumentError("indices of ", lhs.size(), " and ", rhs.size(),
                                " entries cannot be compared");
  }
  const auto difference = std::mismatch(lhs.begin(), lhs.end(), rhs.begin());
  if (difference.first == lhs.end()) return 0;
  return *difference.first < *difference.second ? -1 : 1;
}

}  // namespace tessera
