#include "tessera/report/text/display.h"

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
  for (size_t i = 0; i < name.size(); ++i) {
    const unsigned char c = name[i];
    // U+0080 to U+009F are 0xC2 and these.
    const bool is_c1 = c == 0xC2 && i + 1 < name.size() &&
                       static_cast<unsigned char>(name[i + 1]) >= 0x80 &&
                       static_cast<unsigned char>(name[i + 1]) <= 0x9F;
    const bool is_control = absl::ascii_iscntrl(c) || is_c1;
    printable += is_control ? '?' : name[i];
    if (is_c1) ++i;
  }
  return printable;
}

std::string Paint(std::string_view text, Color color, const Display& display) {
  if (!display.color || text.empty()) return std::string(text);
  return StrCat("\x1b[", CodeOf(color), "m", text, "\x1b[0m");
}

}  // namespace tessera
