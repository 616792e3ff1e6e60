// File: viz/layout_picture.h
//
// Pictures of layouts of any family: what fits a layout, and what fits a
// terminal.
//
//   #include "tessera/any_layout/any_layout.h"
//
//   const AnyLayout layout = *ParseAnyLayout("f32[3,5]{1,0:T(2,2)}");
//   const IndexMap map = *ToIndexMap(layout);
//   const PictureOptions options = PictureOptionsFor(layout, map);
//   options.tiles;   // {{2, 2}}
//   TextStyle style;
//   style.columns = 20;
//   MakeFittingPicture(map, options, style)->columns.window.count;   // 2

#ifndef TESSERA_VIZ_LAYOUT_PICTURE_H_
#define TESSERA_VIZ_LAYOUT_PICTURE_H_

#include "absl/status/statusor.h"
#include "tessera/any_layout/any_layout.h"
#include "tessera/index_map/index_map.h"
#include "tessera/index_map/position_unit.h"
#include "tessera/viz/picture.h"
#include "tessera/viz/text_picture.h"

namespace tessera {

// Returns the tiles that the text of the layout names, and the names of its
// positions; for a CuTe layout also modes 0 and 1 as rows and columns. `map` is
// ToIndexMap(layout, unit), which takes the layout.
PictureOptions PictureOptionsFor(const AnyLayout& layout, const IndexMap& map,
                                 PositionUnit unit = PositionUnit::kElements);

// Returns a picture of at most 32 rows that is no wider than style.columns, if
// more than one column is. Of columns that no option asks for, only whole tiles
// are drawn if there is one. Errors: those of MakePicture.
absl::StatusOr<Picture> MakeFittingPicture(const IndexMap& map,
                                           PictureOptions options,
                                           const TextStyle& style);

}  // namespace tessera

#endif  // TESSERA_VIZ_LAYOUT_PICTURE_H_
