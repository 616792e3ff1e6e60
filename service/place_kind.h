// File: service/place_kind.h
//
// What lies at a position, in the words of the service.
//
//   ToPlaceKind(PositionKind::kTail);                         // TAIL_PADDING
//   ToPlaceKind(tensor_layout::PlaceContents::kGridPadding);  // GRID_PADDING

#ifndef TESSERA_SERVICE_PLACE_KIND_H_
#define TESSERA_SERVICE_PLACE_KIND_H_

#include "proto/layout_service.pb.h"
#include "tessera/index_map/index_map.h"
#include "tessera/tensor_layout/placement.h"

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

inline PlaceKind ToPlaceKind(tensor_layout::PlaceContents contents) {
  switch (contents) {
    case tensor_layout::PlaceContents::kElement:
      return ELEMENT;
    case tensor_layout::PlaceContents::kTilePadding:
      return TILE_PADDING;
    case tensor_layout::PlaceContents::kGridPadding:
      return GRID_PADDING;
    case tensor_layout::PlaceContents::kGap:
      break;
  }
  return GAP;
}

}  // namespace tessera

#endif  // TESSERA_SERVICE_PLACE_KIND_H_
