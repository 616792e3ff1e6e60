#include "tessera/cute/calculator/calculator.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cute/calculator/calculator_algebra.h"
#include "tessera/cute/calculator/calculator_arguments.h"
#include "tessera/cute/calculator/calculator_functions.h"
#include "tessera/cute/calculator/calculator_tuples.h"
#include "tessera/cute/calculator/line_reader.h"
#include "tessera/cute/parse.h"

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
      AbslView(function.name), "(", AbslView(function.parameters), ")");
}

std::optional<Major> MajorOfName(std::string_view name) {
  if (name == "LayoutLeft" || name == "GenColMajor") return Major::kLeft;
  if (name == "LayoutRight" || name == "GenRowMajor") return Major::kRight;
  return std::nullopt;
}

bool IsInteger(const CalculatorValue& value) {
  const auto* tuple = std::get_if<IntTuple>(&value);
  return tuple != nullptr && tuple->is_integer() && !HasUnderscore(*tuple);
}

}  // namespace

// One line, evaluated while it is read. Reading functions push the value of
// what they read, and return false after the first error. They call each other
// once for each level of brackets, of which there are at most
// Calculator::kMaxDepth; values lie on a stack of their own.
class CalculatorLine {
 public:
  CalculatorLine(std::string_view text, Calculator* calculator)
      : reader_(text), calculator_(calculator) {}

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
  bool Bind(std::string_view name, size_t offset);
  bool Push(CalculatorValue value, size_t offset);
  void PopTo(size_t base);

  // Braces of C++, as in Int<4>{}.
  bool TakeBraces();

  bool Fail(size_t offset, std::string_view message,
            absl::StatusCode code = absl::StatusCode::kInvalidArgument);
  bool FailExpected(std::string_view what);
  bool FailUnknown(std::string_view name, size_t offset);

  LineReader reader_;
  Calculator* calculator_;
  int depth_ = 0;
  std::vector<CalculatorArgument> stack_;
  size_t nodes_ = 0;  // of all values on the stack
  std::vector<Diagnostic> notes_;
  absl::Status status_;
};

absl::StatusOr<CalculatorResult> CalculatorLine::Run() {
  do {
    PopTo(0);
    if (!ReadStatement()) return status_;
  } while (reader_.Take(';') && !reader_.AtEnd());
  if (!reader_.AtEnd()) {
    FailExpected("the end of the expression");
    return status_;
  }
  return CalculatorResult{std::move(stack_[0].value), std::move(notes_)};
}

bool CalculatorLine::ReadStatement() {
  reader_.Next();
  const size_t begin = reader_.position();
  const std::string_view name = reader_.TakeName();
  if (name.empty() || !reader_.Take('=')) {
    reader_.set_position(begin);
    return ReadExpression();
  }
  return ReadExpression() && Bind(name, begin);
}

bool CalculatorLine::ReadExpression() {
  const size_t base = stack_.size();
  if (!ReadApplied()) return false;
  const size_t begin = stack_[base].offset;
  size_t site;
  while (reader_.TakeSign(&site)) {
    if (!ReadApplied()) return false;
    // An integer that is not the last is an offset.
    size_t next_site;
    if (IsInteger(stack_.back().value) && reader_.TakeSign(&next_site) &&
        !ReadApplied()) {
      return false;
    }
    if (!Call(base, begin, site, Compose)) return false;
  }
  return true;
}

