// File: service/place_kind.h
//
// What lies at a position, in the words of the service.
//
//   ToPlaceKind(PositionKind::kTail);                         // TAIL_PADDING
//   ToPlaceKind(tenstorrent::PlaceContents::kGridPadding);  // GRID_PADDING

#ifndef TESSERA_SERVICE_PLACE_KIND_H_
#define TESSERA_SERVICE_PLACE_KIND_H_

#include "proto/layout_service.pb.h"
#include "tessera/index_map/index_map.h"
#include "tessera/tenstorrent/placement.h"

namespace tessera {

inline PlaceKind ToPlaceKind(PositionKind kind) {
  switch (kind) {
    case PositionKind::kElement:
      return ELEMENT;
    case PositionKind::kPadding:
      return TILE_PADDING;
    case PositionKind::kGap:
      return GAP;
    case PositionKind::kTail:
      break;
  }
  return TAIL_PADDING;
}

inline PlaceKind ToPlaceKind(tenstorrent::PlaceContents contents) {
  switch (contents) {
    case tenstorrent::PlaceContents::kElement:
      return ELEMENT;
    case tenstorrent::PlaceContents::kTilePadding:
      return TILE_PADDING;
    case tenstorrent::PlaceContents::kGridPadding:
      return GRID_PADDING;
    case tenstorrent::PlaceContents::kGap:
      break;
  }
  return GAP;
}

}  // namespace tessera

#endif  // TESSERA_SERVICE_PLACE_KIND_H_
