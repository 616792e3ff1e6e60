// File: text/cursor.h
//
// Where does a reader of text stand, and which token comes next?
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
// of the line) may stand before any token and are skipped; the rules are those
// of XLA's lexer (xla/hlo/parser/hlo_lexer.cc).
//
// A Cursor is two pointers. Pass and return it by value: a cursor whose address
// nobody takes is kept in registers, which makes short texts several times as
// fast to read.

#ifndef TESSERA_TEXT_CURSOR_H_
#define TESSERA_TEXT_CURSOR_H_

#include <array>
#include <cstdint>
#include <string>

#include "absl/base/attributes.h"
#include "absl/strings/ascii.h"
#include "absl/strings/string_view.h"

namespace tessera {
namespace text_internal {

// [A-Za-z0-9_.-]
constexpr std::array<bool, 256> MakeIdentifierBytes() {
  std::array<bool, 256> table{};
  for (int c = '0'; c <= '9'; ++c) table[c] = true;
  for (int c = 'A'; c <= 'Z'; ++c) table[c] = true;
  for (int c = 'a'; c <= 'z'; ++c) table[c] = true;
  table['_'] = table['.'] = table['-'] = true;
  return table;
}

inline constexpr std::array<bool, 256> kIdentifierBytes = MakeIdentifierBytes();

}  // namespace text_internal

class Cursor {
 public:
  // At the start of `text`, which must outlive the cursor.
  explicit Cursor(absl::string_view text)
      : position_(text.data() == nullptr ? "" : text.data()),
        end_(position_ + text.size()) {}

  // What a reading function returns in place of a cursor when it has failed.
  static Cursor Failed() { return Cursor(); }
  bool failed() const { return position_ == nullptr; }

  const char* position() const { return position_; }

  // Each of the following skips white space and comments first, whether or not
  // it then finds what it looks for. Where it does not, the cursor is left at
  // the start of the token that stands there instead; a comment without an end
  // is such a token.

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
    if (!AtBlank()) return false;
    SkipBlanks();
    if (!At(c)) return false;
    ++position_;
    return true;
  }

  // Moves past `first` and `second` if they come next with nothing between, as
  // in "<=" and "->".
  bool TakePair(char first, char second) {
    SkipBlanks();
    if (!At(first) || end_ - position_ < 2 || position_[1] != second) {
      return false;
    }
    position_ += 2;
    return true;
  }

  // Moves past [A-Za-z_][A-Za-z0-9_.-]* and returns it; "" if none comes next.
  absl::string_view TakeIdentifier() {
    SkipBlanks();
    const char* start = position_;
    if (AtDigit() || At('.') || At('-')) return absl::string_view();
    while (position_ != end_ && IsIdentifierByte(*position_)) ++position_;
    return absl::string_view(start, position_ - start);
  }

  // Moves past an integer, optionally negative, and stores it. False if what
  // comes next is none, is not in the range of int64_t or goes on as something
  // else: 1e3, 2x3, 0x10.
  bool TakeInteger(int64_t* value) {
    SkipBlanks();
    const char* p = position_;
    uint64_t magnitude = 0;
    while (p != end_ && absl::ascii_isdigit(*p)) {
      magnitude = 10 * magnitude + (*p - '0');
      ++p;
    }
    // 18 digits cannot overflow; everything out of the ordinary is slow.
    const int64_t digits = p - position_;
    if (digits == 0 || digits > 18 || (p != end_ && IsIdentifierByte(*p))) {
      return TakeUnusualInteger(value);
    }
    position_ = p;
    *value = magnitude;
    return true;
  }

  // Whether an integer comes next, in range or not.
  bool AtInteger() {
    SkipBlanks();
    return AtDigit() || (At('-') && end_ - position_ >= 2 &&
                         absl::ascii_isdigit(position_[1]));
  }

  // What comes next, for an error message: "end of text", "')'", "'f32'",
  // "'1e3'", "byte 0x0b". Long tokens are cut.
  std::string DescribeNextToken() const;

 private:
  Cursor() = default;

  static bool IsIdentifierByte(char c) {
    return text_internal::kIdentifierBytes[static_cast<unsigned char>(c)];
  }

  bool At(char c) const { return position_ != end_ && *position_ == c; }
  bool AtDigit() const {
    return position_ != end_ && absl::ascii_isdigit(*position_);
  }
  // Whether the next byte can begin white space or a comment.
  bool AtBlank() const {
    return position_ != end_ &&
           (static_cast<unsigned char>(*position_) <= ' ' || *position_ == '/');
  }

  void SkipBlanks() {
    if (ABSL_PREDICT_FALSE(AtBlank())) position_ = PastBlanks(position_, end_);
  }
  static const char* PastBlanks(const char* position, const char* end);

  bool TakeUnusualInteger(int64_t* value) {
    const char* past = PastInteger(position_, end_, value);
    if (past == nullptr) return false;
    position_ = past;
    return true;
  }
  static const char* PastInteger(const char* position, const char* end,
                                 int64_t* value);

  const char* position_ = nullptr;
  const char* end_ = nullptr;
};

}  // namespace tessera

#endif  // TESSERA_TEXT_CURSOR_H_
