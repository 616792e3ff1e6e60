// MLIR's affine expressions: functions of the dimensions d0, d1, ... of an
// index, of symbols s0, s1, ... and of integers.
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
// mod is never negative. One factor of a product has no dimensions; a divisor
// has no dimensions and is positive, which is checked at evaluation if it
// depends on symbols. Terms and meaning are those of
// https://mlir.llvm.org/docs/Dialects/Affine. MLIR also accepts a divisor that
// is not positive, but does not define the result.
//
// An expression is always in MLIR's form: every operation simplifies as in LLVM
// 19 (mlir/lib/IR/AffineExpr.cpp: constants fold and move to the right,
// neighbouring like terms are added, x - x floordiv 4 * 4 becomes x mod 4,
// ...), and prints as MLIR prints it. There is no further simplification:
// d0 + d1 - d0 stays as it is, and expressions that are written differently are
// different. (As of LLVM 22, MLIR also swaps the terms of d1 + d0.)
//
// There is one deliberate difference. MLIR prints d0 + (d0 + 1) without its
// parentheses, and simplifies that text when it reads it back; here a sum whose
// second term is a sum is simplified at once, to d0 * 2 + 1. So text and
// expression always determine each other.
//
// The operations are stored in one array, in postfix order: nothing recurses,
// and an expression of up to nine operands and operations is copied without
// allocation.

#ifndef TESSERA_TENSTORRENT_AFFINE_AFFINE_EXPRESSION_H_
#define TESSERA_TENSTORRENT_AFFINE_AFFINE_EXPRESSION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/base/text/text_writer.h"
#include "tessera/base/text/value_type.h"

namespace tessera::tenstorrent {

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
  // The constant, or the number of a dimension or symbol; 0 for an operation.
  int64_t value;
};

class AffineExpression;

// constant + coefficients[0] * d0 + coefficients[1] * d1 + ...
struct AffineForm {
  // Returns the terms in the order of the dimensions, without those of
  // coefficient 0, with the constant last: "d0 * 192 + d1 * 64 + d2", "-d1 +
  // 3". Precondition: no number is -2^63, and there are at most
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

  // Limits of this library; MLIR has none. The numbers of dimensions and
  // symbols are below kMaxDims, and an expression has at most kMaxNodes
  // operands and operations.
  static constexpr int64_t kMaxDims = 1024;
  static constexpr int64_t kMaxNodes = 1 << 15;

  // Creates the constant 0.
  AffineExpression() : AffineExpression(AffineNode::Kind::kConstant, 0) {}
  // Precondition: 0 <= dim < kMaxDims.
  static AffineExpression Dim(int64_t dim) {
    return AffineExpression(AffineNode::Kind::kDim, dim);
  }
  // Precondition: 0 <= symbol < kMaxDims.
  static AffineExpression Symbol(int64_t symbol) {
    return AffineExpression(AffineNode::Kind::kSymbol, symbol);
  }
  // Precondition: value > -2^63, because the printer negates constants, as in
  // d0 - 4.
  static AffineExpression Constant(int64_t value) {
    return AffineExpression(AffineNode::Kind::kConstant, value);
  }

  // The operands and operations in postfix order.
  absl::Span<const AffineNode> nodes() const { return nodes_; }

  // The constant, or the number of the dimension, if the expression is only
  // that; otherwise nullopt.
  std::optional<int64_t> AsConstant() const {
    return As(AffineNode::Kind::kConstant);
  }
  std::optional<int64_t> AsDim() const { return As(AffineNode::Kind::kDim); }

  bool UsesDim(int64_t dim) const {
    return Uses({AffineNode::Kind::kDim, dim});
  }
  bool UsesSymbol(int64_t symbol) const {
    return Uses({AffineNode::Kind::kSymbol, symbol});
  }
  // The largest number of a dimension, or symbol, that occurs, plus 1; 0 if
  // none occurs.
  int64_t dim_limit() const { return Limit(AffineNode::Kind::kDim); }
  int64_t symbol_limit() const { return Limit(AffineNode::Kind::kSymbol); }

  // Returns the linear form in `num_dims` dimensions, multiplied out: (d0 + d1
  // * 2) * 3 gives {0, {3, 6}}. Returns nullopt if a symbol, floordiv, ceildiv
  // or mod occurs, or if a number of the form would exceed 2^63-1 in magnitude.
  // Precondition: num_dims >= dim_limit().
  std::optional<AffineForm> Form(int64_t num_dims) const;

  // Returns the value at `indices`, one for each dimension, given the values of
  // the symbols. Precondition: there are at least dim_limit() indices and
  // symbol_limit() symbols. Errors: kOutOfRange if the result of an operation
  // is outside int64_t; kInvalidArgument if a divisor is below 1.
  absl::StatusOr<int64_t> Evaluate(
      absl::Span<const int64_t> indices,
      absl::Span<const int64_t> symbols = {}) const;

  // Like Evaluate, but without checks. Precondition: Evaluate would succeed.
  int64_t Value(absl::Span<const int64_t> indices,
                absl::Span<const int64_t> symbols = {}) const;

  // Returns the text that MLIR prints.
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
  // Precondition: the nodes are in the canonical form.
  explicit AffineExpression(Nodes nodes);

  std::optional<int64_t> As(AffineNode::Kind kind) const {
    if (nodes_.size() != 1 || nodes_[0].kind != kind) return std::nullopt;
    return nodes_[0].value;
  }
  bool Uses(const AffineNode& operand) const;
  int64_t Limit(AffineNode::Kind kind) const;

  Nodes nodes_;
  // The largest number of values on the stack during an evaluation.
  int64_t stack_size_ = 1;
};

}  // namespace tessera::tenstorrent

TESSERA_DECLARE_VALUE(tessera::tenstorrent, AffineExpression);

#endif  // TESSERA_TENSTORRENT_AFFINE_AFFINE_EXPRESSION_H_