bool CalculatorLine::ReadApplied() {
  const size_t base = stack_.size();
  if (!ReadPair()) return false;
  const size_t begin = stack_[base].offset;
  while (reader_.Take('(')) {
    const size_t site = reader_.position() - 1;
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

bool CalculatorLine::ReadPair() {
  const size_t base = stack_.size();
  if (!ReadPrimary()) return false;
  if (!reader_.Take(':')) return true;
  const size_t site = reader_.position() - 1;
  return ReadPrimary() &&
         Call(base, stack_[base].offset, site, [](CalculatorArguments& a) {
           return ToValue(Layout::Create(a.TakeNumbers(0), a.TakeNumbers(1)));
         });
}

bool CalculatorLine::ReadPrimary() {
  size_t limit;
  const char next = reader_.Next();
  if (reader_.IsLiteralAhead(&limit)) return ReadLiteral(limit);
  if (next == '(' || next == '[' || next == '<') return ReadTuple();
  if (absl::ascii_isalpha(next) || next == '_') return ReadNamed();
  return FailExpected("an expression");
}

bool CalculatorLine::ReadLiteral(size_t limit) {
  const size_t begin = reader_.position();
  size_t position = begin;
  absl::StatusOr<Term> term =
      ReadTerm(reader_.text().substr(0, limit), &position);
  if (!term.ok()) {
    const std::optional<Diagnostic> diagnostic = DiagnosticOf(term.status());
    return Fail(diagnostic->offset, diagnostic->message, term.status().code());
  }
  reader_.set_position(position);
  const bool is_pushed = std::visit(
      [&](auto&& value) {
        return Push(std::forward<decltype(value)>(value), begin);
      },
      *std::move(term));
  return is_pushed && TakeBraces();
}

bool CalculatorLine::ReadTuple() {
  const size_t begin = reader_.position();
  const size_t base = stack_.size();
  const char open = reader_.Next();
  reader_.Take(open);
  const char close = open == '(' ? ')' : open == '[' ? ']' : '>';
  bool ends_in_comma;
  if (!ReadList(close, &ends_in_comma)) return false;
  const bool is_tiler = open != '(';
  if (stack_.size() == base + 1 && !ends_in_comma && !is_tiler) return true;
  bool is_int_tuple = !is_tiler;
  for (size_t i = base; i < stack_.size(); ++i) {
    is_int_tuple &= std::holds_alternative<IntTuple>(stack_[i].value);
  }
  return Call(base, begin, begin,
              FindFunction(is_int_tuple ? "make_tuple" : "make_tile")->call);
}

bool CalculatorLine::ReadList(char close, bool* ends_in_comma) {
  *ends_in_comma = false;
  if (++depth_ > Calculator::kMaxDepth) {
    return Fail(reader_.position() - 1,
                absl::StrCat("brackets are nested more than ",
                             Calculator::kMaxDepth, " deep"),
                absl::StatusCode::kResourceExhausted);
  }
  while (!reader_.Take(close)) {
    if (!ReadExpression()) return false;
    *ends_in_comma = reader_.Take(',') || (close == ']' && reader_.Take(';'));
    if (!*ends_in_comma && reader_.Next() != close) {
      return FailExpected(absl::StrCat("',' or '", std::string(1, close), "'"));
    }
  }
  --depth_;
  return true;
}

bool CalculatorLine::ReadNamed() {
  const size_t begin = reader_.position();
  const std::string_view name = reader_.TakeName();
  const char next = reader_.Next();
  if (StartsWith(name, "SW_") ||
      ((name == "Sw" || name == "S") && next == '<')) {
    reader_.set_position(begin);
    return ReadLiteral(reader_.text().size());
  }
  if (const std::optional<Major> major = MajorOfName(name)) {
    return Push(*major, begin) && TakeBraces();
  }
  if (const CalculatorFunction* function = FindFunction(name)) {
    if (next == '(' || next == '<') return ReadCall(*function, begin);
    return Fail(begin,
                absl::StrCat("'", AbslView(name), "' is a function and takes ",
                             Signature(*function)));
  }
  const auto bound = calculator_->names_.find(name);
  if (bound == calculator_->names_.end()) return FailUnknown(name, begin);
  return Push(bound->second, begin);
}

bool CalculatorLine::ReadCall(const CalculatorFunction& function,
                              size_t offset) {
  const size_t base = stack_.size();
  bool ends_in_comma;
  if (reader_.Take('<') && !ReadList('>', &ends_in_comma)) return false;
  const size_t template_count = stack_.size() - base;
  // Int<4> and Swizzle<2,0,3> are types, whose values need no parentheses.
  const bool is_type = absl::ascii_isupper(function.name[0]);
  if (reader_.Take('(')) {
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
      !std::holds_alternative<ComposedLayout>(stack_[base].value)) {
    return Call(base, offset, offset, function.call, template_count);
  }
  const ComposedLayout composed =
      std::get<ComposedLayout>(std::move(stack_[base].value));
  stack_[base].value = composed.layout();
  if (!Call(base, offset, offset, function.call, template_count)) return false;
  CalculatorValue& result = stack_.back().value;
  if (const auto* layout = std::get_if<Layout>(&result)) {
    result = ComposedLayout(composed.outer(), composed.offset(), *layout);
  }
  return true;
}

bool CalculatorLine::Call(size_t base, size_t begin, size_t site,
                          Function function, size_t template_count) {
  CalculatorArguments arguments(
      reader_.text(), site, absl::MakeConstSpan(stack_).subspan(base),
      template_count, calculator_->options_.bare_shape_is_column_major,
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

bool CalculatorLine::Bind(std::string_view name, size_t offset) {
  if (FindFunction(name) != nullptr || MajorOfName(name).has_value() ||
      name == "o" || name == "_") {
    return Fail(offset, absl::StrCat("'", AbslView(name),
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

bool CalculatorLine::Push(CalculatorValue value, size_t offset) {
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

void CalculatorLine::PopTo(size_t base) {
  while (stack_.size() > base) {
    nodes_ -= NodeCount(stack_.back().value);
    stack_.pop_back();
  }
}

bool CalculatorLine::TakeBraces() {
  return !reader_.Take('{') || reader_.Take('}') || FailExpected("'}'");
}

bool CalculatorLine::Fail(size_t offset, std::string_view message,
                          absl::StatusCode code) {
  status_ = DiagnosticError(reader_.text(), offset, message, code);
  return false;
}

bool CalculatorLine::FailExpected(std::string_view what) {
  const std::string found = reader_.DescribeNextToken();
  return Fail(reader_.position(),
              absl::StrCat("expected ", AbslView(what), ", found ", found));
}

bool CalculatorLine::FailUnknown(std::string_view name, size_t offset) {
  std::vector<std::string_view> near = NearestFunctions(name);
  return Fail(offset, absl::StrCat("unknown name '", AbslView(name), "'",
                                   near.empty() ? "" : "; did you mean ",
                                   JoinViews(near, ", ")));
}

absl::StatusOr<CalculatorResult> Calculator::Evaluate(std::string_view line) {
  return CalculatorLine(line, this).Run();
}

}  // namespace cute
}  // namespace tessera
