#include "tessera/tenstorrent/affine/affine_operations.h"

#include <cstddef>

#include "absl/container/inlined_vector.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/tenstorrent/affine/affine_builder.h"

namespace tessera::tenstorrent {
namespace {

using Kind = AffineNode::Kind;

absl::StatusOr<AffineExpression> Combine(Kind operation,
                                         const AffineExpression& a,
                                         const AffineExpression& b) {
  AffineBuilder builder;
  const AffineBuilder::Term first = builder.Insert(a);
  TESSERA_ASSIGN_OR_RETURN(
      const AffineBuilder::Term result,
      builder.Operation(operation, first, builder.Insert(b)));
  return builder.Take(result);
}

}  // namespace

absl::StatusOr<AffineExpression> Add(const AffineExpression& a,
                                     const AffineExpression& b) {
  return Combine(Kind::kAdd, a, b);
}

absl::StatusOr<AffineExpression> Subtract(const AffineExpression& a,
                                          const AffineExpression& b) {
  AffineBuilder builder;
  const AffineBuilder::Term first = builder.Insert(a);
  TESSERA_ASSIGN_OR_RETURN(const AffineBuilder::Term result,
                           builder.Subtract(first, builder.Insert(b)));
  return builder.Take(result);
}

absl::StatusOr<AffineExpression> Multiply(const AffineExpression& a,
                                          const AffineExpression& b) {
  return Combine(Kind::kMultiply, a, b);
}

absl::StatusOr<AffineExpression> FloorDiv(const AffineExpression& a,
                                          const AffineExpression& divisor) {
  return Combine(Kind::kFloorDiv, a, divisor);
}

absl::StatusOr<AffineExpression> CeilDiv(const AffineExpression& a,
                                         const AffineExpression& divisor) {
  return Combine(Kind::kCeilDiv, a, divisor);
}

absl::StatusOr<AffineExpression> Mod(const AffineExpression& a,
                                     const AffineExpression& divisor) {
  return Combine(Kind::kMod, a, divisor);
}

absl::StatusOr<AffineExpression> Substitute(
    const AffineExpression& expression, absl::Span<const AffineExpression> dims,
    absl::Span<const AffineExpression> symbols) {
  using Term = AffineBuilder::Term;
  AffineBuilder builder;
  // Each once, however often it is used.
  const auto insert_all = [&](absl::Span<const AffineExpression> expressions) {
    absl::InlinedVector<Term, 8> terms;
    for (const AffineExpression& expression : expressions) {
      terms.push_back(builder.Insert(expression));
    }
    return terms;
  };
  const absl::InlinedVector<Term, 8> for_dims = insert_all(dims);
  const absl::InlinedVector<Term, 8> for_symbols = insert_all(symbols);
  const auto replace = [&](const AffineNode& operand) {
    const size_t number = operand.value;
    if (operand.kind == Kind::kDim && number < for_dims.size()) {
      return for_dims[number];
    }
    if (operand.kind == Kind::kSymbol && number < for_symbols.size()) {
      return for_symbols[number];
    }
    return builder.Operand(operand);
  };
  absl::InlinedVector<Term, 16> terms;
  for (const AffineNode& node : expression.nodes()) {
    if (node.is_operand()) {
      terms.push_back(replace(node));
      continue;
    }
    const Term second = terms.back();
    terms.pop_back();
    TESSERA_ASSIGN_OR_RETURN(
        terms.back(), builder.Operation(node.kind, terms.back(), second));
  }
  return builder.Take(terms.back());
}

}  // namespace tessera::tenstorrent
