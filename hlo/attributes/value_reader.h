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
// White space and comments may stand before any token, as base/text/cursor.h
// has it.

#ifndef TESSERA_HLO_ATTRIBUTES_VALUE_READER_H_
#define TESSERA_HLO_ATTRIBUTES_VALUE_READER_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tessera/base/text/cursor.h"
#include "tessera/hlo/hlo_string.h"
#include "tessera/hlo/reader/hlo_scanner.h"
#include "tessera/shape/shape_index.h"

namespace tessera {

class ValueReader {
 public:
  // `text` must outlive the reader; `subject` is what its errors begin with.
  ValueReader(std::string_view text, std::string_view subject)
      : text_(text.data() == nullptr ? std::string_view("", 0) : text),
        scanner_(text_),
        subject_(subject),
        cursor_(text_) {}

  // Of the first function that returned false, save those that only look.
  const absl::Status& status() const { return status_; }
  void set_subject(std::string_view subject) { subject_ = subject; }

  // Looking on, and moving past what is there. Where it is not, nothing fails.
  bool Take(char c) { return cursor_.Take(c); }
  bool TakePair(char a, char b) { return cursor_.TakePair(a, b); }
  std::string_view TakeIdentifier() { return cursor_.TakeIdentifier(); }
  bool AtEnd() { return cursor_.AtEnd(); }
  bool AtInteger() { return cursor_.AtInteger(); }
  bool At(char c) { return Cursor(cursor_).Take(c); }
  bool AtString() { return At('"') || At('\''); }

  // Where the next token begins, in bytes from the start of the text.
  size_t offset() {
    cursor_.SkipBlanks();
    return cursor_.position() - text_.data();
  }
  std::string_view rest() { return text_.substr(offset()); }
  // Precondition: `offset` is in the text or at its end.
  void MoveTo(size_t offset) { cursor_ = Cursor(text_.substr(offset)); }

  // Each of these reads what its name says, or fails.
  bool Read(char c);
  bool ReadInteger(int64_t* value, std::string_view expected = "an integer");
  // At least `least`; what it is, such as "the parameter number".
  bool ReadIntegerFrom(int64_t least, std::string_view what, int64_t* value);
  bool ReadString(HloString* string);
  // "%x", "x" and "x:" are the name x.
  bool ReadName(std::string_view* name);
  bool ReadKey(std::string_view* key);  // up to and with its '='
  bool ReadBool(bool* value);           // "true" or "false"
  // "{1,0}"; a negative number fails.
  bool ReadShapeIndex(ShapeIndex* index);
  bool ReadEnd();

  // "{3,5}" or "{}": appends to any container of integers.
  template <typename Integers>
  bool ReadIntegers(Integers* integers) {
    return ReadList('{', '}', [&] {
      int64_t integer;
      if (!ReadInteger(&integer)) return false;
      integers->push_back(integer);
      return true;
    });
  }

  // `open`, elements with commas between them, and `close`; perhaps none.
  template <typename ReadElement>
  bool ReadList(char open, char close, ReadElement read_element) {
    if (!Read(open)) return false;
    if (Take(close)) return true;
    do {
      if (!read_element()) return false;
    } while (Take(','));
    return Take(close) || FailNoEndOfList(close);
  }

  // As ReadList with braces, and there may be a comma after the last element:
  // so XLA reads lists of aliases.
  template <typename ReadElement>
  bool ReadLooseList(ReadElement read_element) {
    if (!Read('{')) return false;
    while (!Take('}')) {
      if (!read_element()) return false;
      if (!Take(',') && !At('}')) return FailNoEndOfList('}');
    }
    return true;
  }

  // "{a=1 b=2, c="x"}": calls `read_value(key, offset_of_key)` at each value,
  // which it must read; there may be a comma before any key.
  template <typename ReadValue>
  bool ReadEntries(ReadValue read_value) {
    if (!Read('{')) return false;
    while (!Take('}')) {
      Take(',');
      const size_t at = offset();
      std::string_view key;
      if (!ReadKey(&key) || !read_value(key, at)) return false;
    }
    return true;
  }

  // Moves past a value of any kind: a string, a word or number, or whatever
  // stands in brackets.
  bool SkipValue();

  // Each returns false.
  bool Fail(size_t offset, std::string_view message,
            absl::StatusCode code = absl::StatusCode::kInvalidArgument);
  // At the next token: "expected ')', found '}'".
  bool FailExpected(std::string_view expected);
  // What another parser found in rest(), as it was at `offset`.
  bool FailWith(const absl::Status& status, size_t offset);

 private:
  bool FailNoEndOfList(char close);

  std::string_view text_;
  hlo_internal::HloScanner scanner_;
  std::string_view subject_;
  Cursor cursor_;
  absl::Status status_;
};

// Returns what `read(&reader, &value)` reads into a Value, as all there is in
// the text.
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

// Returns the elements of a list in braces, each of which
// `read_element(&reader, &element)` reads. A comma may stand after the last if
// `is_loose`.
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
        return is_loose ? reader->ReadLooseList(read)
                        : reader->ReadList('{', '}', read);
      });
}

}  // namespace tessera

#endif  // TESSERA_HLO_ATTRIBUTES_VALUE_READER_H_
