// How coordinates become digits. A coordinate is always (source div divisor)
// mod modulus of one source; cutting or joining it keeps that form wherever the
// numbers allow, and makes a new source where they do not.

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tessera/index_map/index_map.h"
#include "tessera/math/checked_arithmetic.h"

namespace tessera {
namespace {

using Coordinate = IndexMap::Builder::Coordinate;

IndexMap::Piece PieceOf(const Coordinate& coordinate, int64_t multiplier) {
  return {coordinate.source, coordinate.divisor, coordinate.modulus,
          multiplier};
}

IndexMap::Source SourceOf(int64_t bound,
                          absl::InlinedVector<IndexMap::Piece, 2> pieces) {
  IndexMap::Source source;
  source.bound = bound;
  source.pieces = std::move(pieces);
  return source;
}

absl::Status ProductTooLarge(absl::string_view what,
                             absl::Span<const int64_t> factors) {
  return absl::OutOfRangeError(absl::StrCat("the product of ", what, ", ",
                                            absl::StrJoin(factors, " x "),
                                            ", exceeds 2^63-1"));
}

bool DescendingStride(const IndexMap::Digit& a, const IndexMap::Digit& b) {
  return a.stride > b.stride;
}

// Makes one digit of neighbours that continue one another.
std::vector<IndexMap::Digit> Merged(
    const std::vector<IndexMap::Digit>& digits) {
  std::vector<IndexMap::Digit> merged;
  for (const IndexMap::Digit& minor : digits) {
    if (!merged.empty()) {
      IndexMap::Digit& major = merged.back();
      if (major.source == minor.source &&
          CheckedMultiply(minor.divisor, minor.modulus) == major.divisor &&
          CheckedMultiply(minor.stride, minor.modulus) == major.stride &&
          // All strides continue one another where they are 0.
          CheckedMultiply(major.modulus, minor.modulus).has_value()) {
        major.divisor = minor.divisor;
        major.modulus *= minor.modulus;
        major.stride = minor.stride;
        continue;
      }
    }
    merged.push_back(minor);
  }
  return merged;
}

}  // namespace

IndexMap::Builder::Builder(absl::Span<const int64_t> bounds)
    : bounds_(bounds.begin(), bounds.end()) {
  sources_.reserve(bounds.size());
  for (size_t i = 0; i < bounds.size(); ++i) {
    if (bounds[i] < 0) {
      KeepError(absl::InvalidArgumentError(
          absl::StrCat("bound ", i, " is negative: ", bounds[i])));
    }
    IndexMap::Source source;
    source.bound = bounds[i];
    source.name = static_cast<int32_t>(i);
    sources_.push_back(std::move(source));
  }
}

void IndexMap::Builder::KeepError(absl::Status status) {
  if (status_.ok()) status_ = std::move(status);
}

Coordinate IndexMap::Builder::WholeSource(int32_t source) const {
  return {source, 1, 0, sources_[source].bound};
}

Coordinate IndexMap::Builder::Dimension(int64_t i) const {
  return WholeSource(static_cast<int32_t>(i));
}

Coordinate IndexMap::Builder::AddSource(IndexMap::Source source) {
  bool is_constant = true;
  for (const IndexMap::Piece& piece : source.pieces) {
    is_constant = is_constant && IsConstant(piece.source);
  }
  is_constant_.push_back(is_constant);
  source.name = static_cast<int32_t>(sources_.size());
  sources_.push_back(std::move(source));
  return WholeSource(static_cast<int32_t>(sources_.size() - 1));
}

bool IndexMap::Builder::IsConstant(int32_t source) const {
  if (source < static_cast<int32_t>(bounds_.size())) return false;
  return is_constant_[source - bounds_.size()];
}

Coordinate IndexMap::Builder::Unit() { return AddSource({}); }

Coordinate IndexMap::Builder::Join(const Coordinate& major,
                                   const Coordinate& minor) {
  // A coordinate of one value is 0 and joins without a trace, though of two
  // such one should stay that a dimension can be blamed through; a coordinate
  // of no value leaves nothing to ask.
  if (major.bound == 1 && (minor.bound != 1 || !IsConstant(minor.source))) {
    return minor;
  }
  if (minor.bound == 1 || major.bound == 0) return major;
  if (minor.bound == 0) return minor;
  const absl::optional<int64_t> bound =
      CheckedMultiply(major.bound, minor.bound);
  if (!bound.has_value()) {
    // Without elements there is nothing to ask, as above.
    const auto empty = std::find(bounds_.begin(), bounds_.end(), 0);
    if (empty != bounds_.end()) return Dimension(empty - bounds_.begin());
    KeepError(ProductTooLarge("joined bounds", {major.bound, minor.bound}));
    return Coordinate();
  }
  // The quotient and the remainder of one division make up what was divided.
  if (major.source == minor.source && minor.modulus == minor.bound &&
      CheckedMultiply(minor.divisor, minor.bound) == major.divisor) {
    return {major.source, minor.divisor, major.modulus == 0 ? 0 : *bound,
            *bound};
  }
  return AddSource(
      SourceOf(*bound, {PieceOf(major, minor.bound), PieceOf(minor, 1)}));
}

Coordinate IndexMap::Builder::Sum(
    absl::Span<const StridedCoordinate> coordinates, int64_t offset,
    int64_t limit) {
  IndexMap::Source source;
  source.offset = offset;
  absl::optional<int64_t> bound = CheckedAdd(offset, 1);
  bool is_negative = offset < 0;
  for (const StridedCoordinate& strided : coordinates) {
    is_negative = is_negative || strided.stride < 0;
    const Coordinate& coordinate = strided.coordinate;
    if (coordinate.bound <= 1 || strided.stride == 0) continue;
    source.pieces.push_back(PieceOf(coordinate, strided.stride));
    const absl::optional<int64_t> reach =
        CheckedMultiply(coordinate.bound - 1, strided.stride);
    if (bound.has_value() && reach.has_value()) {
      bound = CheckedAdd(*bound, *reach);
    } else {
      bound = absl::nullopt;
    }
  }
  if (is_negative) {
    KeepError(absl::InvalidArgumentError(
        "a stride or the offset of a sum of coordinates is negative"));
    return Coordinate();
  }
  if (!bound.has_value()) {
    KeepError(absl::OutOfRangeError(
        "the values of a sum of coordinates exceed 2^63-2"));
    return Coordinate();
  }
  source.bound = std::min(*bound, limit);
  std::stable_sort(source.pieces.begin(), source.pieces.end(),
                   [](const IndexMap::Piece& a, const IndexMap::Piece& b) {
                     return a.multiplier > b.multiplier;
                   });
  return AddSource(std::move(source));
}

std::pair<Coordinate, Coordinate> IndexMap::Builder::Split(
    const Coordinate& coordinate, int64_t divisor) {
  if (coordinate.modulus % divisor != 0) {
    // A remainder of a remainder: ((x div D) mod M) mod t, t not dividing M.
    return Split(
        AddSource(SourceOf(coordinate.bound, {PieceOf(coordinate, 1)})),
        divisor);
  }
  Coordinate quotient = coordinate;
  // Past int64_t the quotient is 0 whatever the divisor.
  quotient.divisor = CheckedMultiply(coordinate.divisor, divisor)
                         .value_or(std::numeric_limits<int64_t>::max());
  quotient.modulus = coordinate.modulus / divisor;
  quotient.bound = CeilOfRatio(coordinate.bound, divisor);
  Coordinate remainder = coordinate;
  remainder.modulus = divisor;
  remainder.bound = divisor;
  return {quotient, remainder};
}

absl::StatusOr<IndexMap> IndexMap::Builder::Begin() && {
  if (!status_.ok()) return status_;
  const absl::optional<int64_t> element_count = CheckedProduct(bounds_);
  if (!element_count.has_value()) {
    return ProductTooLarge("the bounds", bounds_);
  }
  IndexMap map;
  map.element_count_ = *element_count;
  map.bounds_ = std::move(bounds_);
  map.sources_ = std::move(sources_);
  return map;
}

absl::StatusOr<IndexMap> IndexMap::Builder::BuildRowMajor(
    absl::Span<const Coordinate> axes, int64_t alignment) && {
  absl::StatusOr<IndexMap> map = std::move(*this).Begin();
  if (!map.ok()) return map;
  std::vector<int64_t> bounds;
  bounds.reserve(axes.size());
  for (const Coordinate& axis : axes) bounds.push_back(axis.bound);
  absl::optional<int64_t> count = CheckedProduct(bounds);
  if (!count.has_value()) return ProductTooLarge("the physical bounds", bounds);
  if (map->element_count_ == 0) count = 0;
  map->tail_begin_ = *count;
  count = CheckedRoundUp(*count, alignment);
  if (!count.has_value()) {
    return absl::OutOfRangeError(absl::StrCat(
        map->tail_begin_, " positions, rounded up to a multiple of ", alignment,
        ", exceed 2^63-1"));
  }
  map->position_count_ = *count;

  std::vector<IndexMap::Digit> digits;
  // Without elements no stride matters, and the products may not fit.
  int64_t stride = map->element_count_ == 0 ? 0 : 1;
  for (size_t i = axes.size(); i-- > 0;) {
    if (axes[i].bound == 1) continue;
    digits.push_back({axes[i].source, axes[i].divisor, axes[i].bound, stride});
    stride *= axes[i].bound;
  }
  std::reverse(digits.begin(), digits.end());
  map->digits_ = Merged(digits);
  map->DropUnusedSources();
  map->Compile();
  return map;
}

absl::StatusOr<IndexMap> IndexMap::Builder::BuildStrided(
    absl::Span<const StridedCoordinate> coordinates, int64_t base) && {
  absl::StatusOr<IndexMap> map = std::move(*this).Begin();
  if (!map.ok()) return map;
  std::vector<IndexMap::Digit> digits;
  absl::optional<int64_t> lowest = base;
  absl::optional<int64_t> highest = base;
  for (const StridedCoordinate& strided : coordinates) {
    const Coordinate& coordinate = strided.coordinate;
    if (coordinate.bound <= 1) continue;
    digits.push_back({coordinate.source, coordinate.divisor, coordinate.bound,
                      strided.stride});
    const absl::optional<int64_t> reach =
        CheckedMultiply(coordinate.bound - 1, strided.stride);
    absl::optional<int64_t>& end = strided.stride < 0 ? lowest : highest;
    if (reach.has_value() && end.has_value()) {
      end = CheckedAdd(*end, *reach);
    } else {
      end = absl::nullopt;
    }
  }
  if (map->element_count_ == 0) lowest = 0, highest = -1;
  if (!lowest.has_value() || *lowest < 0) {
    return absl::OutOfRangeError("the strides reach positions below 0");
  }
  if (!highest.has_value() || *highest == std::numeric_limits<int64_t>::max()) {
    return absl::OutOfRangeError("the strides reach positions past 2^63-2");
  }
  std::stable_sort(digits.begin(), digits.end(), DescendingStride);
  map->digits_ = Merged(digits);
  map->base_ = base;
  map->tail_begin_ = *highest + 1;
  map->position_count_ = *highest + 1;
  map->DropUnusedSources();
  map->Compile();
  return map;
}

}  // namespace tessera
