// The tokens of a line of the calculator.
//
//   LineReader reader("A = (6,2):(8,2)");
//   reader.TakeName();              // "A"
//   reader.Take('=');               // true
//   size_t limit;
//   reader.IsLiteralAhead(&limit);  // true: cute/parse.h reads it
//
// White space and comments before a token are skipped.

#ifndef TESSERA_CUTE_CALCULATOR_LINE_READER_H_
#define TESSERA_CUTE_CALCULATOR_LINE_READER_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "tessera/base/text/cursor.h"
#include "tessera/cute/calculator/bracket_map.h"

namespace tessera::cute {

class LineReader {
 public:
  // `text` must outlive the reader.
  explicit LineReader(std::string_view text) : text_(text) {}

  std::string_view text() const { return text_; }
  // The position of the token that was peeked at last, or after the token that
  // was taken.
  size_t position() const { return position_; }
  void set_position(size_t position) { position_ = position; }

  // Returns the first byte of the next token; '\0' at the end. Inline, because
  // each level of the grammar calls it.
  char Next() {
    position_ = PastBlanks(position_);
    return ByteAt(position_);
  }
  bool AtEnd() {
    Next();
    return position_ == text_.size();
  }
  bool Take(char c) {
    if (Next() != c || position_ == text_.size()) return false;
    ++position_;
    return true;
  }
  // Moves past `word` if it comes next as a whole word.
  bool TakeWord(std::string_view word);
  // Moves past [A-Za-z_][A-Za-z0-9_]* and returns it; "" if none comes next.
  std::string_view TakeName();
  // Returns the last of several names that are joined by `::`, or by `.` as in
  // Python: make_layout of cute::make_layout. `*is_qualified`, if not null,
  // receives whether there is more than one.
  std::string_view TakeQualifiedName(bool* is_qualified = nullptr);
  // Takes the composition operator, and sets its place.
  bool TakeSign(size_t* site);
  // Describes the next token for a message: see Cursor::DescribeNextToken.
  std::string DescribeNextToken();

  // Returns whether an integer, `_` or a bracket of only these comes next, with
  // or without a stride after it. The caller reads it as if the text ended at
  // `*limit`: a stride that is not a literal is read later.
  bool IsLiteralAhead(size_t* limit);

 private:
  // Returns the position after the integer, `_` or bracket that begins at
  // `position`; `position` if none does.
  size_t PastLiteral(size_t position);
  // Like PastLiteral, but only for short tuples of digits, and without the map
  // of all brackets.
  size_t PastShortNumbers(size_t position) const;
  size_t PastBlanks(size_t position) const {
    Cursor cursor(text_.substr(position));
    cursor.SkipBlanks();
    return cursor.position() - text_.data();
  }
  // Returns '\0' past the end.
  char ByteAt(size_t position) const {
    return position < text_.size() ? text_[position] : '\0';
  }

  std::string_view text_;
  // Built when a bracket is first looked up, because C++ types do not need it.
  std::optional<BracketMap> brackets_;
  size_t position_ = 0;
};

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_CALCULATOR_LINE_READER_H_
