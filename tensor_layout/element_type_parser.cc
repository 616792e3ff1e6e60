#include "tessera/tensor_layout/element_type_parser.h"

#include "tessera/tensor_layout/attribute_reader.h"

namespace tessera {
namespace tensor_layout {

absl::StatusOr<ElementType> ParseElementType(absl::string_view text) {
  AttributeReader reader(text);
  ElementType element;
  const bool is_read =
      reader.cursor().TakeKeyword("tile")
          ? reader.ReadTile(&element)
          : reader.ReadElementType("an element type", &element);
  if (!is_read) return reader.status();
  if (!reader.cursor().AtEnd()) {
    reader.FailExpected("the end of the element type");
    return reader.status();
  }
  return element;
}

}  // namespace tensor_layout
}  // namespace tessera
