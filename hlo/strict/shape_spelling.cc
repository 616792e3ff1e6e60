#include "tessera/hlo/strict/shape_spelling.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "tessera/parser/parser.h"
#include "tessera/text/cursor.h"

namespace tessera {
namespace hlo_internal {
namespace {

// In the order in which XLA reads them.
constexpr absl::string_view kAnnotations[] = {"D", "T", "L",  "#", "*",
                                              "E", "S", "SC", "P", "M"};

// The place among them, or their number.
size_t PlaceOf(absl::string_view token) {
  return std::find(std::begin(kAnnotations), std::end(kAnnotations), token) -
         std::begin(kAnnotations);
}

}  // namespace

absl::optional<HloObjection> FindObjectionToSpelling(absl::string_view text) {
  const absl::StatusOr<Shape> shape = ParseShape(text);
  if (!shape.ok()) return ObjectionOf(shape.status(), text);
  // A physical shape, P(f32[2]{0:T(2)}), begins annotations anew.
  size_t last = 0;
  int parentheses = 0;
  bool is_layout = false;
  Cursor cursor(text);
  while (!cursor.AtEnd()) {
    const size_t at = cursor.position() - text.data();
    const absl::string_view token = cursor.NextToken();
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
          token, absl::StrCat(
                     kAnnotations[place], " stands behind ", kAnnotations[last],
                     "; XLA reads D T L # * E S SC P M, in this order")};
    }
    last = place;
  }
  return absl::nullopt;
}

}  // namespace hlo_internal
}  // namespace tessera
