#include "tessera/cute/calculator/bracket_map.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "absl/strings/ascii.h"
#include "tessera/base/text/cursor.h"

namespace tessera::cute {
namespace {

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

BracketMap::BracketMap(std::string_view text) {
  // Indices of brackets_.
  absl::InlinedVector<size_t, 16> open;
  const auto spoil = [&] {
    if (!open.empty()) brackets_[open.back()].is_literal = false;
  };
  // Whether the previous token may end a value: a bracket after it is then a
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
      // 12, _12, _-12 (which is two words here) and `_` are literals.
      if (c == '_') ++position;
      while (position < text.size() && absl::ascii_isdigit(text[position])) {
        ++position;
      }
      if (position < text.size() && IsWordByte(text[position])) {
        spoil();
        while (position < text.size() && IsWordByte(text[position])) ++position;
      }
      is_behind_value = true;
      continue;
    }
    const bool closes = c == ')' || c == ']' || c == '>';
    if (c == '(' || c == '[' || c == '<') {
      if (is_behind_value) spoil();
      open.push_back(brackets_.size());
      brackets_.push_back({position, text.size()});
    } else if (c == '{' || c == '}' || c == '*' || c == '/' || c == '%' ||
               c == '+' ||
               (c == '-' && is_behind_value && text[position - 1] != '_')) {
      // Operators, and the C++ syntax for values of types.
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
  // Brackets that are never closed.
  for (size_t i = open.size(); i > 1; --i) {
    if (!brackets_[open[i - 1]].is_literal) {
      brackets_[open[i - 2]].is_literal = false;
    }
  }
}

const BracketMap::Bracket* BracketMap::Find(size_t offset) const {
  const auto found = std::lower_bound(
      brackets_.begin(), brackets_.end(), offset,
      [](const Bracket& bracket, size_t at) { return bracket.begin < at; });
  return found != brackets_.end() && found->begin == offset ? &*found : nullptr;
}

bool BracketMap::IsLiteral(size_t offset) const {
  const Bracket* bracket = Find(offset);
  return bracket != nullptr && bracket->is_literal;
}

size_t BracketMap::End(size_t offset) const { return Find(offset)->end; }

}  // namespace tessera::cute
