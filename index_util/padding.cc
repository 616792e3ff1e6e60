#include "tessera/index_util/padding.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/types/span.h"
#include "tessera/base/math/byte_count.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/index_map/index_map.h"
#include "tessera/index_util/to_index_map.h"
#include "tessera/shape/tpu_layout.h"

namespace tessera {
namespace {

double Factor(int64_t padded, int64_t bound) {
  return static_cast<double>(padded) / std::max<int64_t>(bound, 1);
}

// Like ComputeArraySizes, but without its other results.
absl::StatusOr<int64_t> PaddedBytes(const Shape& array) {
  TESSERA_ASSIGN_OR_RETURN(const IndexMap map, ToIndexMap(array));
  // The validator has proven that all positions fit.
  return *CheckedByteCount(map.position_count(), StorageBits(array));
}

absl::StatusOr<int64_t> PaddedTpuBytes(const Shape& array) {
  TESSERA_ASSIGN_OR_RETURN(Layout layout, DefaultTpuLayout(array));
  return PaddedBytes(array.WithLayout(std::move(layout)));
}

Shape WithSize(const Shape& array, int64_t dimension, int64_t size) {
  Shape::Dimensions sizes(array.dimensions().begin(), array.dimensions().end());
  sizes[dimension] = size;
  const absl::Span<const bool> dynamic = array.dynamic_dimensions();
  return Shape::Array(array.element_type(), std::move(sizes), std::nullopt,
                      Shape::DynamicDimensions(dynamic.begin(), dynamic.end()));
}

}  // namespace

std::string_view PaddingCauseName(PaddingCause cause) {
  switch (cause) {
    case PaddingCause::kNone:
      return "";
    case PaddingCause::kDimensions:
      return "dimension";
    case PaddingCause::kTile:
      return "tile";
    case PaddingCause::kElement:
      return "element";
    case PaddingCause::kTail:
      return "tail";
  }
  return "";
}

PaddingBlame BlamePadding(const ArraySizes& sizes) {
  PaddingBlame blame;
  // Zero times anything is zero.
  if (sizes.elements == 0) return blame;
  auto consider = [&blame](PaddingCause cause, std::vector<int64_t> dimensions,
                           int64_t bound, int64_t padded) {
    if (Factor(padded, bound) > Factor(blame.padded, blame.bound)) {
      blame = {cause, std::move(dimensions), bound, padded};
    }
  };
  for (const IndexMap::DimensionPadding& padding : sizes.dimension_padding) {
    consider(padding.dimensions.empty() ? PaddingCause::kTile
                                        : PaddingCause::kDimensions,
             padding.dimensions, padding.bound, padding.padded);
  }
  consider(PaddingCause::kElement, {}, sizes.unpadded_element_bits,
           sizes.storage_bits);
  consider(PaddingCause::kTail, {},
           sizes.physical_elements - sizes.tail_elements,
           sizes.physical_elements);
  return blame;
}

absl::StatusOr<BestOrder> FindBestOrder(const Shape& array) {
  TESSERA_ASSIGN_OR_RETURN(const int64_t bytes, PaddedBytes(array));
  constexpr int64_t kMaxRank = 6;  // 720 orders
  if (array.rank() > kMaxRank) {
    return ResourceExhaustedError(
        array.ToString(), " has ", array.rank(),
        " dimensions; all orders are tried of at most ", kMaxRank);
  }

  const Layout& layout = array.layout();
  BestOrder best = {layout.parts().minor_to_major, bytes};
  Layout::MinorToMajor order = best.minor_to_major;
  std::sort(order.begin(), order.end());
  do {
    // An order may be invalid: too large, or with a split past its dimension.
    const absl::StatusOr<int64_t> other =
        PaddedBytes(array.WithLayout(layout.WithMinorToMajor(order)));
    if (other.ok() && *other < best.padded_bytes) best = {order, *other};
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

std::vector<int64_t> MajorToMinor(const BestOrder& order) {
  return {order.minor_to_major.rbegin(), order.minor_to_major.rend()};
}

absl::StatusOr<std::vector<SmallerTpuSize>> FindSmallerTpuSizes(
    const Shape& array) {
  TESSERA_ASSIGN_OR_RETURN(const Layout layout, DefaultTpuLayout(array));
  TESSERA_ASSIGN_OR_RETURN(const int64_t bytes,
                           PaddedBytes(array.WithLayout(layout)));
  std::vector<SmallerTpuSize> smaller;
  if (layout.tiles().empty() || array.rank() == 0) return smaller;
  const absl::Span<const int64_t> tile = layout.tiles()[0].dimensions();
  for (size_t i = 0; i < tile.size(); ++i) {
    const int64_t dimension = layout.minor_to_major(tile.size() - 1 - i);
    const int64_t bound = array.dimensions(dimension);
    const int64_t rest = bound % tile[i];
    if (rest == 0) continue;
    // If the dimension is within one tile, the tile may be half as large.
    const int64_t size = bound > tile[i] ? bound - rest : tile[i] / 2;
    if (size < 1 || size >= bound) continue;
    TESSERA_ASSIGN_OR_RETURN(const int64_t fewer,
                             PaddedTpuBytes(WithSize(array, dimension, size)));
    if (fewer < bytes) smaller.push_back({dimension, size, fewer});
  }
  std::sort(smaller.begin(), smaller.end(),
            [](const SmallerTpuSize& a, const SmallerTpuSize& b) {
              return a.dimension < b.dimension;
            });
  return smaller;
}

}  // namespace tessera
