#include "tessera/any_layout/layout_family.h"

#include <cstddef>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "tessera/layout/primitive_type.h"
#include "tessera/text/cursor.h"

namespace tessera {
namespace {

constexpr absl::string_view kNames[] = {"xla", "cute", "tt", "strided"};

bool IsArrayTypeName(absl::string_view name) {
  return PrimitiveTypeFromName(name).has_value() ||
         PrimitiveTypeFromName(absl::AsciiStrToLower(name)).has_value();
}

// Whether brackets come next, and strides behind them.
bool AreStridesNext(absl::string_view rest) {
  if (!Cursor(rest).Take('[')) return false;
  const size_t end = rest.find(']');
  return end != absl::string_view::npos &&
         Cursor(rest.substr(end + 1)).TakeIdentifier() == "strides";
}

}  // namespace

absl::string_view NameOf(LayoutFamily family) {
  return kNames[static_cast<size_t>(family)];
}

LayoutFamily FamilyOf(absl::string_view text) {
  Cursor cursor(text);
  if (cursor.Take('#') || cursor.Take('!')) return LayoutFamily::kTenstorrent;
  if (cursor.Take('{')) return LayoutFamily::kXla;
  while (cursor.Take('(') || cursor.Take(')') || cursor.Take(',')) {
  }
  if (cursor.AtEnd() || cursor.TakePair('-', '>')) return LayoutFamily::kXla;
  const absl::string_view name = cursor.TakeIdentifier();
  if (name.empty() || name[0] == '_' || absl::StartsWith(name, "SW_") ||
      cursor.Take('=')) {
    return LayoutFamily::kCute;
  }
  const bool is_bracketed = cursor.Take('<');
  if (is_bracketed && name == "tensor") return LayoutFamily::kTenstorrent;
  if (is_bracketed && name == "memref") return LayoutFamily::kStrided;
  const size_t name_end = name.data() + name.size() - text.data();
  if (AreStridesNext(text.substr(name_end))) return LayoutFamily::kStrided;
  if (IsArrayTypeName(name)) return LayoutFamily::kXla;
  const bool is_called = !is_bracketed && cursor.Take('(');
  if (is_called && name == "b") return LayoutFamily::kXla;
  return is_bracketed || is_called || cursor.TakeIdentifier() == "o"
             ? LayoutFamily::kCute
             : LayoutFamily::kXla;
}

}  // namespace tessera
