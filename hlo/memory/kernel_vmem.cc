#include "tessera/hlo/memory/kernel_vmem.h"

#include <algorithm>
#include <utility>

#include "absl/numeric/bits.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/index_util/array_sizes.h"
#include "tessera/layout/layout.h"
#include "tessera/layout/layout_utilities.h"
#include "tessera/layout/primitive_type.h"
#include "tessera/shape/tpu_tile.h"

namespace tessera {
namespace {

// `packing` rows share a word.
Layout::Tiles TilesOf(absl::Span<const int64_t> dimensions, int64_t packing) {
  const int64_t rank = dimensions.size();
  const uint64_t rows =
      rank == 1 ? CeilOfRatio(dimensions[0], kTpuLanes) : dimensions[rank - 2];
  const int64_t rows_of_tile =
      absl::bit_ceil(std::min<uint64_t>(rows, kTpuSublanes));
  return TpuTiles(rank, std::max(rows_of_tile, packing), packing);
}

absl::Status CheckBlock(const Shape& shape) {
  if (!shape.IsArray()) {
    return InvalidArgumentError("a block is an array, not ", shape.ToString());
  }
  if (shape.dimensions().empty()) {
    return InvalidArgumentError(
        "a block in VMEM has at least one dimension, but ", shape.ToString(),
        " has none: scalars lie in SMEM");
  }
  for (const int64_t size : shape.dimensions()) {
    if (size < 1) {
      return InvalidArgumentError(
          "each dimension of a block has at least 1 element, but one of ",
          shape.ToString(), " has not");
    }
  }
  return absl::OkStatus();
}

// Returns the shape with its layout in VMEM.
absl::StatusOr<Shape> WithTiles(const Shape& shape) {
  if (shape.has_layout() && !shape.layout().tiles().empty()) return shape;
  if (shape.has_layout() && !IsMonotonicWithDim0Major(shape.layout())) {
    return InvalidArgumentError(
        "a block is row-major, but ", shape.ToString(),
        " is not; leave out its layout, or give its tiles");
  }
  const int64_t bits = shape.element_type() == PRED
                           ? kTpuWordBits
                           : BitWidth(shape.element_type());
  if (bits != 4 && bits != 8 && bits != 16 && bits != kTpuWordBits) {
    return UnimplementedError(
        "elements of a block have 4, 8, 16 or 32 bits, but those of ",
        shape.ToString(), " have ", bits);
  }
  Layout::Parts parts = GetDefaultLayoutForRank(shape.rank()).parts();
  parts.tiles = TilesOf(shape.dimensions(), kTpuWordBits / bits);
  if (bits < 8 || shape.element_type() == PRED) {
    parts.element_size_in_bits = bits;
  }
  return shape.WithLayout(Layout(std::move(parts)));
}

}  // namespace

absl::StatusOr<KernelBlock> LayOutKernelBlock(const Shape& shape,
                                              int64_t buffers) {
  if (buffers < 1) {
    return InvalidArgumentError("a block has at least one buffer, not ",
                                buffers);
  }
  TESSERA_RETURN_IF_ERROR(CheckBlock(shape));
  KernelBlock block;
  TESSERA_ASSIGN_OR_RETURN(block.shape, WithTiles(shape));
  TESSERA_ASSIGN_OR_RETURN(const ArraySizes sizes,
                           ComputeArraySizes(block.shape));
  block.unpadded_bytes = sizes.unpadded_bytes;
  block.padded_bytes = sizes.padded_bytes;
  block.buffers = buffers;
  if (__builtin_mul_overflow(block.padded_bytes, buffers, &block.total_bytes)) {
    return OutOfRangeError(buffers, " buffers of ", block.padded_bytes,
                           " bytes exceed 2^63-1 bytes");
  }
  return block;
}

}  // namespace tessera
