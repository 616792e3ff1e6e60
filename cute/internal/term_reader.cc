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

namespace tessera {
namespace cute {
namespace {

constexpr char kTooLong[] = "the integer is below -(2^63-1)";

}  // namespace

bool TermReader::Fail(const char* at, std::string_view message,
                      absl::StatusCode code) {
  if (status_.ok()) {
    status_ = DiagnosticError(text_, at - text_.data(), message, code);
  }
  return false;
}

bool TermReader::FailExpected(std::string_view what) {
  cursor_.SkipBlanks();
  return Fail(cursor_.position(),
              absl::StrCat("expected ", AbslView(what), ", found ",
                           cursor_.DescribeNextToken()));
}

bool TermReader::FailInteger(std::string_view what) {
  std::string_view digits = cursor_.NextToken();
  ConsumePrefix(&digits, "_");
  ConsumePrefix(&digits, "-");
  if (digits.empty() ||
      !std::all_of(digits.begin(), digits.end(), absl::ascii_isdigit)) {
    return FailExpected(what);
  }
  cursor_.SkipBlanks();
  return Fail(cursor_.position(), "the integer exceeds int64_t",
              absl::StatusCode::kOutOfRange);
}

bool TermReader::ReadEnd(std::string_view what) {
  return cursor_.AtEnd() ||
         FailExpected(absl::StrCat("the end of the ", AbslView(what)));
}

bool TermReader::TakeCompositionSign() {
  Cursor ahead = cursor_;
  if (ahead.TakeIdentifier() != "o") return false;
  cursor_ = ahead;
  return true;
}

bool TermReader::ReadOffset(int64_t* offset) {
  cursor_.SkipBlanks();
  const char* begin = cursor_.position();
  if (!ReadInteger(offset)) return FailInteger("the offset");
  return *offset != IntTuple::kUnderscore || Fail(begin, kTooLong);
}

bool TermReader::ReadMarkedInteger(int64_t* value) {
  Cursor ahead = cursor_;
  const std::string_view word = ahead.TakeIdentifier();
  if (word.size() < 2 || word[0] != '_' ||
      !(absl::ascii_isdigit(word[1]) || word[1] == '-') ||
      !absl::SimpleAtoi(AbslView(word.substr(1)), value)) {
    return false;
  }
  cursor_ = ahead;
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
    if (ahead.TakeIdentifier() != "_") {
      return cursor_.NextToken() == "?"
                 ? Fail(begin, "'?' is known at run time only; write a number")
                 : FailInteger("an integer, '_' or '('");
    }
    cursor_ = ahead;
    size = IntTuple::kUnderscore;
  }
  nodes_.push_back(Profile::kLeaf);
  if (size < 1) no_sizes_.push_back({leaves_.size(), begin});
  leaves_.push_back({size, size == IntTuple::kUnderscore ? 0 : 1, Basis()});
  return true;
}

bool TermReader::ReadNested() {
  Clear();
  absl::InlinedVector<Open, 8> open;
  while (true) {
    // A term begins here,
    size_t node = nodes_.size();
    size_t leaf = leaves_.size();
    // Skips what stands before the term.
    const bool is_integer = cursor_.AtInteger();
    const char* begin = cursor_.position();
    const char close = is_integer          ? '\0'
                       : cursor_.Take('(') ? ')'
                       : cursor_.Take('[') ? ']'
                       : cursor_.Take('<') ? '>'
                                           : '\0';
    if (close == '\0') {
      if (!ReadLeaf()) return false;
    } else {
      nodes_.push_back(0);
      if (close != ')') no_shape_before_ = nodes_.size();
      if (!cursor_.Take(close)) {
        open.push_back({node, leaf, begin, close, 0});
        continue;
      }
      has_empty_tuple_ = true;
    }
    // and ends here, and with it perhaps tuples around it.
    while (true) {
      if (cursor_.Take(':') && !ReadStride(node, leaf, begin)) return false;
      if (open.empty()) return true;
      Open& tuple = open.back();
      ++tuple.arity;
      const bool is_separated =
          cursor_.Take(',') || (tuple.close == ']' && cursor_.Take(';'));
      if (!cursor_.Take(tuple.close)) {
        if (is_separated) break;
        return FailExpected(tuple.close == ')'   ? "',' or ')'"
                            : tuple.close == ']' ? "';' or ']'"
                                                 : "',' or '>'");
      }
      nodes_[tuple.node] = tuple.arity;
      node = tuple.node;
      leaf = tuple.leaf;
      begin = tuple.begin;
      open.pop_back();
    }
  }
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
  while (true) {
    cursor.SkipBlanks();
    const char* position = cursor.position();
    int64_t size;
    if (cursor.TakeInteger(&size) || !cursor.TakeIdentifier().empty()) {
      if (leaf-- == 0) return position;
    } else if (!cursor.Take('(') && !cursor.Take(')') && !cursor.Take(',')) {
      return position;
    }
  }
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
  // For each open tuple, how many of its modes are to come.
  absl::InlinedVector<uint32_t, 8> left;
  size_t next_leaf = leaf;
  int64_t cosize = 1;
  bool is_first = true;
  for (size_t i = node; i < nodes_.size(); ++i) {
    if (!is_first && !cursor_.Take(',')) {
      return FailExpected("',' as in the shape");
    }
    if (!left.empty()) --left.back();
    if (nodes_[i] == Profile::kLeaf) {
      if (!ReadStrideLeaf(next_leaf++, &cosize)) return false;
      is_first = false;
    } else {
      if (!cursor_.Take('(')) return FailExpected("'(' as in the shape");
      left.push_back(nodes_[i]);
      is_first = true;
    }
    while (!left.empty() && left.back() == 0) {
      if (!is_first) cursor_.Take(',');
      if (!cursor_.Take(')')) return FailExpected("')' as in the shape");
      left.pop_back();
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
    return FailInteger("an integer as in the shape");
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
    const std::optional<Basis> basis = read.basis.Within(mode);
    if (!basis.has_value()) {
      return Fail(mode_begin, absl::StrCat("a basis element names modes 0 to ",
                                           Basis::kMaxMode, ", nested at most ",
                                           Basis::kMaxDepth, " deep"));
    }
    read.basis = *basis;
    has_basis_ = true;
  }
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
         "expected a layout, found a tiler, which goes by mode");
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
  const std::string_view name = ahead.TakeIdentifier();
  return StartsWith(name, "SW_") ||
         ((name == "Sw" || name == "S") && ahead.Take('<'));
}

bool TermReader::ReadSwizzle(Swizzle* swizzle) {
  cursor_.SkipBlanks();
  const char* begin = cursor_.position();
  const std::string_view name = cursor_.TakeIdentifier();
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
    for (size_t i = 0; i < 3; ++i) {
      if (!cursor_.Take(i == 0 ? '<' : ',')) {
        return FailExpected(i == 0 ? "'<'" : "','");
      }
      if (!ReadInteger(&parameters[i])) return FailInteger("an integer");
    }
    if (!cursor_.Take('>')) return FailExpected("'>'");
  }
  const absl::StatusOr<Swizzle> result =
      Swizzle::Create(parameters[0], parameters[1], parameters[2]);
  if (!result.ok()) return Fail(begin, StdView(result.status().message()));
  *swizzle = *result;
  return true;
}

}  // namespace cute
}  // namespace tessera
