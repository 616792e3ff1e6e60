#include "tessera/hlo/strict/literal_rules.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/base/attributes.h"
#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/cursor.h"
#include "tessera/layout/primitive_type.h"
#include "tessera/shape/shape_utilities.h"

namespace tessera {
namespace hlo_internal {
namespace {

// Returns the least magnitude that rounds to infinity; infinity for types for
// which it is not known or not judged.
double LeastInfinite(PrimitiveType type) {
  switch (type) {
    case F16:
      return 65520;
    case BF16:
      return std::ldexp(2 - std::ldexp(1, -8), 127);
    case F32:
      return std::ldexp(2 - std::ldexp(1, -24), 127);
    default:
      return std::numeric_limits<double>::infinity();
  }
}

bool IsNumberByte(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '.' ||
         c == '-' || c == '+' || c == '_';
}

// Whether XLA's lexer reads it as a decimal number: "-1", "1.", ".5e-3".
bool IsDecimal(std::string_view token) {
  size_t i = token.substr(0, 1) == "-" ? 1 : 0;
  const auto skip_digits = [&] {
    const size_t begin = i;
    while (i < token.size() &&
           absl::ascii_isdigit(static_cast<unsigned char>(token[i]))) {
      ++i;
    }
    return i - begin;
  };
  size_t digits = skip_digits();
  if (i < token.size() && token[i] == '.') {
    ++i;
    digits += skip_digits();
  }
  if (digits == 0) return false;
  if (i < token.size() && (token[i] == 'e' || token[i] == 'E')) {
    ++i;
    if (i < token.size() && (token[i] == '-' || token[i] == '+')) ++i;
    if (skip_digits() == 0) return false;
  }
  return i == token.size();
}

// Whether XLA accepts `token` as a value of this integer type. It reads values
// from 2^63 to 2^64-1 as the negative numbers with the same bits.
bool FitsInteger(std::string_view token, PrimitiveType type) {
  int64_t value;
  if (!absl::SimpleAtoi(AbslView(token), &value)) {
    uint64_t bits;
    if (!absl::SimpleAtoi(AbslView(token), &bits)) return false;
    value = static_cast<int64_t>(bits);
  }
  const int64_t width = BitWidth(type);
  if (type == PRED || width >= 64) return true;
  const int64_t span = int64_t{1} << (width - 1);
  return IsUnsignedIntegralType(type) ? value >= 0 && value / 2 < span
                                      : value >= -span && value < span;
}

class LiteralJudge {
 public:
  explicit LiteralJudge(std::string_view text)
      : end_(text.data() + text.size()), cursor_(text) {}

  // Returns false if objection() describes an error.
  bool Judge(const Shape& shape);
  HloObjection objection() && { return std::move(objection_); }

 private:
  bool JudgeArray(const Shape& shape);
  bool OpenBrace(const Shape& shape);
  bool CloseBrace(const Shape& shape);
  bool CountElement();
  bool ReadElement(PrimitiveType type);
  bool ReadFloat(PrimitiveType type);
  bool ReadComplex(PrimitiveType type);
  std::string_view TakeToken();

  char Peek() { return cursor_.AtEnd() ? '\0' : *cursor_.position(); }
  bool Fail(const char* at, std::string message) {
    objection_ = {std::string_view(at, end_ - at), std::move(message)};
    return false;
  }
  bool FailHere(std::string message) {
    cursor_.SkipBlanks();
    return Fail(cursor_.position(), std::move(message));
  }
  bool FailExpected(std::string_view expected) {
    return FailHere(absl::StrCat("expected ", AbslView(expected), ", found ",
                                 cursor_.DescribeNextToken()));
  }
  // Fails because the innermost open dimension has `given` elements.
  bool FailCount(const Shape& shape, std::string_view given) {
    return FailHere(absl::StrCat("dimension ", depth_ - 1, " has size ",
                                 shape.dimensions(depth_ - 1),
                                 ", but the literal gives ", AbslView(given)));
  }
  bool Read(char c, std::string_view expected) {
    return cursor_.Take(c) || FailExpected(expected);
  }

