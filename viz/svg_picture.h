// A picture of a layout as an SVG document.
//
//   #include "tessera/index_util/to_index_map.h"
//   #include "tessera/parser/parser.h"
//
//   const IndexMap map = *ToIndexMap(*ParseShape("f32[3,5]{1,0:T(2,2)}"));
//   SvgStyle style;
//   style.title = "f32[3,5]{1,0:T(2,2)}";
//   RenderSvg(*MakePicture(map, {}), style);
//       // "<svg ...<title>f32[3,5]{1,0:T(2,2)}</title>..."
//
// The document is self-contained: it loads nothing, runs nothing, and follows
// the reader's choice of a light or a dark background. Lines and hatching
// repeat the information of colours, so it can be read in black and white.
// Every cell has a tooltip, and text in the cell at (2,3) is an element <text
// class="n" data-at="2,3">. The same picture gives the same bytes.

#ifndef TESSERA_VIZ_SVG_PICTURE_H_
#define TESSERA_VIZ_SVG_PICTURE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "tessera/viz/picture.h"
#include "tessera/viz/picture_style.h"

namespace tessera {

// Names of boxes of cells, such as the cores that hold the shards of a tensor.
struct SvgBoxNames {
  // The cells of a box; the first begins at cell 0. 0: there are no names.
  int64_t rows = 0;
  int64_t columns = 0;
  // By row and column of boxes. Drawn in the first cell of a box that is in the
  // window, and in the tooltips of its cells.
  std::vector<std::vector<std::string>> names;
};

struct SvgStyle {
  // Shown above the picture, escaped; characters other than printable ASCII
  // become `?`. If it is empty, nothing is shown.
  std::string title;
  CellText text = CellText::kPositions;
  // Whether a line goes through the cells in the order of memory.
  bool path = false;
  SvgBoxNames names;
  // More lines of the legend.
  std::vector<std::string> notes;
};

// Returns well-formed XML that ends with a line break. The memory of the
// picture, if it has any, is drawn below its cells.
std::string RenderSvg(const Picture& picture, const SvgStyle& style);

}  // namespace tessera

#endif  // TESSERA_VIZ_SVG_PICTURE_H_
