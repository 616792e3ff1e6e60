// File: tenstorrent/text/attribute_reader.h
//
// What the texts of the layouts have in common, for their readers: sizes,
// element types, keywords, and errors that say where.
//
//   AttributeReader reader("<2x4>, memref<8x!tt.tile<32x32, bf16>");
//   Dimensions grid, shape;
//   ElementType element;
//   reader.Expect('<');                       // true
//   reader.ReadSizes(&grid);                  // true, grid == {2, 4}
//   reader.Expect('>');                       // true
//   reader.Expect(',');                       // true
//   reader.ReadShaped("memref", &shape, &element);   // true, {8}, the tile
//   reader.Expect(',');                       // false
//   reader.status();    // "1:38: expected ',', found end of text ..."
//
// Private to tenstorrent/. Every function that returns bool returns false
// after an error, which status() tells, and is not to be called again then.

#ifndef TESSERA_TENSTORRENT_TEXT_ATTRIBUTE_READER_H_
#define TESSERA_TENSTORRENT_TEXT_ATTRIBUTE_READER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "tessera/tenstorrent/affine/affine_map.h"
#include "tessera/tenstorrent/dimensions.h"
#include "tessera/tenstorrent/element_type.h"
#include "tessera/tenstorrent/text/mlir_cursor.h"

namespace tessera {
namespace tenstorrent {

class AttributeReader {
 public:
  // Of a list of sizes, as of the dimensions of an affine map. A limit of this
  // library.
  static constexpr size_t kMaxSizes = AffineExpression::kMaxDims;

  // `text` must outlive the reader.
  explicit AttributeReader(absl::string_view text)
      : text_(text.data() == nullptr ? "" : text), cursor_(text_, 0) {}

  absl::string_view text() const { return text_; }
  const absl::Status& status() const { return status_; }
  MlirCursor& cursor() { return cursor_; }
  // Of the next token.
  const char* position() {
    cursor_.SkipBlanks();
    return cursor_.position();
  }

  bool Fail(const char* at, absl::string_view message,
            absl::StatusCode code = absl::StatusCode::kInvalidArgument);
  // "expected `what`, found ..." at the next token.
  bool FailExpected(absl::string_view what);
  // kResourceExhausted at the next token.
  bool FailTooMany(absl::string_view message);

  bool Expect(char c);
  bool ExpectKeyword(absl::string_view keyword);

  // Reads a number from 0.
  bool ReadNumber(absl::string_view what, int64_t* number);
  // Reads a number with or without a '-'.
  bool ReadInteger(absl::string_view what, int64_t* integer);
  // Reads a number in a list of sizes; `what` is "size" or the like.
  bool ReadSize(absl::string_view what, int64_t* size);
  // Reads "18x32"; nothing at all is a list without sizes, as MLIR prints it.
  bool ReadSizes(Dimensions* sizes);
  // Reads "memref<18x32xf32": a shaped type up to its attribute.
  bool ReadShaped(absl::string_view name, Dimensions* shape,
                  ElementType* element);
  // Reads a map that is written out, bare or in affine_map<...>.
  bool ReadInlineMap(AffineMap* map);
  bool AtInlineMap();

  // Moves past a bracket and all up to the one that closes it, whatever it is.
  // Precondition: an opening bracket comes next.
  bool SkipBrackets();

  // Reads one of the keywords of an enumeration.
  template <typename Enum, size_t n>
  bool ReadKeyword(absl::string_view what, const Enum (&values)[n],
                   Enum* value) {
    if (TakeKeyword(values, value)) return true;
    std::vector<absl::string_view> keywords;
    AppendKeywords(values, &keywords);
    return FailExpected(absl::StrCat(what, " (", OneOf(keywords), ")"));
  }
  // Moves past one of these keywords if it comes next.
  template <typename Enum, size_t n>
  bool TakeKeyword(const Enum (&values)[n], Enum* value) {
    for (const Enum candidate : values) {
      if (cursor_.TakeKeyword(KeywordOf(candidate))) {
        *value = candidate;
        return true;
      }
    }
    return false;
  }
  template <typename Enum, size_t n>
  static void AppendKeywords(const Enum (&values)[n],
                             std::vector<absl::string_view>* keywords) {
    for (const Enum value : values) keywords->push_back(KeywordOf(value));
  }
  // "system, mmio or dram"
  static std::string OneOf(const std::vector<absl::string_view>& words);

  // Reads "f32" or "!tt.tile<32x32, f32>".
  bool ReadElementType(absl::string_view what, ElementType* element);
  // Reads what stands behind "!tt.tile".
  bool ReadTile(ElementType* element);

 private:
  bool AtSize();

  absl::string_view text_;
  MlirCursor cursor_;
  absl::Status status_;
};

}  // namespace tenstorrent
}  // namespace tessera

#endif  // TESSERA_TENSTORRENT_TEXT_ATTRIBUTE_READER_H_
