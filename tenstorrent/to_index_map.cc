#include "tessera/tenstorrent/to_index_map.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "tessera/index_map/index_map_builder.h"
#include "tessera/math/checked_arithmetic.h"
#include "tessera/tenstorrent/affine/map_coordinates.h"
#include "tessera/tenstorrent/memory_axes.h"

namespace tessera {
namespace tenstorrent {
namespace {

using Builder = IndexMap::Builder;
using Coordinate = Builder::Coordinate;

// Puts the axes in front of what is there, each as far apart as all that comes
// after it needs.
void Prepend(absl::Span<const Coordinate> axes, int64_t* size,
             std::vector<Builder::StridedCoordinate>* strided) {
  for (size_t i = axes.size(); i-- > 0;) {
    strided->push_back({axes[i], *size});
    *size *= axes[i].bound;
  }
}

// The map in units of `bits`, one of which is an element: a tile's exponents
// take as many of them as they have bits.
absl::StatusOr<IndexMap> BlockFloatMap(const Geometry& geometry, int64_t bits) {
  // The sizes below multiply up to this.
  if (!CheckedMultiply(geometry.bytes, 8 / bits).has_value()) {
    return absl::OutOfRangeError(
        absl::StrCat("the memory of all shards, ", geometry.bytes,
                     " bytes, exceeds 2^63-1 elements of ", bits, " bits"));
  }
  Builder builder(geometry.shape);
  const absl::StatusOr<std::vector<PositionSum>> positions =
      SumsOfResults(geometry.linear, geometry.shape, geometry.extent, &builder);
  if (!positions.ok()) return positions.status();
  const MemoryAxes axes = CutPositions(geometry, *positions, &builder);
  const int64_t exponents = ExponentBytes(geometry.element) * (8 / bits);
  std::vector<Builder::StridedCoordinate> strided;
  int64_t size = 1;
  Prepend(axes.in_tile, &size, &strided);
  size += exponents;
  Prepend(axes.tiles, &size, &strided);
  Prepend(axes.cells, &size, &strided);
  return std::move(builder).BuildStrided(strided, exponents);
}

}  // namespace

absl::StatusOr<IndexMap> ToIndexMap(const Placement& placement,
                                    PositionUnit unit) {
  if (unit == PositionUnit::kElements) return placement.map();
  const Geometry& geometry = placement.geometry();
  const DataType type = geometry.element.data_type;
  const int64_t bits = BitsOf(type);
  if (unit == PositionUnit::kBytes && bits % 8 != 0) {
    return absl::FailedPreconditionError(
        absl::StrCat(TileKeyword(type), " has elements of ", bits,
                     " bits, which do not begin on whole bytes"));
  }
  const int64_t factor = unit == PositionUnit::kBytes ? bits / 8 : bits;
  if (!IsBlockFloat(type)) return placement.map().Scaled(factor, 0);
  const absl::StatusOr<IndexMap> map = BlockFloatMap(geometry, bits);
  if (!map.ok()) return map.status();
  return map->Scaled(factor, 0);
}

absl::StatusOr<IndexMap> ToIndexMap(const VerifiedTensor& tensor,
                                    PositionUnit unit) {
  const absl::StatusOr<const Placement*> placement = PlacementOf(tensor);
  if (!placement.ok()) return placement.status();
  return ToIndexMap(**placement, unit);
}

absl::StatusOr<int64_t> StorageBits(const Placement& placement) {
  const ElementType& element = placement.geometry().element;
  if (!IsBlockFloat(element.data_type)) return BitsOf(element.data_type);
  return absl::UnimplementedError(
      absl::StrCat("16 elements of ", element.ToString(),
                   " share an exponent, so no element can be moved by itself"));
}

}  // namespace tenstorrent
}  // namespace tessera
