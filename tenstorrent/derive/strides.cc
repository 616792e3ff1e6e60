#include "tessera/tenstorrent/derive/strides.h"

#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/tenstorrent/affine/affine_expression.h"
#include "tessera/tenstorrent/internal/size_checks.h"

namespace tessera::tenstorrent {
namespace {

std::string Describe(const AffineMap& map, int64_t i) {
  return absl::StrCat("result[", i, "] = ", map.result(i).ToString());
}

absl::Status CheckShape(const AffineMap& map, absl::Span<const int64_t> shape) {
  const absl::Status status = CheckCount(shape.size(), map.num_dims(), "sizes");
  return status.ok() ? CheckSizes(shape, "shape") : status;
}

// Returns the linear form of a result.
absl::StatusOr<AffineForm> FormOf(const AffineMap& map, int64_t i) {
  std::optional<AffineForm> form = map.Form(i);
  if (form.has_value()) return *std::move(form);
  return InvalidArgumentError(Describe(map, i), " is not linear");
}

// Returns the largest value of a result plus one.
absl::StatusOr<int64_t> Extent(const AffineMap& map, int64_t i,
                               const AffineForm& form,
                               absl::Span<const int64_t> shape) {
  if (form.constant < 0) {
    return InvalidArgumentError(Describe(map, i),
                                " is negative at the first index");
  }
  std::optional<int64_t> extent = CheckedAdd(form.constant, 1);
  for (size_t dim = 0; dim < shape.size() && extent.has_value(); ++dim) {
    if (shape[dim] == 1) continue;
    if (form.coefficients[dim] < 0) {
      return InvalidArgumentError(
          Describe(map, i), " decreases along d", dim,
          ", so that its value at the last index does not bound it");
    }
    const std::optional<int64_t> length =
        CheckedMultiply(form.coefficients[dim], shape[dim] - 1);
    extent = length.has_value() ? CheckedAdd(*extent, *length) : std::nullopt;
  }
  if (extent.has_value()) return *extent;
  return OutOfRangeError("the extent of ", Describe(map, i), " exceeds 2^63-1");
}

}  // namespace

absl::StatusOr<Dimensions> Strides(const AffineMap& map,
                                   absl::Span<const int64_t> shape) {
  TESSERA_RETURN_IF_ERROR(CheckShape(map, shape));
  Dimensions strides(shape.size(), 0);
  // Nullopt past 2^63-1; a result that uses a dimension must not follow then.
  std::optional<int64_t> step = 1;
  for (int64_t i = map.num_results(); i-- > 0;) {
    TESSERA_ASSIGN_OR_RETURN(const AffineForm form, FormOf(map, i));
    TESSERA_ASSIGN_OR_RETURN(const int64_t extent, Extent(map, i, form, shape));
    for (size_t dim = 0; dim < shape.size(); ++dim) {
      if (form.coefficients[dim] == 0) continue;
      std::optional<int64_t> stride;
      if (step.has_value()) {
        stride = CheckedMultiply(form.coefficients[dim], *step);
      }
      if (stride.has_value()) stride = CheckedAdd(*stride, strides[dim]);
      if (!stride.has_value()) {
        return OutOfRangeError("the stride of d", dim, " in ", Describe(map, i),
                               " exceeds 2^63-1");
      }
      strides[dim] = *stride;
    }
    if (step.has_value()) step = CheckedMultiply(*step, extent);
  }
  return strides;
}

absl::StatusOr<AffineMap> BumpedMap(const AffineMap& map,
                                    absl::Span<const int64_t> shape,
                                    absl::Span<const int64_t> alignments) {
  TESSERA_RETURN_IF_ERROR(CheckShape(map, shape));
  TESSERA_RETURN_IF_ERROR(
      CheckCount(alignments.size(), map.num_dims(), "alignments"));
  TESSERA_RETURN_IF_ERROR(CheckSizes(alignments, "alignment"));
  const AffineMap::Indices repeated = map.RepeatedDims();
  if (!repeated.empty()) {
    return InvalidArgumentError("d", repeated[0],
                                " is in several results; expected a map that "
                                "collapses dimensions");
  }
  AffineMap::Results results;
  for (int64_t i = 0; i < map.num_results(); ++i) {
    TESSERA_ASSIGN_OR_RETURN(AffineForm form, FormOf(map, i));
    if (form.constant != 0) {
      return InvalidArgumentError(
          Describe(map, i), " is ", form.constant,
          " at the first index; expected a map that collapses dimensions");
    }
    std::optional<int64_t> packed = 1;
    std::optional<int64_t> bumped = 1;
    for (int64_t dim = map.num_dims(); dim-- > 0;) {
      int64_t& coefficient = form.coefficients[dim];
      if (coefficient == 0) continue;
      if (!packed.has_value() || coefficient != *packed) {
        return InvalidArgumentError(
            Describe(map, i), ": the coefficient of d", dim, " is ",
            coefficient,
            ", not the product of the sizes of the dimensions "
            "within it; expected a map that collapses dimensions");
      }
      if (!bumped.has_value()) {
        return OutOfRangeError("the bumped coefficient of d", dim, " in ",
                               Describe(map, i), " exceeds 2^63-1");
      }
      coefficient = *bumped;
      packed = CheckedMultiply(*packed, shape[dim]);
      bumped = CheckedMultiply(*bumped, shape[dim]);
      if (bumped.has_value()) {
        bumped = CheckedRoundUp(*bumped, alignments[dim]);
      }
    }
    results.push_back(form.ToExpression());
  }
  return AffineMap::Create(map.num_dims(), 0, std::move(results));
}

}  // namespace tessera::tenstorrent
