#include "tessera/shape/tpu_layout.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>

#include "absl/numeric/bits.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/layout/layout_utilities.h"
#include "tessera/layout/primitive_type.h"
#include "tessera/layout/tile.h"
#include "tessera/layout/validate_layout.h"
#include "tessera/shape/shape_utilities.h"
#include "tessera/shape/tpu_tile.h"
#include "tessera/shape/validate_shape.h"

namespace tessera {
namespace {

// Every pair of dimensions is tried.
constexpr int64_t kMostDimensions = 1024;

using Sizes = absl::Span<const int64_t>;

absl::StatusOr<int64_t> ElementBitsOnTpu(PrimitiveType type) {
  if (type == PRED) return 8;
  if (type == F6E2M3FN || type == F6E3M2FN) {
    return UnimplementedError("the TPU compiler has no layout for ",
                              PrimitiveTypeName(type));
  }
  return std::min(BitWidth(type), kTpuWordBits);
}

// The least power of two that is not less than `size`, within [least, most],
// which are powers of two.
int64_t PowerOfTwoFor(int64_t size, int64_t least, int64_t most) {
  return absl::bit_ceil(static_cast<uint64_t>(std::clamp(size, least, most)));
}

// Returns the rows of the tile for a second-minor dimension of this size.
int64_t TileRows(int64_t size, int64_t packing) {
  const bool packs_bytes = packing >= kTpuWordBits / 8;
  if (packs_bytes && size % (kTpuSublanes * packing) == 0) {
    return kTpuSublanes * packing;
  }
  return PowerOfTwoFor(size, packing, std::max(kTpuSublanes, packing));
}

Layout::Tiles TilesFor(Sizes sizes, const Layout::MinorToMajor& order,
                       int64_t packing) {
  const int64_t word_lanes = kTpuLanes * packing;
  if (sizes.empty()) return {Tile({word_lanes})};
  const int64_t rank = sizes.size();
  const int64_t rows =
      rank == 1
          ? PowerOfTwoFor(sizes[0], word_lanes,
                          std::max(kTpuLanes * kTpuSublanes, word_lanes)) /
                kTpuLanes
          : TileRows(sizes[order[1]], packing);
  return TpuTiles(rank, rows, packing);
}

// Returns the number of positions of an array of `elements` with these two
// minor dimensions; nullopt past int64_t.
std::optional<int64_t> PaddedElements(int64_t elements, int64_t minor,
                                      int64_t second_minor, int64_t rows) {
  const std::optional<int64_t> columns = CheckedRoundUp(minor, kTpuLanes);
  const std::optional<int64_t> padded_rows = CheckedRoundUp(second_minor, rows);
  if (!columns.has_value() || !padded_rows.has_value()) return std::nullopt;
  return CheckedProduct(
      {*columns, *padded_rows, elements / minor / second_minor});
}

// Preconditions: there are two dimensions or more, and no element is missing.
// Returns nullopt if no order has a number of positions.
std::optional<Layout::MinorToMajor> LeastPaddedOrder(Sizes sizes,
                                                     int64_t elements,
                                                     int64_t packing) {
  const int64_t rank = sizes.size();
  // The padded size, and whether tiles are partly empty: the smallest pair is
  // best.
  std::optional<std::tuple<int64_t, bool>> best;
  int64_t minor = 0, second_minor = 0;
  for (int64_t i = rank - 1; i >= 0; --i) {
    for (int64_t j = rank - 1; j >= 0; --j) {
      if (i == j) continue;
      const int64_t rows = TileRows(sizes[j], packing);
      const std::optional<int64_t> padded = PaddedElements(
          elements, sizes[i], sizes[j], std::min(rows, kTpuSublanes));
      if (!padded.has_value()) continue;
      const bool fills_tiles =
          sizes[i] % kTpuLanes == 0 && sizes[j] % rows == 0;
      const std::tuple<int64_t, bool> cost(*padded, !fills_tiles);
      if (best.has_value() && cost >= *best) continue;
      best = cost;
      minor = i;
      second_minor = j;
    }
  }
  if (!best.has_value()) return std::nullopt;
  Layout::MinorToMajor order = {minor, second_minor};
  for (int64_t i = rank - 1; i >= 0; --i) {
    if (i != minor && i != second_minor) order.push_back(i);
  }
  return order;
}

absl::Status CheckLaidOut(const Shape& array) {
  TESSERA_RETURN_IF_ERROR(CheckBoundedArray(array));
  if (array.rank() > kMostDimensions) {
    return ResourceExhaustedError(array.rank(),
                                  " dimensions exceed the limit of ",
                                  kMostDimensions, " for a layout of TPU");
  }
  return ValidateShape(array);
}

absl::Status TooManyPositions(const Shape& array) {
  return OutOfRangeError("the positions of ",
                         array.ToString(/*with_layout=*/false),
                         " exceed 2^63-1 in every layout of TPU");
}

// Returns the layout with the tiles for its order. Precondition: CheckLaidOut.
absl::StatusOr<Layout> WithTiles(const Shape& array, const Layout& layout) {
  TESSERA_ASSIGN_OR_RETURN(const int64_t bits,
                           ElementBitsOnTpu(array.element_type()));
  TESSERA_ASSIGN_OR_RETURN(const int64_t elements, ElementsIn(array));
  Layout::Parts parts = layout.parts();
  if (bits < 8 && parts.element_size_in_bits == 0) {
    parts.element_size_in_bits = bits;
  }
  if (elements > 0) {
    parts.tiles =
        TilesFor(array.dimensions(), parts.minor_to_major, kTpuWordBits / bits);
  }
  return Layout(std::move(parts));
}

absl::StatusOr<Shape> WithTpuLayout(const Shape& array) {
  if (!array.has_layout()) {
    TESSERA_ASSIGN_OR_RETURN(Layout layout, DefaultTpuLayout(array));
    return array.WithLayout(std::move(layout));
  }
  if (!array.layout().tiles().empty()) return array;
  TESSERA_RETURN_IF_ERROR(CheckLaidOut(array));
  TESSERA_ASSIGN_OR_RETURN(Layout layout, WithTiles(array, array.layout()));
  TESSERA_RETURN_IF_ERROR(
      ValidateLayout(layout, array.element_type(), array.dimensions()));
  return array.WithLayout(std::move(layout));
}

}  // namespace

absl::StatusOr<Layout> DefaultTpuLayout(const Shape& array) {
  TESSERA_RETURN_IF_ERROR(CheckLaidOut(array.WithLayout(std::nullopt)));
  TESSERA_ASSIGN_OR_RETURN(const int64_t bits,
                           ElementBitsOnTpu(array.element_type()));
  TESSERA_ASSIGN_OR_RETURN(const int64_t elements, ElementsIn(array));
  Layout layout = GetDefaultLayoutForRank(array.rank());
  if (elements > 0 && array.rank() > 1) {
    std::optional<Layout::MinorToMajor> order =
        LeastPaddedOrder(array.dimensions(), elements, kTpuWordBits / bits);
    if (!order.has_value()) return TooManyPositions(array);
    layout = Layout(*std::move(order));
  }
  TESSERA_ASSIGN_OR_RETURN(layout, WithTiles(array, layout));
  if (!ValidateLayout(layout, array.element_type(), array.dimensions()).ok()) {
    return TooManyPositions(array);
  }
  return layout;
}

absl::StatusOr<Shape> WithTpuLayouts(const Shape& shape) {
  absl::Status status;
  Shape filled = TransformArrays(shape, [&status](const Shape& array) {
    absl::StatusOr<Shape> laid_out = WithTpuLayout(array);
    if (laid_out.ok()) return *std::move(laid_out);
    status.Update(laid_out.status());
    return array;
  });
  if (!status.ok()) return status;
  return filled;
}

}  // namespace tessera
