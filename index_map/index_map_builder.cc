// How coordinates become digits. A coordinate is always (source div divisor)
// mod modulus of one source; cutting or joining it keeps that form if the
// numbers allow, and otherwise makes a new source.

#include "tessera/index_map/index_map_builder.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_join.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"

namespace tessera {
namespace {

using Coordinate = IndexMap::Builder::Coordinate;

IndexMap::Piece PieceOf(const Coordinate& coordinate, int64_t multiplier) {
  IndexMap::Piece piece;
  piece.source = coordinate.source;
  piece.divisor = coordinate.divisor;
  piece.modulus = coordinate.modulus;
  piece.multiplier = multiplier;
  return piece;
}

IndexMap::Digit MakeDigit(const Coordinate& coordinate, int64_t stride) {
  IndexMap::Digit digit;
  digit.source = coordinate.source;
  digit.divisor = coordinate.divisor;
  digit.modulus = coordinate.bound;
  digit.stride = stride;
  return digit;
}

IndexMap::Source SourceOf(int64_t bound, std::vector<IndexMap::Piece> pieces) {
  IndexMap::Source source;
  source.bound = bound;
  source.pieces = std::move(pieces);
  return source;
}

absl::Status ProductTooLarge(std::string_view what,
                             absl::Span<const int64_t> factors) {
  return OutOfRangeError("the product of ", what, ", ",
                         absl::StrJoin(factors, " x "), ", exceeds 2^63-1");
}

bool DescendingStride(const IndexMap::Digit& a, const IndexMap::Digit& b) {
  return a.unit() > b.unit();
}

using Digits = absl::InlinedVector<IndexMap::Digit, 8>;

// Merges neighbouring digits that continue one another.
void Merge(Digits* digits) {
  size_t kept = 0;
  for (const IndexMap::Digit& minor : *digits) {
    if (kept > 0) {
      IndexMap::Digit& major = (*digits)[kept - 1];
      if (major.source == minor.source &&
          CheckedMultiply(minor.divisor, minor.modulus) == major.divisor &&
          CheckedMultiply(minor.stride, minor.modulus) == major.stride &&
          // Strides of 0 always continue one another.
          CheckedMultiply(major.modulus, minor.modulus).has_value()) {
        major.divisor = minor.divisor;
        major.modulus *= minor.modulus;
        major.stride = minor.stride;
        continue;
      }
    }
    (*digits)[kept++] = minor;
  }
  digits->resize(kept);
}

}  // namespace

IndexMap::Builder::Builder(absl::Span<const int64_t> bounds)
    : map_(std::make_shared<index_map_internal::CompiledMap>()) {
  map_->bounds.assign(bounds.begin(), bounds.end());
  map_->sources.resize(bounds.size());
  for (size_t i = 0; i < bounds.size(); ++i) {
    if (bounds[i] < 0) {
      KeepError(InvalidArgumentError("bound ", i, " is negative: ", bounds[i]));
    }
    map_->sources[i].bound = bounds[i];
    map_->sources[i].name = static_cast<int32_t>(i);
  }
}

void IndexMap::Builder::KeepError(absl::Status status) {
  if (status_.ok()) status_ = std::move(status);
}

Coordinate IndexMap::Builder::WholeSource(int32_t source) const {
  return {source, 1, 0, map_->sources[source].bound};
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
  source.name = static_cast<int32_t>(map_->sources.size());
  map_->sources.push_back(std::move(source));
  return WholeSource(static_cast<int32_t>(map_->sources.size() - 1));
}

bool IndexMap::Builder::IsConstant(int32_t source) const {
  if (source < static_cast<int32_t>(map_->bounds.size())) return false;
  return is_constant_[source - map_->bounds.size()];
}

Coordinate IndexMap::Builder::Unit() { return AddSource({}); }

Coordinate IndexMap::Builder::Join(const Coordinate& major,
                                   const Coordinate& minor) {
  // A coordinate of one value is 0 and joins without effect; but of two such
  // coordinates, one that identifies a dimension for errors should stay.
  if (major.bound == 1 && (minor.bound != 1 || !IsConstant(minor.source))) {
    return minor;
  }
  if (minor.bound == 1) return major;
  std::optional<int64_t> bound = CheckedMultiply(major.bound, minor.bound);
  // Without elements there are no indices.
  if (!bound.has_value() && absl::c_linear_search(map_->bounds, 0)) {
    bound = std::numeric_limits<int64_t>::max();
  }
  if (!bound.has_value()) {
    KeepError(ProductTooLarge("joined bounds", {major.bound, minor.bound}));
    return Coordinate();
  }
  // The quotient and the remainder of one division make up what was divided.
  if (major.source == minor.source && minor.modulus == minor.bound &&
      CheckedMultiply(minor.divisor, minor.bound) == major.divisor) {
    return {major.source, minor.divisor, major.modulus == 0 ? 0 : *bound,
            *bound};
  }
  return AddSource(SourceOf(
      *bound,
      {PieceOf(major, std::max<int64_t>(1, minor.bound)), PieceOf(minor, 1)}));
}

Coordinate IndexMap::Builder::Sum(
    absl::Span<const StridedCoordinate> coordinates, int64_t offset,
    int64_t limit) {
  IndexMap::Source source;
  source.offset = offset;
  std::optional<int64_t> bound = CheckedAdd(offset, 1);
  bool is_negative = offset < 0;
  for (const StridedCoordinate& strided : coordinates) {
    is_negative = is_negative || strided.stride < 0;
    const Coordinate& coordinate = strided.coordinate;
    if (coordinate.bound <= 1 || strided.stride == 0) continue;
    source.pieces.push_back(PieceOf(coordinate, strided.stride));
    const std::optional<int64_t> reach =
        CheckedMultiply(coordinate.bound - 1, strided.stride);
    if (bound.has_value() && reach.has_value()) {
      bound = CheckedAdd(*bound, *reach);
    } else {
      bound = std::nullopt;
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

Coordinate IndexMap::Builder::Part(const Coordinate& coordinate,
                                   int64_t divisor, int64_t modulus) {
  Coordinate part = coordinate;
  if (divisor > 1) part = Split(part, divisor).first;
  if (modulus != 0 && modulus < part.bound) {
    part = Split(part, modulus).second;
  } else if (part.modulus == 0) {
    // Does not change a value, but marks the beginning of the next part of the
    // source.
    part.modulus = modulus;
  }
  return part;
}

absl::InlinedVector<Coordinate, 8> IndexMap::Builder::DigitsOf(
    const IndexMap& map, absl::Span<const Coordinate> coordinates) {
  absl::InlinedVector<Coordinate, 8> sources(coordinates.begin(),
                                             coordinates.end());
  // A remainder that some digit does not cut exactly becomes one source for all
  // digits.
  auto cut = [&](int32_t source, int64_t divisor, int64_t modulus) {
    if (source >= static_cast<int32_t>(coordinates.size())) return;
    Coordinate& coordinate = sources[source];
    const bool is_exact =
        coordinate.modulus % divisor == 0 &&
        (modulus == 0 || coordinate.modulus / divisor % modulus == 0);
    if (coordinate.modulus == 0 || is_exact) return;
    coordinate =
        AddSource(SourceOf(coordinate.bound, {PieceOf(coordinate, 1)}));
  };
  for (const IndexMap::Digit& digit : map.digits()) {
    cut(digit.source, digit.divisor, digit.modulus);
  }
  for (const IndexMap::Source& old : map.sources()) {
    for (const IndexMap::Piece& piece : old.pieces) {
      cut(piece.source, piece.divisor, piece.modulus);
    }
  }
  for (const IndexMap::Source& old : map.sources().subspan(map.rank())) {
    IndexMap::Source source;
    source.bound = old.bound;
    source.offset = old.offset;
    for (const IndexMap::Piece& piece : old.pieces) {
      const Coordinate part =
          Part(sources[piece.source], piece.divisor, piece.modulus);
      if (part.bound > 1) {
        source.pieces.push_back(PieceOf(part, piece.multiplier));
      }
    }
    sources.push_back(AddSource(std::move(source)));
  }
  absl::InlinedVector<Coordinate, 8> digits;
  for (const IndexMap::Digit& digit : map.digits()) {
    Coordinate part = Part(sources[digit.source], digit.divisor, digit.modulus);
    if (part.modulus != 0 && part.modulus < digit.modulus) {
      part = AddSource(SourceOf(part.bound, {PieceOf(part, 1)}));
    }
    digits.push_back(Widen(part, digit.modulus));
  }
  return digits;
}

Coordinate IndexMap::Builder::PositionIn(
    const IndexMap& map, absl::Span<const Coordinate> coordinates) {
  const absl::InlinedVector<Coordinate, 8> digits = DigitsOf(map, coordinates);
  absl::InlinedVector<StridedCoordinate, 8> strided;
  for (size_t i = 0; i < digits.size(); ++i) {
    strided.push_back({digits[i], map.digits()[i].stride});
  }
  return Sum(strided, map.base(), std::max<int64_t>(1, map.tail_begin()));
}

absl::Status IndexMap::Builder::Begin() {
  if (!status_.ok()) return status_;
  const std::optional<int64_t> element_count = CheckedProduct(map_->bounds);
  if (!element_count.has_value()) {
    return ProductTooLarge("the bounds", map_->bounds);
  }
  map_->element_count = *element_count;
  return absl::OkStatus();
}

IndexMap IndexMap::Builder::Finish() && {
  Merge(&map_->digits);
  index_map_internal::DropUnusedSources(map_.get());
  index_map_internal::Derive(map_.get());
  return IndexMap(std::move(map_));
}

absl::StatusOr<IndexMap> IndexMap::Builder::BuildRowMajor(
    absl::Span<const Coordinate> axes, int64_t alignment) && {
  TESSERA_RETURN_IF_ERROR(Begin());
  absl::InlinedVector<int64_t, 12> bounds(axes.size());
  for (size_t i = 0; i < axes.size(); ++i) bounds[i] = axes[i].bound;
  std::optional<int64_t> count = CheckedProduct(bounds);
  if (!count.has_value()) return ProductTooLarge("the physical bounds", bounds);
  if (map_->element_count == 0) count = 0;
  map_->tail_begin = *count;
  count = CheckedRoundUp(*count, alignment);
  if (!count.has_value()) {
    return OutOfRangeError(map_->tail_begin,
                           " positions, rounded up to a multiple of ",
                           alignment, ", exceed 2^63-1");
  }
  map_->position_count = *count;

  // Without elements no stride matters, and the products may not fit.
  int64_t stride = map_->element_count == 0 ? 0 : 1;
  size_t digit = bounds.size() - absl::c_count(bounds, 1);
  map_->digits.resize(digit);
  for (size_t i = axes.size(); i-- > 0;) {
    if (axes[i].bound == 1) continue;
    map_->digits[--digit] = MakeDigit(axes[i], stride);
    stride *= axes[i].bound;
  }
  return std::move(*this).Finish();
}

absl::StatusOr<IndexMap> IndexMap::Builder::BuildStrided(
    absl::Span<const StridedCoordinate> coordinates, int64_t base) && {
  TESSERA_RETURN_IF_ERROR(Begin());
  std::optional<int64_t> lowest = base;
  std::optional<int64_t> highest = base;
  for (const StridedCoordinate& strided : coordinates) {
    const Coordinate& coordinate = strided.coordinate;
    if (coordinate.bound <= 1) continue;
    map_->digits.push_back(MakeDigit(coordinate, strided.stride));
    const std::optional<int64_t> reach =
        CheckedMultiply(coordinate.bound - 1, strided.stride);
    std::optional<int64_t>& end = strided.stride < 0 ? lowest : highest;
    if (reach.has_value() && end.has_value()) {
      end = CheckedAdd(*end, *reach);
    } else {
      end = std::nullopt;
    }
  }
  if (map_->element_count == 0) lowest = 0, highest = -1;
  if (!lowest.has_value() || *lowest < 0) {
    return absl::OutOfRangeError("the strides reach positions below 0");
  }
  if (!highest.has_value() || *highest == std::numeric_limits<int64_t>::max()) {
    return absl::OutOfRangeError("the strides reach positions past 2^63-2");
  }
  std::stable_sort(map_->digits.begin(), map_->digits.end(), DescendingStride);
  map_->base = base;
  map_->tail_begin = *highest + 1;
  map_->position_count = *highest + 1;
  return std::move(*this).Finish();
}

absl::StatusOr<IndexMap> IndexMap::Builder::BuildMapped(
    const IndexMap& map, absl::Span<const Coordinate> coordinates) && {
  const absl::InlinedVector<Coordinate, 8> digits = DigitsOf(map, coordinates);
  TESSERA_RETURN_IF_ERROR(Begin());
  map_->base = map.base();
  map_->swizzle = map.swizzle();
  map_->position_count = map.position_count();
  map_->tail_begin = map_->element_count == 0 ? 0 : map.tail_begin();
  if (map_->element_count != 0) {
    for (size_t i = 0; i < digits.size(); ++i) {
      map_->digits.push_back(MakeDigit(digits[i], map.digits()[i].stride));
    }
  }
  return std::move(*this).Finish();
}

}  // namespace tessera
