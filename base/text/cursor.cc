#include "tessera/base/text/cursor.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"

namespace tessera {
namespace {

constexpr size_t kLongestQuote = 40;

}  // namespace

const char* Cursor::PastBlanks(const char* position, const char* end) {
  while (position != end) {
    const std::string_view rest(position, end - position);
    const char c = rest[0];
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      ++position;
    } else if (rest.substr(0, 2) == "//") {
      const size_t length = rest.find_first_of("\n\r");
      if (length == std::string_view::npos) return end;
      position += length;
    } else if (rest.substr(0, 2) == "/*") {
      const size_t length = rest.find("*/", 2);
      if (length == std::string_view::npos) return position;
      position += length + 2;
    } else {
      return position;
    }
  }
  return end;
}

Cursor::Integer Cursor::ReadInteger(const char* position, const char* end) {
  constexpr Integer kNone = {nullptr, 0};
  constexpr uint64_t kMax = std::numeric_limits<int64_t>::max();
  const bool is_negative = position != end && *position == '-';
  const uint64_t limit = is_negative ? kMax + 1 : kMax;
  const char* first_digit = position + (is_negative ? 1 : 0);
  const char* p = first_digit;
  uint64_t magnitude = 0;
  for (; p != end && absl::ascii_isdigit(*p); ++p) {
    const uint64_t digit = *p - '0';
    if (magnitude > (limit - digit) / 10) return kNone;
    magnitude = 10 * magnitude + digit;
  }
  if (p == first_digit || (p != end && Is(kIdentifierByte, *p))) return kNone;
  // In unsigned arithmetic, in which the least int64_t can be negated.
  return {p, static_cast<int64_t>(is_negative ? -magnitude : magnitude)};
}

std::string_view Cursor::NextToken() const {
  const char* start = PastBlanks(position_, end_);
  const std::string_view rest(start, end_ - start);
  for (const std::string_view pair : {"<=", "->", "/*"}) {
    if (rest.substr(0, 2) == pair) return rest.substr(0, 2);
  }
  size_t size = rest.substr(0, 1) == "+" ? 1 : 0;
  while (size < rest.size() && Is(kIdentifierByte, rest[size])) ++size;
  return rest.substr(0, size == 0 ? 1 : size);
}

std::string Cursor::DescribeNextToken() const {
  const std::string_view token = NextToken();
  if (token.empty()) return "end of text";
  if (token == "/*") return "a comment without an end";
  if (token == "'") return "\"'\"";
  if (!absl::ascii_isprint(token[0])) {
    const auto byte = static_cast<unsigned char>(token[0]);
    return absl::StrCat("byte 0x", absl::Hex(byte, absl::kZeroPad2));
  }
  return absl::StrCat("'", AbslView(token.substr(0, kLongestQuote)),
                      token.size() > kLongestQuote ? "...'" : "'");
}

}  // namespace tessera
