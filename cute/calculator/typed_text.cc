#include "tessera/cute/calculator/typed_text.h"

#include <cstddef>
#include <string_view>

#include "absl/strings/ascii.h"
#include "tessera/cute/calculator/bracket_map.h"

namespace tessera::cute {
namespace {

// Returns whether the byte at `i` marks the integer after it.
bool IsMark(std::string_view text, size_t i) {
  if (text[i] != '_' || (i > 0 && IsWordByte(text[i - 1]))) return false;
  const char next = i + 1 < text.size() ? text[i + 1] : ' ';
  return absl::ascii_isdigit(next) || next == '-';
}

}  // namespace

std::string TextAsTyped(std::string_view typed, const CalculatorValue& value) {
  std::string text = ToString(value);
  std::string marked;
  size_t i = 0;
  for (const char c : text) {
    if (c == ' ') {
      marked.push_back(c);
      continue;
    }
    while (i < typed.size() && absl::ascii_isspace(typed[i])) ++i;
    if (i < typed.size() && IsMark(typed, i)) {
      marked.push_back('_');
      ++i;
    }
    if (i == typed.size() || typed[i] != c) return text;
    marked.push_back(c);
    ++i;
  }
  while (i < typed.size() && absl::ascii_isspace(typed[i])) ++i;
  return i == typed.size() ? marked : text;
}

}  // namespace tessera::cute
