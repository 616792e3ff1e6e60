// Draws a layout, tiles and all, as an SVG.

#include "tessera/viz/picture.h"

#include <iostream>

#include "tessera/index_util/tile_extents.h"
#include "tessera/index_util/to_index_map.h"
#include "tessera/parser/parser.h"
#include "tessera/viz/svg_picture.h"

int main() {
  const auto shape = tessera::ParseShape("bf16[10,14]{1,0:T(4,4)(2,1)}");
  if (!shape.ok()) return 1;
  const auto map = tessera::ToIndexMap(*shape);
  if (!map.ok()) return 1;
  tessera::PictureOptions options;
  options.tiles = tessera::TileExtents(*shape);
  const auto picture = tessera::MakePicture(*map, options);
  if (!picture.ok()) return 1;
  tessera::SvgStyle style;
  style.title = shape->ToString();
  std::cout << tessera::RenderSvg(*picture, style);
}
