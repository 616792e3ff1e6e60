// Reads the value of one attribute, token by token. For the decoders in hlo/.
//
//   ValueReader reader("{3,5}", "dimensions");
//   std::vector<int64_t> numbers;
//   reader.ReadIntegers(&numbers) && reader.ReadEnd();  // true: 3 and 5
//
//   ValueReader broken("{3,x}", "dimensions");
//   broken.ReadIntegers(&numbers);  // false, and broken.status() is
//   // 1:4: in dimensions: expected an integer, found 'x'
//
// White space and comments may precede any token, as in base/text/cursor.h.

#ifndef TESSERA_HLO_ATTRIBUTES_VALUE_READER_H_
#define TESSERA_HLO_ATTRIBUTES_VALUE_READER_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/cursor.h"
#include "tessera/hlo/hlo_string.h"
#include "tessera/hlo/reader/hlo_scanner.h"
#include "tessera/shape/shape_index.h"

namespace tessera {

class ValueReader {
 public:
  // `text` must outlive the reader. Error messages begin with `subject`.
  ValueReader(std::string_view text, std::string_view subject)
      : text_(text.data() == nullptr ? std::string_view("", 0) : text),
        scanner_(text_),
        subject_(subject),
        cursor_(text_) {}

  // The error of the first function that failed; looking ahead is not an error.
  const absl::Status& status() const { return status_; }
  void set_subject(std::string_view subject) { subject_ = subject; }

  // These look ahead, or move past a token if it is next. They never fail.
  bool Take(char c) { return cursor_.Take(c); }
  bool TakePair(char a, char b) { return cursor_.TakePair(a, b); }
  std::string_view TakeIdentifier() { return cursor_.TakeIdentifier(); }
  bool AtEnd() { return cursor_.AtEnd(); }
  bool AtInteger() { return cursor_.AtInteger(); }
  bool At(char c) { return Cursor(cursor_).Take(c); }
  bool AtString() { return At('"') || At('\''); }

  // Returns the offset of the next token, from the start of the text.
  size_t offset() {
    cursor_.SkipBlanks();
    return cursor_.position() - text_.data();
  }
  std::string_view rest() { return text_.substr(offset()); }
  // Precondition: `offset` is in the text or at its end.
  void MoveTo(size_t offset) { cursor_ = Cursor(text_.substr(offset)); }

  // Each of these reads the item in its name, or fails.
  bool Read(char c);
  bool ReadInteger(int64_t* value, std::string_view expected = "an integer");
  // Reads an integer >= `least`. `what` names it: "the parameter number".
  bool ReadIntegerFrom(int64_t least, std::string_view what, int64_t* value);
  bool ReadString(HloString* string);
  // Reads a name: x in "%x", "x" and "x:".
  bool ReadName(std::string_view* name);
  bool ReadBool(bool* value);  // "true" or "false"
  // Reads "{1,0}"; fails on a negative number.
  bool ReadShapeIndex(ShapeIndex* index) {
    return ReadIntegersFrom(0, "a shape index", '{', '}', index);
  }
  bool ReadEnd() { return AtEnd() || FailExpected("end of text"); }

  // Reads "{3,5}" or "{}", and appends to any container of integers.
  template <typename Integers>
  bool ReadIntegers(Integers* integers) {
    return ReadIntegersFrom(std::numeric_limits<int64_t>::min(), "an integer",
                            '{', '}', integers);
  }

  // Like ReadIntegers, for ReadIntegerFrom and any brackets.
  template <typename Integers>
  bool ReadIntegersFrom(int64_t least, std::string_view what, char open,
                        char close, Integers* integers) {
    return ReadList(open, close, [&] {
      int64_t integer;
      if (!ReadIntegerFrom(least, what, &integer)) return false;
      integers->push_back(integer);
      return true;
    });
  }

  // Reads `open`, a comma-separated list that may be empty, and `close`. If
  // `is_loose`, a comma may follow the last element, as in XLA's lists of
  // aliases.
  template <typename ReadElement>
  bool ReadList(char open, char close, ReadElement read_element,
                bool is_loose = false) {
    if (!Read(open)) return false;
    if (Take(close)) return true;
    do {
      if (!read_element()) return false;
    } while (Take(',') && !(is_loose && At(close)));
    return Take(close) ||
           FailExpected(StrCat("',' or '", std::string(1, close), "'"));
  }

  // Reads "{a=1 b=2, c="x"}". Calls `read_value(key, offset_of_key)` at each
  // value, and it must read that value. A comma may precede any key.
  template <typename ReadValue>
  bool ReadEntries(ReadValue read_value) {
    if (!Read('{')) return false;
    while (!Take('}')) {
      Take(',');
      const size_t at = offset();
      const std::string_view key = TakeIdentifier();
      if (key.empty()) return FailExpected("a key or '}'");
      if (!Read('=') || !read_value(key, at)) return false;
    }
    return true;
  }

  // Moves past a value of any kind: a string, a word, a number, or any text in
  // brackets.
  bool SkipValue();

  // Each of these returns false.
  bool Fail(size_t offset, std::string_view message,
            absl::StatusCode code = absl::StatusCode::kInvalidArgument);
  // Fails at the next token: "expected ')', found '}'".
  bool FailExpected(std::string_view expected);
  // Fails with the error of another parser, which read rest() at `offset`.
  bool FailWith(const absl::Status& status, size_t offset);

 private:
  std::string_view text_;
  hlo_internal::HloScanner scanner_;
  std::string_view subject_;
  Cursor cursor_;
  absl::Status status_;
};

// Returns the Value that `read(&reader, &value)` reads. It must be the whole
// text.
template <typename Value, typename Read>
absl::StatusOr<Value> DecodeAll(std::string_view text, std::string_view subject,
                                Read read) {
  ValueReader reader(text, subject);
  absl::StatusOr<Value> value(absl::in_place);
  if (!std::invoke(read, &reader, &*value) || !reader.ReadEnd()) {
    value = reader.status();
  }
  return value;
}

// Returns the elements of a list in braces. `read_element(&reader, &element)`
// reads each of them. `is_loose` is that of ReadList.
template <typename Element, typename ReadElement>
absl::StatusOr<std::vector<Element>> DecodeList(std::string_view text,
                                                std::string_view subject,
                                                bool is_loose,
                                                ReadElement read_element) {
  using Elements = std::vector<Element>;
  return DecodeAll<Elements>(
      text, subject, [&](ValueReader* reader, Elements* elements) {
        const auto read = [&] {
          return read_element(reader, &elements->emplace_back());
        };
        return reader->ReadList('{', '}', read, is_loose);
      });
}

}  // namespace tessera

#endif  // TESSERA_HLO_ATTRIBUTES_VALUE_READER_H_
