#include "tessera/layout/foreign_type_name.h"

#include <optional>
#include <string>
#include <string_view>

#include "absl/strings/ascii.h"
#include "absl/strings/str_replace.h"
#include "tessera/base/text/absl_view.h"

namespace tessera {

std::optional<PrimitiveType> PrimitiveTypeFromForeignName(
    std::string_view name) {
  constexpr struct {
    std::string_view theirs;
    std::string_view xla;
  } kPrefixes[] = {
      {"bfloat", "bf"}, {"float", "f"}, {"fp", "f"},  {"complex", "c"},
      {"uint", "u"},    {"ui", "u"},    {"int", "s"}, {"si", "s"},
      {"i", "s"},       {"", ""},
  };
  const std::string lower = absl::AsciiStrToLower(AbslView(name));
  if (lower == "bool" || lower == "i1") return PRED;
  for (const auto& prefix : kPrefixes) {
    std::string_view rest = lower;
    if (!ConsumePrefix(&rest, prefix.theirs)) continue;
    // float8_e4m3fn is f8e4m3fn.
    const std::string type =
        absl::StrReplaceAll(StrCat(prefix.xla, rest), {{"_", ""}});
    const std::optional<PrimitiveType> found = PrimitiveTypeFromName(type);
    if (found.has_value()) return found;
  }
  return std::nullopt;
}

}  // namespace tessera
