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

// The families of CuTe's and Triton's names in MLIR: !cute.layout<...>,
// #ttg.blocked<...>, and #blocked = #ttg.blocked<...>.
bool IsCuteMlir(std::string_view text) {
  const size_t equals = text.find("= #");
  if (equals != std::string_view::npos && equals < text.find('<')) {
    text.remove_prefix(equals + 2);
  }
  Cursor cursor(text);
  if (!cursor.Take('#') && !cursor.Take('!')) return false;
  const std::string_view name = cursor.TakeIdentifier();
  return StartsWith(name, "cute.") || StartsWith(name, "ttg.") ||
         StartsWith(name, "triton_gpu.");
}

// Returns whether C++ and the CuTe DSL print the name before a layout.
bool IsPointerName(std::string_view name) {
  return EndsWith(name, "ptr") || name == "tmem_";
}

// Returns whether `cursor`, after a word, has the rest of a label printed by
// C++, and a layout: "TV Layout C: (4,8):(8,1)". "x: f32[2]" is XLA's.
bool IsLabelNext(Cursor cursor) {
  while (!cursor.TakeIdentifier().empty()) {
  }
  if (!cursor.Take(':')) return false;
  while (cursor.Take('(')) {
  }
  int64_t size;
  if (cursor.TakeInteger(&size) || cursor.Take('?')) return true;
  const std::string_view name = cursor.TakeIdentifier();
  return !name.empty() && (name[0] == '_' || name == "Sw" || name == "S" ||
                           IsPointerName(name) || cursor.Take('<'));
}

// Whether a statement of C++ follows the word `name`: auto x = ...
bool IsDeclaration(std::string_view name, Cursor cursor) {
  if (name != "auto" && name != "const" && name != "constexpr" &&
      name != "static" && name != "using" && name != "typedef" &&
      name != "Layout" && name != "Tensor" && name != "inline") {
    return false;
  }
  if (name == "typedef") return true;
  bool has_name = false;
  while (cursor.Take('&') || !cursor.TakeIdentifier().empty()) has_name = true;
  return has_name && cursor.Take('=');
}

// Returns whether strides follow the next brackets.
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
    if (IsCuteMlir(text) || cursor.Take('?') || cursor.Take('"')) {
      return LayoutFamily::kCute;
    }
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
  // SM80_16x8x16_F32F16F16F32_TN, which is rejected as an atom; const
  // cute::Layout<...>&.
  Cursor behind_const = cursor;
  if (name == "const" && !behind_const.TakeIdentifier().empty() &&
      behind_const.TakePair(':', ':')) {
    return LayoutFamily::kCute;
  }
  const bool is_atom = name.size() > 4 && StartsWith(name, "SM") &&
                       absl::ascii_isdigit(name[2]) && StrContains(name, '_');
  if (is_atom || cursor.TakePair(':', ':') || IsLabelNext(cursor) ||
      IsDeclaration(name, cursor)) {
    return LayoutFamily::kCute;
  }
  if (IsPointerName(name)) return LayoutFamily::kCute;
  if (cursor.Take('[')) {
    const size_t bracket = name.data() + name.size() - text.data();
    return AreStridesNext(text.substr(bracket)) ? LayoutFamily::kStrided
                                                : LayoutFamily::kXla;
  }
  if (cursor.Take('=')) return LayoutFamily::kCute;
  const bool is_bracketed = cursor.Take('<');
  if (is_bracketed && name == "tensor") {
    // tensor<ptr<f16, gmem> o (8,4):(4,1)>, and tensor<(0,0) o ...>.
    return cursor.Take('(') || IsPointerName(cursor.TakeIdentifier())
               ? LayoutFamily::kCute
               : LayoutFamily::kTenstorrent;
  }
  if (is_bracketed && name == "memref") return LayoutFamily::kStrided;
  if (IsArrayTypeName(name)) return LayoutFamily::kXla;
  const bool is_called = !is_bracketed && cursor.Take('(');
  if (is_called && name == "b") return LayoutFamily::kXla;
  return is_bracketed || is_called || cursor.TakeIdentifier() == "o"
             ? LayoutFamily::kCute
             : LayoutFamily::kXla;
}

}  // namespace tessera
