#include "tessera/cute/calculator.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "tessera/cute/bracket_map.h"
#include "tessera/cute/calculator_algebra.h"
#include "tessera/cute/calculator_arguments.h"
#include "tessera/cute/calculator_functions.h"
#include "tessera/cute/calculator_tuples.h"
#include "tessera/cute/parse.h"
#include "tessera/text/cursor.h"

namespace tessera {
namespace cute {

namespace {

// In a message: "1 or 2 arguments, coalesce(A[, profile])".
std::string Signature(const CalculatorFunction& function) {
  std::string count = function.least == function.most
                          ? absl::StrCat(function.least)
                      : function.most == CalculatorFunction::kAnyNumber
                          ? absl::StrCat("at least ", function.least)
                          : absl::StrCat(function.least, " or ", function.most);
  return absl::StrCat(
      count,
      count == "1" || count == "at least 1" ? " argument, " : " arguments, ",
      function.name, "(", function.parameters, ")");
}

absl::optional<Major> MajorOfName(absl::string_view name) {
  if (name == "LayoutLeft" || name == "GenColMajor") return Major::kLeft;
  if (name == "LayoutRight" || name == "GenRowMajor") return Major::kRight;
  return absl::nullopt;
}

bool IsInteger(const CalculatorValue& value) {
  const auto* tuple = absl::get_if<IntTuple>(&value);
  return tuple != nullptr && tuple->is_integer() && !HasUnderscore(*tuple);
}

bool IsWordByte(char c) { return absl::ascii_isalnum(c) || c == '_'; }

}  // namespace

// One line, evaluated while it is read. Reading functions push the value of
// what they read, and return false after the first error. They call each other
// once for each level of brackets, of which there are at most
// Calculator::kMaxDepth; values lie on a stack of their own.
class Evaluation {
 public:
  Evaluation(absl::string_view text, Calculator* calculator)
      : text_(text), calculator_(calculator), brackets_(text) {}

  absl::StatusOr<CalculatorResult> Run();

 private:
  using Function = ValueOr (*)(CalculatorArguments& arguments);

  bool ReadStatement();
  bool ReadExpression();
  bool ReadApplied();
  bool ReadPair();
  bool ReadPrimary();
  // Looks no further than byte `limit`.
  bool ReadLiteral(size_t limit);
  bool ReadNamed();
  bool ReadCall(const CalculatorFunction& function, size_t offset);
  // Behind an opening bracket: what is listed, and the closing one.
  bool ReadList(char close, bool* ends_in_comma);
  bool ReadTuple();

  // Replaces the values from `base` on by that of the function, whose text
  // begins at `begin` and whose name or sign stands at `site`.
  bool Call(size_t base, size_t begin, size_t site, Function function,
            size_t template_count = 0);
  bool Bind(absl::string_view name, size_t offset);
  bool Push(CalculatorValue value, size_t offset);
  void PopTo(size_t base);

  // The next byte that is neither white space nor in a comment; '\0' at the
  // end.
  char Next();
  bool Take(char c);
  bool AtEnd() {
    Next();
    return position_ == text_.size();
  }
  // [A-Za-z_][A-Za-z0-9_]*, or "".
  absl::string_view TakeName();
  // The sign of composition.
  bool TakeSign(size_t* site);
  // Braces of C++, as in Int<4>{}.
  bool TakeBraces();
  // Whether a literal stands here, and where it has ended at the latest.
  bool IsLiteralAhead(size_t* limit) const;
  // Behind the integer, `_` or bracket of nothing else that begins at
  // `position`; the same if none does.
  size_t PastLiteral(size_t position) const;
  size_t PastBlanks(size_t position) const;
  // '\0' past the end.
  char ByteAt(size_t position) const {
    return position < text_.size() ? text_[position] : '\0';
  }

  bool Fail(size_t offset, absl::string_view message,
            absl::StatusCode code = absl::StatusCode::kInvalidArgument);
  bool FailExpected(absl::string_view what);
  bool FailUnknown(absl::string_view name, size_t offset);

