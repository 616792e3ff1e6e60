#include "tessera/cute/internal/term_reader.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/diagnostic.h"

namespace tessera::cute {
namespace {

constexpr char kTooLong[] = "the integer is below -(2^63-1)";

// Precondition: `word` is not empty.
bool IsTupleType(std::string_view word) {
  switch (word[0]) {
    case 'S':
      return word == "Shape" || word == "Stride" || word == "Step";
    case 't':
      return word == "tuple";
    case 'C':
      return word == "Coord";
    case 'T':
      return word == "Tile";
    case 'A':
      return word == "ArithmeticTuple";
    case 'I':
      return word == "IntTuple";
    default:
      return false;
  }
}

bool IsTupleMaker(std::string_view word) {
  if (!ConsumePrefix(&word, "make_")) return false;
  return word == "shape" || word == "stride" || word == "coord" ||
         word == "step" || word == "tuple" || word == "tile" || word == "tiler";
}

// Whether a token is a difference such as 128-64, which is a single token
// because names of XLA contain '-'.
bool IsDifference(std::string_view token) {
  const size_t digits = token.find_first_not_of("0123456789");
  return digits != 0 && digits != std::string_view::npos &&
         token[digits] == '-';
}

// The C++ types of a run-time number in a tuple.
bool IsRunTimeType(std::string_view word) {
  return word == "int" || word == "unsigned" || word == "long" ||
         word == "short" || word == "size_t" || word == "int64_t" ||
         word == "int32_t" || word == "uint32_t" || word == "uint64_t" ||
         word == "Int32" || word == "Int64";
}

}  // namespace

std::string_view TermReader::TakeWord(Cursor* cursor) {
  std::string_view word = cursor->TakeIdentifier();
  while (cursor->TakePair(':', ':')) word = cursor->TakeIdentifier();
  const size_t dot = word.rfind('.');
  return dot == std::string_view::npos ? word : word.substr(dot + 1);
}

void TermReader::TakeBraces(Cursor* cursor) {
  Cursor ahead = *cursor;
  if (ahead.Take('{') ? ahead.Take('}') : ahead.Take('(') && ahead.Take(')')) {
    *cursor = ahead;
  }
}

bool TermReader::TakeTemplateInteger(Cursor* cursor, int64_t* value) const {
  if (cursor->Take('(')) {
    if (TakeWord(cursor).empty()) return false;
    // unsigned int
    while (!cursor->TakeIdentifier().empty()) {
    }
    if (!cursor->Take(')')) return false;
  }
  if (cursor->TakeInteger(value)) return true;
  const std::string_view token = cursor->NextToken();
  std::string_view digits = token;
  while (!digits.empty() && (digits.back() == 'u' || digits.back() == 'U' ||
                             digits.back() == 'l' || digits.back() == 'L')) {
    digits.remove_suffix(1);
  }
  if (!absl::SimpleAtoi(AbslView(digits), value)) return false;
  const char* past = token.data() + token.size();
  *cursor = Cursor(std::string_view(past, text_.data() + text_.size() - past));
  return true;
}

bool TermReader::TakeKeyword(std::string_view keyword) {
  Cursor ahead = cursor_;
  if (ahead.TakeIdentifier() != keyword || !ahead.Take('=')) return false;
  GoTo(ahead);
  return true;
}

TermReader::Opening TermReader::TakeOpeningWord() {
  Cursor ahead = cursor_;
  const std::string_view word = TakeWord(&ahead);
  if (word.size() < 4) return Opening();
  Opening opening;
  if (IsTupleType(word)) {
    if (!ahead.Take('<')) return Opening();
    opening = Opening('>', /*is_word=*/true);
  } else {
    const bool is_type = word == "Layout";
    const bool is_layout = is_type || word == "make_layout";
    if (!is_layout && !IsTupleMaker(word)) return Opening();
    char close = ')';
    if (is_type && ahead.Take('<')) {
      close = '>';
    } else if (!ahead.Take('(')) {
      return Opening();
    }
    opening = Opening(close, /*is_word=*/true, is_layout);
  }
  GoTo(ahead);
  return opening;
}

bool TermReader::Fail(const char* at, std::string_view message,
                      absl::StatusCode code) {
  if (status_.ok()) {
    status_ = DiagnosticError(text_, at - text_.data(), message, code);
  }
  return false;
}

bool TermReader::FailExpected(std::string_view what) {
  cursor_.SkipBlanks();
  const std::string_view token = cursor_.NextToken();
  stopped_at_expression_ =
      !token.empty() &&
      (absl::ascii_isalpha(token[0]) || token[0] == '_' ||
       StrContains("+-*/%", token.substr(0, 1)) || IsDifference(token));
  return Fail(cursor_.position(), StrCat("expected ", what, ", found ",
                                         cursor_.DescribeNextToken()));
}

bool TermReader::FailInteger(std::string_view what) {
  cursor_.SkipBlanks();
  std::string_view digits = cursor_.NextToken();
  Cursor ahead = cursor_;
  if (digits == "?" || IsRunTimeType(TakeWord(&ahead))) {
    return Fail(
        cursor_.position(),
        StrCat("'", digits, "' is known at run time only; write a number"));
  }
  ConsumePrefix(&digits, "_");
  ConsumePrefix(&digits, "-");
  if (digits.empty() ||
      !std::all_of(digits.begin(), digits.end(), absl::ascii_isdigit)) {
    return FailExpected(what);
  }
  cursor_.SkipBlanks();
  return Fail(cursor_.position(),
              "the integer is not between -(2^63-1) and 2^63-1",
              absl::StatusCode::kOutOfRange);
}

bool TermReader::ReadEnd(std::string_view what) {
  return cursor_.AtEnd() || FailExpected(StrCat("the end of the ", what));
}

char TermReader::TakeComposedWord() {
  Cursor ahead = cursor_;
  const std::string_view word = TakeWord(&ahead);
  const char close = word == "ComposedLayout" && ahead.Take('<')         ? '>'
                     : word == "make_composed_layout" && ahead.Take('(') ? ')'
                                                                         : '\0';
  if (close != '\0') GoTo(ahead);
  return close;
}

bool TermReader::TakeMark(char mark) {
  if (!cursor_.Take(mark)) return false;
  if (mark == '>') TakeBraces(&cursor_);
  return true;
}

bool TermReader::TakeCompositionSign() {
  Cursor ahead = cursor_;
  if (ahead.TakeIdentifier() != "o") return false;
  GoTo(ahead);
  return true;
}

bool TermReader::ReadOffset(int64_t* offset) {
  cursor_.SkipBlanks();
  const char* begin = cursor_.position();
  if (!ReadInteger(offset)) return FailInteger("the offset");
  return *offset != IntTuple::kUnderscore || Fail(begin, kTooLong);
}

bool TermReader::TakePlainMarkedInteger(int64_t* value) {
  constexpr int kMostDigits = 18;
  const char* const end = text_.data() + text_.size();
  const char* const digits = cursor_.position() + 1;
  if (digits >= end || digits[-1] != '_') return false;
  const char* p = digits;
  int64_t magnitude = 0;
  for (; p != end && absl::ascii_isdigit(*p); ++p) {
    if (p - digits == kMostDigits) return false;
    magnitude = 10 * magnitude + (*p - '0');
  }
  const bool goes_on = p != end && (absl::ascii_isalpha(*p) || *p == '_' ||
                                    *p == '.' || *p == '-');
  if (p == digits || goes_on) return false;
  cursor_ = Cursor(std::string_view(p, end - p));
  if (cursor_.NextByteIs('{')) TakeBraces(&cursor_);
  *value = magnitude;
  return true;
}

bool TermReader::ReadMarkedInteger(int64_t* value) {
  if (TakePlainMarkedInteger(value)) return true;
  Cursor ahead = cursor_;
  const std::string_view word = TakeWord(&ahead);
  if (word.empty()) return false;
  if (word[0] == '_') {
    std::string_view digits = word.substr(1);
    const bool is_negative = ConsumePrefix(&digits, "m");
    if (digits.empty() || (is_negative && digits[0] == '-')) return false;
    const bool is_number = absl::ascii_isdigit(digits[0]) || digits[0] == '-';
    if (!is_number || !absl::SimpleAtoi(AbslView(digits), value)) return false;
    if (is_negative) *value = -*value;
  } else {
    const bool has_type = word == "integral_constant" || word == "constant";
    if (!has_type && word != "Int" && word != "C") return false;
    if (!ahead.Take('<')) return false;
    if (has_type && (TakeWord(&ahead).empty() || !ahead.Take(','))) {
      return false;
    }
    if (!(ahead.AtInteger() && ahead.TakeInteger(value)) &&
        !TakeTemplateInteger(&ahead, value)) {
      return false;
    }
    if (!ahead.Take('>')) return false;
  }
  if (ahead.NextByteIs('{') || ahead.NextByteIs('(')) TakeBraces(&ahead);
  GoTo(ahead);
  return true;
}

void TermReader::Clear() {
  nodes_.clear();
  leaves_.clear();
  layouts_.clear();
  no_shape_before_ = 0;
  no_sizes_.clear();
  has_empty_tuple_ = false;
  has_basis_ = false;
}

bool TermReader::ReadLeaf() {
  cursor_.SkipBlanks();
  const char* begin = cursor_.position();
  int64_t size;
  if (ReadInteger(&size)) {
    if (size == IntTuple::kUnderscore) return Fail(begin, kTooLong);
  } else {
    Cursor ahead = cursor_;
    const std::string_view word = TakeWord(&ahead);
    if (word != "_" && word != "Underscore" && word != "None") {
      return FailInteger("an integer, '_' or '('");
    }
    TakeBraces(&ahead);
    GoTo(ahead);
    size = IntTuple::kUnderscore;
  }
  nodes_.push_back(Profile::kLeaf);
  if (size < 1) no_sizes_.push_back({leaves_.size(), begin});
  // Here and below in place: a copy waits until its parts are stored.
  leaves_.emplace_back() = Tiler::OfSize(size);
  return true;
}

bool TermReader::ReadNested() {
  Clear();
  absl::InlinedVector<Open, 8> open;
  const auto add_open = [&open](size_t node, size_t leaf, const char* begin,
                                Opening opening) {
    Open& added = open.emplace_back();
    added.node = node;
    added.leaf = leaf;
    added.begin = begin;
    added.opening = opening;
  };
  while (true) {
    // A term begins here.
    size_t node = nodes_.size();
    size_t leaf = leaves_.size();
    // Skips the text before the term.
    const bool is_integer = cursor_.AtInteger();
    const char* begin = cursor_.position();
    const Opening opening = is_integer ? Opening() : TakeOpening();
    if (opening.close() == '\0') {
      if (!ReadLeaf()) return false;
    } else if (opening.is_layout()) {
      if (Peek() == 's') TakeKeyword("shape");
      add_open(node, leaf, begin, opening);
      continue;
    } else {
      nodes_.push_back(0);
      if (opening.close() != ')' && !opening.is_word()) {
        no_shape_before_ = nodes_.size();
      }
      if (!TakeClosing(opening)) {
        add_open(node, leaf, begin, opening);
        continue;
      }
      has_empty_tuple_ = true;
    }
    // The term ends here, and perhaps tuples around it do, too.
    while (true) {
      if (cursor_.Take(':') && !ReadStride(node, leaf, begin)) return false;
      if (open.empty()) return true;
      Open& tuple = open.back();
      if (tuple.opening.is_layout()) {
        if (!ReadRestOfLayout(tuple)) return false;
      } else {
        const char close = tuple.opening.close();
        ++tuple.arity;
        const bool is_separated =
            cursor_.Take(',') || (close == ']' && cursor_.Take(';'));
        if (!TakeClosing(tuple.opening)) {
          if (is_separated) break;
          return FailExpected(close == ')'   ? "',' or ')'"
                              : close == ']' ? "';' or ']'"
                                             : "',' or '>'");
        }
        nodes_[tuple.node] = tuple.arity;
      }
      node = tuple.node;
      leaf = tuple.leaf;
      begin = tuple.begin;
      open.pop_back();
    }
  }
}

bool TermReader::ReadBasis() {
  Clear();
  nodes_.push_back(Profile::kLeaf);
  leaves_.emplace_back() = Tiler::OfSize(1);
  layouts_.push_back({0, 1});
  int64_t cosize = 1;
  return ReadStrideLeaf(0, &cosize);
}

bool TermReader::FailNoSize(const NoSize& no_size) {
  const int64_t size = leaves_[no_size.leaf].size;
  return Fail(no_size.begin,
              size == IntTuple::kUnderscore
                  ? "'_' is not a size"
                  : absl::StrCat("the size ", size, " is less than 1"));
}

bool TermReader::CheckSizes(size_t leaf, const char* begin) {
  if (!no_sizes_.empty() && no_sizes_.back().leaf >= leaf) {
    return FailNoSize(*std::lower_bound(
        no_sizes_.begin(), no_sizes_.end(), leaf,
        [](const NoSize& no_size, size_t i) { return no_size.leaf < i; }));
  }
  int64_t size = 1;
  for (size_t i = leaf; i < leaves_.size(); ++i) {
    if (__builtin_mul_overflow(size, leaves_[i].size, &size)) {
      return Fail(LeafPosition(begin, i - leaf), "the size exceeds 2^63-1",
                  absl::StatusCode::kOutOfRange);
    }
  }
  return true;
}

const char* TermReader::LeafPosition(const char* begin, size_t leaf) const {
  Cursor cursor(text_.substr(begin - text_.data()));
  while (!cursor.AtEnd()) {
    const char* position = cursor.position();
    int64_t size;
    std::string_view word;
    if (cursor.TakeInteger(&size) ||
        StartsWith(word = cursor.TakeIdentifier(), "_")) {
      if (leaf-- == 0) return position;
    } else if (word.empty()) {
      // Brackets, commas, and the colons of cute::Shape.
      cursor = Cursor(text_.substr(position + 1 - text_.data()));
    }
  }
  return cursor.position();
}

void TermReader::FillCompactStrides(size_t leaf, bool from_right) {
  int64_t stride = 1;
  const size_t count = leaves_.size() - leaf;
  for (size_t i = 0; i < count; ++i) {
    Layout::Leaf& next =
        leaves_[from_right ? leaves_.size() - 1 - i : leaf + i];
    next.stride = next.size == 1 ? 0 : stride;
    stride *= next.size;
  }
}

bool TermReader::ReadRestOfLayout(const Open& layout) {
  bool has_stride = cursor_.Take(',');
  const char next = has_stride ? Peek() : '\0';
  Cursor ahead = cursor_;
  const bool may_be_major = next == 'L' || next == 'G' || next == 'c';
  const std::string_view word = may_be_major ? TakeWord(&ahead) : "";
  const bool is_right = word == "LayoutRight" || word == "GenRowMajor";
  if (is_right || word == "LayoutLeft" || word == "GenColMajor") {
    TakeBraces(&ahead);
    GoTo(ahead);
    has_stride = false;
  } else if (next == layout.opening.close()) {
    has_stride = false;
  }
  if (has_stride) {
    if (next == 's') TakeKeyword("stride");
    if (!ReadStride(layout.node, layout.leaf, layout.begin)) return false;
    cursor_.Take(',');
  } else {
    if (!CheckShape(layout.node, layout.leaf, layout.begin)) return false;
    layouts_.push_back({layout.node, nodes_.size()});
    no_shape_before_ = nodes_.size();
    FillCompactStrides(layout.leaf, is_right);
  }
  return TakeClosing(layout.opening) ||
         FailExpected(layout.opening.close() == ')' ? "')'" : "'>'");
}

bool TermReader::CheckShape(size_t node, size_t leaf, const char* begin) {
  const char* colon = cursor_.position() - 1;  // where the shape ends
  if (node < no_shape_before_) {
    const bool has_layout = !layouts_.empty() && layouts_.back().begin >= node;
    return Fail(colon, has_layout ? "the part before ':' already has a stride"
                                  : "a tiler is not a shape");
  }
  if (has_empty_tuple_ && nodes_.size() > node + 1) {
    for (size_t i = node; i < nodes_.size(); ++i) {
      if (nodes_[i] == 0) {
        return Fail(colon, "an empty tuple is not a mode of a layout");
      }
    }
  }
  return CheckSizes(leaf, begin);
}

bool TermReader::ReadStride(size_t node, size_t leaf, const char* begin) {
  if (!CheckShape(node, leaf, begin)) return false;
  layouts_.push_back({node, nodes_.size()});
  no_shape_before_ = nodes_.size();
  cursor_.SkipBlanks();
  const char* stride_begin = cursor_.position();
  // For each open tuple, the number of its remaining modes.
  struct OpenTuple {
    uint32_t left;
    Opening opening;
  };
  absl::InlinedVector<OpenTuple, 8> tuples;
  size_t next_leaf = leaf;
  int64_t cosize = 1;
  bool is_first = true;
  for (size_t i = node; i < nodes_.size(); ++i) {
    if (!is_first && !cursor_.Take(',')) {
      return FailExpected("',' as in the shape");
    }
    if (!tuples.empty()) --tuples.back().left;
    if (nodes_[i] == Profile::kLeaf) {
      if (!ReadStrideLeaf(next_leaf++, &cosize)) return false;
      is_first = false;
    } else {
      const Opening opening =
          cursor_.Take('(') ? Opening(')') : TakeOpeningWord();
      if (opening.close() == '\0' || opening.is_layout()) {
        return FailExpected("'(' as in the shape");
      }
      OpenTuple& tuple = tuples.emplace_back();
      tuple.left = nodes_[i];
      tuple.opening = opening;
      is_first = true;
    }
    while (!tuples.empty() && tuples.back().left == 0) {
      if (!is_first) cursor_.Take(',');
      if (!TakeClosing(tuples.back().opening)) {
        return FailExpected(tuples.back().opening.close() == ')'
                                ? "')' as in the shape"
                                : "'>' as in the shape");
      }
      tuples.pop_back();
      is_first = false;
    }
  }
  if (!has_basis_) return true;
  const absl::Status bases =
      CheckBases(absl::MakeConstSpan(leaves_).subspan(leaf));
  return bases.ok() || Fail(stride_begin, StdView(bases.message()));
}

bool TermReader::ReadStrideLeaf(size_t leaf, int64_t* cosize) {
  Layout::Leaf& read = leaves_[leaf];
  cursor_.SkipBlanks();
  const char* begin = cursor_.position();
  if (!ReadInteger(&read.stride)) {
    bool is_basis;
    if (!ReadBasisWord(&read, &is_basis)) return false;
    if (!is_basis) return FailInteger("an integer as in the shape");
  }
  if (read.stride == IntTuple::kUnderscore) return Fail(begin, kTooLong);
  int64_t reach;
  if (__builtin_mul_overflow(read.size - 1,
                             read.stride < 0 ? -read.stride : read.stride,
                             &reach) ||
      __builtin_add_overflow(*cosize, reach, cosize)) {
    return Fail(begin, "the cosize exceeds 2^63-1",
                absl::StatusCode::kOutOfRange);
  }
  while (cursor_.Take('@')) {
    cursor_.SkipBlanks();
    const char* mode_begin = cursor_.position();
    int64_t mode;
    if (!ReadInteger(&mode)) return FailInteger("a mode after '@'");
    if (!AddBasisMode(mode, mode_begin, &read)) return false;
  }
  return true;
}

bool TermReader::AddBasisMode(int64_t mode, const char* begin,
                              Layout::Leaf* leaf) {
  const std::optional<Basis> basis = leaf->basis.Within(mode);
  if (!basis.has_value()) {
    return Fail(begin, absl::StrCat("a basis element names modes 0 to ",
                                    Basis::kMaxMode, ", nested at most ",
                                    Basis::kMaxDepth, " deep"));
  }
  leaf->basis = *basis;
  has_basis_ = true;
  return true;
}

bool TermReader::ReadBasisWord(Layout::Leaf* leaf, bool* is_basis) {
  Cursor ahead = cursor_;
  const std::string_view word = TakeWord(&ahead);
  *is_basis = word == "E" || word == "ScaledBasis";
  if (!*is_basis) return true;
  // E<0,1> in C++, E([0, 1]) or E(0) in Python.
  const bool is_python = ahead.Take('(');
  if (!is_python && !ahead.Take('<')) return FailExpected("an integer");
  const char* begin = cursor_.position();
  GoTo(ahead);
  leaf->stride = 1;
  if (word == "ScaledBasis") {
    if (!ReadInteger(&leaf->stride)) return FailInteger("an integer");
    if (!cursor_.Take(',')) return FailExpected("','");
  }
  // Source has the outermost mode first; prints have it last.
  const bool is_list = is_python && cursor_.Take('[');
  const char close = is_list ? ']' : is_python ? ')' : '>';
  absl::InlinedVector<int64_t, Basis::kMaxDepth> modes;
  do {
    int64_t mode;
    if (!ReadInteger(&mode)) return FailInteger("a mode");
    modes.push_back(mode);
  } while (cursor_.Take(','));
  if (!cursor_.Take(close) || (is_list && !cursor_.Take(')'))) {
    return FailExpected(
        absl::StrCat("',' or '", std::string(1, is_list ? ']' : close), "'"));
  }
  for (size_t i = modes.size(); i > 0; --i) {
    if (!AddBasisMode(modes[i - 1], begin, leaf)) return false;
  }
  TakeBraces(&cursor_);
  return true;
}

absl::StatusOr<Layout> TermReader::TakeLayout() {
  return Layout::Builder(std::move(nodes_), std::move(leaves_)).Build();
}

IntTuple TermReader::TakeIntTuple() {
  IntTuple::Values values;
  for (const Layout::Leaf& leaf : leaves_) values.push_back(leaf.size);
  return IntTuple(Profile(std::move(nodes_)), std::move(values));
}

bool TermReader::TakeTiler(Tiler* tiler) {
  for (const NoSize& no_size : no_sizes_) {
    if (leaves_[no_size.leaf].size != IntTuple::kUnderscore) {
      return FailNoSize(no_size);
    }
  }
  Tiler::Marks is_by_mode(nodes_.size());
  for (size_t i = 0; i < nodes_.size(); ++i) {
    is_by_mode[i] = nodes_[i] != Profile::kLeaf;
  }
  for (const NodeRange& layout : layouts_) {
    std::fill(is_by_mode.begin() + layout.begin,
              is_by_mode.begin() + layout.end, false);
  }
  *tiler = Tiler(Profile(std::move(nodes_)), std::move(leaves_),
                 std::move(is_by_mode));
  return true;
}

absl::StatusOr<Layout> TermReader::TakeLayoutOrShape(bool allow_bare_shape) {
  if (is_layout()) return TakeLayout();
  if (!is_int_tuple()) {
    Fail(cursor_.position(),
         "expected a layout, found a tiler, which applies by mode");
    return status_;
  }
  if (!allow_bare_shape) {
    FailExpected("':' and the stride");
    return status_;
  }
  if (!CheckShape(0, 0, text_.data())) return status_;
  return Layout::ColumnMajor(TakeIntTuple());
}

bool TermReader::AtSwizzle() {
  Cursor ahead = cursor_;
  const std::string_view name = TakeWord(&ahead);
  return StartsWith(name, "SW_") ||
         ((name == "Sw" || name == "S" || name == "Swizzle") &&
          ahead.Take('<')) ||
         (name == "make_swizzle" && ahead.Take('('));
}

bool TermReader::ReadSwizzle(Swizzle* swizzle) {
  cursor_.SkipBlanks();
  const char* begin = cursor_.position();
  const std::string_view name = TakeWord(&cursor_);
  int64_t parameters[3];
  if (StartsWith(name, "SW_")) {
    const std::vector<std::string_view> parts = SplitViews(name.substr(3), '_');
    for (size_t i = 0; i < 3; ++i) {
      if (parts.size() != 3 ||
          !absl::SimpleAtoi(AbslView(parts[i]), &parameters[i])) {
        return Fail(begin, "expected a swizzle such as SW_2_0_3");
      }
    }
  } else {
    const bool is_python = name == "make_swizzle";
    for (size_t i = 0; i < 3; ++i) {
      if (!cursor_.Take(i > 0 ? ',' : is_python ? '(' : '<')) {
        return FailExpected(i == 0 ? "'<'" : "','");
      }
      if (!ReadInteger(&parameters[i])) return FailInteger("an integer");
    }
    if (!cursor_.Take(is_python ? ')' : '>')) {
      return FailExpected(is_python ? "')'" : "'>'");
    }
    if (name == "Swizzle") TakeBraces(&cursor_);
  }
  const absl::StatusOr<Swizzle> result =
      Swizzle::Create(parameters[0], parameters[1], parameters[2]);
  if (!result.ok()) return Fail(begin, StdView(result.status().message()));
  *swizzle = *result;
  return true;
}

}  // namespace tessera::cute
