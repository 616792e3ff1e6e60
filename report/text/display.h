// The abilities of the display: colour, characters beyond ASCII, width.
//
//   Display display = DisplayOf(isatty(1), columns_of_terminal, getenv);
//   Paint("padding", Color::kYellow, display);  // "\x1b[33mpadding\x1b[0m", or
//                                               // "padding" without colour

#ifndef TESSERA_REPORT_TEXT_DISPLAY_H_
#define TESSERA_REPORT_TEXT_DISPLAY_H_

#include <limits>
#include <string>
#include <string_view>

#include "absl/functional/function_ref.h"

namespace tessera {

inline constexpr int kUnlimitedColumns = std::numeric_limits<int>::max();

struct Display {
  bool is_terminal() const { return columns != kUnlimitedColumns; }

  bool color = false;
  bool unicode = false;  // shows characters of UTF-8
  int columns = kUnlimitedColumns;
};

// Looks up an environment variable; null if it is not set.
using EnvironmentLookup = absl::FunctionRef<const char*(const char* name)>;

// Decides how a stream is displayed. Colour: on a terminal, unless NO_COLOR is
// set (https://no-color.org) or TERM is "dumb". UTF-8: if the locale names it.
// Columns: those of the terminal, or 80 if it does not report them (0); a
// stream that is not a terminal does not have a limit.
Display DisplayOf(bool is_terminal, int terminal_columns,
                  EnvironmentLookup environment);

enum class Color { kBold, kDim, kRed, kGreen, kYellow, kCyan };

// The indentation of the lines below a heading.
inline constexpr std::string_view kIndent = "  ";

// Returns the arrow between an old and a new value.
inline std::string_view Arrow(const Display& display) {
  return display.unicode ? "\u2192" : "->";
}

// Returns a name without characters that control a terminal: each control
// character becomes a '?', including C1 in UTF-8 and the characters that change
// the direction of text.
std::string Printable(std::string_view name);

// Returns `text` in this colour if the display has colours.
std::string Paint(std::string_view text, Color color, const Display& display);

}  // namespace tessera

#endif  // TESSERA_REPORT_TEXT_DISPLAY_H_
