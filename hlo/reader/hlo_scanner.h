// Finds the ends of the tokens of HLO text, for hlo/hlo_reader.h.
//
// The rules are those of xla/hlo/parser/hlo_lexer.cc: blanks are space, tab, LF
// and CR; `/* ... */` and `// ...` are comments between any two tokens and `#`
// never begins one; '.' and '-' belong to identifiers; strings, quoted either
// way, may contain line breaks.

#ifndef TESSERA_HLO_READER_HLO_SCANNER_H_
#define TESSERA_HLO_READER_HLO_SCANNER_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "absl/numeric/bits.h"
#include "tessera/hlo/reader/byte_index.h"

namespace tessera {
namespace hlo_internal {

// A failure to read text.
struct HloFailure {
  const char* at = nullptr;
  std::string message;
  // The place up to which text was examined before the failure was found.
  const char* reached = nullptr;
  // The next instruction, if it is in place of the expected text.
  const char* next = nullptr;
};

class HloScanner {
 public:
  // The classes of a byte, as bits.
  enum ByteClass : uint8_t {
    kBlank = 1,
    kIdentifierStart = 2,
    kIdentifier = 4,
    // Bytes that may follow a string.
    kAfterString = 8,
  };

  // `text` must outlive the scanner.
  explicit HloScanner(std::string_view text)
      : begin_(text.data()), end_(text.data() + text.size()), index_(text) {}

  const char* begin() const { return begin_; }
  const char* end() const { return end_; }

  static bool Is(ByteClass c, char byte) {
    return kByteClasses[static_cast<unsigned char>(byte)] & c;
  }

  // Returns the first byte of any of these classes from `p` on, or end().
  template <ByteIndex::Class... kSet>
  const char* Find(const char* p) const {
    return begin_ + index_.Find<kSet...>(p - begin_);
  }

  // Like Find, but looks no further than `limit` bytes and a few more.
  template <ByteIndex::Class... kSet>
  const char* FindWithin(size_t limit, const char* p) const {
    return begin_ + index_.Find<kSet...>(p - begin_, p - begin_ + limit);
  }

  // Returns the place after the identifier bytes at `p`, at most `end`.
  const char* PastIdentifier(const char* p) const {
    return Find<ByteIndex::kNameEnd>(p);
  }
  const char* PastIdentifier(const char* p, const char* end) const {
    return std::min(PastIdentifier(p), end);
  }

  // Returns the place after blanks and comments, or an unclosed comment.
  const char* PastBlanks(const char* p) const { return PastBlanks(p, end_); }
  const char* PastBlanks(const char* p, const char* end) const {
    while (p != end && Is(kBlank, *p)) ++p;
    return p != end && *p == '/' ? PastBlanksAndComments(p, end) : p;
  }

  // Whether the byte at `p`, which may be end(), is `c`.
  bool Sees(const char* p, char c) const { return p != end_ && *p == c; }

  // Returns the place after the next line break, or `end` if there is none.
  const char* PastLine(const char* p, const char* end) const {
    const void* line_break = std::memchr(p, '\n', end - p);
    return line_break == nullptr ? end
                                 : static_cast<const char*>(line_break) + 1;
  }

  bool StartsBlockComment(const char* p) const {
    return end_ - p >= 2 && p[0] == '/' && p[1] == '*';
  }

  // Returns the place after the string whose quote is at `p`, or nullptr if no
  // quote ends it. A string that runs over a line break into the middle of a
  // word has lost its closing quote, and returns nullptr, too.
  const char* PastString(const char* p) const;

  // Returns the quote that ends the string with the quote `open`, or end().
  const char* ClosingQuote(const char* open) const;

  // Returns the place after the `/*index=5*/` at `p` that XLA prints between
  // the parts of long lists; `p` itself if there is none.
  const char* PastIndexComment(const char* p) const;

  // Calls `visit` for each byte of class `c` from `p` on that is outside
  // strings, until it returns false. Gives up and returns false before bytes
  // that need more context: a backslash, a line break, the end, and, unless
  // `in_dictionary`, bytes that may begin a comment or another kind of string.
  template <ByteIndex::Class c, typename Visit>
  bool VisitOutsideStrings(const char* p, bool in_dictionary,
                           Visit visit) const;

  // Returns the identifier at `p`, or "".
  std::string_view WordAt(const char* p) const {
    return p != end_ && Is(kIdentifierStart, *p) ? Between(p, PastIdentifier(p))
                                                 : std::string_view();
  }

  // Returns the place after the name at `p`, which is `%x`, `x` or `x:`, or
  // nullptr if there is none.
  const char* PastName(const char* p, const char* end) const {
    if (p == end) return nullptr;
    if (*p == '%') {
      const char* const past = PastIdentifier(p + 1, end);
      return past == p + 1 ? nullptr : past;
    }
    if (!Is(kIdentifierStart, *p)) return nullptr;
    p = PastIdentifier(p, end);
    return p != end && *p == ':' ? p + 1 : p;
  }
  const char* PastName(const char* p) const { return PastName(p, end_); }

  // Returns the name without '%' and ':'.
  static std::string_view BareName(const char* begin, const char* end) {
    std::string_view name = Between(begin, end);
    if (!name.empty() && name.front() == '%') {
      name.remove_prefix(1);
    } else if (!name.empty() && name.back() == ':') {
      name.remove_suffix(1);
    }
    return name;
  }

  // Whether an instruction, "[ROOT] name = [shape] opcode(", seems to begin at
  // `p`; looks no further than `end`.
  bool StartsInstruction(const char* p, const char* end) const;
  bool StartsInstruction(const char* p) const {
    return StartsInstruction(p, end_);
  }

