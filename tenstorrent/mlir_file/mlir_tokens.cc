#include "tessera/tenstorrent/mlir_file/mlir_tokens.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string_view>

namespace tessera::tenstorrent {
namespace {

// The bytes at which a scan of text stops.
struct ByteTable {
  constexpr ByteTable() : stops(), names() {
    for (const char c : "\n\"\\/%#!<>(){}[]^@-:,=") {
      stops[static_cast<unsigned char>(c)] = true;
    }
    stops[0] = false;
    for (int c = 0; c < 256; ++c) {
      names[c] = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                 (c >= '0' && c <= '9') || c == '_' || c == '$' || c == '.';
    }
  }

  bool stops[256];
  bool names[256];
};

constexpr ByteTable kBytes;

bool IsStop(char c) { return kBytes.stops[static_cast<unsigned char>(c)]; }
bool IsNameByte(char c) { return kBytes.names[static_cast<unsigned char>(c)]; }
bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

bool IsLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// Returns whether a document begins like JSON: with a bracket that contains a
// string, another bracket or nothing.
bool BeginsLikeJson(std::string_view text) {
  const size_t open = text.find_first_not_of(" \t\r\n");
  if (open == std::string_view::npos ||
      (text[open] != '{' && text[open] != '[')) {
    return false;
  }
  const size_t next = text.find_first_not_of(" \t\r\n", open + 1);
  return next != std::string_view::npos &&
         std::string_view("\"{[").find(text[next]) != std::string_view::npos;
}

// Whether an attribute of that name is a layout.
bool IsLayoutAttribute(std::string_view name) {
  return name == "#ttnn.ttnn_layout" || name == "#ttnn.ttnn_nd_layout" ||
         name == "#ttcore.metal_layout" || name == "#tt.metal_layout" ||
         name == "#tt.layout";
}

}  // namespace

MlirTokens::MlirTokens(std::string_view text)
    : begin_(text.data()),
      end_(text.data() + text.size()),
      position_(text.data()),
      is_json_(BeginsLikeJson(text)) {}

MlirToken MlirTokens::Take(MlirToken::Kind kind, const char* begin,
                           const char* end) {
  position_ = end;
  return {kind, std::string_view(begin, end - begin)};
}

const char* MlirTokens::EndOfLine(const char* from) const {
  if (from == end_) return end_;
  const void* const found = std::memchr(from, '\n', end_ - from);
  const char* end = found == nullptr ? end_ : static_cast<const char*>(found);
  if (!in_json_) return end;
  for (const char* p = from; p < end; ++p) {
    if (*p == '"') return p;
    if (*p == '\\' && ++p < end && *p == 'n') return p - 1;
  }
  return end;
}

const char* MlirTokens::EndOfName(const char* from) const {
  while (from < end_ && (IsNameByte(*from) || *from == '-')) {
    // The arrow after a name is not a part of it.
    if (*from == '-' && from + 1 < end_ && from[1] == '>') break;
    ++from;
  }
  return from;
}

const char* MlirTokens::EndOfString(const char* quote) const {
  if (in_json_) {
    // Between \" and \".
    for (const char* p = quote + 2; p + 1 < end_; ++p) {
      if (*p == '"' || *p == '\n') return nullptr;
      if (*p != '\\') continue;
      if (p[1] == '"') return p + 2;
      if (p[1] == 'n') return nullptr;
      // \\\" is a quote in the string.
      p += p[1] == '\\' && p + 3 < end_ && p[2] == '\\' ? 3 : 1;
    }
    return nullptr;
  }
  for (const char* p = quote + 1; p < end_; ++p) {
    if (*p == '"') return p + 1;
    if (*p == '\n') return nullptr;
    if (*p == '\\') ++p;
  }
  return nullptr;
}

const char* MlirTokens::EndOfBrackets(const char* open) const {
  const char* const limit = end_ - open > static_cast<ptrdiff_t>(kMaxTypeBytes)
                                ? open + kMaxTypeBytes
                                : end_;
  char closers[kMaxNesting];
  int depth = 0;
  for (const char* p = open; p < limit; ++p) {
    if (!IsStop(*p)) continue;
    char closer = 0;
    switch (*p) {
      case '<':
        closer = '>';
        break;
      case '(':
        closer = ')';
        break;
      case '[':
        closer = ']';
        break;
      case '{':
        closer = '}';
        break;
      case '>':
        if (p[-1] == '-') break;
        [[fallthrough]];
      case ')':
      case ']':
      case '}':
        if (closers[depth - 1] != *p) return nullptr;
        if (--depth == 0) return p + 1;
        break;
      case '"': {
        if (in_json_) return nullptr;
        const char* const end = EndOfString(p);
        if (end == nullptr || end > limit) return nullptr;
        p = end - 1;
        break;
      }
      case '\\':
        if (in_json_ && p + 1 < limit && p[1] == '"') {
          const char* const end = EndOfString(p);
          if (end == nullptr || end > limit) return nullptr;
          p = end - 1;
        }
        break;
      case '/':
        if (p + 1 < limit && p[1] == '/') {
          p = EndOfLine(p) - 1;
          if (p >= limit) return nullptr;
        }
        break;
      default:
        break;
    }
    if (closer == 0) continue;
    if (depth == kMaxNesting) return nullptr;
    closers[depth++] = closer;
  }
  return nullptr;
}

bool MlirTokens::IsJsonValue(const char* quote) const {
  if (is_json_) return true;
  const char* p = quote;
  while (p > begin_ && IsBlank(p[-1])) --p;
  if (p == begin_ || *--p != ':') return false;
  while (p > begin_ && IsBlank(p[-1])) --p;
  return p > begin_ && p[-1] == '"';
}

MlirToken MlirTokens::TakeNamed(MlirToken::Kind kind) {
  const char* const begin = position_;
  const char* end = EndOfName(begin + 1);
  // Layouts in other attributes are found there.
  if (end < end_ && *end == '<' &&
      IsLayoutAttribute(std::string_view(begin, end - begin))) {
    const char* const closed = EndOfBrackets(end);
    if (closed != nullptr) end = closed;
  }
  return Take(kind, begin, end);
}

MlirToken MlirTokens::Next() {
  if (at_start_) {
    at_start_ = false;
    return Take(MlirToken::kLine, position_, position_);
  }
  while (true) {
    while (position_ < end_ && !IsStop(*position_)) ++position_;
    if (position_ == end_) return Take(MlirToken::kEnd, end_, end_);
    const char* const at = position_;
    switch (*at) {
      case '\n':
        // A JSON string does not contain line breaks.
        in_json_ = false;
        return Take(MlirToken::kLine, at + 1, at + 1);
      case '\\':
        if (in_json_ && at + 1 < end_) {
          if (at[1] == 'n') return Take(MlirToken::kLine, at + 2, at + 2);
          const char* const end = at[1] == '"' ? EndOfString(at) : nullptr;
          if (end != nullptr) return Take(MlirToken::kString, at, end);
          position_ = at + 2;
          continue;
        }
        position_ = at + 1;
        continue;
      case '"':
        if (in_json_) {
          in_json_ = false;
          position_ = at + 1;
          continue;
        }
        if (IsJsonValue(at)) {
          in_json_ = true;
          return Take(MlirToken::kLine, at + 1, at + 1);
        }
        if (const char* const end = EndOfString(at)) {
          return Take(MlirToken::kString, at, end);
        }
        position_ = at + 1;
        continue;
      case '/':
        if (at + 1 < end_ && at[1] == '/' && (at == begin_ || at[-1] != ':')) {
          position_ = EndOfLine(at);
          continue;
        }
        position_ = at + 1;
        continue;
      case '%': {
        const char* end = EndOfName(at + 1);
        if (end == at + 1) {
          position_ = end;
          continue;
        }
        if (end < end_ && *end == '#') end = EndOfName(end + 1);
        return Take(MlirToken::kValue, at, end);
      }
      case '#':
        return TakeNamed(MlirToken::kAttribute);
      case '!':
        return TakeNamed(MlirToken::kType);
      case '^':
        return TakeNamed(MlirToken::kBlock);
      case '@':
        return TakeNamed(MlirToken::kSymbol);
      case '-':
        if (at + 1 < end_ && at[1] == '>') {
          return Take(MlirToken::kArrow, at, at + 2);
        }
        position_ = at + 1;
        continue;
      case '<': {
        constexpr ptrdiff_t kWord = 6;
        if (at - begin_ >= kWord &&
            (std::memcmp(at - kWord, "tensor", kWord) == 0 ||
             std::memcmp(at - kWord, "memref", kWord) == 0) &&
            (at - begin_ == kWord || !IsNameByte(at[-kWord - 1]))) {
          const char* const end = EndOfBrackets(at);
          if (end != nullptr) {
            return Take(MlirToken::kShaped, at - kWord, end);
          }
        }
        return Take(MlirToken::kOpen, at, at + 1);
      }
      case '(':
      case '[':
      case '{':
        return Take(MlirToken::kOpen, at, at + 1);
      case ')':
      case ']':
      case '}':
      case '>':
        return Take(MlirToken::kClose, at, at + 1);
      case ':':
        return Take(MlirToken::kColon, at, at + 1);
      case ',':
        return Take(MlirToken::kComma, at, at + 1);
      case '=':
        return Take(MlirToken::kEqual, at, at + 1);
      default:
        position_ = at + 1;
    }
  }
}

const char* MlirTokens::SkipBlanks() const {
  const char* p = position_;
  while (p < end_ && IsBlank(*p)) ++p;
  return p;
}

std::string_view MlirTokens::TakeWord() {
  const char* p = SkipBlanks();
  if (p == end_ || !IsLetter(*p)) return "";
  const char* const begin = p;
  while (p < end_ && IsNameByte(*p)) ++p;
  // The '<' of tensor<...> looks back for its word.
  if (p < end_ && *p == '<') return "";
  position_ = p;
  return std::string_view(begin, p - begin);
}

bool MlirTokens::At(char c) const {
  const char* const p = SkipBlanks();
  return p < end_ && *p == c;
}

bool MlirTokens::AtDigit() const {
  const char* const p = SkipBlanks();
  return p < end_ && *p >= '0' && *p <= '9';
}

std::string_view MlirTokens::TakeAliasValue() {
  const char* p = SkipBlanks();
  const char* const begin = p;
  const char* const line_end = EndOfLine(begin);
  for (; p < line_end; ++p) {
    if (!IsStop(*p)) continue;
    if (*p == '/' && p + 1 < end_ && p[1] == '/') break;
    if (*p == '<' || *p == '(' || *p == '[' || *p == '{') {
      const char* const end = EndOfBrackets(p);
      if (end == nullptr) {
        position_ = line_end;
        return std::string_view(begin, 0);
      }
      p = end - 1;
      if (p >= line_end) {
        ++p;
        break;
      }
    }
  }
  position_ = std::max(p, begin);
  const char* end = position_;
  while (end > begin && IsBlank(end[-1])) --end;
  return std::string_view(begin, end - begin);
}

}  // namespace tessera::tenstorrent
