#include "tessera/tenstorrent/affine/affine_map_parser.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/base/text/mlir_cursor.h"
#include "tessera/tenstorrent/affine/affine_builder.h"

namespace tessera::tenstorrent {
namespace {

using Kind = AffineNode::Kind;
using Term = AffineBuilder::Term;

// Reading functions return false after the first error, which status() returns.
class AffineMapReader {
 public:
  AffineMapReader(std::string_view text, size_t position)
      : text_(text.data() == nullptr ? "" : text), cursor_(text_, position) {}

  const absl::Status& status() const { return status_; }
  size_t position() const { return cursor_.position() - text_.data(); }

  bool ReadMap(AffineMap* map) {
    const bool is_wrapped = cursor_.TakeKeyword("affine_map");
    if (is_wrapped && !cursor_.Take('<')) return FailExpected("'<'");
    if (!ReadBareMap(map)) return false;
    return !is_wrapped || cursor_.Take('>') || FailExpected("'>'");
  }

  bool ReadEnd() {
    return cursor_.AtEnd() || FailExpected("the end of the affine map");
  }

 private:
  // The precedence over the operands before and after it.
  enum Precedence { kLoose, kSum, kProduct, kSign };
  // An operator that waits for its right operand, and its place.
  struct Pending {
    enum Sign : uint8_t { kParenthesis, kMinus, kNegation, kOperation };
    Precedence precedence() const {
      if (sign == kOperation && operation != Kind::kAdd) return kProduct;
      return sign == kParenthesis ? kLoose : sign == kNegation ? kSign : kSum;
    }

    Sign sign;
    Kind operation;
    const char* begin;
  };
  struct Operand {
    Term term;
    const char* begin;
  };

  bool Fail(const char* at, std::string_view message,
            absl::StatusCode code = absl::StatusCode::kInvalidArgument) {
    status_ = DiagnosticError(text_, at - text_.data(), message, code);
    return false;
  }

  bool FailExpected(std::string_view what) {
    const std::string found = cursor_.DescribeNextToken();
    return Fail(cursor_.position(),
                StrCat("expected ", what, ", found ", found));
  }

  bool FailTooMany(std::string_view what) {
    cursor_.SkipBlanks();
    return Fail(cursor_.position(),
                StrCat("an affine map has at most ", AffineExpression::kMaxDims,
                       " ", what),
                absl::StatusCode::kResourceExhausted);
  }

  bool ReadBareMap(AffineMap* map) {
    if (!cursor_.Take('(')) return FailExpected("'(' of an affine map");
    if (!ReadNames(Kind::kDim, ')') ||
        (cursor_.Take('[') && !ReadNames(Kind::kSymbol, ']'))) {
      return false;
    }
    if (!cursor_.TakeArrow()) return FailExpected("'->'");
    cursor_.SkipBlanks();
    const char* const begin = cursor_.position();
    if (!cursor_.Take('(')) return FailExpected("'(' of the results");
    AffineMap::Results results;
    if (!cursor_.Take(')')) {
      do {
        if (results.size() == AffineExpression::kMaxDims) {
          return FailTooMany("results");
        }
        results.emplace_back();
        if (!ReadExpression(&results.back())) return false;
      } while (cursor_.Take(','));
      if (!cursor_.Take(')')) return FailExpected("an operation, ',' or ')'");
    }
    absl::StatusOr<AffineMap> created = AffineMap::Create(
        num_dims_, names_.size() - num_dims_, std::move(results));
    if (!created.ok()) {
      return Fail(begin, StdView(created.status().message()),
                  created.status().code());
    }
    *map = *std::move(created);
    return true;
  }

  // Reads names up to and including `close`.
  bool ReadNames(Kind kind, char close) {
    const bool are_dims = kind == Kind::kDim;
    const std::string_view what = are_dims ? "dimension" : "symbol";
    const size_t first = names_.size();
    if (cursor_.Take(close)) return true;
    do {
      if (names_.size() - first == AffineExpression::kMaxDims) {
        return FailTooMany(StrCat(what, "s"));
      }
      const std::string_view name = cursor_.TakeIdentifier();
      if (name.empty()) {
        return FailExpected(StrCat("the name of a ", what));
      }
      if (std::find(names_.begin(), names_.end(), name) != names_.end()) {
        return Fail(name.data(), absl::StrCat("the name '", Short(name),
                                              "' is given a second time"));
      }
      names_.push_back(name);
    } while (cursor_.Take(','));
    if (are_dims) num_dims_ = names_.size();
    return cursor_.Take(close) ||
           FailExpected(absl::StrCat("',' or '", std::string(1, close), "'"));
  }

  bool ReadExpression(AffineExpression* expression) {
    AffineBuilder builder;
    pending_.clear();
    operands_.clear();
    do {
      if (!ReadOperand(&builder)) return false;
      // Parentheses that end here.
      while (true) {
        if (!ApplyPending(kSign, &builder)) return false;
        if (num_parentheses_ == 0 || !cursor_.Take(')')) break;
        if (!ApplyPending(kSum, &builder)) return false;
        operands_.back().begin = pending_.back().begin;
        pending_.pop_back();
        --num_parentheses_;
      }
    } while (TakeOperation(&builder));
    if (!status_.ok()) return false;
    if (num_parentheses_ > 0) return FailExpected("an operation or ')'");
    if (!ApplyPending(kSum, &builder)) return false;
    absl::StatusOr<AffineExpression> taken =
        builder.Take(operands_.back().term);
    if (!taken.ok()) return FailAt(operands_.back().begin, taken.status());
    *expression = *std::move(taken);
    return true;
  }

