// Checks that a layout is valid for an array of given dimensions.
//
//   ValidateLayout(Layout({0, 0}), F32, {2, 3});
//       // INVALID_ARGUMENT: minor_to_major {0,0} names dimension 0 twice
//
// The one gate for layouts, used by the parser, the proto conversion and
// ValidateShape alike. The rules are XLA's (xla/layout_util.cc) and a few that
// XLA lacks: a tile does not end in `*`; memory space and metadata prefix are
// not negative; the physical size, with all tiles and the tail padding, fits
// int64_t in elements and in bytes, and so does the size of dimensions joined
// by `*`. An array without elements has the physical size 0, whatever its tiles
// and its tail padding.

#ifndef TESSERA_LAYOUT_VALIDATE_LAYOUT_H_
#define TESSERA_LAYOUT_VALIDATE_LAYOUT_H_

#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "tessera/layout/layout.h"
#include "tessera/layout/primitive_type.h"
#include "tessera/layout/violation.h"

namespace tessera {

// Returns the first rule that `layout` breaks as a layout of an array of
// `element_type` and `dimensions` (in elements; a negative one is unbounded and
// counts as 1 in sizes), or nullopt if it is valid.
std::optional<Violation> FindLayoutViolation(
    const Layout& layout, PrimitiveType element_type,
    absl::Span<const int64_t> dimensions);

// A quick check that succeeds for almost every array that a compiler prints.
// True: `layout` is valid, and so is an array of `element_type` and
// `dimensions`. False decides nothing: call FindLayoutViolation.
bool IsPlainlyValid(const Layout& layout, PrimitiveType element_type,
                    absl::Span<const int64_t> dimensions);

// Returns the first rule that `layout` breaks for every array, from the rules
// that need no dimensions. Remains of sparse layouts are accepted; index and
// pointer types only if they are unsigned integral.
std::optional<Violation> FindLayoutViolation(const Layout& layout);

// Like FindLayoutViolation, but returns a status: kInvalidArgument or OK.
absl::Status ValidateLayout(const Layout& layout);
absl::Status ValidateLayout(const Layout& layout, PrimitiveType element_type,
                            absl::Span<const int64_t> dimensions);

}  // namespace tessera

#endif  // TESSERA_LAYOUT_VALIDATE_LAYOUT_H_
