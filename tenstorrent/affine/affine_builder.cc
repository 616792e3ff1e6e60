#include "tessera/tenstorrent/affine/affine_builder.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "absl/hash/hash.h"
#include "absl/status/status.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/math/floor_division.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"

namespace tessera::tenstorrent {
namespace {

constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();

absl::Status ConstantOverflow() {
  return absl::OutOfRangeError("a constant exceeds 2^63-1");
}

bool IsMultiple(int64_t value, int64_t of) { return value % of == 0; }

}  // namespace

AffineBuilder::Term AffineBuilder::Push(const AffineNode& node, Term left,
                                        Term right) {
  GraphNode pushed = {node, left, right, 1, 1, 0, false, false};
  if (node.is_operand()) {
    pushed.has_dims = node.kind == Kind::kDim;
    if (node.kind == Kind::kConstant) {
      pushed.divisor = node.value < 0 ? -node.value : node.value;
    }
    pushed.hash = absl::HashOf(node);
  } else {
    const GraphNode& l = graph_[left];
    const GraphNode& r = graph_[right];
    pushed.size = l.size + r.size + 1;
    pushed.divisor = DivisorOf(node.kind, left, right);
    pushed.hash = absl::HashOf(node, l.hash, r.hash);
    pushed.has_dims = l.has_dims || r.has_dims;
    pushed.has_sum_on_right =
        l.has_sum_on_right || r.has_sum_on_right ||
        (node.kind == Kind::kAdd && r.node.kind == Kind::kAdd);
  }
  graph_.push_back(pushed);
  return static_cast<Term>(graph_.size() - 1);
}

int64_t AffineBuilder::DivisorOf(Kind kind, Term left, Term right) const {
  const int64_t l = graph_[left].divisor;
  const int64_t r = graph_[right].divisor;
  switch (kind) {
    case Kind::kMultiply:
      return CheckedMultiply(l, r).value_or(std::max(l, r));
    case Kind::kFloorDiv:
    case Kind::kCeilDiv:
      return is_constant(right) && IsMultiple(l, constant(right))
                 ? l / constant(right)
                 : 1;
    default:
      return std::gcd(l, r);
  }
}

absl::StatusOr<AffineBuilder::Term> AffineBuilder::Make(Kind kind, Term left,
                                                        Term right) {
  if (graph_[left].size + graph_[right].size >= AffineExpression::kMaxNodes) {
    return ResourceExhaustedError("an affine expression has at most ",
                                  AffineExpression::kMaxNodes,
                                  " operands and operations");
  }
  return Push({kind, 0}, left, right);
}

bool AffineBuilder::Equal(Term a, Term b) const {
  absl::InlinedVector<std::pair<Term, Term>, 16> pairs = {{a, b}};
  while (!pairs.empty()) {
    const auto [x, y] = pairs.back();
    pairs.pop_back();
    if (x == y) continue;
    const GraphNode& p = graph_[x];
    const GraphNode& q = graph_[y];
    if (p.hash != q.hash || p.size != q.size || !(p.node == q.node)) {
      return false;
    }
    if (p.node.is_operand()) continue;
    pairs.push_back({p.left, q.left});
    pairs.push_back({p.right, q.right});
  }
  return true;
}

absl::StatusOr<AffineBuilder::Term> AffineBuilder::Operation(Kind kind, Term a,
                                                             Term b) {
  if (kind == Kind::kAdd) return Add(a, b);
  if (kind == Kind::kMultiply) {
    if (has_dims(a) && has_dims(b)) {
      return absl::InvalidArgumentError(
          "not affine: one of the factors must be free of dimensions");
    }
    return Multiply(a, b);
  }
  if (has_dims(b)) {
    return absl::InvalidArgumentError(
        "not affine: the divisor must be free of dimensions");
  }
  if (!is_constant(b)) return Make(kind, a, b);
  if (constant(b) < 1) {
    return InvalidArgumentError("the divisor is ", constant(b),
                                "; expected at least 1");
  }
  if (kind == Kind::kFloorDiv) return FloorDiv(a, constant(b));
  // simplifyCeilDiv does not change sums.
  if (kind == Kind::kCeilDiv) return DivideWhole(kind, a, constant(b));
  return Mod(a, constant(b));
}

absl::StatusOr<AffineBuilder::Term> AffineBuilder::Subtract(Term a, Term b) {
  const absl::StatusOr<Term> negated = MultiplyBy(b, -1);
  return negated.ok() ? Add(a, *negated) : negated;
}

// The rules of simplifyAdd. It recurses only a few levels deep, because the
// terms of recursive calls no longer have a constant on their right.
absl::StatusOr<AffineBuilder::Term> AffineBuilder::Add(Term a, Term b) {
  if (is_constant(a) || (!has_dims(a) && has_dims(b))) std::swap(a, b);
  if (is_constant(b)) {
    Term rest = 0;
    int64_t addend = 0;
    if (is_constant(a)) {
      addend = constant(a);
    } else if (HasConstantOnRight(Kind::kAdd, a)) {
      rest = left(a);
      addend = constant(right(a));
    } else {
      return constant(b) == 0 ? a : Make(Kind::kAdd, a, b);
    }
    const std::optional<int64_t> sum = CheckedAdd(addend, constant(b));
    if (!sum.has_value() || *sum == kLeast) return ConstantOverflow();
    if (rest == 0) return Constant(*sum);
    return *sum == 0 ? rest : Make(Kind::kAdd, rest, Constant(*sum));
  }

  const bool a_is_multiple = HasConstantOnRight(Kind::kMultiply, a);
  const bool b_is_multiple = HasConstantOnRight(Kind::kMultiply, b);
  const Term of_a = a_is_multiple ? left(a) : a;
  if (Equal(of_a, b_is_multiple ? left(b) : b)) {
    const std::optional<int64_t> factor =
        CheckedAdd(a_is_multiple ? constant(right(a)) : 1,
                   b_is_multiple ? constant(right(b)) : 1);
    if (!factor.has_value() || *factor == kLeast) return ConstantOverflow();
    return MultiplyBy(of_a, *factor);
  }

  if (HasConstantOnRight(Kind::kAdd, a)) {
    const absl::StatusOr<Term> rest = Add(left(a), b);
    return rest.ok() ? Add(*rest, right(a)) : rest;
  }

  TESSERA_ASSIGN_OR_RETURN(const Term modulus, FindModulus(a, b));
  if (modulus == 0) return Make(Kind::kAdd, a, b);
  return Operation(Kind::kMod, a, modulus);
}

absl::StatusOr<AffineBuilder::Term> AffineBuilder::FindModulus(Term a, Term b) {
  if (kind(b) != Kind::kMultiply) return Term{0};
  const Term multiplicand = left(b);
  const auto divides_a = [this, a](Term quotient, Term divisor) {
    return kind(quotient) == Kind::kFloorDiv &&
           Equal(right(quotient), divisor) && Equal(left(quotient), a);
  };
  if (IsConstant(right(b), -1) && kind(multiplicand) == Kind::kMultiply) {
    const Term divisor = right(multiplicand);
    return divides_a(left(multiplicand), divisor) ? divisor : Term{0};
  }
  if (kind(multiplicand) != Kind::kFloorDiv) return Term{0};
  TESSERA_ASSIGN_OR_RETURN(const Term divisor, MultiplyBy(right(b), -1));
  return divides_a(multiplicand, divisor) ? right(multiplicand) : Term{0};
}

// The rules of simplifyMul; calls of itself as in Add.
absl::StatusOr<AffineBuilder::Term> AffineBuilder::Multiply(Term a, Term b) {
  if (has_dims(b) || is_constant(a)) std::swap(a, b);
  if (is_constant(b)) {
    Term rest = 0;
    int64_t factor = 1;
    if (is_constant(a)) {
      factor = constant(a);
    } else if (constant(b) == 1) {
      return a;
    } else if (constant(b) == 0) {
      return b;
    } else if (HasConstantOnRight(Kind::kMultiply, a)) {
      rest = left(a);
      factor = constant(right(a));
    } else {
      return Make(Kind::kMultiply, a, b);
    }
    const std::optional<int64_t> product = CheckedMultiply(factor, constant(b));
    if (!product.has_value() || *product == kLeast) return ConstantOverflow();
    if (rest == 0) return Constant(*product);
    return *product == 1 ? rest
                         : Make(Kind::kMultiply, rest, Constant(*product));
  }
  if (!HasConstantOnRight(Kind::kMultiply, a)) {
    return Make(Kind::kMultiply, a, b);
  }
  const absl::StatusOr<Term> rest = Multiply(left(a), b);
  return rest.ok() ? Multiply(*rest, right(a)) : rest;
}

// The rules of simplifyFloorDiv. A sum may be as deep as its text is long, so
// its summands are on an explicit stack.
absl::StatusOr<AffineBuilder::Term> AffineBuilder::FloorDiv(Term a,
                                                            int64_t divisor) {
  constexpr Term kAddHere = 0;
  absl::InlinedVector<Term, 16> to_do = {a};
  absl::InlinedVector<Term, 16> quotients;
  while (!to_do.empty()) {
    const Term term = to_do.back();
    to_do.pop_back();
    absl::StatusOr<Term> quotient;
    if (term == kAddHere) {
      const Term second = quotients.back();
      quotients.pop_back();
      quotient = Add(quotients.back(), second);
      quotients.pop_back();
    } else if (divisor > 1 && kind(term) == Kind::kAdd &&
               (IsMultiple(graph_[left(term)].divisor, divisor) ||
                IsMultiple(graph_[right(term)].divisor, divisor))) {
      to_do.insert(to_do.end(), {kAddHere, right(term), left(term)});
      continue;
    } else {
      quotient = DivideWhole(Kind::kFloorDiv, term, divisor);
    }
    if (!quotient.ok()) return quotient;
    quotients.push_back(*quotient);
  }
  return quotients.back();
}

absl::StatusOr<AffineBuilder::Term> AffineBuilder::DivideWhole(
    Kind kind, Term a, int64_t divisor) {
  if (is_constant(a)) {
    return Constant(kind == Kind::kFloorDiv
                        ? FloorOfRatio(constant(a), divisor)
                        : CeilOfRatio(constant(a), divisor));
  }
  if (divisor == 1) return a;
  if (HasConstantOnRight(Kind::kMultiply, a) &&
      IsMultiple(constant(right(a)), divisor)) {
    return MultiplyBy(left(a), constant(right(a)) / divisor);
  }
  return Make(kind, a, Constant(divisor));
}

// The rules of simplifyMod.
absl::StatusOr<AffineBuilder::Term> AffineBuilder::Mod(Term a,
                                                       int64_t divisor) {
  while (true) {
    if (is_constant(a)) return Constant(FloorRemainder(constant(a), divisor));
    if (IsMultiple(graph_[a].divisor, divisor)) return Constant(0);
    if (kind(a) == Kind::kAdd && IsMultiple(graph_[left(a)].divisor, divisor)) {
      a = right(a);
    } else if (kind(a) == Kind::kAdd &&
               IsMultiple(graph_[right(a)].divisor, divisor)) {
      a = left(a);
    } else if (HasConstantOnRight(Kind::kMod, a) &&
               IsMultiple(constant(right(a)), divisor)) {
      a = left(a);
    } else {
      return Make(Kind::kMod, a, Constant(divisor));
    }
  }
}

AffineBuilder::Term AffineBuilder::Insert(const AffineExpression& expression) {
  absl::InlinedVector<Term, 16> terms;
  for (const AffineNode& node : expression.nodes()) {
    if (node.is_operand()) {
      terms.push_back(Operand(node));
      continue;
    }
    const Term second = terms.back();
    terms.pop_back();
    terms.back() = Push(node, terms.back(), second);
  }
  return terms.back();
}

AffineExpression::Nodes AffineBuilder::InOrderOfText(Term term) const {
  struct Step {
    enum What : uint8_t { kTerm, kAddend, kOperation };
    What what;
    Kind operation;
    Term term;
  };
  AffineExpression::Nodes nodes;
  nodes.reserve(graph_[term].size);
  absl::InlinedVector<Step, 16> to_do = {{Step::kTerm, Kind::kAdd, term}};
  while (!to_do.empty()) {
    const Step step = to_do.back();
    to_do.pop_back();
    if (step.what == Step::kOperation) {
      nodes.push_back({step.operation, 0});
      continue;
    }
    const GraphNode& at = graph_[step.term];
    if (at.node.kind == Kind::kAdd) {
      to_do.push_back({Step::kAddend, Kind::kAdd, at.right});
      to_do.push_back({step.what, Kind::kAdd, at.left});
      continue;
    }
    if (step.what == Step::kAddend) {
      to_do.push_back({Step::kOperation, Kind::kAdd, 0});
    }
    if (at.node.is_operand()) {
      // It does not have operands, so it may be written before the waiting
      // terms.
      nodes.push_back(at.node);
    } else {
      to_do.push_back({Step::kOperation, at.node.kind, 0});
      to_do.push_back({Step::kTerm, Kind::kAdd, at.right});
      to_do.push_back({Step::kTerm, Kind::kAdd, at.left});
    }
  }
  return nodes;
}

absl::StatusOr<AffineBuilder::Term> AffineBuilder::Rebuild(
    absl::Span<const AffineNode> nodes) {
  absl::InlinedVector<Term, 16> terms;
  for (const AffineNode& node : nodes) {
    if (node.is_operand()) {
      terms.push_back(Operand(node));
      continue;
    }
    const Term second = terms.back();
    terms.pop_back();
    TESSERA_ASSIGN_OR_RETURN(terms.back(),
                             Operation(node.kind, terms.back(), second));
  }
  return terms.back();
}

absl::StatusOr<AffineExpression> AffineBuilder::Take(Term term) {
  while (graph_[term].has_sum_on_right) {
    TESSERA_ASSIGN_OR_RETURN(term, Rebuild(InOrderOfText(term)));
  }
  return AffineExpression(InOrderOfText(term));
}

}  // namespace tessera::tenstorrent
