// Expressions are evaluated from left to right, as they are stored, on sums of
// coordinates in place of numbers.

#include "tessera/tensor_layout/map_coordinates.h"

#include <limits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "tessera/math/checked_arithmetic.h"

namespace tessera {
namespace tensor_layout {
namespace {

using Builder = IndexMap::Builder;
using Coordinate = Builder::Coordinate;
using Kind = AffineNode::Kind;

constexpr int64_t kNoLimit = std::numeric_limits<int64_t>::max();

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
      if (absl::Status status = AddTerm(term); !status.ok()) return status;
    }
    return AddConstant(other.constant);
  }

  absl::Status AddConstant(int64_t value) {
    const absl::optional<int64_t> sum = CheckedAdd(constant, value);
    if (!sum.has_value()) return TooLarge();
    constant = *sum;
    return absl::OkStatus();
  }

  absl::Status Scale(int64_t factor) {
    absl::optional<int64_t> product = CheckedMultiply(constant, factor);
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
      const absl::optional<int64_t> sum = CheckedAdd(term.stride, added.stride);
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
      return absl::UnimplementedError(
          absl::StrCat("a coefficient of the map is negative, ", term.stride,
                       "; locations are computed for rising positions only"));
    }
  }
  if (sum.constant >= 0) return absl::OkStatus();
  return absl::UnimplementedError(
      absl::StrCat("a constant of the map is negative, ", sum.constant,
                   "; locations are computed for rising positions only"));
}

// The sum as one coordinate, that of its only term if it has no other.
absl::StatusOr<Coordinate> Whole(const CoordinateSum& sum, Builder* builder) {
  if (sum.terms.size() == 1 && sum.terms[0].stride == 1 && sum.constant == 0) {
    return sum.terms[0].coordinate;
  }
  if (absl::Status status = CheckNotNegative(sum); !status.ok()) return status;
  return builder->Sum(sum.terms, sum.constant);
}

CoordinateSum Only(const Coordinate& coordinate) {
  CoordinateSum sum;
  if (coordinate.bound > 1) sum.terms.push_back({coordinate, 1});
  return sum;
}

// What becomes of a and b.
absl::StatusOr<CoordinateSum> Apply(Kind kind, CoordinateSum a, CoordinateSum b,
                                    Builder* builder) {
  absl::Status status;
  if (kind == Kind::kAdd) {
    status = a.Add(b);
  } else if (kind == Kind::kMultiply) {
    if (a.terms.empty()) std::swap(a, b);
    status = a.Scale(b.constant);
  } else {
    const int64_t divisor = b.constant;
    if (kind == Kind::kCeilDiv) status = a.AddConstant(divisor - 1);
    if (!status.ok()) return status;
    const absl::StatusOr<Coordinate> whole = Whole(a, builder);
    if (!whole.ok()) return whole.status();
    const auto [quotient, remainder] = builder->Split(*whole, divisor);
    return Only(kind == Kind::kMod ? remainder : quotient);
  }
  if (!status.ok()) return status;
  return a;
}

}  // namespace

absl::StatusOr<Coordinate> AddExpression(const AffineExpression& expression,
                                         absl::Span<const int64_t> bounds,
                                         int64_t limit, Builder* builder) {
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
      absl::StatusOr<CoordinateSum> result =
          Apply(node.kind, std::move(stack.back()), std::move(b), builder);
      if (!result.ok()) return result.status();
      stack.pop_back();
      value = *std::move(result);
    }
    stack.push_back(std::move(value));
  }
  if (absl::Status status = CheckNotNegative(stack.back()); !status.ok()) {
    return status;
  }
  return builder->Sum(stack.back().terms, stack.back().constant, limit);
}

}  // namespace tensor_layout
}  // namespace tessera
