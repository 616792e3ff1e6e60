#include "tessera/any_layout/nearest_shape.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/cursor.h"
#include "tessera/base/text/diagnostic.h"
#include "tessera/layout/foreign_type_name.h"
#include "tessera/layout/primitive_type.h"
#include "tessera/parser/parser.h"

namespace tessera {
namespace {

// Longer texts are not typing mistakes, and their errors would fill a screen.
constexpr size_t kLongest = 160;

// "2,1,0:" for rank 3.
std::string MajorToMinorOrder(int64_t rank) {
  std::string order;
  for (int64_t i = rank - 1; i >= 0; --i) {
    absl::StrAppend(&order, i, i > 0 ? "," : "");
  }
  return absl::StrCat(order, ":");
}

}  // namespace

std::optional<std::string> NearestShape(std::string_view text,
                                        const ParseOptions& options) {
  if (text.size() > kLongest ||
      !std::all_of(text.begin(), text.end(), absl::ascii_isprint)) {
    return std::nullopt;
  }
  std::string nearest;
  size_t copied = 0;
  int64_t rank = 0;
  std::string_view before;
  std::string_view token = Cursor(text).NextToken();
  while (!token.empty()) {
    const size_t begin = token.data() - text.data();
    const size_t end = begin + token.size();
    const std::string_view next = Cursor(text.substr(end)).NextToken();
    if (next == "[") {
      const std::optional<PrimitiveType> type =
          PrimitiveTypeFromForeignName(token);
      if (type.has_value()) {
        StrAppend(&nearest, text.substr(copied, begin - copied),
                  PrimitiveTypeName(*type));
        copied = end;
      }
    } else if (token == "[") {
      rank = next == "]" ? 0 : 1;
    } else if (token == ",") {
      ++rank;
    } else if (token == "{" && before == "]" && !next.empty() &&
               absl::ascii_isalpha(static_cast<unsigned char>(next[0]))) {
      StrAppend(&nearest, text.substr(copied, end - copied),
                MajorToMinorOrder(rank));
      copied = end;
    }
    before = token;
    token = next;
  }
  StrAppend(&nearest, text.substr(copied));
  if (nearest == text || !ParseShape(nearest, options).ok()) {
    return std::nullopt;
  }
  return nearest;
}

absl::StatusOr<Shape> ParseShapeWithHint(std::string_view text,
                                         const ParseOptions& options) {
  absl::StatusOr<Shape> shape = ParseShape(text, options);
  if (shape.ok()) return shape;
  std::optional<Diagnostic> diagnostic = DiagnosticOf(shape.status());
  const std::optional<std::string> nearest = NearestShape(text, options);
  if (!diagnostic.has_value() || !nearest.has_value()) return shape;
  absl::StrAppend(&diagnostic->message, "; did you mean ", *nearest, "?");
  return DiagnosticStatus(*diagnostic, shape.status().code());
}

}  // namespace tessera
