// File: tenstorrent/affine/affine_expression.h
//
// An affine expression as MLIR has them: what becomes of an index, in terms of
// its dimensions d0, d1, ..., of symbols s0, s1, ... and of integers.
//
//   AffineForm form;
//   form.coefficients = {4, -1};
//   form.constant = 2;
//   AffineExpression row = form.ToExpression();
//   row.ToString();                          // "d0 * 4 - d1 + 2"
//   row.Evaluate({2, 3});                    // 7
//   row.Form(2) == form;                     // true
//   AffineExpression::Dim(0) == row;         // false
//
// Sums, products, quotients and remainders: affine_operations.h.
//
// floordiv rounds towards minus infinity, ceildiv towards plus infinity, and
// mod is never negative. A product has a factor without dimensions, and a
// divisor has no dimensions and is positive; one that depends on symbols is
// found to be positive only when it is evaluated. Terms and meaning are those
// of https://mlir.llvm.org/docs/Dialects/Affine; MLIR lets a divisor that is
// not positive stand, without a meaning.
//
// An expression is in MLIR's form from the start: every operation simplifies as
// that of LLVM 19 does (mlir/lib/IR/AffineExpr.cpp: constants fold and stand on
// the right, like neighbours are added up, x - x floordiv 4 * 4 is x mod 4,
// ...), and prints as its printer does. It does no more than that: d0 + d1 - d0
// stays so, and expressions that are written differently are different. (By
// LLVM 22 MLIR has come to swap the terms of d1 + d0 as well.)
//
// There is one deliberate difference. MLIR prints d0 + (d0 + 1) without its
// parentheses, and simplifies what it then reads back; here a sum whose second
// term is a sum becomes at once what MLIR makes of its own text, d0 * 2 + 1. So
// text and expression always determine each other.
//
// The operations are stored in one array, in postfix order: nothing recurses,
// and an expression of up to nine operands and operations is copied without
// allocation.

#ifndef TESSERA_TENSTORRENT_AFFINE_AFFINE_EXPRESSION_H_
#define TESSERA_TENSTORRENT_AFFINE_AFFINE_EXPRESSION_H_

#include <cstdint>
#include <string>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "tessera/base/text/text_writer.h"

namespace tessera {
namespace tenstorrent {

// An operand, or an operation on the two values before it.
struct AffineNode {
  enum class Kind : uint8_t {
    kConstant,
    kDim,
    kSymbol,
    kAdd,
    kMultiply,
    kFloorDiv,
    kCeilDiv,
    kMod,
  };

  bool is_operand() const { return kind <= Kind::kSymbol; }

  friend bool operator==(const AffineNode& a, const AffineNode& b) {
    return a.kind == b.kind && a.value == b.value;
  }
  template <typename H>
  friend H AbslHashValue(H h, const AffineNode& node) {
    return H::combine(std::move(h), node.kind, node.value);
  }

  Kind kind;
  // A constant, or the number of a dimension or symbol; 0 for an operation.
  int64_t value;
};

class AffineExpression;

// constant + coefficients[0] * d0 + coefficients[1] * d1 + ...
struct AffineForm {
  // In the order of the dimensions, without those of coefficient 0, the
  // constant last: "d0 * 192 + d1 * 64 + d2", "-d1 + 3".
  // Precondition: no number is -2^63, and there are at most
  // AffineExpression::kMaxDims coefficients.
  AffineExpression ToExpression() const;

  friend bool operator==(const AffineForm& a, const AffineForm& b) {
    return a.constant == b.constant && a.coefficients == b.coefficients;
  }

  int64_t constant = 0;
  absl::InlinedVector<int64_t, 6> coefficients;
};

class AffineExpression {
 public:
  using Nodes = absl::InlinedVector<AffineNode, 9>;

  // Limits of this library; MLIR has none. Dimensions and symbols are numbered
  // below kMaxDims each, and an expression has at most kMaxNodes operands and
  // operations.
  static constexpr int64_t kMaxDims = 1024;
  static constexpr int64_t kMaxNodes = 1 << 15;

