#include "tessera/base/text/mlir_cursor.h"

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"

namespace tessera {
namespace {

// The kinds of bytes in words. The last is that of lexPrefixedIdentifier
// (mlir/lib/AsmParser/Lexer.cpp).
enum ByteKinds : uint8_t { kDigit = 1, kIdentifier = 2, kPrefixed = 4 };

constexpr std::array<uint8_t, 256> MakeKinds() {
  std::array<uint8_t, 256> kinds = {};
  for (int c = '0'; c <= '9'; ++c) kinds[c] = kDigit | kIdentifier | kPrefixed;
  for (int c = 'a'; c <= 'z'; ++c) kinds[c] = kIdentifier | kPrefixed;
  for (int c = 'A'; c <= 'Z'; ++c) kinds[c] = kIdentifier | kPrefixed;
  for (const int c : {'_', '$', '.'}) kinds[c] = kIdentifier | kPrefixed;
  kinds['-'] = kPrefixed;
  return kinds;
}

bool Is(char c, ByteKinds kinds) {
  static constexpr std::array<uint8_t, 256> kKinds = MakeKinds();
  return (kKinds[static_cast<unsigned char>(c)] & kinds) != 0;
}

const char* Past(const char* p, const char* end, ByteKinds kinds) {
  while (p != end && Is(*p, kinds)) ++p;
  return p;
}

bool IsIdentifierStart(char c) { return absl::ascii_isalpha(c) || c == '_'; }

int DigitValue(char c) {
  if (absl::ascii_isdigit(c)) return c - '0';
  return absl::ascii_tolower(c) - 'a' + 10;
}

}  // namespace

std::string_view MlirCursor::NextWord() {
  SkipBlanks();
  const char* const begin = position();
  const char* p = begin;
  if (p != end_ && IsIdentifierStart(*p)) {
    p = Past(p, end_, kIdentifier);
  } else if (end_ - p > 1 && (p[0] == '#' || p[0] == '!') &&
             Is(p[1], kPrefixed)) {
    p = Past(p + 1, end_, Is(p[1], kDigit) ? kDigit : kPrefixed);
  } else if (end_ - p > 2 && p[0] == '0' && p[1] == 'x' &&
             absl::ascii_isxdigit(p[2])) {
    p += 2;
    while (p != end_ && absl::ascii_isxdigit(*p)) ++p;
  } else {
    p = Past(p, end_, kDigit);
  }
  return std::string_view(begin, p - begin);
}

std::string_view MlirCursor::TakeIdentifier() {
  const std::string_view word = NextWord();
  if (word.empty() || !IsIdentifierStart(word[0])) return std::string_view();
  MoveTo(word.data() + word.size());
  return word;
}

std::string_view MlirCursor::TakePrefixedIdentifier(char prefix) {
  const std::string_view word = NextWord();
  if (word.empty() || word[0] != prefix) return std::string_view();
  MoveTo(word.data() + word.size());
  return word;
}

bool MlirCursor::TakeKeyword(std::string_view word) {
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
  const std::string_view word = NextWord();
  const bool is_hexadecimal = word.size() > 2 && word[1] == 'x';
  return is_hexadecimal ? TakeDigits(word, 2, 16, value)
                        : TakeDigits(word, 0, 10, value);
}

bool MlirCursor::TakeDecimalNumber(int64_t* value) {
  if (!AtDigit()) return false;
  const std::string_view word = NextWord();
  return TakeDigits(word.substr(0, word.find('x')), 0, 10, value);
}

bool MlirCursor::TakeDigits(std::string_view word, size_t prefix_size,
                            int64_t base, int64_t* value) {
  int64_t number = 0;
  for (const char c : word.substr(prefix_size)) {
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

bool MlirCursor::TakeString(std::string* value) {
  SkipBlanks();
  const char* p = position();
  if (p == end_ || *p != '"') return false;
  std::string text;
  for (++p; p != end_ && *p != '"'; ++p) {
    if (*p == '\n') return false;
    if (*p != '\\') {
      text.push_back(*p);
      continue;
    }
    if (++p == end_) return false;
    if (*p == '"' || *p == '\\') {
      text.push_back(*p);
    } else if (*p == 'n') {
      text.push_back('\n');
    } else if (*p == 't') {
      text.push_back('\t');
    } else if (end_ - p > 1 && absl::ascii_isxdigit(p[0]) &&
               absl::ascii_isxdigit(p[1])) {
      text.push_back(
          static_cast<char>(16 * DigitValue(p[0]) + DigitValue(p[1])));
      ++p;
    } else {
      return false;
    }
  }
  if (p == end_) return false;
  MoveTo(p + 1);
  *value = std::move(text);
  return true;
}

std::string MlirCursor::DescribeNextToken() {
  constexpr size_t kLongestQuote = 40;
  const std::string_view word = NextWord();
  if (!word.empty()) {
    return absl::StrCat("'", AbslView(word.substr(0, kLongestQuote)),
                        word.size() > kLongestQuote ? "...'" : "'");
  }
  const std::string_view rest(position(), end_ - position());
  const std::string_view pair = rest.substr(0, 2);
  const size_t size = pair == "->" || pair == "/*" ? 2 : 1;
  return Cursor(rest.substr(0, size)).DescribeNextToken();
}

}  // namespace tessera
