#include "tessera/tenstorrent/affine/affine_expression.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/hash/hash.h"
#include "absl/status/status.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/math/floor_division.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/value_type.h"

namespace tessera::tenstorrent {
namespace {

using Kind = AffineNode::Kind;

std::string_view Spelling(Kind operation) {
  switch (operation) {
    case Kind::kAdd:
      return " + ";
    case Kind::kMultiply:
      return " * ";
    case Kind::kFloorDiv:
      return " floordiv ";
    case Kind::kCeilDiv:
      return " ceildiv ";
    default:
      return " mod ";
  }
}

int64_t Apply(Kind operation, int64_t a, int64_t b) {
  switch (operation) {
    case Kind::kAdd:
      return a + b;
    case Kind::kMultiply:
      return a * b;
    case Kind::kFloorDiv:
      return FloorOfRatio(a, b);
    case Kind::kCeilDiv:
      return CeilOfRatio(a, b);
    default:
      return FloorRemainder(a, b);
  }
}

absl::Status CheckedApply(Kind operation, int64_t a, int64_t b,
                          int64_t* result) {
  std::optional<int64_t> checked;
  if (operation == Kind::kAdd) {
    checked = CheckedAdd(a, b);
  } else if (operation == Kind::kMultiply) {
    checked = CheckedMultiply(a, b);
  } else if (b < 1) {
    return InvalidArgumentError("a divisor is ", b, "; expected at least 1");
  } else {
    checked = Apply(operation, a, b);
  }
  if (!checked.has_value()) {
    return OutOfRangeError("the ",
                           operation == Kind::kAdd ? "sum of " : "product of ",
                           a, " and ", b, " exceeds 2^63-1 in magnitude");
  }
  *result = *checked;
  return absl::OkStatus();
}

// Calls `apply(operation, a, b, &result)` for each operation on values, until
// one returns false. Returns the value; 0 after a failure.
template <typename ApplyOperation>
int64_t Run(absl::Span<const AffineNode> nodes, int64_t stack_size,
            absl::Span<const int64_t> indices,
            absl::Span<const int64_t> symbols, ApplyOperation apply) {
  // Not an InlinedVector, which would be zeroed each time.
  constexpr int64_t kUsualSize = 16;
  int64_t usual_stack[kUsualSize];
  std::vector<int64_t> large_stack;
  int64_t* stack = usual_stack;
  if (stack_size > kUsualSize) {
    large_stack.resize(stack_size);
    stack = large_stack.data();
  }
  int64_t* end = stack;
  for (const AffineNode& node : nodes) {
    switch (node.kind) {
      case Kind::kConstant:
        *end++ = node.value;
        break;
      case Kind::kDim:
        *end++ = indices[node.value];
        break;
      case Kind::kSymbol:
        *end++ = symbols[node.value];
        break;
      default:
        --end;
        if (!apply(node.kind, end[-1], end[0], &end[-1])) return 0;
    }
  }
  return stack[0];
}

// Prints by the rules of printAffineExprInternal (mlir/lib/IR/AsmPrinter.cpp).
class Printer {
 public:
  Printer(absl::Span<const AffineNode> nodes, TextWriter* writer)
      : nodes_(nodes), writer_(writer), begins_(nodes.size()) {
    absl::InlinedVector<size_t, 16> begins;
    for (size_t i = 0; i < nodes.size(); ++i) {
      if (nodes[i].is_operand()) {
        begins.push_back(i);
      } else {
        begins.pop_back();
      }
      begins_[i] = begins.back();
    }
  }

  void Print() {
    to_do_.push_back(Weakly(nodes_.size() - 1));
    while (!to_do_.empty()) {
      const Step step = to_do_.back();
      to_do_.pop_back();
      switch (step.what) {
        case Step::kText:
          writer_->Text(step.text);
          break;
        case Step::kNumber:
          writer_->Int(step.number);
          break;
        default:
          PrintNode(step.number, step.what == Step::kStrongly);
      }
    }
  }

 private:
  // Operations are printed in parentheses if they are operands of a stronger
  // operation.
  struct Step {
    enum What { kText, kNumber, kWeakly, kStrongly };
    What what;
    int64_t number;
    std::string_view text;
  };

  static Step Text(std::string_view text) { return {Step::kText, 0, text}; }
  static Step Number(int64_t number) { return {Step::kNumber, number, ""}; }
  static Step Weakly(int64_t node) { return {Step::kWeakly, node, ""}; }
  static Step Strongly(int64_t node) { return {Step::kStrongly, node, ""}; }

  int64_t Right(int64_t node) const { return node - 1; }
  int64_t Left(int64_t node) const { return begins_[node - 1] - 1; }
  bool IsNegative(int64_t node) const {
    return nodes_[node].kind == Kind::kConstant && nodes_[node].value < 0;
  }

  void PrintNode(int64_t node, bool strongly) {
    switch (nodes_[node].kind) {
      case Kind::kConstant:
        writer_->Int(nodes_[node].value);
        return;
      case Kind::kDim:
        writer_->Char('d');
        writer_->Int(nodes_[node].value);
        return;
      case Kind::kSymbol:
        writer_->Char('s');
        writer_->Int(nodes_[node].value);
        return;
      default:
        break;
    }
    if (strongly) {
      writer_->Char('(');
      to_do_.push_back(Text(")"));
    }
    if (nodes_[node].kind == Kind::kAdd) {
      PrintSum(Left(node), Right(node));
    } else if (nodes_[node].kind == Kind::kMultiply &&
               nodes_[Right(node)] == AffineNode{Kind::kConstant, -1}) {
      writer_->Char('-');
      to_do_.push_back(Strongly(Left(node)));
    } else {
      PushLater({Strongly(Left(node)), Text(Spelling(nodes_[node].kind)),
                 Strongly(Right(node))});
    }
  }

