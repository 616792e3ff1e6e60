// Finds the parts of a text that a reader of layouts needs, by their brackets.
//
//   MlirTokens tokens("%1 = \"ttnn.add\"(%0) : (tensor<2xf32, #l>) -> ...");
//   tokens.Next().kind;      // MlirToken::kLine
//   tokens.Next().text;      // "%1"
//   tokens.Next().kind;      // MlirToken::kEqual
//   tokens.Next().text;      // "\"ttnn.add\""
//   tokens.Next().kind;      // MlirToken::kOpen
//   tokens.Next().text;      // "%0"
//   tokens.Next().kind;      // MlirToken::kClose
//   tokens.Next().kind;      // MlirToken::kColon
//   tokens.Next().kind;      // MlirToken::kOpen
//   tokens.Next().text;      // "tensor<2xf32, #l>"
//
// The text need not be MLIR. Words, numbers and everything else without a
// meaning here are skipped. So a log with operations in its lines, a message
// with one type, and IR in the strings of JSON are read like a file of MLIR.
// Rules:
//
//   * Comments and strings are skipped. A quote without its end in the line
//     does not begin a string. "://" does not begin a comment.
//   * The strings of JSON are read like text, with \n and \" as the characters
//     that they mean: all strings of a document that begins with { or [, as
//     JSON does, and in other documents strings that follow a string and a
//     colon.
//   * tensor<...>, memref<...> and attributes that are layouts, such as
//     #ttnn.ttnn_layout<...>, are one token up to the bracket that closes them.
//     Without that bracket they are skipped like words. They are at most
//     kMaxTypeBytes long, and brackets in them nest kMaxNesting deep.
//
// Reads each byte a bounded number of times, keeps views of the text only, and
// never fails.

#ifndef TESSERA_TENSTORRENT_MLIR_FILE_MLIR_TOKENS_H_
#define TESSERA_TENSTORRENT_MLIR_FILE_MLIR_TOKENS_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tessera::tenstorrent {

struct MlirToken {
  enum Kind : uint8_t {
    kEnd,
    kLine,       // a line begins
    kValue,      // %name, %name#1
    kAttribute,  // #name, #dialect.name, #ttnn.ttnn_layout<...>
    kType,       // !name, !dialect.name
    kShaped,     // tensor<...>, memref<...>
    kString,     // with its quotes
    kBlock,      // ^name
    kSymbol,     // @name
    kArrow,      // ->
    kColon,
    kComma,
    kEqual,
    kOpen,   // ( [ { <
    kClose,  // ) ] } >
  };

  Kind kind = kEnd;
  // A part of the text. For kLine it is empty, at the beginning of the line.
  std::string_view text;
};

class MlirTokens {
 public:
  static constexpr size_t kMaxTypeBytes = size_t{1} << 18;
  static constexpr int kMaxNesting = 32;

  // `text` must outlive the tokens.
  explicit MlirTokens(std::string_view text);

  MlirToken Next();

  // Moves past the blanks and the word [A-Za-z_][A-Za-z0-9_$.]* that come next
  // and returns the word; if there is no word, stays and returns "".
  std::string_view TakeWord();
  // Return whether the next byte after blanks is `c`, or a digit.
  bool At(char c) const;
  bool AtDigit() const;
  // Returns the value of an alias from here up to the end of the line or of the
  // brackets that are open at the end of the line, and moves past it.
  std::string_view TakeAliasValue();

  // The place at which the search for the next token begins.
  const char* position() const { return position_; }
  // Goes back to a position of this text. Precondition: no string of JSON
  // begins or ends in between.
  void MoveTo(const char* position) { position_ = position; }
  // Whether this place is inside a string of JSON, where \" is a quote.
  bool in_json() const { return in_json_; }

 private:
  // Returns the place after the end of the bracket at `open`; null if it does
  // not close.
  const char* EndOfBrackets(const char* open) const;
  // Returns the place after the string that begins at `quote`; null if it does
  // not end.
  const char* EndOfString(const char* quote) const;
  const char* EndOfLine(const char* from) const;
  const char* EndOfName(const char* from) const;
  bool IsJsonValue(const char* quote) const;
  const char* SkipBlanks() const;
  MlirToken Take(MlirToken::Kind kind, const char* begin, const char* end);
  MlirToken TakeNamed(MlirToken::Kind kind);

  const char* begin_;
  const char* end_;
  const char* position_;
  bool is_json_ = false;  // the document
  bool in_json_ = false;  // a string
  bool at_start_ = true;
};

}  // namespace tessera::tenstorrent

#endif  // TESSERA_TENSTORRENT_MLIR_FILE_MLIR_TOKENS_H_
