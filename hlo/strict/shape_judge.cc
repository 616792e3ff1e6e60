#include "tessera/hlo/strict/shape_judge.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/cursor.h"
#include "tessera/hlo/reader/part_reader.h"
#include "tessera/parser/parser.h"

namespace tessera {
namespace hlo_internal {
namespace {

// The order in which XLA reads them.
constexpr std::string_view kAnnotations[] = {"D", "T", "L",  "#", "*",
                                             "E", "S", "SC", "P", "M"};

// Returns the index in kAnnotations, or its size if it is not there.
size_t PlaceOf(std::string_view token) {
  // Most tokens are numbers and commas.
  if (token.size() > 2) return std::size(kAnnotations);
  if (token[0] != '#' && token[0] != '*' && !absl::ascii_isupper(token[0])) {
    return std::size(kAnnotations);
  }
  return std::find(std::begin(kAnnotations), std::end(kAnnotations), token) -
         std::begin(kAnnotations);
}

// The reader of shapes (parser/parser.h) accepts more than XLA: annotations in
// any order, angle brackets instead of braces, and, if it is lenient,
// upper-case types and `{}` after any array.
std::optional<HloObjection> FindObjectionToSpelling(std::string_view text) {
  const absl::StatusOr<Shape> shape = ParseShape(text);
  if (!shape.ok()) return ObjectionOf(shape.status(), text);
  // A physical shape, P(f32[2]{0:T(2)}), starts its own annotations.
  size_t last = 0;
  int parentheses = 0;
  bool is_layout = false;
  Cursor cursor(text);
  while (!cursor.AtEnd()) {
    const size_t at = cursor.position() - text.data();
    const std::string_view token = cursor.NextToken();
    cursor = Cursor(text.substr(at + token.size()));
    if (token == "<") {
      return HloObjection{token, "XLA writes layouts in braces"};
    }
    if (token == "{") {
      last = 0;
      parentheses = 0;
      is_layout = true;
    } else if (token == "}") {
      is_layout = false;
    } else if (token == "(") {
      ++parentheses;
    } else if (token == ")") {
      --parentheses;
    }
    if (!is_layout || parentheses != 0) continue;
    const size_t place = PlaceOf(token);
    if (place == std::size(kAnnotations)) continue;
    if (place < last) {
      return HloObjection{
          token,
          absl::StrCat(AbslView(kAnnotations[place]), " comes after ",
                       AbslView(kAnnotations[last]),
                       "; XLA reads D T L # * E S SC P M, in this order")};
    }
    last = place;
  }
  return std::nullopt;
}

}  // namespace

void ShapeJudge::CheckSpelling(std::string_view shape) {
  objections_.Add(FindObjectionToSpelling(shape));
}

const Shape* ShapeJudge::Read(std::string_view text) {
  const int64_t known = shapes_.size();
  const absl::StatusOr<int64_t> index = shapes_.Intern(text);
  if (!index.ok()) {
    objections_.Add(ObjectionOf(index.status(), text));
    return nullptr;
  }
  if (*index == known) CheckSpelling(text);
  return &shapes_.shape(*index);
}

const Shape* ShapeJudge::ResultOfProgram(std::string_view program_shape) {
  const HloScanner scanner(program_shape);
  const char* p = scanner.PastBlanks(scanner.begin() + 1);
  const auto fail = [&](std::string message) -> const Shape* {
    objections_.Add(HloScanner::Between(p, scanner.end()), std::move(message));
    return nullptr;
  };
  if (!scanner.Sees(p, ')')) {
    while (true) {
      const char* const past = scanner.PastName(p);
      if (past == nullptr) return fail("expected the name of a parameter");
      if (*p == '%' && scanner.Sees(past, ':')) {
        return fail("the name of a parameter has '%' and ':'; XLA reads one");
      }
      p = past;
      if (ReadNext(scanner, &p) == nullptr) return nullptr;
      p = scanner.PastBlanks(p);
      if (!scanner.Sees(p, ',')) break;
      p = scanner.PastBlanks(p + 1);
    }
  }
  if (!scanner.Sees(p, ')')) return fail("expected ',' or ')'");
  p = scanner.PastBlanks(p + 1);
  if (!StartsWith(HloScanner::Between(p, scanner.end()), "->")) {
    return fail("expected '->'");
  }
  p += 2;
  const Shape* const result = ReadNext(scanner, &p);
  if (result == nullptr) return nullptr;
  p = scanner.PastBlanks(p);
  return p == scanner.end() ? result : fail("expected '{'");
}

// Returns the shape after the blanks at `*p`, and moves `*p` past it.
const Shape* ShapeJudge::ReadNext(const HloScanner& scanner, const char** p) {
  const char* const begin = scanner.PastBlanks(*p);
  *p = begin;
  PartReader parts(scanner);
  if (!scanner.StartsShape(begin) ||
      !parts.ReadShape(p, /*body_may_follow=*/false)) {
    objections_.Add(HloScanner::Between(begin, scanner.end()),
                    "expected a shape");
    return nullptr;
  }
  return Read(HloScanner::Between(begin, *p));
}

}  // namespace hlo_internal
}  // namespace tessera