  // The constant 0.
  AffineExpression() : AffineExpression(AffineNode::Kind::kConstant, 0) {}
  // Precondition: 0 <= dim < kMaxDims.
  static AffineExpression Dim(int64_t dim) {
    return AffineExpression(AffineNode::Kind::kDim, dim);
  }
  // Precondition: 0 <= symbol < kMaxDims.
  static AffineExpression Symbol(int64_t symbol) {
    return AffineExpression(AffineNode::Kind::kSymbol, symbol);
  }
  // Precondition: value > -2^63, which has no negation to print as in d0 - 4.
  static AffineExpression Constant(int64_t value) {
    return AffineExpression(AffineNode::Kind::kConstant, value);
  }

  // The operands and operations in postfix order.
  absl::Span<const AffineNode> nodes() const { return nodes_; }

  // The constant, the number of the dimension, if the expression is just that.
  absl::optional<int64_t> AsConstant() const {
    return As(AffineNode::Kind::kConstant);
  }
  absl::optional<int64_t> AsDim() const { return As(AffineNode::Kind::kDim); }

  bool UsesDim(int64_t dim) const {
    return Uses({AffineNode::Kind::kDim, dim});
  }
  bool UsesSymbol(int64_t symbol) const {
    return Uses({AffineNode::Kind::kSymbol, symbol});
  }
  // One more than the largest number of a dimension, or symbol, that occurs; 0
  // if none does.
  int64_t dim_limit() const { return Limit(AffineNode::Kind::kDim); }
  int64_t symbol_limit() const { return Limit(AffineNode::Kind::kSymbol); }

  // The linear form in `num_dims` dimensions, multiplied out: that of
  // (d0 + d1 * 2) * 3 is {0, {3, 6}}. Nullopt if a symbol, floordiv, ceildiv or
  // mod occurs, or a number of the form would exceed 2^63-1 in magnitude.
  // Precondition: num_dims >= dim_limit().
  absl::optional<AffineForm> Form(int64_t num_dims) const;

  // Returns the value at `indices`, one for each dimension, given the values of
  // the symbols. Precondition: there are at least dim_limit() indices and
  // symbol_limit() symbols. Errors: kOutOfRange if the result of an operation
  // is outside int64_t; kInvalidArgument if a divisor is below 1.
  absl::StatusOr<int64_t> Evaluate(
      absl::Span<const int64_t> indices,
      absl::Span<const int64_t> symbols = {}) const;

  // The same without the checks. Precondition: Evaluate would succeed.
  int64_t Value(absl::Span<const int64_t> indices,
                absl::Span<const int64_t> symbols = {}) const;

  // As MLIR prints it.
  std::string ToString() const;
  void AppendTo(TextWriter* writer) const;

  friend bool operator==(const AffineExpression& a, const AffineExpression& b) {
    return a.nodes_ == b.nodes_;
  }
  friend bool operator!=(const AffineExpression& a, const AffineExpression& b) {
    return !(a == b);
  }
  template <typename H>
  friend H AbslHashValue(H h, const AffineExpression& expression) {
    return H::combine(std::move(h), expression.nodes_);
  }

 private:
  friend class AffineBuilder;
  friend struct AffineForm;

  AffineExpression(AffineNode::Kind kind, int64_t value)
      : nodes_(1, AffineNode{kind, value}) {}
  // In the canonical form.
  explicit AffineExpression(Nodes nodes);

  absl::optional<int64_t> As(AffineNode::Kind kind) const {
    if (nodes_.size() != 1 || nodes_[0].kind != kind) return absl::nullopt;
    return nodes_[0].value;
  }
  bool Uses(const AffineNode& operand) const;
  int64_t Limit(AffineNode::Kind kind) const;

  Nodes nodes_;
  // How many values are at hand at once, at most, during an evaluation.
  int64_t stack_size_ = 1;
};

}  // namespace tenstorrent
}  // namespace tessera

#endif  // TESSERA_TENSTORRENT_AFFINE_AFFINE_EXPRESSION_H_
