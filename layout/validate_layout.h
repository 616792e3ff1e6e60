// File: layout/validate_layout.h
//
// Is this a layout that an array of these dimensions can have?
//
//   ValidateLayout(Layout({0, 0}), F32, {2, 3});
//       // INVALID_ARGUMENT: minor_to_major {0,0} names dimension 0 twice
//
// The one gate for layouts, used by the parser, the proto conversion and
// ValidateShape alike. The rules are XLA's (xla/layout_util.cc) and these,
// which XLA leaves out: no `*` at the end of a tile, no negative memory space
// or metadata prefix, and the physical size, every tile and the tail padding
// counted, fits int64_t in elements and in bytes. So does what a `*` joins. An
// array without elements has the physical size 0, whatever its tiles and its
// tail padding.

#ifndef TESSERA_LAYOUT_VALIDATE_LAYOUT_H_
#define TESSERA_LAYOUT_VALIDATE_LAYOUT_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "tessera/layout/layout.h"
#include "tessera/layout/primitive_type.h"
#include "tessera/layout/violation.h"

namespace tessera {

// Returns the first rule that `layout` breaks as a layout of an array of
// `element_type` and `dimensions` (in elements; a negative one is unbounded and
// counts as 1 in sizes), or nullopt if it is valid.
absl::optional<Violation> FindLayoutViolation(
    const Layout& layout, PrimitiveType element_type,
    absl::Span<const int64_t> dimensions);

// Whether a quick look shows that `layout` is valid and that an array of
// `element_type` and `dimensions` is so too, as it does for almost every array
// that a compiler prints. False decides nothing: ask FindLayoutViolation.
bool IsPlainlyValid(const Layout& layout, PrimitiveType element_type,
                    absl::Span<const int64_t> dimensions);

// Returns the first rule that `layout` breaks whatever array has it: all that
// needs no dimensions. The remains of sparse layouts are let pass, index and
// pointer types where they are unsigned integral.
absl::optional<Violation> FindLayoutViolation(const Layout& layout);

// The same as a status: kInvalidArgument, or OK.
absl::Status ValidateLayout(const Layout& layout);
absl::Status ValidateLayout(const Layout& layout, PrimitiveType element_type,
                            absl::Span<const int64_t> dimensions);

}  // namespace tessera

#endif  // TESSERA_LAYOUT_VALIDATE_LAYOUT_H_
