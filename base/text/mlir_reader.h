// Reads MLIR text piece by piece, with errors that carry their place.
//
//   MlirReader reader("<4x8xf32, [-16, 2]");
//   int64_t size, stride;
//   reader.Expect('<');                      // true
//   reader.ReadSize("size", &size);          // true, size == 4
//   reader.Expect('x');                      // true
//   reader.ReadSize("size", &size);          // true, size == 8
//   reader.ExpectKeyword("xf32");            // true
//   reader.Expect(',');                      // true
//   reader.Expect('[');                      // true
//   reader.ReadInteger("a stride", &stride); // true, stride == -16
//   reader.Expect(']');                      // false
//   reader.status();   // "1:15: expected ']', found ',' ..."
//
// Every function that returns bool returns false after an error, which status()
// tells, and is not to be called again then.

#ifndef TESSERA_BASE_TEXT_MLIR_READER_H_
#define TESSERA_BASE_TEXT_MLIR_READER_H_

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "tessera/base/text/mlir_cursor.h"

namespace tessera {

class MlirReader {
 public:
  // `text` must outlive the reader.
  explicit MlirReader(std::string_view text)
      : text_(text.data() == nullptr ? "" : text), cursor_(text_, 0) {}

  std::string_view text() const { return text_; }
  const absl::Status& status() const { return status_; }
  MlirCursor& cursor() { return cursor_; }
  // Returns the position of the next token.
  const char* position() {
    cursor_.SkipBlanks();
    return cursor_.position();
  }

  bool Fail(absl::Status status);
  bool Fail(const char* at, std::string_view message,
            absl::StatusCode code = absl::StatusCode::kInvalidArgument);
  // Fails with "expected `what`, found ..." at the next token.
  bool FailExpected(std::string_view what);
  // Fails with kResourceExhausted at the next token.
  bool FailTooMany(std::string_view message);

  bool Expect(char c);
  bool ExpectKeyword(std::string_view keyword);

  // Reads a number from 0.
  bool ReadNumber(std::string_view what, int64_t* number);
  // Reads a number with or without a '-'.
  bool ReadInteger(std::string_view what, int64_t* integer);
  // Reads a number in a list of sizes; `what` is "size" or the like.
  bool ReadSize(std::string_view what, int64_t* size);
  // Returns whether a number or a '?' comes next.
  bool AtSize();

  // Moves past a bracket of any kind and its contents, including the closing
  // bracket. Precondition: an opening bracket comes next.
  bool SkipBrackets();

 private:
  std::string_view text_;
  MlirCursor cursor_;
  absl::Status status_;
};

}  // namespace tessera

#endif  // TESSERA_BASE_TEXT_MLIR_READER_H_
