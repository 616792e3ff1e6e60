#include "tessera/cute/calculator/bracket_map.h"

#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/strings/ascii.h"
#include "tessera/base/text/cursor.h"

namespace tessera::cute {
namespace {

// 12, _12, _-12 (which is two words here) and `_`.
bool IsLiteralWord(std::string_view word) {
  if (word[0] == '_') word.remove_prefix(1);
  return word.find_first_not_of("0123456789") == std::string_view::npos;
}

// Moves past E<0,1>{} of C++, which only a stride has.
bool TakeBasis(Cursor* cursor) {
  Cursor ahead = *cursor;
  std::string_view word = ahead.TakeIdentifier();
  if (word == "cute" && ahead.TakePair(':', ':')) word = ahead.TakeIdentifier();
  if (word != "E" || !ahead.Take('<')) return false;
  int64_t mode;
  while (ahead.TakeInteger(&mode) && ahead.Take(',')) {
  }
  if (!ahead.Take('>') || (ahead.Take('{') && !ahead.Take('}'))) return false;
  *cursor = ahead;
  return true;
}

}  // namespace

bool IsWordByte(char c) { return absl::ascii_isalnum(c) || c == '_'; }

BracketMap::BracketMap(std::string_view text) {
  std::vector<size_t> open;
  const auto spoil = [&] {
    if (!open.empty()) brackets_[open.back()].is_literal = false;
  };
  // Whether a value may end with the token before: a bracket behind it is a
  // call.
  bool is_behind_value = false;
  size_t position = 0;
  while (true) {
    Cursor cursor(text.substr(position));
    if (cursor.AtEnd()) break;
    position = cursor.position() - text.data();
    const char c = text[position];
    if ((c == 'E' || c == 'c') && TakeBasis(&cursor)) {
      is_behind_value = true;
      position = cursor.position() - text.data();
      continue;
    }
    if (IsWordByte(c)) {
      size_t end = position;
      while (end < text.size() && IsWordByte(text[end])) ++end;
      if (!IsLiteralWord(text.substr(position, end - position))) spoil();
      is_behind_value = true;
      position = end;
      continue;
    }
    const bool closes = c == ')' || c == ']' || c == '>';
    if (c == '(' || c == '[' || c == '<') {
      if (is_behind_value) spoil();
      brackets_[position] = {text.size()};
      open.push_back(position);
    } else if (c == '{' || c == '}' || c == '*' || c == '/' || c == '%' ||
               c == '+' ||
               (c == '-' && is_behind_value && text[position - 1] != '_')) {
      // Operators, and what C++ has to make values of types.
      spoil();
    } else if (closes && !open.empty()) {
      Bracket& bracket = brackets_[open.back()];
      bracket.end = position + 1;
      const bool is_literal = bracket.is_literal;
      open.pop_back();
      if (!is_literal) spoil();
    }
    is_behind_value = closes;
    ++position;
  }
  // Those that are never closed.
  for (size_t i = open.size(); i > 1; --i) {
    if (!brackets_[open[i - 1]].is_literal) {
      brackets_[open[i - 2]].is_literal = false;
    }
  }
}

bool BracketMap::IsLiteral(size_t offset) const {
  const auto found = brackets_.find(offset);
  return found != brackets_.end() && found->second.is_literal;
}

size_t BracketMap::End(size_t offset) const {
  return brackets_.find(offset)->second.end;
}

}  // namespace tessera::cute
