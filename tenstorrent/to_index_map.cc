#include "tessera/tenstorrent/to_index_map.h"

#include <cstdint>
#include <utility>

#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/index_map/algebra.h"
#include "tessera/index_map/index_map_builder.h"
#include "tessera/tenstorrent/internal/memory_axes.h"

namespace tessera::tenstorrent {
namespace {

// Returns the number of elements of `bits` that have as many bits as the
// exponents of a tile.
int64_t ExponentsInElements(const ElementType& element, int64_t bits) {
  return ExponentBytes(element) * (8 / bits);
}

// Returns the size of an element in the unit.
int64_t SizeIn(PositionUnit unit, int64_t bits) {
  return unit == PositionUnit::kBytes ? bits / 8 : bits;
}

}  // namespace

absl::StatusOr<IndexMap> ToMapWithExponents(const Placement& placement) {
  const Geometry& geometry = placement.geometry();
  const DataType type = geometry.element.data_type;
  if (!IsBlockFloat(type) || geometry.bytes == 0) return placement.map();
  const int64_t bits = BitsOf(type);
  // The products below are at most this.
  if (!CheckedMultiply(geometry.bytes, 8 / bits).has_value()) {
    return OutOfRangeError("the memory of all shards, ", geometry.bytes,
                           " bytes, exceeds 2^63-1 elements of ", bits,
                           " bits");
  }
  const int64_t exponents = ExponentsInElements(geometry.element, bits);
  const TileShape tile = *geometry.element.tile;
  const int64_t in_tile = tile.height * tile.width;
  IndexMap::Builder builder({placement.counts().all()});
  const auto [tiles, scalars] = builder.Split(builder.Dimension(0), in_tile);
  TESSERA_ASSIGN_OR_RETURN(
      const IndexMap numbers,
      std::move(builder).BuildStrided(
          {{tiles, exponents + in_tile}, {scalars, 1}}, exponents));
  return Composed(numbers, placement.map());
}

absl::StatusOr<IndexMap> ToIndexMap(const Placement& placement,
                                    PositionUnit unit) {
  if (unit == PositionUnit::kElements) return placement.map();
  const DataType type = placement.geometry().element.data_type;
  const int64_t bits = BitsOf(type);
  if (unit == PositionUnit::kBytes && bits % 8 != 0) {
    return FailedPreconditionError(TileKeyword(type), " has elements of ", bits,
                                   " bits, which do not begin on whole bytes");
  }
  TESSERA_ASSIGN_OR_RETURN(const IndexMap map, ToMapWithExponents(placement));
  return map.Scaled(SizeIn(unit, bits), 0);
}

absl::StatusOr<IndexMap> ToIndexMap(const VerifiedTensor& tensor,
                                    PositionUnit unit) {
  TESSERA_ASSIGN_OR_RETURN(const Placement* placement, PlacementOf(tensor));
  return ToIndexMap(*placement, unit);
}

PositionKind KindAt(const Placement& placement, PositionUnit unit,
                    int64_t position) {
  if (unit == PositionUnit::kElements) return placement.At(position).kind;
  const ElementType& element = placement.geometry().element;
  const int64_t bits = BitsOf(element.data_type);
  const int64_t size = SizeIn(unit, bits);
  if (position % size != 0) return PositionKind::kGap;
  int64_t scalar = position / size;
  if (IsBlockFloat(element.data_type)) {
    const int64_t exponents = ExponentsInElements(element, bits);
    const int64_t in_tile = element.tile->height * element.tile->width;
    const int64_t tile = scalar / (exponents + in_tile);
    const int64_t place = scalar % (exponents + in_tile);
    if (place < exponents) return PositionKind::kGap;
    scalar = tile * in_tile + place - exponents;
  }
  return placement.At(scalar).kind;
}

absl::StatusOr<int64_t> StorageBits(const Placement& placement) {
  const ElementType& element = placement.geometry().element;
  if (!IsBlockFloat(element.data_type)) return BitsOf(element.data_type);
  return UnimplementedError(
      "16 elements of ", element.ToString(),
      " share an exponent, so no element can be moved by itself");
}

}  // namespace tessera::tenstorrent