  // Whether a shape seems to begin at `p`.
  bool StartsShape(const char* p) const;

  // Whether a computation without ENTRY, "name {", "name (x: " or
  // "name (x f32[2]", seems to begin at `p`.
  bool StartsComputation(const char* p, const char* end) const;

  // Whether an item that cannot belong to the previous instruction seems to
  // begin at `p`: an instruction, a computation, a module, a frame table, or
  // "}".
  bool StartsItem(const char* p) const { return StartsItem(p, end_); }
  // Like StartsItem(p), but looks no further than `end`.
  bool StartsItem(const char* p, const char* end) const;

  // Returns the failure at `p` that `what` was expected there.
  HloFailure Expected(std::string_view what, const char* p) const;

  // Returns the failure at `p`: the string or block comment has no end.
  HloFailure EndlessString(const char* p) const {
    return {p, "the string has no end", ClosingQuote(p), nullptr};
  }
  HloFailure EndlessComment(const char* p) const {
    return {p, "the comment has no end", end_, nullptr};
  }

  // Moves back over white space.
  const char* BeforeBlanks(const char* p) const {
    while (p != begin_ && Is(kBlank, p[-1])) --p;
    return p;
  }

  static std::string_view Between(const char* begin, const char* end) {
    return std::string_view(begin, end - begin);
  }

  // Whether the word is FileNames or one of the three other tables between a
  // module's line and its first computation.
  static bool IsFrameTable(std::string_view word);
  // Whether it is ROOT, ENTRY, HloModule, or the name of a frame table.
  static bool IsKeyword(std::string_view word);

 private:
  // Whether the byte at `p`, which is outside strings, is one of the two
  // slashes of an index comment.
  bool IsPartOfIndexComment(const char* p) const {
    if (*p != '/') return false;
    return PastIndexComment(p) != p || (p != begin_ && p[-1] == '*');
  }
  const char* FindByte(char byte, const char* p) const {
    const void* const found = std::memchr(p, byte, end_ - p);
    return found == nullptr ? end_ : static_cast<const char*>(found);
  }
  const char* PastBlanksAndComments(const char* p, const char* end) const;

  static constexpr std::array<uint8_t, 256> MakeByteClasses();
  static const std::array<uint8_t, 256> kByteClasses;

  const char* begin_;
  const char* end_;
  mutable ByteIndex index_;
  // The first comment found to have no end. Later comments have no end either,
  // so they are not examined again.
  mutable const char* endless_comment_ = nullptr;
};

constexpr std::array<uint8_t, 256> HloScanner::MakeByteClasses() {
  std::array<uint8_t, 256> classes = {};
  for (const char c : {' ', '\t', '\n', '\r'}) {
    classes[c] = kBlank | kAfterString;
  }
  for (const char c : {',', '}', ']', ')', '=', ':', '/'}) {
    classes[c] = kAfterString;
  }
  for (int c = '0'; c <= '9'; ++c) classes[c] = kIdentifier;
  classes['.'] = classes['-'] = kIdentifier;
  for (int i = 0; i < 26; ++i) {
    classes['a' + i] = classes['A' + i] = kIdentifier | kIdentifierStart;
  }
  classes['_'] = kIdentifier | kIdentifierStart;
  return classes;
}

inline constexpr std::array<uint8_t, 256> HloScanner::kByteClasses =
    MakeByteClasses();

// Bit i of the result is the exclusive-or of bits 0 to i.
inline uint64_t PrefixXor(uint64_t bits) {
  bits ^= bits << 1;
  bits ^= bits << 2;
  bits ^= bits << 4;
  bits ^= bits << 8;
  bits ^= bits << 16;
  return bits ^ bits << 32;
}

template <ByteIndex::Class c, typename Visit>
bool HloScanner::VisitOutsideStrings(const char* p, bool in_dictionary,
                                     Visit visit) const {
  size_t block = (p - begin_) / ByteIndex::kBlockSize;
  uint64_t after = ~uint64_t{0} << ((p - begin_) % ByteIndex::kBlockSize);
  uint64_t starts_in_string = 0;  // or all ones
  while (const ByteIndex::Block* const bits = index_.BlockAt(block)) {
    const uint64_t in_string =
        PrefixXor((*bits)[ByteIndex::kQuote] & after) ^ starts_in_string;
    uint64_t unclear = (*bits)[ByteIndex::kBackslashOrLineBreak] & after;
    if (!in_dictionary) {
      unclear |= (*bits)[ByteIndex::kApostropheOrSlash] & ~in_string & after;
    }
    while (unclear != 0 &&
           IsPartOfIndexComment(begin_ + block * ByteIndex::kBlockSize +
                                absl::countr_zero(unclear))) {
      unclear &= unclear - 1;
    }
    uint64_t found = (*bits)[c] & ~in_string & after;
    // Keep only the bytes before the first unclear one.
    if (unclear != 0) found &= (unclear & -unclear) - 1;
    // `visit` may look ahead, which may overwrite `bits`.
    for (; found != 0; found &= found - 1) {
      if (!visit(begin_ + block * ByteIndex::kBlockSize +
                 absl::countr_zero(found))) {
        return true;
      }
    }
    if (unclear != 0) return false;
    starts_in_string = in_string >> 63 != 0 ? ~uint64_t{0} : 0;
    after = ~uint64_t{0};
    ++block;
  }
  return false;
}

}  // namespace hlo_internal
}  // namespace tessera

#endif  // TESSERA_HLO_READER_HLO_SCANNER_H_
