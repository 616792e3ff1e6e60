// The picture of `tessera draw`: the map of a layout of any family, its title,
// and its picture options.
//
//   std::optional<Drawing> drawing =
//       ReadDrawing("f32[3,5]{1,0:T(2,2)}", LayoutFamily::kXla, {}, console);
//   drawing->title;          // "f32[3,5]{1,0:T(2,2)}"
//   drawing->options.tiles;  // {{2, 2}}

#ifndef TESSERA_CLI_LAYOUT_DRAWING_H_
#define TESSERA_CLI_LAYOUT_DRAWING_H_

#include <optional>
#include <string>
#include <vector>

#include "tessera/any_layout/layout_family.h"
#include "tessera/cli/output/console.h"
#include "tessera/index_map/index_map.h"
#include "tessera/parser/parse_options.h"
#include "tessera/viz/picture.h"
#include "tessera/viz/svg_picture.h"

namespace tessera::cli {

struct DrawingOptions {
  ParseOptions parse;  // of XLA's shapes
  // Whether positions count bytes. Only XLA arrays and strided arrays allow it.
  bool in_bytes = false;
};

struct Drawing {
  std::string title;
  IndexMap map;
  // The tiles in the text, and the units; for a CuTe layout also modes 0 and 1
  // as rows and columns.
  PictureOptions options;
  // The cores of a Tenstorrent tensor and the contents of their shards: a
  // heading, then one line per row of shards; empty if there are no cores, or
  // too many to list.
  std::vector<std::string> cores;
  // The cores, for pictures of a tensor of rank 2 whose dimensions are drawn in
  // their order.
  SvgBoxNames core_names;
};

// Returns nullopt, after a message, if the text is not a layout of the family.
std::optional<Drawing> ReadDrawing(const std::string& text, LayoutFamily family,
                                   const DrawingOptions& options,
                                   Console* console);

}  // namespace tessera::cli

#endif  // TESSERA_CLI_LAYOUT_DRAWING_H_