  const char* const end_;
  Cursor cursor_;
  HloObjection objection_;
  // For the current array: the number of elements, or arrays of elements, in
  // the innermost open braces of each dimension so far, and the number of open
  // braces.
  absl::InlinedVector<int64_t, 6> seen_;
  int64_t depth_ = 0;
  // The number of elements so far, and its limit.
  int64_t elements_ = 0;
  int64_t element_limit_ = 0;
};

bool LiteralJudge::Judge(const Shape& shape) {
  struct Tuple {
    const Shape* shape;
    size_t element;
  };
  std::vector<Tuple> open;
  const Shape* next = &shape;
  while (true) {
    if (next->IsTuple()) {
      if (Peek() == '{') {
        return FailHere("the literal of a tuple must be written out");
      }
      if (!Read('(', "'(' before the elements of a tuple")) return false;
      if (!next->tuple_shapes().empty() && Peek() != ')') {
        open.push_back({next, 0});
        next = &next->tuple_shapes()[0];
        continue;
      }
      if (!Read(')', "')' after the elements of a tuple")) return false;
    } else if (!JudgeArray(*next)) {
      return false;
    }
    while (!open.empty() &&
           ++open.back().element == open.back().shape->tuple_shapes().size()) {
      if (!Read(')', "')' after the elements of a tuple")) return false;
      open.pop_back();
    }
    if (open.empty()) break;
    if (!Read(',', "',' between the elements of a tuple")) return false;
    next = &open.back().shape->tuple_shapes()[open.back().element];
  }
  return cursor_.AtEnd() || FailExpected("the end of the literal");
}

bool LiteralJudge::JudgeArray(const Shape& shape) {
  if (!shape.IsArray()) {
    return Fail(
        cursor_.position(),
        absl::StrCat("there is no literal of a ",
                     AbslView(PrimitiveTypeName(shape.element_type()))));
  }
  seen_.assign(shape.dimensions().size(), 0);
  depth_ = 0;
  elements_ = 0;
  const absl::StatusOr<int64_t> limit = ElementsIn(shape);
  element_limit_ = limit.ok() ? *limit : std::numeric_limits<int64_t>::max();
  const PrimitiveType type = shape.element_type();
  do {
    switch (Peek()) {
      case '{':
        if (!OpenBrace(shape)) return false;
        break;
      case '}':
        if (!CloseBrace(shape)) return false;
        break;
      case ',':
        cursor_.Take(',');
        break;
      case '.':
        if (StartsWith(
                std::string_view(cursor_.position(), end_ - cursor_.position()),
                "...")) {
          if (depth_ != 1) {
            return FailHere("'...' is allowed only in the outermost braces");
          }
          seen_[0] = shape.dimensions(0);
          for (int i = 0; i < 3; ++i) cursor_.Take('.');
          break;
        }
        ABSL_FALLTHROUGH_INTENDED;
      default:
        if (!CountElement() || !ReadElement(type)) return false;
    }
  } while (depth_ > 0);
  return true;
}

bool LiteralJudge::OpenBrace(const Shape& shape) {
  if (depth_ == static_cast<int64_t>(seen_.size())) {
    return FailHere(absl::StrCat("the array has rank ", depth_,
                                 ", but the braces are nested deeper"));
  }
  if (depth_ > 0 && ++seen_[depth_ - 1] > shape.dimensions(depth_ - 1)) {
    return FailCount(shape, "more");
  }
  ++depth_;
  cursor_.Take('{');
  return true;
}

bool LiteralJudge::CloseBrace(const Shape& shape) {
  if (depth_ == 0) return FailExpected("an element");
  int64_t& seen = seen_[depth_ - 1];
  if (seen != shape.dimensions(depth_ - 1)) {
    return FailCount(shape, absl::StrCat(seen));
  }
  seen = 0;
  --depth_;
  cursor_.Take('}');
  return true;
}

bool LiteralJudge::CountElement() {
  if (depth_ > 0 && depth_ == static_cast<int64_t>(seen_.size())) {
    ++seen_[depth_ - 1];
  }
  if (elements_ < element_limit_) {
    ++elements_;
    return true;
  }
  return FailHere(absl::StrCat("the array has ", element_limit_,
                               element_limit_ == 1 ? " element" : " elements",
                               ", but the literal gives more"));
}

std::string_view LiteralJudge::TakeToken() {
  cursor_.SkipBlanks();
  const char* const begin = cursor_.position();
  const char* p = begin;
  while (p != end_ && IsNumberByte(*p)) ++p;
  cursor_ = Cursor(std::string_view(p, end_ - p));
  return std::string_view(begin, p - begin);
}

bool LiteralJudge::ReadElement(PrimitiveType type) {
  if (IsComplexType(type)) return ReadComplex(type);
  if (IsFloatingPointType(type)) return ReadFloat(type);
  const Cursor start = cursor_;
  const std::string_view token = TakeToken();
  if (type == PRED && (token == "true" || token == "false")) return true;
  const std::string_view digits = StripPrefix(token, "-");
  if (digits.empty() || digits.find_first_not_of("0123456789") != digits.npos) {
    cursor_ = start;
    return FailExpected(type == PRED ? "true, false or an integer"
                                     : "an integer");
  }
  return FitsInteger(token, type) ||
         Fail(token.data(),
              absl::StrCat(AbslView(token.substr(0, 40)), " does not fit into ",
                           AbslView(PrimitiveTypeName(type))));
}

bool LiteralJudge::ReadFloat(PrimitiveType type) {
  const Cursor start = cursor_;
  const std::string_view token = TakeToken();
  const std::string_view magnitude = StripPrefix(token, "-");
  if (magnitude == "inf") return true;
  if (magnitude == "nan") {
    if (Peek() != '(') return true;
    // A payload follows.
    cursor_.Take('(');
    return !TakeToken().empty() ? Read(')', "')'") : FailExpected("a payload");
  }
  double value;
  if (!IsDecimal(token) || !absl::SimpleAtod(AbslView(token), &value)) {
    cursor_ = start;
    return FailExpected("a number");
  }
  return std::isinf(value) || std::abs(value) < LeastInfinite(type) ||
         Fail(token.data(),
              absl::StrCat(AbslView(token.substr(0, 40)), " does not fit into ",
                           AbslView(PrimitiveTypeName(type))));
}

bool LiteralJudge::ReadComplex(PrimitiveType type) {
  const PrimitiveType part = type == C64 ? F32 : F64;
  return Read('(', "'(' before a complex number") && ReadFloat(part) &&
         Read(',', "','") && ReadFloat(part) && Read(')', "')'");
}

}  // namespace

std::optional<HloObjection> FindObjectionToLiteral(std::string_view literal,
                                                   const Shape& shape) {
  LiteralJudge judge(literal);
  if (judge.Judge(shape)) return std::nullopt;
  return std::move(judge).objection();
}

}  // namespace hlo_internal
}  // namespace tessera