  absl::string_view text_;
  Calculator* calculator_;
  BracketMap brackets_;
  size_t position_ = 0;
  int depth_ = 0;
  std::vector<CalculatorArgument> stack_;
  size_t nodes_ = 0;  // of all values on the stack
  std::vector<Diagnostic> notes_;
  absl::Status status_;
};

absl::StatusOr<CalculatorResult> Evaluation::Run() {
  do {
    PopTo(0);
    if (!ReadStatement()) return status_;
  } while (Take(';') && !AtEnd());
  if (!AtEnd()) {
    FailExpected("the end of the expression");
    return status_;
  }
  return CalculatorResult{std::move(stack_[0].value), std::move(notes_)};
}

bool Evaluation::ReadStatement() {
  Next();
  const size_t begin = position_;
  const absl::string_view name = TakeName();
  if (name.empty() || !Take('=')) {
    position_ = begin;
    return ReadExpression();
  }
  return ReadExpression() && Bind(name, begin);
}

bool Evaluation::ReadExpression() {
  const size_t base = stack_.size();
  if (!ReadApplied()) return false;
  const size_t begin = stack_[base].offset;
  size_t site;
  while (TakeSign(&site)) {
    if (!ReadApplied()) return false;
    // An integer that is not the last is an offset.
    size_t next_site;
    if (IsInteger(stack_.back().value) && TakeSign(&next_site) &&
        !ReadApplied()) {
      return false;
    }
    if (!Call(base, begin, site, Compose)) return false;
  }
  return true;
}

bool Evaluation::ReadApplied() {
  const size_t base = stack_.size();
  if (!ReadPair()) return false;
  const size_t begin = stack_[base].offset;
  while (Take('(')) {
    const size_t site = position_ - 1;
    bool is_tuple;
    if (!ReadList(')', &is_tuple)) return false;
    const size_t count = stack_.size() - base - 1;
    if (count == 0) return Fail(site, "expected a coordinate in ()");
    if ((count > 1 || is_tuple) &&
        !Call(base + 1, stack_[base + 1].offset, site,
              FindFunction("make_coord")->call)) {
      return false;
    }
    if (!Call(base, begin, site, [](CalculatorArguments& arguments) {
          return Apply(arguments, 0, 1);
        })) {
      return false;
    }
  }
  return true;
}

bool Evaluation::ReadPair() {
  const size_t base = stack_.size();
  if (!ReadPrimary()) return false;
  if (!Take(':')) return true;
  const size_t site = position_ - 1;
  return ReadPrimary() &&
         Call(base, stack_[base].offset, site, [](CalculatorArguments& a) {
           return ToValue(Layout::Create(a.TakeNumbers(0), a.TakeNumbers(1)));
         });
}

bool Evaluation::ReadPrimary() {
  size_t limit;
  const char next = Next();
  if (IsLiteralAhead(&limit)) return ReadLiteral(limit);
  if (next == '(' || next == '[' || next == '<') return ReadTuple();
  if (absl::ascii_isalpha(next) || next == '_') return ReadNamed();
  return FailExpected("an expression");
}

bool Evaluation::ReadLiteral(size_t limit) {
  const size_t begin = position_;
  absl::StatusOr<Term> term = ReadTerm(text_.substr(0, limit), &position_);
  if (!term.ok()) {
    const absl::optional<Diagnostic> diagnostic = DiagnosticOf(term.status());
    return Fail(diagnostic->offset, diagnostic->message, term.status().code());
  }
  const bool is_pushed = absl::visit(
      [&](auto&& value) {
        return Push(std::forward<decltype(value)>(value), begin);
      },
      *std::move(term));
  return is_pushed && TakeBraces();
}

bool Evaluation::ReadTuple() {
  const size_t begin = position_;
  const size_t base = stack_.size();
  const char open = text_[position_++];
  const char close = open == '(' ? ')' : open == '[' ? ']' : '>';
  bool ends_in_comma;
  if (!ReadList(close, &ends_in_comma)) return false;
  const bool is_tiler = open != '(';
  if (stack_.size() == base + 1 && !ends_in_comma && !is_tiler) return true;
  bool is_int_tuple = !is_tiler;
  for (size_t i = base; i < stack_.size(); ++i) {
    is_int_tuple &= absl::holds_alternative<IntTuple>(stack_[i].value);
  }
  return Call(base, begin, begin,
              FindFunction(is_int_tuple ? "make_tuple" : "make_tile")->call);
}

bool Evaluation::ReadList(char close, bool* ends_in_comma) {
  *ends_in_comma = false;
  if (++depth_ > Calculator::kMaxDepth) {
    return Fail(position_ - 1,
                absl::StrCat("brackets are nested more than ",
                             Calculator::kMaxDepth, " deep"),
                absl::StatusCode::kResourceExhausted);
  }
  while (!Take(close)) {
    if (!ReadExpression()) return false;
    *ends_in_comma = Take(',') || (close == ']' && Take(';'));
    if (!*ends_in_comma && Next() != close) {
      return FailExpected(absl::StrCat("',' or '", std::string(1, close), "'"));
    }
  }
  --depth_;
  return true;
}

bool Evaluation::ReadNamed() {
  const size_t begin = position_;
  const absl::string_view name = TakeName();
  const char next = Next();
  if (absl::StartsWith(name, "SW_") ||
      ((name == "Sw" || name == "S") && next == '<')) {
    position_ = begin;
    return ReadLiteral(text_.size());
  }
  if (const absl::optional<Major> major = MajorOfName(name)) {
    return Push(*major, begin) && TakeBraces();
  }
  if (const CalculatorFunction* function = FindFunction(name)) {
    if (next == '(' || next == '<') return ReadCall(*function, begin);
    return Fail(begin, absl::StrCat("'", name, "' is a function and takes ",
                                    Signature(*function)));
  }
  const auto bound = calculator_->names_.find(name);
  if (bound == calculator_->names_.end()) return FailUnknown(name, begin);
  return Push(bound->second, begin);
}

bool Evaluation::ReadCall(const CalculatorFunction& function, size_t offset) {
  const size_t base = stack_.size();
  bool ends_in_comma;
  if (Take('<') && !ReadList('>', &ends_in_comma)) return false;
  const size_t template_count = stack_.size() - base;
  // Int<4> and Swizzle<2,0,3> are types, whose values need no parentheses.
  const bool is_type = absl::ascii_isupper(function.name[0]);
  if (Take('(')) {
    if (!ReadList(')', &ends_in_comma)) return false;
  } else if (!is_type) {
    return FailExpected("'('");
  }
  if (is_type && !TakeBraces()) return false;
  std::rotate(stack_.begin() + base, stack_.begin() + base + template_count,
              stack_.end());
  const size_t count = stack_.size() - base;
  if (count < function.least || count > function.most) {
    return Fail(offset, absl::StrCat("expected ", Signature(function),
                                     ", found ", count));
  }
  if (!function.acts_on_inner ||
      !absl::holds_alternative<ComposedLayout>(stack_[base].value)) {
    return Call(base, offset, offset, function.call, template_count);
  }
  const ComposedLayout composed =
      absl::get<ComposedLayout>(std::move(stack_[base].value));
  stack_[base].value = composed.layout();
  if (!Call(base, offset, offset, function.call, template_count)) return false;
  CalculatorValue& result = stack_.back().value;
  if (const auto* layout = absl::get_if<Layout>(&result)) {
    result = ComposedLayout(composed.outer(), composed.offset(), *layout);
  }
  return true;
}

bool Evaluation::Call(size_t base, size_t begin, size_t site, Function function,
                      size_t template_count) {
  CalculatorArguments arguments(
      text_, site, absl::MakeConstSpan(stack_).subspan(base), template_count,
      calculator_->options_.bare_shape_is_column_major,
      calculator_->options_.composition, &notes_);
  ValueOr result = function(arguments);
  if (!arguments.status().ok()) {
    status_ = arguments.status();
    return false;
  }
  if (!result.ok()) {
    status_ = arguments.Refusal(result.status());
    return false;
  }
  PopTo(base);
  return Push(*std::move(result), begin);
}

bool Evaluation::Bind(absl::string_view name, size_t offset) {
  if (FindFunction(name) != nullptr || MajorOfName(name).has_value() ||
      name == "o" || name == "_") {
    return Fail(offset, absl::StrCat("'", name,
                                     "' means something else; bind another "
                                     "name"));
  }
  const CalculatorValue& value = stack_.back().value;
  const auto bound = calculator_->names_.find(name);
  const bool is_new = bound == calculator_->names_.end();
  const size_t nodes = calculator_->bound_nodes_ + NodeCount(value) -
                       (is_new ? 0 : NodeCount(bound->second));
  if (nodes > Calculator::kMaxBoundNodes) {
    return Fail(offset,
                absl::StrCat("the values that are bound have more than ",
                             Calculator::kMaxBoundNodes, " modes"),
                absl::StatusCode::kResourceExhausted);
  }
  calculator_->bound_nodes_ = nodes;
  if (is_new) {
    calculator_->names_.emplace(name, value);
  } else {
    bound->second = value;
  }
  return true;
}

bool Evaluation::Push(CalculatorValue value, size_t offset) {
  nodes_ += NodeCount(value);
  if (nodes_ > Calculator::kMaxNodes) {
    return Fail(offset,
                absl::StrCat("the values at work have more than ",
                             Calculator::kMaxNodes, " modes"),
                absl::StatusCode::kResourceExhausted);
  }
  stack_.push_back({std::move(value), offset});
  return true;
}

void Evaluation::PopTo(size_t base) {
  while (stack_.size() > base) {
    nodes_ -= NodeCount(stack_.back().value);
    stack_.pop_back();
  }
}

size_t Evaluation::PastBlanks(size_t position) const {
  Cursor cursor(text_.substr(position));
  cursor.SkipBlanks();
  return cursor.position() - text_.data();
}

char Evaluation::Next() {
  position_ = PastBlanks(position_);
  return ByteAt(position_);
}

bool Evaluation::Take(char c) {
  if (Next() != c || position_ == text_.size()) return false;
  ++position_;
  return true;
}

absl::string_view Evaluation::TakeName() {
  Next();
  const size_t begin = position_;
  if (absl::ascii_isdigit(ByteAt(begin))) return "";
  while (IsWordByte(ByteAt(position_))) ++position_;
  return text_.substr(begin, position_ - begin);
}

bool Evaluation::TakeSign(size_t* site) {
  Next();
  *site = position_;
  if (TakeName() == "o") return true;
  position_ = *site;
  return false;
}

bool Evaluation::TakeBraces() {
  return !Take('{') || Take('}') || FailExpected("'}'");
}

size_t Evaluation::PastLiteral(size_t position) const {
  const char c = ByteAt(position);
  if (c == '(' || c == '[' || c == '<') {
    return brackets_.IsLiteral(position) ? brackets_.End(position) : position;
  }
  size_t end = position;
  if (c == '-' || c == '_') ++end;
  if (c == '_' && ByteAt(end) == '-') ++end;
  const bool is_underscore = c == '_' && !IsWordByte(ByteAt(end));
  if (!is_underscore && !absl::ascii_isdigit(ByteAt(end))) return position;
  while (IsWordByte(ByteAt(end))) ++end;
  return end;
}

bool Evaluation::IsLiteralAhead(size_t* limit) const {
  const size_t end = PastLiteral(position_);
  if (end == position_) return false;
  *limit = text_.size();
  const size_t colon = PastBlanks(end);
  if (ByteAt(colon) != ':') return true;
  // A stride that is no literal is left for later; where none stands at all,
  // the reader of literals says what is missing.
  const size_t stride = PastBlanks(colon + 1);
  const char c = ByteAt(stride);
  const bool may_begin = absl::ascii_isalpha(c) || c == '_' || c == '(';
  if (may_begin && PastLiteral(stride) == stride) *limit = end;
  return true;
}

bool Evaluation::Fail(size_t offset, absl::string_view message,
                      absl::StatusCode code) {
  status_ = DiagnosticError(text_, offset, message, code);
  return false;
}

bool Evaluation::FailExpected(absl::string_view what) {
  Next();
  const Cursor cursor(text_.substr(position_));
  return Fail(position_, absl::StrCat("expected ", what, ", found ",
                                      cursor.DescribeNextToken()));
}

bool Evaluation::FailUnknown(absl::string_view name, size_t offset) {
  std::vector<absl::string_view> near = NearestFunctions(name);
  return Fail(offset, absl::StrCat("'", name,
                                   "' is no function and no name that is "
                                   "bound",
                                   near.empty() ? "" : "; did you mean ",
                                   absl::StrJoin(near, ", ")));
}

absl::StatusOr<CalculatorResult> Calculator::Evaluate(absl::string_view line) {
  return Evaluation(line, this).Run();
}

}  // namespace cute
}  // namespace tessera
