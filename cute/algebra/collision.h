// File: cute/algebra/collision.h
//
// Do two coordinates of a layout share an offset?
//
//   #include "tessera/cute/parse.h"
//
//   const auto collision = *FindCollision(*ParseLayout("(2,2):(1,1)"), 100);
//   collision->first;    // 1
//   collision->second;   // 2
//   // The offsets are 0, 2, 3 and 5.
//   FindCollision(*ParseLayout("(2,2):(2,3)"), 100)->has_value();   // false
//
// The strides decide it if each is larger than the reach of all smaller ones,
// else the offsets do.

#ifndef TESSERA_CUTE_ALGEBRA_COLLISION_H_
#define TESSERA_CUTE_ALGEBRA_COLLISION_H_

#include <cstdint>
#include <optional>
#include <utility>

#include "absl/status/statusor.h"
#include "tessera/cute/layout.h"

namespace tessera {
namespace cute {

// Returns two integral coordinates in [0, size) with the same offset, the
// smaller one first, or nullopt if the layout is injective there. Precondition:
// !layout.has_basis(). Errors: kResourceExhausted if this takes more than
// `max_evaluations` offsets to decide.
absl::StatusOr<std::optional<std::pair<int64_t, int64_t>>> FindCollision(
    const Layout& layout, int64_t max_evaluations);

}  // namespace cute
}  // namespace tessera

#endif  // TESSERA_CUTE_ALGEBRA_COLLISION_H_
