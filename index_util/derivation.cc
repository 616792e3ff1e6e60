#include "tessera/index_util/derivation.h"

#include <algorithm>
#include <utility>

#include "absl/algorithm/container.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/index_util/to_index_map.h"
#include "tessera/layout/tile_expansion.h"

namespace tessera {
namespace {

struct Axis {
  int64_t bound = 1;
  int64_t index = 0;
};

void Append(const Axis& axis, BoundedIndex* to) {
  to->bounds.push_back(axis.bound);
  to->index.push_back(axis.index);
}

// Applies tiles to bounds and indices that are known to fit, keeping each step.
struct RecordingOperations {
  Axis Unit() { return {1, 0}; }

  Axis Join(const Axis& major, const Axis& minor) {
    // Modulo 2^64, because a product that does not fit is later multiplied by a
    // bound of 0.
    const uint64_t bound =
        static_cast<uint64_t>(major.bound) * static_cast<uint64_t>(minor.bound);
    return {static_cast<int64_t>(bound),
            major.index * minor.bound + minor.index};
  }

  std::pair<Axis, Axis> Split(const Axis& axis, int64_t divisor) {
    Append(axis, &current.tiled);
    current.divisors.push_back(divisor);
    return {Axis{CeilOfRatio(axis.bound, divisor), axis.index / divisor},
            Axis{divisor, axis.index % divisor}};
  }

  void EndOfTile(const Axes<Axis>& axes) {
    for (const Axis& axis : axes) Append(axis, &current.expanded);
    current.tile = tiles[recorded.size()];
    recorded.push_back(std::exchange(current, {}));
  }

  absl::Span<const Tile> tiles;
  TileDerivation current;
  std::vector<TileDerivation> recorded;
};

// Precondition: CheckIndexable(shape).ok().
absl::Status CheckAxisLimit(const Shape& shape) {
  const absl::Span<const Tile> tiles = shape.layout().tiles();
  int64_t axes = shape.rank();
  int64_t total = axes;
  for (const Tile& tile : tiles) {
    const int64_t entries = tile.dimensions().size();
    const int64_t joins =
        absl::c_count(tile.dimensions(), Tile::kCombineDimension);
    axes = std::max(axes, entries) + entries - 2 * joins;
    total += axes;
    if (total > kDerivationAxisLimit) {
      return ResourceExhaustedError(
          "the derivation has more than ", kDerivationAxisLimit,
          " axes, those after each tile (", tiles.size(), ") together");
    }
  }
  return absl::OkStatus();
}

// Precondition: CheckIndexable(shape).ok() and `index` is within its bounds.
Derivation Derive(const Shape& shape, absl::Span<const int64_t> index) {
  const Layout& layout = shape.layout();
  Derivation derivation;
  Axes<Axis> axes;
  for (size_t i = layout.minor_to_major().size(); i-- > 0;) {
    const int64_t dimension = layout.minor_to_major(i);
    axes.push_back({shape.dimensions(dimension), index[dimension]});
    Append(axes.back(), &derivation.physical);
  }
  RecordingOperations operations{layout.tiles(), {}, {}};
  ApplyTiles(layout.tiles(), operations, &axes);
  derivation.tiles = std::move(operations.recorded);
  return derivation;
}

}  // namespace

absl::StatusOr<Derivation> DeriveLinearIndex(const Shape& shape,
                                             absl::Span<const int64_t> index) {
  TESSERA_ASSIGN_OR_RETURN(IndexMap map, ToIndexMap(shape));
  TESSERA_ASSIGN_OR_RETURN(int64_t linear_index, map.LinearIndex(index));
  TESSERA_RETURN_IF_ERROR(CheckAxisLimit(shape));
  Derivation derivation = Derive(shape, index);
  derivation.linear_index = linear_index;
  return derivation;
}

absl::StatusOr<std::vector<std::vector<int64_t>>> ExpandedBoundsByTile(
    const Shape& shape) {
  absl::Status status = CheckIndexable(shape);
  if (status.ok()) status = CheckAxisLimit(shape);
  if (!status.ok()) return status;
  Derivation derivation = Derive(shape, std::vector<int64_t>(shape.rank(), 0));
  std::vector<std::vector<int64_t>> bounds;
  bounds.push_back(std::move(derivation.physical.bounds));
  for (TileDerivation& tile : derivation.tiles) {
    bounds.push_back(std::move(tile.expanded.bounds));
  }
  return bounds;
}

absl::StatusOr<std::vector<int64_t>> ExpandedBounds(const Shape& shape) {
  TESSERA_RETURN_IF_ERROR(CheckIndexable(shape));
  const Layout& layout = shape.layout();
  std::vector<int64_t> physical;
  for (size_t i = layout.minor_to_major().size(); i-- > 0;) {
    physical.push_back(shape.dimensions(layout.minor_to_major(i)));
  }
  TESSERA_ASSIGN_OR_RETURN(Axes<int64_t> bounds,
                           ExpandedBounds(physical, layout.tiles()));
  return std::vector<int64_t>(bounds.begin(), bounds.end());
}

}  // namespace tessera
