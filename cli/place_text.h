// File: cli/place_text.h
//
// Words for what lies at a position.
//
//   PlaceText(ELEMENT);        // "element"
//   PlaceText(TILE_PADDING);   // "padding (tile)"

#ifndef TESSERA_CLI_PLACE_TEXT_H_
#define TESSERA_CLI_PLACE_TEXT_H_

#include "absl/strings/string_view.h"
#include "proto/layout_service.pb.h"

namespace tessera {

inline absl::string_view PlaceText(PlaceKind kind) {
  switch (kind) {
    case TILE_PADDING:
      return "padding (tile)";
    case GRID_PADDING:
      return "padding (grid)";
    case GAP:
      return "padding (gap)";
    case TAIL_PADDING:
      return "padding (tail)";
    default:
      return "element";
  }
}

}  // namespace tessera

#endif  // TESSERA_CLI_PLACE_TEXT_H_
