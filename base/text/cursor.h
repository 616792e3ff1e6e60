// A cursor over text that reads token by token.
//
//   Cursor cursor("T ( 8,/*lanes*/128)");
//   cursor.TakeIdentifier();       // "T"
//   cursor.Take('(');              // true
//   int64_t size;
//   cursor.TakeInteger(&size);     // true, size == 8
//   cursor.Take(')');              // false: at the ','
//   cursor.DescribeNextToken();    // "','"
//
// White space (blank, tab, LF, CR) and comments (/*...*/ and //... to the end
// of the line) may precede any token and are skipped; the rules are those of
// XLA's lexer (xla/hlo/parser/hlo_lexer.cc).
//
// A Cursor is two pointers. Pass and return it by value: a cursor whose address
// nobody takes is kept in registers, which makes short texts several times as
// fast to read.

#ifndef TESSERA_BASE_TEXT_CURSOR_H_
#define TESSERA_BASE_TEXT_CURSOR_H_

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"

namespace tessera {

class Cursor {
 public:
  // Creates a cursor at the start of `text`, which must outlive it.
  explicit Cursor(std::string_view text)
      : position_(text.data() == nullptr ? "" : text.data()),
        end_(position_ + text.size()) {}

  // Returns the cursor that a reading function returns if it fails.
  static Cursor Failed() { return Cursor(); }
  bool failed() const { return position_ == nullptr; }

  const char* position() const { return position_; }

  void SkipBlanks() {
    if (ABSL_PREDICT_FALSE(At(kBlank))) {
      position_ = PastBlanks(position_, end_);
    }
  }

  // Each of the following first skips white space and comments, even if it then
  // does not find the expected token. In that case the cursor stays at the
  // start of the token that it found instead. An unterminated comment is such a
  // token.

  bool AtEnd() {
    SkipBlanks();
    return position_ == end_;
  }

  // Moves past `c` if that is the next byte.
  bool Take(char c) {
    if (At(c)) {
      ++position_;
      return true;
    }
    if (ABSL_PREDICT_TRUE(!At(kBlank))) return false;
    position_ = PastBlanks(position_, end_);
    if (!At(c)) return false;
    ++position_;
    return true;
  }

  // Returns whether the next byte is `c`, without white space before it.
  bool NextByteIs(char c) const { return At(c); }

  // Moves past `first` and `second` if they come next without a gap, as in "<="
  // and "->".
  bool TakePair(char first, char second) {
    SkipBlanks();
    if (!At(first) || end_ - position_ < 2 || position_[1] != second) {
      return false;
    }
    position_ += 2;
    return true;
  }

  // Moves past [A-Za-z_][A-Za-z0-9_.-]* and returns it; "" if none comes next.
  std::string_view TakeIdentifier() {
    SkipBlanks();
    if (!At(kIdentifierStart)) return std::string_view();
    const char* start = position_;
    do {
      ++position_;
    } while (At(kIdentifierByte));
    return std::string_view(start, position_ - start);
  }

  // Moves past an integer, optionally negative, and stores it. Returns false if
  // the next token is not an integer, is not in the range of int64_t or
  // continues as another token: 1e3, 2x3, 0x10.
  ABSL_ATTRIBUTE_ALWAYS_INLINE bool TakeInteger(int64_t* value) {
    if (ABSL_PREDICT_TRUE(TakePlainInteger(value))) return true;
    SkipBlanks();
    const Integer integer = ReadInteger(position_, end_);
    if (integer.past == nullptr) return false;
    position_ = integer.past;
    *value = integer.value;
    return true;
  }

  // Returns whether an integer comes next, in range or not.
  bool AtInteger() {
    SkipBlanks();
    return AtDigit(position_) || (At('-') && AtDigit(position_ + 1));
  }

  // Returns a word, a number with its sign, a pair like "<=", or else a single
  // byte; "" at the end. The number need not be well formed.
  std::string_view NextToken() const;

  // Returns NextToken() for an error message: "end of text", "')'", "'f32'",
  // "'1e3'", "byte 0x0b". Long tokens are cut.
  std::string DescribeNextToken() const;

 private:
  // The classes of a byte. A byte may have several of these bits.
  enum ByteClass : uint8_t {
    kBlank = 1,            // begins white space or perhaps a comment
    kIdentifierStart = 2,  // [A-Za-z_]
    kIdentifierByte = 4,   // [A-Za-z0-9_.-]
  };

  static constexpr std::array<uint8_t, 256> MakeByteClasses();
  static const std::array<uint8_t, 256> kByteClasses;

  Cursor() = default;

  static bool Is(ByteClass byte_class, char c) {
    return (kByteClasses[static_cast<unsigned char>(c)] & byte_class) != 0;
  }
  bool At(ByteClass byte_class) const {
    return position_ != end_ && Is(byte_class, *position_);
  }
  bool At(char c) const { return position_ != end_ && *position_ == c; }
  // Returns more than 9 if `c` is not a digit.
  static uint32_t DigitValue(char c) {
    return static_cast<unsigned char>(c) - uint32_t{'0'};
  }
  bool AtDigit(const char* p) const { return p != end_ && DigitValue(*p) <= 9; }

  // Takes an integer in almost all cases; otherwise leaves the cursor
  // unchanged.
  ABSL_ATTRIBUTE_ALWAYS_INLINE bool TakePlainInteger(int64_t* value) {
    constexpr uint64_t kLarge = std::numeric_limits<int64_t>::max() / 10;
    const char* p = position_;
    if (p == end_) return false;
    uint64_t magnitude = DigitValue(*p);
    if (magnitude > 9) return false;
    while (++p != end_) {
      const uint32_t digit = DigitValue(*p);
      if (digit > 9) {
        if (Is(kIdentifierByte, *p)) return false;
        break;
      }
      if (magnitude >= kLarge) return false;
      magnitude = 10 * magnitude + digit;
    }
    position_ = p;
    *value = magnitude;
    return true;
  }

  // The slow paths. They are static and return their results, so that cursors
  // and integers stay in registers.
  struct Integer {
    const char* past;  // null if there is none
    int64_t value;
  };
  static Integer ReadInteger(const char* position, const char* end);
  static const char* PastBlanks(const char* position, const char* end);

  const char* position_ = nullptr;
  const char* end_ = nullptr;
};

constexpr std::array<uint8_t, 256> Cursor::MakeByteClasses() {
  std::array<uint8_t, 256> classes{};
  for (const char c : {' ', '\t', '\r', '\n', '/'}) classes[c] = kBlank;
  for (int c = '0'; c <= '9'; ++c) classes[c] = kIdentifierByte;
  classes['.'] = classes['-'] = kIdentifierByte;
  for (const char first : {'A', 'a'}) {
    for (int i = 0; i < 26; ++i) {
      classes[first + i] = kIdentifierStart | kIdentifierByte;
    }
  }
  classes['_'] = kIdentifierStart | kIdentifierByte;
  return classes;
}

inline constexpr std::array<uint8_t, 256> Cursor::kByteClasses =
    MakeByteClasses();

}  // namespace tessera

#endif  // TESSERA_BASE_TEXT_CURSOR_H_