  void PrintSum(int64_t left, int64_t right) {
    if (IsNegative(right)) {
      PushLater({Weakly(left), Text(" - "), Number(-nodes_[right].value)});
    } else if (nodes_[right].kind == Kind::kMultiply &&
               IsNegative(Right(right))) {
      const int64_t factor = -nodes_[Right(right)].value;
      const int64_t multiplicand = Left(right);
      if (factor == 1) {
        const bool is_sum = nodes_[multiplicand].kind == Kind::kAdd;
        PushLater({Weakly(left), Text(" - "),
                   is_sum ? Strongly(multiplicand) : Weakly(multiplicand)});
      } else {
        PushLater({Weakly(left), Text(" - "), Strongly(multiplicand),
                   Text(" * "), Number(factor)});
      }
    } else {
      PushLater({Weakly(left), Text(" + "), Weakly(right)});
    }
  }

  void PushLater(std::initializer_list<Step> steps) {
    to_do_.insert(to_do_.end(), steps.begin(), steps.end());
    std::reverse(to_do_.end() - steps.size(), to_do_.end());
  }

  absl::Span<const AffineNode> nodes_;
  TextWriter* writer_;
  // For each node, the beginning of its operands.
  absl::InlinedVector<size_t, 16> begins_;
  absl::InlinedVector<Step, 16> to_do_;
};

}  // namespace

AffineExpression AffineForm::ToExpression() const {
  AffineExpression::Nodes nodes;
  const auto add_last = [&nodes](bool is_first) {
    if (!is_first) nodes.push_back({Kind::kAdd, 0});
  };
  for (size_t i = 0; i < coefficients.size(); ++i) {
    if (coefficients[i] == 0) continue;
    const bool is_first = nodes.empty();
    nodes.push_back({Kind::kDim, static_cast<int64_t>(i)});
    if (coefficients[i] != 1) {
      nodes.push_back({Kind::kConstant, coefficients[i]});
      nodes.push_back({Kind::kMultiply, 0});
    }
    add_last(is_first);
  }
  if (constant != 0 || nodes.empty()) {
    const bool is_first = nodes.empty();
    nodes.push_back({Kind::kConstant, constant});
    add_last(is_first);
  }
  return AffineExpression(std::move(nodes));
}

AffineExpression::AffineExpression(Nodes nodes) : nodes_(std::move(nodes)) {
  int64_t size = 0;
  for (const AffineNode& node : nodes_) {
    size += node.is_operand() ? 1 : -1;
    stack_size_ = std::max(stack_size_, size);
  }
}

bool AffineExpression::Uses(const AffineNode& operand) const {
  return std::find(nodes_.begin(), nodes_.end(), operand) != nodes_.end();
}

int64_t AffineExpression::Limit(AffineNode::Kind kind) const {
  int64_t limit = 0;
  for (const AffineNode& node : nodes_) {
    if (node.kind == kind) limit = std::max(limit, node.value + 1);
  }
  return limit;
}

std::optional<AffineForm> AffineExpression::Form(int64_t num_dims) const {
  AffineForm form;
  form.coefficients.resize(num_dims);
  // The factor of each operand, from the last node backwards.
  absl::InlinedVector<int64_t, 16> factors = {1};
  for (size_t i = nodes_.size(); i-- > 0;) {
    const AffineNode& node = nodes_[i];
    const int64_t factor = factors.back();
    if (node.kind == Kind::kAdd) {
      factors.push_back(factor);
    } else if (node.kind == Kind::kMultiply) {
      --i;
      if (nodes_[i].kind != Kind::kConstant ||
          __builtin_mul_overflow(factor, nodes_[i].value, &factors.back())) {
        return std::nullopt;
      }
    } else if (node.kind == Kind::kDim || node.kind == Kind::kConstant) {
      const bool is_dim = node.kind == Kind::kDim;
      int64_t* sum = is_dim ? &form.coefficients[node.value] : &form.constant;
      int64_t product;
      if (__builtin_mul_overflow(factor, is_dim ? 1 : node.value, &product) ||
          __builtin_add_overflow(*sum, product, sum)) {
        return std::nullopt;
      }
      factors.pop_back();
    } else {
      return std::nullopt;
    }
  }
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  if (form.constant == kLeast ||
      std::find(form.coefficients.begin(), form.coefficients.end(), kLeast) !=
          form.coefficients.end()) {
    return std::nullopt;
  }
  return form;
}

absl::StatusOr<int64_t> AffineExpression::Evaluate(
    absl::Span<const int64_t> indices,
    absl::Span<const int64_t> symbols) const {
  absl::Status status;
  const int64_t value =
      Run(nodes_, stack_size_, indices, symbols,
          [&status](Kind operation, int64_t a, int64_t b, int64_t* result) {
            status = CheckedApply(operation, a, b, result);
            return status.ok();
          });
  if (!status.ok()) return status;
  return value;
}

int64_t AffineExpression::Value(absl::Span<const int64_t> indices,
                                absl::Span<const int64_t> symbols) const {
  return Run(nodes_, stack_size_, indices, symbols,
             [](Kind operation, int64_t a, int64_t b, int64_t* result) {
               *result = Apply(operation, a, b);
               return true;
             });
}

std::string AffineExpression::ToString() const {
  std::string text;
  {
    TextWriter writer(&text);
    AppendTo(&writer);
  }
  return text;
}

void AffineExpression::AppendTo(TextWriter* writer) const {
  Printer(nodes_, writer).Print();
}

}  // namespace tessera::tenstorrent

TESSERA_DEFINE_VALUE(tessera::tenstorrent, AffineExpression)
