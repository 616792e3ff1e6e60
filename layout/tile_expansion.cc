#include "tessera/layout/tile_expansion.h"

#include <limits>
#include <optional>

#include "absl/status/status.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/text/absl_view.h"

namespace tessera {
namespace {

struct BoundOperations {
  int64_t Unit() { return 1; }

  int64_t Join(int64_t major, int64_t minor) {
    if (major == 0 || minor == 0) {
      too_large.reset();
      return 0;
    }
    const std::optional<int64_t> product = CheckedMultiply(major, minor);
    if (!product.has_value() && !too_large.has_value()) {
      too_large = {major, minor};
    }
    return product.value_or(std::numeric_limits<int64_t>::max());
  }

  std::pair<int64_t, int64_t> Split(int64_t bound, int64_t divisor) {
    if (too_large.has_value() && status.ok()) {
      status = OutOfRangeError("the tile's * joins dimensions of ",
                               too_large->first, " and ", too_large->second,
                               ", whose product exceeds 2^63-1");
    }
    return {CeilOfRatio(bound, divisor), divisor};
  }

  void EndOfTile(const Axes<int64_t>&) {}

  // The first two joined bounds whose product does not fit. It is not yet an
  // error, because a zero may follow.
  std::optional<std::pair<int64_t, int64_t>> too_large;
  absl::Status status;
};

}  // namespace

absl::StatusOr<Axes<int64_t>> ExpandedBounds(
    absl::Span<const int64_t> physical_bounds, absl::Span<const Tile> tiles) {
  Axes<int64_t> bounds(physical_bounds.begin(), physical_bounds.end());
  BoundOperations operations;
  ApplyTiles(tiles, operations, &bounds);
  if (!operations.status.ok()) return operations.status;
  return bounds;
}

}  // namespace tessera
