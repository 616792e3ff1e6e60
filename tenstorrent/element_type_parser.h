// Reads the text of an element type.
//
//   ParseElementType("bf16")->ToString();                 // "bf16"
//   ParseElementType("!tt.tile<32x32, bfp_bf8>")->ToString();
//                                              // "!tt.tile<32x32, bfp_bf8>"
//   ParseElementType("tile<32x32,bfp_bf8>")->ToString();
//                                              // "!tt.tile<32x32, bfp_bf8>"

#ifndef TESSERA_TENSTORRENT_ELEMENT_TYPE_PARSER_H_
#define TESSERA_TENSTORRENT_ELEMENT_TYPE_PARSER_H_

#include <string_view>

#include "absl/status/statusor.h"
#include "tessera/tenstorrent/element_type.h"

namespace tessera::tenstorrent {

// Reads a scalar, or a tile as in metal_layout.h, whose "!tt." may be left
// out. Errors: kInvalidArgument or kOutOfRange, with its place.
absl::StatusOr<ElementType> ParseElementType(std::string_view text);

}  // namespace tessera::tenstorrent

#endif  // TESSERA_TENSTORRENT_ELEMENT_TYPE_PARSER_H_
