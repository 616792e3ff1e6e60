#include "tessera/tensor_layout/mlir_cursor.h"

#include <limits>
#include <string>

#include "absl/strings/ascii.h"

namespace tessera {
namespace tensor_layout {
namespace {

bool IsIdentifierStart(char c) { return absl::ascii_isalpha(c) || c == '_'; }

bool IsIdentifierByte(char c) {
  return absl::ascii_isalnum(c) || c == '_' || c == '$' || c == '.';
}

int DigitValue(char c) {
  if (absl::ascii_isdigit(c)) return c - '0';
  return absl::ascii_tolower(c) - 'a' + 10;
}

}  // namespace

absl::string_view MlirCursor::NextWord() {
  SkipBlanks();
  const char* const begin = position();
  const char* p = begin;
  if (p != end_ && IsIdentifierStart(*p)) {
    while (p != end_ && IsIdentifierByte(*p)) ++p;
  } else if (end_ - p > 2 && p[0] == '0' && p[1] == 'x' &&
             absl::ascii_isxdigit(p[2])) {
    p += 2;
    while (p != end_ && absl::ascii_isxdigit(*p)) ++p;
  } else {
    while (p != end_ && absl::ascii_isdigit(*p)) ++p;
  }
  return absl::string_view(begin, p - begin);
}

absl::string_view MlirCursor::TakeIdentifier() {
  const absl::string_view word = NextWord();
  if (word.empty() || !IsIdentifierStart(word[0])) return absl::string_view();
  MoveTo(word.data() + word.size());
  return word;
}

bool MlirCursor::TakeKeyword(absl::string_view word) {
  if (NextWord() != word) return false;
  MoveTo(position() + word.size());
  return true;
}

bool MlirCursor::AtDigit() {
  SkipBlanks();
  return position() != end_ && absl::ascii_isdigit(*position());
}

bool MlirCursor::TakeNumber(int64_t* value) {
  if (!AtDigit()) return false;
  const absl::string_view word = NextWord();
  const bool is_hexadecimal = word.size() > 2 && word[1] == 'x';
  const int64_t base = is_hexadecimal ? 16 : 10;
  int64_t number = 0;
  for (const char c : word.substr(is_hexadecimal ? 2 : 0)) {
    const int64_t digit = DigitValue(c);
    if (number > (std::numeric_limits<int64_t>::max() - digit) / base) {
      return false;
    }
    number = base * number + digit;
  }
  MoveTo(word.data() + word.size());
  *value = number;
  return true;
}

std::string MlirCursor::DescribeNextToken() {
  absl::string_view token = NextWord();
  if (token.empty()) {
    const absl::string_view rest(position(), end_ - position());
    const absl::string_view pair = rest.substr(0, 2);
    token = rest.substr(0, pair == "->" || pair == "/*" ? 2 : 1);
  }
  return Cursor(token).DescribeNextToken();
}

}  // namespace tensor_layout
}  // namespace tessera
