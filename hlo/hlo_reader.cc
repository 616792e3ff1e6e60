#include "tessera/hlo/hlo_reader.h"

#include <string_view>

#include "tessera/hlo/hlo_handler.h"
#include "tessera/hlo/hlo_shape_table.h"
#include "tessera/hlo/reader/text_reader.h"

namespace tessera {

HloCounts ReadHlo(std::string_view text, HloShapeTable* shapes,
                  HloHandler* handler) {
  // Pointers into the text are compared, and a null one stands for none.
  if (text.data() == nullptr) text = std::string_view("", 0);
  return hlo_internal::TextReader(text, shapes, handler).Read();
}

}  // namespace tessera
