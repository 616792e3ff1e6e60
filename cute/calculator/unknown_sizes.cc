#include "tessera/cute/calculator/unknown_sizes.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/cute/calculator/bracket_map.h"

namespace tessera::cute {
namespace {

struct Unknown {
  size_t begin;
  size_t end;
  int64_t divisor = 1;
};

// The C++ types that represent run-time numbers in a tuple.
constexpr std::string_view kTypes[] = {
    "int",     "unsigned int", "unsigned", "long long", "long",
    "int64_t", "int32_t",      "uint32_t", "uint64_t",  "size_t"};

// `?{div=8}`, `?{i64 div=8}`.
Unknown AtQuestionMark(std::string_view text, size_t begin) {
  Unknown unknown{begin, begin + 1};
  if (unknown.end == text.size() || text[unknown.end] != '{') return unknown;
  const size_t close = text.find('}', unknown.end);
  if (close == std::string_view::npos) return unknown;
  const std::string_view braces = text.substr(unknown.end, close - unknown.end);
  const size_t div = braces.find("div=");
  int64_t divisor;
  if (div != std::string_view::npos &&
      absl::SimpleAtoi(AbslView(braces.substr(div + 4)), &divisor) &&
      divisor > 0) {
    unknown.divisor = divisor;
  }
  unknown.end = close + 1;
  return unknown;
}

// Returns the position after the type of a number that begins at `begin`, if a
// comma or a bracket follows it; else `begin`.
size_t PastType(std::string_view text, size_t begin) {
  for (const std::string_view type : kTypes) {
    if (!StartsWith(text.substr(begin), type)) continue;
    const size_t end = begin + type.size();
    const std::string_view behind =
        StripLeadingAsciiWhitespace(text.substr(end));
    if (!behind.empty() && (behind[0] == ',' || behind[0] == '>')) return end;
  }
  return begin;
}

bool IsTupleOfNumbers(std::string_view name) {
  return name == "tuple" || name == "Shape" || name == "Stride" ||
         name == "Coord" || name == "Step" || name == "ArithmeticTuple";
}

std::vector<Unknown> FindUnknowns(std::string_view text) {
  std::vector<Unknown> unknowns;
  // For each open bracket, whether it belongs to a tuple of C++ types.
  std::vector<bool> open;
  std::string_view word;
  // Whether an entry of a list begins.
  bool begins_entry = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (absl::ascii_isspace(c)) continue;
    if (IsWordByte(c)) {
      const size_t begin = i;
      const size_t type_end = begins_entry && !open.empty() && open.back()
                                  ? PastType(text, begin)
                                  : begin;
      if (type_end > begin) unknowns.push_back({begin, type_end});
      while (i < text.size() && IsWordByte(text[i])) ++i;
      i = std::max(i, type_end);
      word = text.substr(begin, i - begin);
      --i;
      begins_entry = false;
      continue;
    }
    if (c == '?') {
      unknowns.push_back(AtQuestionMark(text, i));
      i = unknowns.back().end - 1;
    } else if (c == '<' || c == '(' || c == '[') {
      open.push_back(c == '<' && IsTupleOfNumbers(word));
    } else if ((c == '>' || c == ')' || c == ']') && !open.empty()) {
      open.pop_back();
    }
    begins_entry = c == '<' || c == ',';
    word = std::string_view();
  }
  return unknowns;
}

}  // namespace

bool MayHaveUnknownSizes(std::string_view text) {
  bool begins_entry = false;
  for (const char c : text) {
    if (c == '?') return true;
    if (begins_entry && (c == 'i' || c == 'u' || c == 'l' || c == 's')) {
      return true;
    }
    begins_entry = c == '<' || c == ',' || (begins_entry && c == ' ');
  }
  return false;
}

absl::Status ReadUnknownSizes(std::string_view text,
                              std::vector<int64_t>* sizes) {
  for (const std::string_view number : SplitViews(text, ',')) {
    int64_t size;
    if (!absl::SimpleAtoi(AbslView(number), &size)) {
      return InvalidArgumentError(
          "expected NAME=NUMBER or ?=NUMBER,NUMBER,..., found ", text);
    }
    sizes->push_back(size);
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> BindUnknownSizes(std::string_view text,
                                             absl::Span<const int64_t> values,
                                             std::vector<size_t>* origins) {
  const std::vector<Unknown> unknowns = FindUnknowns(text);
  const auto name = [&](const Unknown& unknown) {
    return StrCat("'", text.substr(unknown.begin, unknown.end - unknown.begin),
                  "'");
  };
  const size_t count = unknowns.size();
  if (count > 0 && values.size() != count && values.size() != 1) {
    std::vector<std::string> columns;
    for (const Unknown& unknown : unknowns) {
      if (columns.size() == 8) break;
      columns.push_back(absl::StrCat(unknown.begin + 1));
    }
    const std::string what =
        count == 1 ? absl::StrCat(name(unknowns[0]),
                                  " is known at run time only; write a number")
                   : absl::StrCat(count,
                                  " numbers are known at run time only, at "
                                  "bytes ",
                                  absl::StrJoin(columns, ", "),
                                  count > columns.size() ? ", ..." : "",
                                  "; write numbers");
    return DiagnosticError(
        text, unknowns[0].begin,
        absl::StrCat(
            what, ", or give ", count == 1 ? "it" : "them in order",
            " with --let ?=",
            absl::StrJoin(
                std::vector<std::string>(std::min<size_t>(count, 4), "N"), ","),
            values.empty() ? ""
                           : absl::StrCat("; ", values.size(), " are given")));
  }
  std::string bound;
  // Adds `piece`, whose bytes are all at `origin` or begin there.
  const auto add = [&](std::string_view piece, size_t origin, bool is_copy) {
    bound.append(piece.data(), piece.size());
    if (origins == nullptr) return;
    for (size_t i = 0; i < piece.size(); ++i) {
      origins->push_back(is_copy ? origin + i : origin);
    }
  };
  size_t position = 0;
  for (size_t i = 0; i < count; ++i) {
    const Unknown& unknown = unknowns[i];
    const int64_t value = values[values.size() == 1 ? 0 : i];
    if (value % unknown.divisor != 0) {
      return DiagnosticError(
          text, unknown.begin,
          absl::StrCat(name(unknown), " is a multiple of ", unknown.divisor,
                       ", which ", value, " is not"));
    }
    add(text.substr(position, unknown.begin - position), position, true);
    add(absl::StrCat(value), unknown.begin, false);
    position = unknown.end;
  }
  add(text.substr(position), position, true);
  if (origins != nullptr) origins->push_back(text.size());
  return bound;
}

}  // namespace tessera::cute
