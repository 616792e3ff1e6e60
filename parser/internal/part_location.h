// Finds the part of an array's text that breaks a rule.
//
// The reader keeps no positions, for almost every text is
// right; a text that is wrong is scanned a second time.
//
//   Violation violation;
//   violation.part = ShapePart::kMinorToMajor;
//   violation.i = 1;
//   PartLocation("f32[2,3]{0,0}", violation);  // 11

#ifndef TESSERA_PARSER_INTERNAL_PART_LOCATION_H_
#define TESSERA_PARSER_INTERNAL_PART_LOCATION_H_

#include <cstdint>
#include <string_view>

#include "tessera/layout/violation.h"

namespace tessera::parser_internal {

// Returns the offset in bytes of the first token of `violation`'s part in
// `text`, the text of an array, a layout or a tile without syntax errors; 0 if
// the text does not mention that part.
int64_t PartLocation(std::string_view text, const Violation& violation);

}  // namespace tessera::parser_internal

#endif  // TESSERA_PARSER_INTERNAL_PART_LOCATION_H_
