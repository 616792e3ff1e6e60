// Maps the name of an annotation to a part of a layout.
//
//   AnnotationPart("SC")  // ShapePart::kSplitConfig

#ifndef TESSERA_PARSER_INTERNAL_ANNOTATION_H_
#define TESSERA_PARSER_INTERNAL_ANNOTATION_H_

#include <string_view>

#include "tessera/layout/violation.h"

namespace tessera::parser_internal {

// Returns kWhole for D, which does not belong to a part and is dropped, and
// kLayout if `name` is not an annotation.
inline ShapePart AnnotationPart(std::string_view name) {
  if (name == "SC") return ShapePart::kSplitConfig;
  if (name.size() != 1) return ShapePart::kLayout;
  switch (name[0]) {
    case 'T':
      return ShapePart::kTile;
    case 'L':
      return ShapePart::kTailPadding;
    case '#':
      return ShapePart::kIndexType;
    case '*':
      return ShapePart::kPointerType;
    case 'E':
      return ShapePart::kElementSize;
    case 'S':
      return ShapePart::kMemorySpace;
    case 'P':
      return ShapePart::kPhysicalShape;
    case 'M':
      return ShapePart::kMetadataPrefix;
    case 'D':
      return ShapePart::kWhole;
    default:
      return ShapePart::kLayout;
  }
}

}  // namespace tessera::parser_internal

#endif  // TESSERA_PARSER_INTERNAL_ANNOTATION_H_
