// Expressions are evaluated from left to right, as they are stored, on sums of
// coordinates in place of numbers.

#include "tessera/tenstorrent/affine/map_coordinates.h"

#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/tenstorrent/affine/affine_expression.h"

namespace tessera::tenstorrent {
namespace {

using Builder = IndexMap::Builder;
using Coordinate = Builder::Coordinate;
using Kind = AffineNode::Kind;

absl::Status TooLarge() {
  return absl::OutOfRangeError("a number of the map exceeds 2^63-1");
}

bool SameDigit(const Coordinate& a, const Coordinate& b) {
  return a.source == b.source && a.divisor == b.divisor &&
         a.modulus == b.modulus;
}

// constant + the sum of stride * coordinate, each coordinate once.
struct CoordinateSum {
  std::vector<Builder::StridedCoordinate> terms;
  int64_t constant = 0;

  absl::Status Add(const CoordinateSum& other) {
    for (const Builder::StridedCoordinate& term : other.terms) {
      TESSERA_RETURN_IF_ERROR(AddTerm(term));
    }
    return AddConstant(other.constant);
  }

  absl::Status AddConstant(int64_t value) {
    const std::optional<int64_t> sum = CheckedAdd(constant, value);
    if (!sum.has_value()) return TooLarge();
    constant = *sum;
    return absl::OkStatus();
  }

  absl::Status Scale(int64_t factor) {
    std::optional<int64_t> product = CheckedMultiply(constant, factor);
    if (!product.has_value()) return TooLarge();
    constant = *product;
    for (Builder::StridedCoordinate& term : terms) {
      product = CheckedMultiply(term.stride, factor);
      if (!product.has_value()) return TooLarge();
      term.stride = *product;
    }
    return absl::OkStatus();
  }

