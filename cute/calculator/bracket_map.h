// Finds the brackets of a line that hold only literals.
//
//   BracketMap map("((2,2),A)");
//   map.IsLiteral(0);    // false: A is a name
//   map.IsLiteral(1);    // true: (2,2)
//   map.End(1);          // 6, after its ')'
//
// The calculator passes a literal as a whole to cute/parse.h. It takes apart
// itself only text that has names or calls. The map is made in one pass over
// the line, so that deep nesting is not searched again at each level.

#ifndef TESSERA_CUTE_CALCULATOR_BRACKET_MAP_H_
#define TESSERA_CUTE_CALCULATOR_BRACKET_MAP_H_

#include <cstddef>
#include <string_view>

#include "absl/container/inlined_vector.h"
#include "absl/strings/ascii.h"

namespace tessera::cute {

// Returns whether a name or an integer may contain `c`.
inline bool IsWordByte(char c) { return absl::ascii_isalnum(c) || c == '_'; }

class BracketMap {
 public:
  explicit BracketMap(std::string_view text);

  // Returns whether the bracket that opens at `offset` contains only integers,
  // `_`, E<0>{}, punctuation and such brackets. A bracket that is not closed is
  // a literal up to the end.
  bool IsLiteral(size_t offset) const;
  // Returns the offset after the closing bracket.
  size_t End(size_t offset) const;

 private:
  struct Bracket {
    size_t begin;
    size_t end;
    bool is_literal = true;
  };
  // Returns null if no bracket opens there.
  const Bracket* Find(size_t offset) const;

  // The brackets in the order of the text.
  absl::InlinedVector<Bracket, 16> brackets_;
};

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_CALCULATOR_BRACKET_MAP_H_
