#include "tessera/layout/foreign_type_name.h"

#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"

namespace tessera {

absl::optional<PrimitiveType> PrimitiveTypeFromForeignName(
    absl::string_view name) {
  constexpr struct {
    absl::string_view theirs;
    absl::string_view xla;
  } kPrefixes[] = {
      {"bfloat", "bf"}, {"float", "f"}, {"fp", "f"},  {"complex", "c"},
      {"uint", "u"},    {"ui", "u"},    {"int", "s"}, {"si", "s"},
      {"i", "s"},       {"", ""},
  };
  const std::string lower = absl::AsciiStrToLower(name);
  if (lower == "bool" || lower == "i1") return PRED;
  for (const auto& prefix : kPrefixes) {
    absl::string_view rest = lower;
    if (!absl::ConsumePrefix(&rest, prefix.theirs)) continue;
    // float8_e4m3fn is f8e4m3fn.
    const std::string type =
        absl::StrReplaceAll(absl::StrCat(prefix.xla, rest), {{"_", ""}});
    const absl::optional<PrimitiveType> found = PrimitiveTypeFromName(type);
    if (found.has_value()) return found;
  }
  return absl::nullopt;
}

}  // namespace tessera
