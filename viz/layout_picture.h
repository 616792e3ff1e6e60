// Picture options for layouts of any family, and pictures that fit a terminal.
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

// Returns options with the tiles of the layout and the names of its positions;
// for a CuTe layout also modes 0 and 1 as rows and columns. Precondition: `map`
// is ToIndexMap(layout, unit).
PictureOptions PictureOptionsFor(const AnyLayout& layout, const IndexMap& map,
                                 PositionUnit unit = PositionUnit::kElements);

// Returns a picture of at most 32 rows that is not wider than style.columns,
// unless a single column is. If the options do not choose the columns, draws
// only whole tiles, provided that one fits. Errors: those of MakePicture.
absl::StatusOr<Picture> MakeFittingPicture(const IndexMap& map,
                                           PictureOptions options,
                                           const TextStyle& style);

}  // namespace tessera

#endif  // TESSERA_VIZ_LAYOUT_PICTURE_H_
