#include "tessera/index_util/to_index_map.h"

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/index_map/index_map_builder.h"
#include "tessera/layout/primitive_type.h"
#include "tessera/layout/tile_expansion.h"
#include "tessera/layout/validate_layout.h"
#include "tessera/shape/shape_utilities.h"
#include "tessera/shape/validate_shape.h"

namespace tessera {
namespace {

using Coordinate = IndexMap::Builder::Coordinate;

struct BuilderOperations {
  Coordinate Unit() { return builder->Unit(); }
  Coordinate Join(const Coordinate& major, const Coordinate& minor) {
    return builder->Join(major, minor);
  }
  std::pair<Coordinate, Coordinate> Split(const Coordinate& axis,
                                          int64_t divisor) {
    return builder->Split(axis, divisor);
  }
  void EndOfTile(const Axes<Coordinate>&) {}

  IndexMap::Builder* builder;
};

// Returns `map`, the map of `shape`, in units of which an element takes
// `factor` and the metadata prefix takes `prefix`.
absl::StatusOr<IndexMap> ScaledTo(std::string_view units, int64_t factor,
                                  int64_t prefix, const Shape& shape,
                                  const IndexMap& map) {
  absl::StatusOr<IndexMap> scaled = map.Scaled(factor, prefix);
  if (scaled.status().code() != absl::StatusCode::kOutOfRange) return scaled;
  std::string text =
      StrCat("the buffer of ", shape.ToString(), ", ", map.position_count(),
             " positions of ", factor, " ", units);
  if (prefix != 0) {
    StrAppend(&text, " after ", prefix, " ", units, " of metadata");
  }
  return OutOfRangeError(text, ", exceeds 2^63-1 ", units);
}

}  // namespace

int64_t StorageBits(const Shape& shape) {
  if (shape.has_layout() && shape.layout().element_size_in_bits() != 0) {
    return shape.layout().element_size_in_bits();
  }
  return 8 * ByteWidth(shape.element_type());
}

int64_t UnpaddedElementBits(const Shape& shape) {
  return std::min(StorageBits(shape), 8 * ByteWidth(shape.element_type()));
}

absl::Status CheckIndexable(const Shape& shape) {
  if (shape.IsArray() && shape.has_layout() &&
      IsPlainlyValid(shape.layout(), shape.element_type(),
                     shape.dimensions())) {
    return absl::OkStatus();
  }
  TESSERA_RETURN_IF_ERROR(CheckBoundedArray(shape));
  if (!shape.has_layout()) {
    return FailedPreconditionError(
        shape.ToString(),
        " has no layout; ParseShape fills in the "
        "default, GetDefaultLayoutForShape returns it");
  }
  return ValidateShape(shape);
}

absl::StatusOr<IndexMap> ToIndexMap(const Shape& shape, PositionUnit unit) {
  TESSERA_RETURN_IF_ERROR(CheckIndexable(shape));
  const Layout& layout = shape.layout();
  IndexMap::Builder builder(shape.dimensions());
  const size_t rank = layout.minor_to_major().size();
  Axes<Coordinate> axes(rank);
  for (size_t i = 0; i < rank; ++i) {
    axes[i] = builder.Dimension(layout.minor_to_major(rank - 1 - i));
  }
  ApplyTiles(layout.tiles(), BuilderOperations{&builder}, &axes);
  absl::StatusOr<IndexMap> map = std::move(builder).BuildRowMajor(
      axes, layout.tail_padding_alignment_in_elements());
  if (!map.ok() || unit == PositionUnit::kElements) return map;

  const int64_t bits = StorageBits(shape);
  const int64_t prefix = shape.layout().dynamic_shape_metadata_prefix_bytes();
  if (unit == PositionUnit::kBits) {
    if (prefix > std::numeric_limits<int64_t>::max() / 8) {
      return OutOfRangeError("a metadata prefix of ", prefix,
                             " bytes exceeds 2^63-1 bits");
    }
    return ScaledTo("bits", bits, 8 * prefix, shape, *map);
  }
  if (bits % 8 != 0) {
    return FailedPreconditionError(shape.ToString(), " has elements of ", bits,
                                   bits == 1 ? " bit" : " bits",
                                   ", which do not begin on whole bytes");
  }
  return ScaledTo("bytes", bits / 8, prefix, shape, *map);
}

}  // namespace tessera
