// Finds two coordinates of a layout that share an offset.
//
//   #include "tessera/cute/parse.h"
//
//   const auto collision = *FindCollision(*ParseLayout("(2,2):(1,1)"), 100);
//   collision->first;    // 1
//   collision->second;   // 2
//   // The offsets are 0, 2, 3 and 5.
//   FindCollision(*ParseLayout("(2,2):(2,3)"), 100)->has_value();   // false
//
// If every stride is larger than the largest offset that the modes of smaller
// strides reach, or a stride is 0, the strides decide. Otherwise the function
// computes offsets, and keeps each in memory, until two are equal or all are
// computed.

#ifndef TESSERA_CUTE_ALGEBRA_COLLISION_H_
#define TESSERA_CUTE_ALGEBRA_COLLISION_H_

#include <cstdint>
#include <optional>
#include <utility>

#include "absl/status/statusor.h"
#include "tessera/cute/layout.h"

namespace tessera::cute {

// Returns two integral coordinates in [0, size) with the same offset, the
// smaller one first, or nullopt if the layout is injective there. Precondition:
// !layout.has_basis(). Error: kResourceExhausted if the first `max_evaluations`
// offsets differ and there are more.
absl::StatusOr<std::optional<std::pair<int64_t, int64_t>>> FindCollision(
    const Layout& layout, int64_t max_evaluations);

}  // namespace tessera::cute

#endif  // TESSERA_CUTE_ALGEBRA_COLLISION_H_
