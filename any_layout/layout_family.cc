#include "tessera/any_layout/layout_family.h"

#include <cstddef>
#include <string_view>

#include "absl/strings/ascii.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/cursor.h"
#include "tessera/layout/primitive_type.h"

namespace tessera {
namespace {

constexpr std::string_view kNames[] = {"xla", "cute", "tt", "strided"};

bool IsArrayTypeName(std::string_view name) {
  return PrimitiveTypeFromName(name).has_value() ||
         PrimitiveTypeFromName(absl::AsciiStrToLower(AbslView(name)))
             .has_value();
}

// Whether strides come after the brackets that come next.
bool AreStridesNext(std::string_view rest) {
  const size_t end = rest.find(']');
  return end != std::string_view::npos &&
         Cursor(rest.substr(end + 1)).TakeIdentifier() == "strides";
}

}  // namespace

std::string_view NameOf(LayoutFamily family) {
  return kNames[static_cast<size_t>(family)];
}

LayoutFamily FamilyOf(std::string_view text) {
  Cursor cursor(text);
  std::string_view name = cursor.TakeIdentifier();
  if (name.empty()) {
    if (cursor.Take('#') || cursor.Take('!')) return LayoutFamily::kTenstorrent;
    if (cursor.Take('{')) return LayoutFamily::kXla;
    while (cursor.Take('(') || cursor.Take(')') || cursor.Take(',')) {
    }
    if (cursor.AtEnd() || cursor.TakePair('-', '>')) return LayoutFamily::kXla;
    name = cursor.TakeIdentifier();
  }
  if (name.empty() || name[0] == '_' || StartsWith(name, "SW_")) {
    return LayoutFamily::kCute;
  }
  if (cursor.Take('[')) {
    const size_t bracket = name.data() + name.size() - text.data();
    return AreStridesNext(text.substr(bracket)) ? LayoutFamily::kStrided
                                                : LayoutFamily::kXla;
  }
  if (cursor.Take('=')) return LayoutFamily::kCute;
  const bool is_bracketed = cursor.Take('<');
  if (is_bracketed && name == "tensor") return LayoutFamily::kTenstorrent;
  if (is_bracketed && name == "memref") return LayoutFamily::kStrided;
  if (IsArrayTypeName(name)) return LayoutFamily::kXla;
  const bool is_called = !is_bracketed && cursor.Take('(');
  if (is_called && name == "b") return LayoutFamily::kXla;
  return is_bracketed || is_called || cursor.TakeIdentifier() == "o"
             ? LayoutFamily::kCute
             : LayoutFamily::kXla;
}

}  // namespace tessera
