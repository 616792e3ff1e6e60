#include "tessera/viz/layout_picture.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "tessera/base/math/status_macros.h"

namespace tessera {

PictureOptions PictureOptionsFor(const AnyLayout& layout, const IndexMap& map,
                                 PositionUnit unit) {
  PictureOptions options;
  options.tiles = TileExtents(layout);
  if (layout.As<CuteLayout>() != nullptr && map.rank() >= 2) {
    options.rows = 0;
    options.columns = 1;
  }
  const std::optional<int64_t> bits = ElementBits(layout);
  if (unit == PositionUnit::kBytes && bits.has_value()) {
    options.unit = "bytes";
    options.positions = "bytes";
    options.positions_per_element = *bits / 8;
  }
  return options;
}

absl::StatusOr<Picture> MakeFittingPicture(const IndexMap& map,
                                           PictureOptions options,
                                           const TextStyle& style) {
  constexpr int64_t kMaxRows = 32;
  const bool is_chosen = options.column_window.has_value();
  options.max_rows = kMaxRows;
  // More cells than fit, but not more than allowed.
  constexpr int64_t kNarrowestCell = 3;
  const int64_t rows = options.row_window.has_value()
                           ? std::max<int64_t>(options.row_window->count, 1)
                           : kMaxRows;
  options.max_columns =
      std::min(style.columns / kNarrowestCell, kMaxPictureCells / rows);
  while (true) {
    TESSERA_ASSIGN_OR_RETURN(Picture picture, MakePicture(map, options));
    PictureRange window = picture.columns.window;
    const int64_t width = GridWidth(picture, style);
    if (window.count <= 1) return picture;
    if (width > style.columns) {
      // At least one less, at most a number that is certainly too large.
      const int64_t cell = width / window.count + 1;
      window.count -= std::max<int64_t>(1, (width - style.columns) / cell);
    } else {
      const int64_t tile =
          picture.levels.empty() ? 1 : picture.levels[0].columns;
      const int64_t in_tiles = window.count / tile * tile;
      if (is_chosen || picture.columns.is_whole() || in_tiles == 0 ||
          in_tiles == window.count) {
        return picture;
      }
      window.count = in_tiles;
    }
    options.column_window = window;
  }
}

}  // namespace tessera
