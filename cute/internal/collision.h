// File: cute/internal/collision.h
//
// Do two coordinates of a layout share an offset?
//
//   FindCollision((2,2):(1,1), 100)->value()   // coordinates 1 and 2
//   FindCollision((2,2):(2,3), 100)->has_value()   // false: 0, 2, 3, 5
//
// Decided from the strides where each is larger than the reach of all smaller
// ones, else by looking at the offsets.

#ifndef TESSERA_CUTE_INTERNAL_COLLISION_H_
#define TESSERA_CUTE_INTERNAL_COLLISION_H_

#include <cstdint>
#include <optional>
#include <utility>

#include "absl/status/statusor.h"
#include "tessera/cute/layout.h"

namespace tessera {
namespace cute {

// Two integral coordinates in [0, size) with the same offset, the smaller one
// first, or nullopt if the layout is injective there.
// Precondition: !layout.has_basis().
// Errors: kResourceExhausted if more than `max_evaluations` offsets would have
// to be looked at.
absl::StatusOr<std::optional<std::pair<int64_t, int64_t>>> FindCollision(
    const Layout& layout, int64_t max_evaluations);

}  // namespace cute
}  // namespace tessera

#endif  // TESSERA_CUTE_INTERNAL_COLLISION_H_
