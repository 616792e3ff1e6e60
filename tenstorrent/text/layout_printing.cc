#include "tessera/tenstorrent/text/layout_printing.h"

#include <string_view>

namespace tessera::tenstorrent {

void AppendDimensions(absl::Span<const int64_t> dimensions,
                      TextWriter* writer) {
  for (size_t i = 0; i < dimensions.size(); ++i) {
    if (i > 0) writer->Char('x');
    writer->Int(dimensions[i]);
  }
}

void AppendShaped(std::string_view name, absl::Span<const int64_t> shape,
                  const ElementType& element, std::string_view dialect,
                  TextWriter* writer) {
  Append(writer, name, '<');
  AppendDimensions(shape, writer);
  if (!shape.empty()) writer->Char('x');
  element.AppendTo(writer, dialect);
  writer->Text(", ");
}

}  // namespace tessera::tenstorrent
