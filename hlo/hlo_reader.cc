#include "tessera/hlo/hlo_reader.h"

#include "absl/strings/string_view.h"
#include "tessera/hlo/hlo_handler.h"
#include "tessera/hlo/hlo_shape_table.h"
#include "tessera/hlo/reader/window_reader.h"

namespace tessera {

HloCounts ReadHlo(absl::string_view text, HloShapeTable* shapes,
                  HloHandler* handler) {
  WindowReader reader(shapes, handler);
  // A null pointer stands for no window yet.
  if (text.data() == nullptr) text = absl::string_view("", 0);
  reader.Read(text, /*is_last=*/true);
  return reader.counts();
}

}  // namespace tessera
