#include "tessera/report/text/display.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "absl/strings/ascii.h"
#include "tessera/base/text/absl_view.h"

namespace tessera {
namespace {

bool LocaleIsUtf8(EnvironmentLookup environment) {
  // The first that is set and not empty decides, as in setlocale(3).
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = environment(name);
    if (value != nullptr && *value != '\0') {
      const std::string locale = absl::AsciiStrToLower(value);
      return StrContains(locale, "utf-8") || StrContains(locale, "utf8");
    }
  }
  return false;
}

std::string_view CodeOf(Color color) {
  switch (color) {
    case Color::kBold:
      return "1";
    case Color::kDim:
      return "2";
    case Color::kRed:
      return "1;31";
    case Color::kGreen:
      return "32";
    case Color::kYellow:
      return "33";
    case Color::kCyan:
      return "36";
  }
  return "0";
}

// Returns the bytes of the control character that `text` starts with; 0 if it
// starts with another character.
size_t ControlSize(std::string_view text) {
  if (absl::ascii_iscntrl(text[0])) return 1;
  // The first bytes, and the range of the last one.
  struct Range {
    std::string_view begin;
    unsigned char first, last;
  };
  static constexpr Range kRanges[] = {
      {"\xC2", 0x80, 0x9F},      // U+0080 to U+009F
      {"\xD8", 0x9C, 0x9C},      // U+061C
      {"\xE2\x80", 0x8E, 0x8F},  // U+200E and U+200F
      {"\xE2\x80", 0xAA, 0xAE},  // U+202A to U+202E
      {"\xE2\x81", 0xA6, 0xA9},  // U+2066 to U+2069
  };
  for (const Range& range : kRanges) {
    const size_t size = range.begin.size();
    if (!StartsWith(text, range.begin) || text.size() == size) continue;
    const unsigned char c = text[size];
    if (range.first <= c && c <= range.last) return size + 1;
  }
  return 0;
}

}  // namespace

Display DisplayOf(bool is_terminal, int terminal_columns,
                  EnvironmentLookup environment) {
  auto value = [environment](const char* name) {
    return absl::NullSafeStringView(environment(name));
  };
  Display display;
  display.color =
      is_terminal && value("NO_COLOR").empty() && value("TERM") != "dumb";
  display.unicode = LocaleIsUtf8(environment);
  if (is_terminal) {
    display.columns = terminal_columns > 0 ? terminal_columns : 80;
  }
  return display;
}

std::string Printable(std::string_view name) {
  std::string printable;
  while (!name.empty()) {
    const size_t control = ControlSize(name);
    printable += control > 0 ? '?' : name[0];
    name.remove_prefix(std::max<size_t>(control, 1));
  }
  return printable;
}

std::string Paint(std::string_view text, Color color, const Display& display) {
  if (!display.color || text.empty()) return std::string(text);
  return StrCat("\x1b[", CodeOf(color), "m", text, "\x1b[0m");
}

}  // namespace tessera
