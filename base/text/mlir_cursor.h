// A cursor over MLIR text, whose words are not those of XLA's
// (base/text/cursor.h): MLIR's bare identifiers have no '-' in them, and a
// number ends where its digits end.
//
//   MlirCursor cursor("d0-d1*2floordiv 0x10", 0);
//   cursor.TakeIdentifier();      // "d0"
//   cursor.Take('-');             // true
//   cursor.TakeIdentifier();      // "d1"
//   cursor.Take('*');             // true
//   int64_t number;
//   cursor.TakeNumber(&number);   // true, number == 2
//   cursor.TakeKeyword("mod");    // false: at floordiv
//
//   MlirCursor sizes("#l1_ 0x10", 0);
//   sizes.TakePrefixedIdentifier('#');  // "#l1_"
//   sizes.TakeDecimalNumber(&number);   // true, number == 0: at the x
//
// White space and comments before a token are skipped, as by Cursor. Source:
// mlir/lib/AsmParser/Lexer.cpp.

#ifndef TESSERA_BASE_TEXT_MLIR_CURSOR_H_
#define TESSERA_BASE_TEXT_MLIR_CURSOR_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "tessera/base/text/cursor.h"

namespace tessera {

class MlirCursor {
 public:
  // Creates a cursor at byte `position` of `text`, which must outlive it.
  // Precondition: position <= text.size().
  MlirCursor(std::string_view text, size_t position)
      : end_(text.data() + text.size()), cursor_(text.substr(position)) {}

  const char* position() const { return cursor_.position(); }
  void SkipBlanks() { cursor_.SkipBlanks(); }
  bool AtEnd() { return cursor_.AtEnd(); }
  bool Take(char c) { return cursor_.Take(c); }
  // Moves past "->".
  bool TakeArrow() { return cursor_.TakePair('-', '>'); }

  // Moves past [A-Za-z_][A-Za-z0-9_$.]* and returns it; "" if none comes next.
  std::string_view TakeIdentifier();

  // Moves past an identifier after `prefix`, which is '#' for attributes or
  // '!' for types, and returns both: "#tt.layout", "!tt.tile", "#0", "#l1-a".
  // "" if none comes next.
  std::string_view TakePrefixedIdentifier(char prefix);

  // Moves past the identifier `word` if it comes next.
  bool TakeKeyword(std::string_view word);

  bool AtDigit();

  // Moves past a number without sign, decimal or 0x and hexadecimal, and stores
  // it. False, and the cursor stays, if none comes next or it exceeds 2^63-1.
  bool TakeNumber(int64_t* value);

  // Like TakeNumber, but for a list of sizes, in which 0x10 is 0 by 10.
  bool TakeDecimalNumber(int64_t* value);

  // Moves past a string in double quotes, with the escapes \\ \" \n \t and two
  // hexadecimal digits, and stores its value. Returns false, and the cursor
  // stays, if no string comes next.
  bool TakeString(std::string* value);

  // Describes the next token like Cursor::DescribeNextToken.
  std::string DescribeNextToken();

 private:
  void MoveTo(const char* position) {
    cursor_ = Cursor(std::string_view(position, end_ - position));
  }
  // Returns the next identifier or number, or "".
  std::string_view NextWord();
  // Moves past `word`, digits after `prefix_size` bytes, and stores its value.
  bool TakeDigits(std::string_view word, size_t prefix_size, int64_t base,
                  int64_t* value);

  const char* end_;
  Cursor cursor_;
};

}  // namespace tessera

#endif  // TESSERA_BASE_TEXT_MLIR_CURSOR_H_
