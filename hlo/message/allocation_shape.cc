#include "tessera/hlo/message/allocation_shape.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/layout/layout.h"
#include "tessera/layout/layout_utilities.h"
#include "tessera/layout/primitive_type.h"
#include "tessera/parser/parser.h"
#include "tessera/shape/tpu_layout.h"
#include "tessera/shape/tpu_tile.h"

namespace tessera {
namespace {

int64_t BitsInMemory(PrimitiveType type) {
  return type == PRED ? 8 : BitWidth(type);
}

// Returns the number of elements that share the 32 bits of a register place.
int64_t PackingOf(PrimitiveType type) {
  return std::max<int64_t>(kTpuWordBits / BitsInMemory(type), 1);
}

// Returns the array with these tiles and packed elements. `element_bits` widens
// elements; 0 does not.
Shape InTiles(const Shape& array, Layout::Tiles tiles,
              int64_t element_bits = 0) {
  constexpr int64_t kByteBits = 8;
  const int64_t bits = BitsInMemory(array.element_type());
  Layout::Parts parts = array.layout().parts();
  parts.tiles = std::move(tiles);
  if (element_bits > 0) {
    parts.element_size_in_bits = element_bits;
  } else if (bits < kByteBits) {
    parts.element_size_in_bits = bits;
  }
  return array.WithLayout(Layout(std::move(parts)));
}

// Returns how many times `bytes` gives the stated size; 0 for never.
int64_t CopiesOf(int64_t bytes, const StatedBytes& stated) {
  constexpr int64_t kMost = 64;
  for (int64_t copies = 1; copies <= kMost; ++copies) {
    const std::optional<int64_t> all = CheckedMultiply(bytes, copies);
    if (!all.has_value() || *all > stated.bytes + stated.slack) break;
    if (stated.Covers(*all)) return copies;
  }
  return 0;
}

// Returns the granule of a dimension: blocks are multiples of it.
int64_t GranuleOf(const Shape& array, int64_t dimension) {
  const int64_t rows = kTpuSublanes * PackingOf(array.element_type());
  if (array.rank() == 1) return rows * kTpuLanes;
  if (dimension == array.rank() - 1) return kTpuLanes;
  if (dimension == array.rank() - 2) return rows;
  return 1;
}

// Returns a block in VMEM.
Shape WithDimensions(const Shape& array,
                     const std::vector<int64_t>& dimensions) {
  const Shape block =
      Shape::Array(array.element_type(),
                   Shape::Dimensions(dimensions.begin(), dimensions.end()),
                   GetDefaultLayoutForRank(array.rank()));
  return InTiles(block, TpuTiles(array.rank(),
                                 kTpuSublanes * PackingOf(array.element_type()),
                                 PackingOf(array.element_type())));
}

// Returns the bytes of `buffers` such blocks; nullopt for too many.
std::optional<int64_t> BytesOfBlocks(const Shape& block, int64_t buffers) {
  const absl::StatusOr<ArraySizes> sizes = ComputeArraySizes(block);
  if (!sizes.ok()) return std::nullopt;
  return CheckedMultiply(sizes->padded_bytes, buffers);
}

// Returns the largest part of `full` that is at most `most` and a multiple of
// `granule`: one of equal parts, unless there are too many to try.
int64_t LargestPart(int64_t full, int64_t most, int64_t granule) {
  constexpr int64_t kMostTries = 1 << 16;
  const int64_t first = CeilOfRatio(full, most);
  for (int64_t parts = first; parts < first + kMostTries && parts <= full;
       ++parts) {
    if (full % parts != 0) continue;
    if (full / parts % granule == 0) return full / parts;
    if (full / parts < granule) break;
  }
  return std::max(most / granule, int64_t{1}) * granule;
}

}  // namespace

std::vector<Shape> UsualTilings(const Shape& array) {
  std::vector<Shape> shapes;
  if (array.rank() == 0) return shapes;
  const absl::StatusOr<Shape> by_default = WithTpuLayouts(array);
  if (by_default.ok()) shapes.push_back(*by_default);
  const int64_t packing = PackingOf(array.element_type());
  const int64_t packed = kTpuSublanes * packing;
  const std::vector<int64_t> all_rows =
      array.rank() == 1 || packing == 1
          ? std::vector<int64_t>{8, 4, 2, 1}
          : std::vector<int64_t>{8, packed, packed / 2, 4, 2};
  absl::flat_hash_set<int64_t> tried;
  for (const int64_t rows : all_rows) {
    if (rows < packing || !tried.insert(rows).second) continue;
    Shape tiled = InTiles(array, TpuTiles(array.rank(), rows, packing));
    if (!by_default.ok() || tiled != *by_default) {
      shapes.push_back(std::move(tiled));
    }
  }
  if (array.element_type() == PRED) {
    constexpr int64_t kWideBits = 32;
    shapes.push_back(
        InTiles(array, TpuTiles(array.rank(), kTpuSublanes, 1), kWideBits));
  }
  return shapes;
}

absl::StatusOr<AllocationShape> ReadAllocationShape(std::string_view text,
                                                    const StatedBytes& stated,
                                                    bool is_tpu) {
  ParseOptions options;
  options.lenient = true;
  TESSERA_ASSIGN_OR_RETURN(Shape shape, ParseShape(text, options));
  constexpr int64_t kMostDimensions = 64;
  if (!shape.IsArray() || shape.rank() > kMostDimensions) {
    return UnimplementedError("only an array of up to ", kMostDimensions,
                              " dimensions is compared with the stated size");
  }
  TESSERA_ASSIGN_OR_RETURN(ArraySizes sizes, ComputeArraySizes(shape));
  AllocationShape result = {std::move(shape), std::move(sizes)};
  result.copies = CopiesOf(result.sizes.padded_bytes, stated);
  const bool is_larger =
      stated.bytes - stated.slack > result.sizes.padded_bytes;
  if (!is_tpu || !is_larger || !result.shape.layout().tiles().empty()) {
    return result;
  }
  std::optional<AllocationShape> found;
  for (const Shape& tiled : UsualTilings(result.shape)) {
    const absl::StatusOr<ArraySizes> of_tiles = ComputeArraySizes(tiled);
    if (!of_tiles.ok() || !stated.Covers(of_tiles->padded_bytes)) continue;
    if (!found.has_value()) found = {tiled, *of_tiles, true, 0, 1};
    ++found->tilings;
  }
  return found.has_value() ? *std::move(found) : std::move(result);
}

std::optional<FittingBlock> FindFittingBlock(const Shape& window,
                                             const Shape& full, int64_t buffers,
                                             int64_t limit) {
  std::vector<int64_t> dimensions(window.dimensions().begin(),
                                  window.dimensions().end());
  const int64_t rank = window.rank();
  for (int64_t i = 0;; ++i) {
    const Shape block = WithDimensions(window, dimensions);
    const std::optional<int64_t> bytes = BytesOfBlocks(block, buffers);
    if (bytes.has_value() && *bytes <= limit)
      return FittingBlock{block, *bytes};
    if (i == rank) return std::nullopt;
    const int64_t granule = GranuleOf(window, i);
    const int64_t whole = dimensions[i];
    if (whole <= granule) continue;
    dimensions[i] = granule;
    const std::optional<int64_t> least =
        BytesOfBlocks(WithDimensions(window, dimensions), buffers);
    if (!least.has_value() || *least > limit || *least == 0) continue;
    // As many granules as fit, each with all elements of the later dimensions.
    const int64_t most = std::min(limit / *least * granule, whole);
    dimensions[i] =
        LargestPart(std::max(full.dimensions(i), whole), most, granule);
  }
}

std::vector<FittingBlock> FindFittingBlocks(absl::Span<const Shape> arrays,
                                            int64_t own_bytes, int64_t limit) {
  constexpr int64_t kBuffers = 2;
  constexpr int64_t kMostParts = int64_t{1} << 40;
  const int64_t little = limit / 32;
  // For a size that is out of range.
  constexpr int64_t kMany = std::numeric_limits<int64_t>::max();
  std::vector<int64_t> whole;
  for (const Shape& array : arrays) {
    const Shape block = WithDimensions(
        array, {array.dimensions().begin(), array.dimensions().end()});
    whole.push_back(BytesOfBlocks(block, kBuffers).value_or(kMany));
  }
  for (int64_t parts = 1; parts <= kMostParts; parts *= 2) {
    std::vector<FittingBlock> blocks;
    int64_t left = limit - own_bytes / parts;
    for (size_t i = 0; i < arrays.size() && left >= 0; ++i) {
      std::optional<FittingBlock> block = FindFittingBlock(
          arrays[i], arrays[i], kBuffers, std::max(whole[i] / parts, little));
      if (!block.has_value()) return {};
      left -= block->bytes;
      blocks.push_back(*std::move(block));
    }
    if (left >= 0) return blocks;
  }
  return {};
}

}  // namespace tessera