 private:
  absl::Status AddTerm(const Builder::StridedCoordinate& added) {
    for (Builder::StridedCoordinate& term : terms) {
      if (!SameDigit(term.coordinate, added.coordinate)) continue;
      const std::optional<int64_t> sum = CheckedAdd(term.stride, added.stride);
      if (!sum.has_value()) return TooLarge();
      term.stride = *sum;
      return absl::OkStatus();
    }
    terms.push_back(added);
    return absl::OkStatus();
  }
};

absl::Status CheckNotNegative(const CoordinateSum& sum) {
  for (const Builder::StridedCoordinate& term : sum.terms) {
    if (term.stride < 0) {
      return UnimplementedError(
          "a coefficient of the map is negative, ", term.stride,
          "; locations are computed for rising positions only");
    }
  }
  if (sum.constant >= 0) return absl::OkStatus();
  return UnimplementedError(
      "a constant of the map is negative, ", sum.constant,
      "; locations are computed for rising positions only");
}

// The largest value + 1; nullopt past 2^63-1. Precondition: CheckNotNegative.
std::optional<int64_t> BoundOf(const CoordinateSum& sum) {
  std::optional<int64_t> bound = CheckedAdd(sum.constant, 1);
  for (const Builder::StridedCoordinate& term : sum.terms) {
    const std::optional<int64_t> reach =
        CheckedMultiply(term.coordinate.bound - 1, term.stride);
    if (!bound.has_value() || !reach.has_value()) return std::nullopt;
    bound = CheckedAdd(*bound, *reach);
  }
  return bound;
}

bool SameSum(const CoordinateSum& a, const CoordinateSum& b) {
  if (a.constant != b.constant || a.terms.size() != b.terms.size()) {
    return false;
  }
  for (size_t i = 0; i < a.terms.size(); ++i) {
    if (a.terms[i].stride != b.terms[i].stride ||
        !SameDigit(a.terms[i].coordinate, b.terms[i].coordinate)) {
      return false;
    }
  }
  return true;
}

// The sums that were cut so far, as coordinates.
using CutSums = std::vector<std::pair<CoordinateSum, Coordinate>>;

// Returns the sum as one coordinate; the coordinate of its term if it has only
// one.
Coordinate Whole(const CoordinateSum& sum, CutSums* cut_sums,
                 Builder* builder) {
  if (sum.terms.size() == 1 && sum.terms[0].stride == 1 && sum.constant == 0) {
    return sum.terms[0].coordinate;
  }
  for (const auto& [known, coordinate] : *cut_sums) {
    if (SameSum(known, sum)) return coordinate;
  }
  const Coordinate coordinate = builder->Sum(sum.terms, sum.constant);
  // More than a few do not help, and take time to search.
  constexpr size_t kMaxCutSums = 64;
  if (cut_sums->size() < kMaxCutSums) cut_sums->push_back({sum, coordinate});
  return coordinate;
}

CoordinateSum Only(const Coordinate& coordinate) {
  CoordinateSum sum;
  if (coordinate.bound > 1) sum.terms.push_back({coordinate, 1});
  return sum;
}

absl::StatusOr<CoordinateSum> Divide(Kind kind, CoordinateSum sum,
                                     int64_t divisor, CutSums* cut_sums,
                                     Builder* builder) {
  if (kind == Kind::kCeilDiv) {
    TESSERA_RETURN_IF_ERROR(sum.AddConstant(divisor - 1));
  }
  TESSERA_RETURN_IF_ERROR(CheckNotNegative(sum));
  const std::optional<int64_t> bound = BoundOf(sum);
  if (bound.has_value() && *bound <= divisor) {
    return kind == Kind::kMod ? sum : CoordinateSum();
  }
  const auto [quotient, remainder] =
      builder->Split(Whole(sum, cut_sums, builder), divisor);
  return Only(kind == Kind::kMod ? remainder : quotient);
}

// Returns the result of the operation on a and b.
absl::StatusOr<CoordinateSum> Apply(Kind kind, CoordinateSum a, CoordinateSum b,
                                    CutSums* cut_sums, Builder* builder) {
  absl::Status status;
  if (kind == Kind::kAdd) {
    status = a.Add(b);
  } else if (kind == Kind::kMultiply) {
    if (a.terms.empty()) std::swap(a, b);
    status = a.Scale(b.constant);
  } else {
    return Divide(kind, std::move(a), b.constant, cut_sums, builder);
  }
  if (!status.ok()) return status;
  return a;
}

absl::StatusOr<CoordinateSum> ValueOf(const AffineExpression& expression,
                                      absl::Span<const int64_t> bounds,
                                      CutSums* cut_sums, Builder* builder) {
  std::vector<CoordinateSum> stack;
  for (const AffineNode& node : expression.nodes()) {
    CoordinateSum value;
    if (node.kind == Kind::kConstant) {
      value.constant = node.value;
    } else if (node.is_operand()) {
      // A dimension of one value is 0.
      if (bounds[node.value] > 1) {
        value = Only(builder->Dimension(node.value));
      }
    } else {
      CoordinateSum b = std::move(stack.back());
      stack.pop_back();
      TESSERA_ASSIGN_OR_RETURN(CoordinateSum result,
                               Apply(node.kind, std::move(stack.back()),
                                     std::move(b), cut_sums, builder));
      stack.pop_back();
      value = std::move(result);
    }
    stack.push_back(std::move(value));
  }
  return std::move(stack.back());
}

}  // namespace

absl::StatusOr<std::vector<PositionSum>> SumsOfResults(
    const AffineMap& map, absl::Span<const int64_t> bounds,
    absl::Span<const int64_t> limits, Builder* builder) {
  CutSums cut_sums;
  std::vector<PositionSum> results;
  for (int64_t i = 0; i < map.num_results(); ++i) {
    TESSERA_ASSIGN_OR_RETURN(CoordinateSum value, ValueOf(map.result(i), bounds,
                                                          &cut_sums, builder));
    TESSERA_RETURN_IF_ERROR(CheckNotNegative(value));
    PositionSum sum{{}, value.constant, limits[i]};
    bool is_plain = BoundOf(value).has_value();
    for (const Builder::StridedCoordinate& term : value.terms) {
      if (term.stride == 0) continue;
      const Coordinate& coordinate = term.coordinate;
      const bool is_dim = coordinate.source < map.num_dims() &&
                          coordinate.divisor == 1 && coordinate.modulus == 0;
      is_plain =
          is_plain && is_dim && map.ResultsUsing(coordinate.source).size() == 1;
      sum.terms.push_back(term);
    }
    if (!is_plain) {
      sum = {{{builder->Sum(sum.terms, sum.constant, sum.limit), 1}}};
    }
    results.push_back(std::move(sum));
  }
  return results;
}

}  // namespace tessera::tenstorrent
