// The layout whose values are its own coordinates.
//
//   MakeIdentityLayout({8, {4, 2}})->ToString();
//       // "(8,(4,2)):(1@0,(1@0@1,1@1@1))"
//
// Composed with a tiler, or divided, it gives the coordinates of a tile.
// Definition: make_identity_layout of include/cute/layout.hpp, with the basis
// element of each mode as its stride; for an integer the stride is 1.

#ifndef TESSERA_CUTE_IDENTITY_LAYOUT_H_
#define TESSERA_CUTE_IDENTITY_LAYOUT_H_

#include "absl/status/statusor.h"
#include "tessera/cute/int_tuple.h"
#include "tessera/cute/layout.h"

namespace tessera::cute {

// Returns the identity layout of `shape`. Errors: those of Layout::Create;
// kInvalidArgument if a mode or the nesting exceeds the limits of basis
// elements (cute/basis.h).
absl::StatusOr<Layout> MakeIdentityLayout(const IntTuple& shape);

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_IDENTITY_LAYOUT_H_
