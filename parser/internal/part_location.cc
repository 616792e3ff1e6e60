#include "tessera/parser/internal/part_location.h"

#include <cstdint>
#include <optional>
#include <string_view>

#include "tessera/base/text/cursor.h"
#include "tessera/parser/internal/annotation.h"

namespace tessera::parser_internal {
namespace {

// Walks over text that is known to be well formed, so it only has to
// distinguish the parts.
class PartScanner {
 public:
  PartScanner(std::string_view text, const Violation& wanted)
      : text_(text), cursor_(text), wanted_(wanted) {}

  int64_t Scan() {
    if (At("(")) {
      ScanGroup(ShapePart::kTile, 0);
    } else {
      if (!At("{<")) ScanTypeAndDimensions();
      if (!cursor_.AtEnd()) ScanLayout();
    }
    return found_.value_or(0);
  }

 private:
  void ScanTypeAndDimensions() {
    while (!At("[")) Skip();
    Skip();
    ScanList("]", [this](int64_t i) { Visit(ShapePart::kDimension, i); });
    Skip();
  }

  void ScanLayout() {
    Visit(ShapePart::kLayout);
    Skip();
    // If there are no entries, the token in their place.
    Visit(ShapePart::kMinorToMajor, 0);
    ScanList(":}>", [this](int64_t i) { Visit(ShapePart::kMinorToMajor, i); });
    Skip();
    while (!At("}>")) {
      const ShapePart part = AnnotationPart(cursor_.NextToken());
      Skip();
      for (int64_t i = 0; At("(") && !cursor_.AtEnd(); ++i) ScanGroup(part, i);
    }
  }

  // One pair of parentheses, the `i`th of its annotation.
  void ScanGroup(ShapePart part, int64_t i) {
    if (part == ShapePart::kTile) Visit(part, i);
    Skip();
    if (part == ShapePart::kSplitConfig) {
      Visit(part, i);
      while (!At(":")) Skip();
      Skip();
    }
    if (part == ShapePart::kTile || part == ShapePart::kSplitConfig) {
      ScanList(")", [this, part, i](int64_t j) { Visit(part, i, j); });
    } else {
      Visit(part);
      // P(..) holds a shape with parentheses of its own.
      for (int64_t open = 0; open > 0 || !At(")"); Skip()) {
        if (cursor_.AtEnd()) return;
        if (At("(")) ++open;
        if (At(")")) --open;
      }
    }
    Skip();
  }

  // Calls visit(n) at each token of the nth of the items between commas.
  template <typename Visitor>
  void ScanList(std::string_view ends, const Visitor& visit) {
    for (int64_t n = 0; !At(ends);) {
      if (cursor_.Take(',')) {
        ++n;
      } else {
        visit(n);
        Skip();
      }
    }
  }

  void Visit(ShapePart part, int64_t i = -1, int64_t j = -1) {
    if (found_.has_value() || wanted_.part != part ||
        (wanted_.i >= 0 && wanted_.i != i) ||
        (wanted_.j >= 0 && wanted_.j != j)) {
      return;
    }
    cursor_.SkipBlanks();
    found_ = cursor_.position() - text_.data();
  }

  // Whether the next token is one of these bytes, or there is none.
  bool At(std::string_view bytes) {
    const std::string_view token = cursor_.NextToken();
    return token.empty() || (token.size() == 1 &&
                             bytes.find(token[0]) != std::string_view::npos);
  }

  void Skip() {
    const std::string_view token = cursor_.NextToken();
    cursor_ = Cursor(text_.substr(token.data() + token.size() - text_.data()));
  }

  const std::string_view text_;
  Cursor cursor_;
  const Violation& wanted_;
  std::optional<int64_t> found_;
};

}  // namespace

int64_t PartLocation(std::string_view text, const Violation& violation) {
  return PartScanner(text, violation).Scan();
}

}  // namespace tessera::parser_internal
