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
#include "tessera/base/text/mlir_cursor.h"
#include "tessera/base/text/mlir_reader.h"
#include "tessera/tenstorrent/affine/affine_builder.h"

namespace tessera::tenstorrent {
namespace {

using Kind = AffineNode::Kind;
using Term = AffineBuilder::Term;

// Reading functions return false after the first error, which status() returns.
class AffineMapReader : public MlirReader {
 public:
  AffineMapReader(std::string_view text, size_t offset) : MlirReader(text) {
    cursor() = MlirCursor(this->text(), offset);
  }

  bool ReadMap(AffineMap* map) {
    const bool is_wrapped = cursor().TakeKeyword("affine_map");
    if (is_wrapped && !Expect('<')) return false;
    return ReadBareMap(map) && (!is_wrapped || Expect('>'));
  }

  bool ReadEnd() {
    return cursor().AtEnd() || FailExpected("the end of the affine map");
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

  bool FailMoreThanMost(std::string_view what) {
    return FailTooMany(StrCat("an affine map has at most ",
                              AffineExpression::kMaxDims, " ", what));
  }

  bool ReadBareMap(AffineMap* map) {
    if (!cursor().Take('(')) return FailExpected("'(' of an affine map");
    if (!ReadNames(Kind::kDim, ')') ||
        (cursor().Take('[') && !ReadNames(Kind::kSymbol, ']'))) {
      return false;
    }
    if (!cursor().TakeArrow()) return FailExpected("'->'");
    const char* const begin = position();
    if (!cursor().Take('(')) return FailExpected("'(' of the results");
    AffineMap::Results results;
    if (!cursor().Take(')')) {
      do {
        if (results.size() == AffineExpression::kMaxDims) {
          return FailMoreThanMost("results");
        }
        results.emplace_back();
        if (!ReadExpression(&results.back())) return false;
      } while (cursor().Take(','));
      if (!cursor().Take(')')) return FailExpected("an operation, ',' or ')'");
    }
    absl::StatusOr<AffineMap> created = AffineMap::Create(
        num_dims_, names_.size() - num_dims_, std::move(results));
    if (!created.ok()) {
      return FailAt(begin, created.status());
    }
    *map = *std::move(created);
    return true;
  }

  // Reads names up to and including `close`.
  bool ReadNames(Kind kind, char close) {
    const bool are_dims = kind == Kind::kDim;
    const std::string_view what = are_dims ? "dimension" : "symbol";
    const size_t first = names_.size();
    if (cursor().Take(close)) return true;
    do {
      if (names_.size() - first == AffineExpression::kMaxDims) {
        return FailMoreThanMost(StrCat(what, "s"));
      }
      const std::string_view name = cursor().TakeIdentifier();
      if (name.empty()) {
        return FailExpected(StrCat("the name of a ", what));
      }
      if (std::find(names_.begin(), names_.end(), name) != names_.end()) {
        return Fail(name.data(), absl::StrCat("the name '", Short(name),
                                              "' is given a second time"));
      }
      names_.push_back(name);
    } while (cursor().Take(','));
    if (are_dims) num_dims_ = names_.size();
    return cursor().Take(close) ||
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
        if (num_parentheses_ == 0 || !cursor().Take(')')) break;
        if (!ApplyPending(kSum, &builder)) return false;
        operands_.back().begin = pending_.back().begin;
        pending_.pop_back();
        --num_parentheses_;
      }
    } while (TakeOperation(&builder));
    if (!status().ok()) return false;
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
      const char* const begin = position();
      if (cursor().Take('(')) {
        pending_.push_back({Pending::kParenthesis, Kind::kAdd, begin});
        ++num_parentheses_;
        continue;
      }
      if (!Count(begin)) return false;
      if (cursor().Take('-')) {
        pending_.push_back({Pending::kNegation, Kind::kMultiply, begin});
        continue;
      }
      if (cursor().AtDigit()) {
        int64_t value;
        if (!ReadNumber("a number", &value)) return false;
        operands_.push_back({builder->Constant(value), begin});
        return true;
      }
      const std::string_view name = cursor().TakeIdentifier();
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
    operation.begin = position();
    if (cursor().Take('-')) {
      operation.sign = Pending::kMinus;
    } else if (cursor().Take('*')) {
      operation.operation = Kind::kMultiply;
    } else if (cursor().TakeKeyword("floordiv")) {
      operation.operation = Kind::kFloorDiv;
    } else if (cursor().TakeKeyword("ceildiv")) {
      operation.operation = Kind::kCeilDiv;
    } else if (cursor().TakeKeyword("mod")) {
      operation.operation = Kind::kMod;
    } else if (!cursor().Take('+')) {
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
  *position = reader.cursor().position() - reader.text().data();
  return map;
}

}  // namespace tessera::tenstorrent