  // Reads an operand, and its product with the term before it.
  bool ReadOperand(AffineBuilder* builder) {
    while (true) {
      cursor_.SkipBlanks();
      const char* const begin = cursor_.position();
      if (cursor_.Take('(')) {
        pending_.push_back({Pending::kParenthesis, Kind::kAdd, begin});
        ++num_parentheses_;
        continue;
      }
      if (!Count(begin)) return false;
      if (cursor_.Take('-')) {
        pending_.push_back({Pending::kNegation, Kind::kMultiply, begin});
        continue;
      }
      if (cursor_.AtDigit()) {
        int64_t value;
        if (!cursor_.TakeNumber(&value)) {
          return Fail(begin, "the number exceeds 2^63-1",
                      absl::StatusCode::kOutOfRange);
        }
        operands_.push_back({builder->Constant(value), begin});
        return true;
      }
      const std::string_view name = cursor_.TakeIdentifier();
      if (name.empty()) {
        return FailExpected("a name, a number, '-' or '('");
      }
      const int64_t number =
          std::find(names_.begin(), names_.end(), name) - names_.begin();
      if (number == static_cast<int64_t>(names_.size())) {
        return Fail(begin, absl::StrCat("no dimension or symbol has the name '",
                                        Short(name), "'"));
      }
      const AffineNode node =
          number < num_dims_ ? AffineNode{Kind::kDim, number}
                             : AffineNode{Kind::kSymbol, number - num_dims_};
      operands_.push_back({builder->Operand(node), begin});
      return true;
    }
  }

  // Takes the next operation, if there is one, after applying those on its left
  // that bind as tightly.
  bool TakeOperation(AffineBuilder* builder) {
    Pending operation = {Pending::kOperation, Kind::kAdd, nullptr};
    cursor_.SkipBlanks();
    operation.begin = cursor_.position();
    if (cursor_.Take('-')) {
      operation.sign = Pending::kMinus;
    } else if (cursor_.Take('*')) {
      operation.operation = Kind::kMultiply;
    } else if (cursor_.TakeKeyword("floordiv")) {
      operation.operation = Kind::kFloorDiv;
    } else if (cursor_.TakeKeyword("ceildiv")) {
      operation.operation = Kind::kCeilDiv;
    } else if (cursor_.TakeKeyword("mod")) {
      operation.operation = Kind::kMod;
    } else if (!cursor_.Take('+')) {
      return false;
    }
    if (!Count(operation.begin) ||
        !ApplyPending(operation.precedence(), builder)) {
      return false;
    }
    pending_.push_back(operation);
    return true;
  }

  // Applies the pending operations that bind at least as tightly as
  // `precedence`.
  bool ApplyPending(Precedence precedence, AffineBuilder* builder) {
    while (!pending_.empty() && pending_.back().precedence() >= precedence) {
      const Pending pending = pending_.back();
      pending_.pop_back();
      const Operand second = operands_.back();
      absl::StatusOr<Term> result;
      const char* at = pending.begin;
      if (pending.sign == Pending::kNegation) {
        result = builder->Operation(Kind::kMultiply, second.term,
                                    builder->Constant(-1));
        operands_.back().begin = pending.begin;
      } else {
        operands_.pop_back();
        const Term first = operands_.back().term;
        result =
            pending.sign == Pending::kMinus
                ? builder->Subtract(first, second.term)
                : builder->Operation(pending.operation, first, second.term);
        const bool is_division = pending.operation != Kind::kAdd &&
                                 pending.operation != Kind::kMultiply;
        if (is_division &&
            result.status().code() == absl::StatusCode::kInvalidArgument) {
          at = second.begin;
        }
      }
      if (!result.ok()) return FailAt(at, result.status());
      operands_.back().term = *result;
    }
    return true;
  }

  bool FailAt(const char* at, const absl::Status& status) {
    return Fail(at, StdView(status.message()), status.code());
  }

  bool Count(const char* at) {
    if (++num_read_ <= AffineExpression::kMaxNodes) return true;
    return Fail(
        at,
        absl::StrCat("an affine map has at most ", AffineExpression::kMaxNodes,
                     " names, numbers and operations"),
        absl::StatusCode::kResourceExhausted);
  }

  static std::string Short(std::string_view name) {
    constexpr size_t kLongest = 40;
    return name.size() <= kLongest ? std::string(name)
                                   : StrCat(name.substr(0, kLongest), "...");
  }

  std::string_view text_;
  MlirCursor cursor_;
  absl::Status status_;
  // The names of the dimensions, then of the symbols.
  absl::InlinedVector<std::string_view, 8> names_;
  int64_t num_dims_ = 0;
  int64_t num_read_ = 0;
  // The pending operations of the current expression.
  absl::InlinedVector<Pending, 8> pending_;
  absl::InlinedVector<Operand, 8> operands_;
  int64_t num_parentheses_ = 0;
};

}  // namespace

absl::StatusOr<AffineMap> ParseAffineMap(std::string_view text) {
  AffineMapReader reader(text, 0);
  AffineMap map;
  if (!reader.ReadMap(&map) || !reader.ReadEnd()) return reader.status();
  return map;
}

absl::StatusOr<AffineMap> ReadAffineMap(std::string_view text,
                                        size_t* position) {
  AffineMapReader reader(text, *position);
  AffineMap map;
  if (!reader.ReadMap(&map)) return reader.status();
  *position = reader.position();
  return map;
}

}  // namespace tessera::tenstorrent
