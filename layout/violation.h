// The part of a shape or layout that breaks a rule.
//
// The validators report the part as data along with the message. The parser
// puts its caret under that part, and a tool can point at it.
//
//   #include "tessera/layout/validate_layout.h"
//
//   std::optional<Violation> violation =
//       FindLayoutViolation(Layout({0, 2}), F32, {2, 3});
//   violation->part;     // ShapePart::kMinorToMajor
//   violation->i;        // 1
//   violation->message;  // "minor_to_major[1] = 2 is outside [0, 2)"

#ifndef TESSERA_LAYOUT_VIOLATION_H_
#define TESSERA_LAYOUT_VIOLATION_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"

namespace tessera {

enum class ShapePart {
  kWhole,
  kElementType,
  kDimension,     // [i]
  kLayout,        // as a whole
  kMinorToMajor,  // [i]
  kTile,  // entry j of tile i; j is -1 where the tile as a whole is meant
  kTailPadding,
  kIndexType,
  kPointerType,
  kElementSize,
  kMemorySpace,
  kSplitConfig,  // index j of split i; j is -1 where its dimension is meant
  kPhysicalShape,
  kMetadataPrefix,
};

struct Violation {
  ShapePart part = ShapePart::kWhole;
  int64_t i = -1;
  int64_t j = -1;
  // Names the value and the rule that it breaks.
  std::string message;

  absl::Status ToStatus() const { return absl::InvalidArgumentError(message); }
};

}  // namespace tessera

#endif  // TESSERA_LAYOUT_VIOLATION_H_
