#include "tessera/viz/picture_style.h"

#include <algorithm>
#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tessera/base/math/checked_arithmetic.h"

namespace tessera {

std::string TextOfIndex(absl::Span<const int64_t> index) {
  return index.empty() ? "()" : absl::StrJoin(index, ",");
}

std::string TextOfCell(const Picture& picture, int64_t row, int64_t column,
                       CellText text) {
  const Picture::Cell& cell = picture.At(row, column);
  switch (text) {
    case CellText::kPositions:
      if (cell.kind == Picture::CellKind::kNothing) return "";
      return absl::StrCat(cell.position);
    case CellText::kIndices:
      if (cell.kind != Picture::CellKind::kElement) return "";
      return TextOfIndex(picture.IndexAt(row, column));
    case CellText::kNothing:
      break;
  }
  return "";
}

std::string TextOfNote(const Picture::Note& note, CellText text) {
  if (note.subject != Picture::Note::Subject::kNumbers) return note.text;
  switch (text) {
    case CellText::kPositions:
      return note.text;
    case CellText::kIndices:
      return "A cell shows the index of its element.";
    case CellText::kNothing:
      break;
  }
  return "";
}

int64_t PlacesInALine(const Picture& picture, int64_t fit) {
  const int64_t count = static_cast<int64_t>(picture.memory.size());
  if (count <= fit) return std::max<int64_t>(count, 1);
  if (fit <= 1) return 1;
  int64_t tile = picture.columns.count;
  if (!picture.levels.empty()) {
    tile = CheckedMultiply(picture.levels[0].rows, picture.levels[0].columns)
               .value_or(count);
  }
  const int64_t even = CeilOfRatio(count, CeilOfRatio(count, fit));
  const std::optional<int64_t> in_tiles = CheckedRoundUp(even, tile);
  if (in_tiles.has_value() && *in_tiles <= fit) return *in_tiles;
  if (tile <= fit) return fit / tile * tile;
  for (int64_t along = fit; along > fit / 2; --along) {
    if (tile % along == 0) return along;
  }
  return even;
}

LineWeight LineBefore(const Picture& picture, const Picture::Axis& axis,
                      int64_t cell, int64_t TileLevel::*extent) {
  const bool is_edge = cell == 0 || cell == axis.count;
  if (picture.levels.empty()) {
    return is_edge ? LineWeight::kThin : LineWeight::kNone;
  }
  if (is_edge || axis.BeginsTile(cell, picture.levels[0].*extent)) {
    return LineWeight::kThick;
  }
  for (const TileLevel& level : picture.levels) {
    if (axis.BeginsTile(cell, level.*extent)) return LineWeight::kThin;
  }
  return LineWeight::kNone;
}

}  // namespace tessera
