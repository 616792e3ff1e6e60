// The kind of a position: an element or a kind of padding, for every family.
//
//   #include "tessera/index_util/to_index_map.h"
//   #include "tessera/parser/parser.h"
//
//   const IndexMap map = *ToIndexMap(*ParseShape("f32[3,5]{1,0:T(2,2)}"));
//   std::vector<int64_t> index(2);
//   map.MultidimensionalIndex(9, absl::MakeSpan(index));
//                                           // PositionKind::kPadding
//   NameOf(PositionKind::kPadding);         // "padding (tile)"

#ifndef TESSERA_INDEX_MAP_POSITION_KIND_H_
#define TESSERA_INDEX_MAP_POSITION_KIND_H_

#include <cstdint>
#include <string_view>

namespace tessera {

enum class PositionKind : uint8_t {
  kElement,
  // The digits of the position name an index outside the bounds: a tile
  // reaches past the array. IndexMap::FailedBounds returns these bounds.
  kPadding,
  // No index reaches the position: it lies between those that digits can reach,
  // or its digits contradict a sum or a repeated dimension.
  kGap,
  // The position is past everything that digits can reach.
  kTail,
  // Only for Tenstorrent tensors: the position exists because of the rounding
  // up to whole shards. An IndexMap reports it as kPadding;
  // tenstorrent::Placement distinguishes the two.
  kGridPadding,
};

// Returns "element", "padding (tile)", "padding (grid)", "padding (gap)" or
// "padding (tail)".
inline std::string_view NameOf(PositionKind kind) {
  switch (kind) {
    case PositionKind::kElement:
      return "element";
    case PositionKind::kPadding:
      return "padding (tile)";
    case PositionKind::kGridPadding:
      return "padding (grid)";
    case PositionKind::kGap:
      return "padding (gap)";
    case PositionKind::kTail:
      break;
  }
  return "padding (tail)";
}

}  // namespace tessera

#endif  // TESSERA_INDEX_MAP_POSITION_KIND_H_
