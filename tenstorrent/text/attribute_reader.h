// Reads the parts that the texts of all layouts have in common: sizes, element
// types and keywords. Errors have their place in the text.
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
// MlirReader reads the parts that belong to MLIR alone.

#ifndef TESSERA_TENSTORRENT_TEXT_ATTRIBUTE_READER_H_
#define TESSERA_TENSTORRENT_TEXT_ATTRIBUTE_READER_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/base/text/absl_view.h"
#include "tessera/base/text/mlir_reader.h"
#include "tessera/tenstorrent/affine/affine_map.h"
#include "tessera/tenstorrent/dimensions.h"
#include "tessera/tenstorrent/element_type.h"

namespace tessera::tenstorrent {

class AttributeReader : public MlirReader {
 public:
  // The limit on a list of sizes, the same as on the dimensions of an affine
  // map. It is a limit of this library.
  static constexpr size_t kMaxSizes = AffineExpression::kMaxDims;

  using MlirReader::MlirReader;

  // Reads "18x32". An empty text is a list without sizes, as MLIR prints it.
  bool ReadSizes(Dimensions* sizes);
  // Reads "memref<18x32xf32": a shaped type up to its attribute.
  bool ReadShaped(std::string_view name, Dimensions* shape,
                  ElementType* element);
  // Reads a map that is written out, bare or in affine_map<...>.
  bool ReadInlineMap(AffineMap* map);
  bool AtInlineMap();

  // Reads one of the keywords of an enumeration.
  template <typename Enum, size_t n>
  bool ReadKeyword(std::string_view what, const Enum (&values)[n],
                   Enum* value) {
    if (TakeKeyword(values, value)) return true;
    std::vector<std::string_view> keywords;
    AppendKeywords(values, &keywords);
    return FailExpected(StrCat(what, " (", OneOf(keywords), ")"));
  }
  // Moves past one of these keywords if it comes next.
  template <typename Enum, size_t n>
  bool TakeKeyword(const Enum (&values)[n], Enum* value) {
    for (const Enum candidate : values) {
      if (cursor().TakeKeyword(KeywordOf(candidate))) {
        *value = candidate;
        return true;
      }
    }
    return false;
  }
  template <typename Enum, size_t n>
  static void AppendKeywords(const Enum (&values)[n],
                             std::vector<std::string_view>* keywords) {
    for (const Enum value : values) keywords->push_back(KeywordOf(value));
  }
  // "system, mmio or dram"
  static std::string OneOf(const std::vector<std::string_view>& words);

  // Reads "f32" or "!tt.tile<32x32, f32>".
  bool ReadElementType(std::string_view what, ElementType* element);
  // Reads the sizes and the type after "!tt.tile".
  bool ReadTile(ElementType* element);
};

}  // namespace tessera::tenstorrent

#endif  // TESSERA_TENSTORRENT_TEXT_ATTRIBUTE_READER_H_
