// Builds affine expressions, simplifying as MLIR does.
//
//   AffineBuilder builder;
//   using Term = AffineBuilder::Term;
//   Term d0 = builder.Operand({AffineNode::Kind::kDim, 0});
//   Term four = builder.Operand({AffineNode::Kind::kConstant, 4});
//   Term quotient = *builder.Operation(AffineNode::Kind::kFloorDiv, d0, four);
//   Term whole =
//       *builder.Operation(AffineNode::Kind::kMultiply, quotient, four);
//   Term rest = *builder.Subtract(d0, whole);
//   builder.Take(rest)->ToString();              // "d0 mod 4"
//
// Terms are nodes of a graph that share their parts. Each node stores the facts
// that the rules need, so an operation takes constant time. The exceptions are
// a division and a remainder of a sum, which MLIR applies to each summand.

#ifndef TESSERA_TENSTORRENT_AFFINE_AFFINE_BUILDER_H_
#define TESSERA_TENSTORRENT_AFFINE_AFFINE_BUILDER_H_

#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/tenstorrent/affine/affine_expression.h"

namespace tessera::tenstorrent {

class AffineBuilder {
 public:
  using Kind = AffineNode::Kind;
  // The number of a node. It is valid only for the builder that returned it.
  using Term = int32_t;

  // Precondition: node.is_operand(), and its value is in the range that
  // AffineExpression requires.
  Term Operand(const AffineNode& node) { return Push(node, 0, 0); }
  Term Constant(int64_t value) { return Operand({Kind::kConstant, value}); }

  // Returns a `kind` b. Precondition: `kind` is an operation. Errors: those of
  // the functions of affine_operations.h.
  absl::StatusOr<Term> Operation(Kind kind, Term a, Term b);
  // Returns a + b * -1, MLIR's form of a - b.
  absl::StatusOr<Term> Subtract(Term a, Term b);

  // Inserts an existing expression.
  Term Insert(const AffineExpression& expression);

  // Returns the expression in its canonical form, which Insert accepts.
  absl::StatusOr<AffineExpression> Take(Term term);

  bool is_constant(Term term) const {
    return node(term).kind == Kind::kConstant;
  }
  // Precondition: is_constant(term).
  int64_t constant(Term term) const { return node(term).value; }
  bool has_dims(Term term) const { return graph_[term].has_dims; }

 private:
  struct GraphNode {
    AffineNode node;
    Term left;
    Term right;
    // The number of operands and operations, each counted as often as it
    // occurs.
    int64_t size;
    // A divisor of every value; 0 for the constant 0.
    int64_t divisor;
    uint64_t hash;
    bool has_dims;
    // Whether the second term of a sum is a sum, here or below.
    bool has_sum_on_right;
  };

  const AffineNode& node(Term term) const { return graph_[term].node; }
  Kind kind(Term term) const { return node(term).kind; }
  Term left(Term term) const { return graph_[term].left; }
  Term right(Term term) const { return graph_[term].right; }
  bool IsConstant(Term term, int64_t value) const {
    return is_constant(term) && constant(term) == value;
  }
  // Returns whether `term` is a term times, or plus, a constant.
  bool HasConstantOnRight(Kind kind, Term term) const {
    return this->kind(term) == kind && is_constant(right(term));
  }

  Term Push(const AffineNode& node, Term left, Term right);
  // Returns the operation without simplifying it.
  absl::StatusOr<Term> Make(Kind kind, Term left, Term right);
  bool Equal(Term a, Term b) const;
  int64_t DivisorOf(Kind kind, Term left, Term right) const;

  absl::StatusOr<Term> Add(Term a, Term b);
  absl::StatusOr<Term> Multiply(Term a, Term b);
  absl::StatusOr<Term> MultiplyBy(Term a, int64_t factor) {
    return Multiply(a, Constant(factor));
  }
  absl::StatusOr<Term> FloorDiv(Term a, int64_t divisor);
  // Returns kFloorDiv or kCeilDiv of a term as a whole, without splitting sums.
  absl::StatusOr<Term> DivideWhole(Kind kind, Term a, int64_t divisor);
  absl::StatusOr<Term> Mod(Term a, int64_t divisor);
  // Returns the q of a + b = a mod q; 0 if there is none.
  absl::StatusOr<Term> FindModulus(Term a, Term b);

  // Returns the nodes of `term` in the order of its text: sums from left to
  // right.
  AffineExpression::Nodes InOrderOfText(Term term) const;
  absl::StatusOr<Term> Rebuild(absl::Span<const AffineNode> nodes);

  // Node 0 means that there is no node.
  absl::InlinedVector<GraphNode, 16> graph_ = {GraphNode{}};
};

}  // namespace tessera::tenstorrent

#endif  // TESSERA_TENSTORRENT_AFFINE_AFFINE_BUILDER_H_
