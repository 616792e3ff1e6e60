#include "tessera/tenstorrent/element_type_parser.h"

#include <string_view>

#include "tessera/tenstorrent/text/attribute_reader.h"

namespace tessera::tenstorrent {

absl::StatusOr<ElementType> ParseElementType(std::string_view text) {
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

}  // namespace tessera::tenstorrent
