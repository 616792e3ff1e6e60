// Converts the kind of a position to the service's PlaceKind and back.
//
//   ToPlaceKind(PositionKind::kTail);      // TAIL_PADDING
//   ToPositionKind(GRID_PADDING);          // PositionKind::kGridPadding

#ifndef TESSERA_SERVICE_QUESTIONS_PLACE_KIND_H_
#define TESSERA_SERVICE_QUESTIONS_PLACE_KIND_H_

#include "proto/layout_questions.pb.h"
#include "tessera/index_map/position_kind.h"

namespace tessera {

inline PlaceKind ToPlaceKind(PositionKind kind) {
  switch (kind) {
    case PositionKind::kElement:
      return ELEMENT;
    case PositionKind::kPadding:
      return TILE_PADDING;
    case PositionKind::kGridPadding:
      return GRID_PADDING;
    case PositionKind::kGap:
      return GAP;
    case PositionKind::kTail:
      break;
  }
  return TAIL_PADDING;
}

// Precondition: `kind` is one of the values that the message names.
inline PositionKind ToPositionKind(PlaceKind kind) {
  switch (kind) {
    case TILE_PADDING:
      return PositionKind::kPadding;
    case GRID_PADDING:
      return PositionKind::kGridPadding;
    case GAP:
      return PositionKind::kGap;
    case TAIL_PADDING:
      return PositionKind::kTail;
    default:
      return PositionKind::kElement;
  }
}

}  // namespace tessera

#endif  // TESSERA_SERVICE_QUESTIONS_PLACE_KIND_H_
