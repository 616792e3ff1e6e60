// The buffer of a tensor with a layout, and the size of its memref.
//
//   const absl::StatusOr<TtnnTensor> tensor = ParseTtnnTensor(R"(
//       tensor<63x65xui16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <21x1>,
//           memref<3x65xui16, #ttnn.buffer_type<l1>>, <height_sharded>,
//           core_ranges = <[#ttnn.core_range<(0,0), (6,2)>]>>>)");
//   const absl::StatusOr<Buffer> buffer = BufferOf(*tensor);
//   buffer->sizes().content_per_bank;        // 390: three rows of 130
//   buffer->sizes().taken_per_bank;          // 448: 3 rows of 144, up to 32s
//   WrittenSizeOf(tensor->layout)->bytes_per_bank;   // 390
//
// The flatbuffer that tt-mlir gives to the runtime has the shape, the element
// type and the tile of an interleaved tensor, and also the shard and the cores
// of a sharded one. It does not have the map of the layout, so the shape
// determines where elements lie.

#ifndef TESSERA_TENSTORRENT_BUFFER_LAYOUT_BUFFER_H_
#define TESSERA_TENSTORRENT_BUFFER_LAYOUT_BUFFER_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tessera/tenstorrent/buffer/buffer.h"
#include "tessera/tenstorrent/element_type.h"
#include "tessera/tenstorrent/tensor.h"
#include "tessera/tenstorrent/ttnn_layout.h"

namespace tessera::tenstorrent {

// Returns the buffer of a tensor. Errors: kFailedPrecondition, with the rule
// kUndecided, if the layout does not determine the shards
// (ignorePhysicalLayout); kInvalidArgument for kMemRefRank; those of
// Buffer::Create.
absl::StatusOr<Buffer> BufferOf(
    const TtnnTensor& tensor,
    const ChipDescription& chip = UsualChip(Architecture::kWormholeB0));

// Like the function above. Uses the cores of the grid, from (0, 0) on, because
// the attribute does not name any.
absl::StatusOr<Buffer> BufferOf(
    const TtnnNdTensor& tensor,
    const ChipDescription& chip = UsualChip(Architecture::kWormholeB0));

// Returns the buffer of a tensor of any form. Interleaved tensors of tt-mlir's
// 2025 form have pages of one tile, or of one row, over the aligned shape.
// Errors: also kFailedPrecondition, with the rule kUndecided, for forms that do
// not determine pages: that of 2024, and sharded tensors of 2025, whose shards
// are in the cells of the grid (placement.h).
absl::StatusOr<Buffer> BufferOf(
    const VerifiedTensor& tensor,
    const ChipDescription& chip = UsualChip(Architecture::kWormholeB0));

// Returns the specification of a tensor with that memory configuration. Errors:
// kInvalidArgument, with the rule kMemoryLayout, for a sharded memory layout
// without a shard; kFailedPrecondition, with the rule kUndecided, for shards in
// logical mode, of 2025, unless the text gives them the same size in memory.
absl::StatusOr<BufferSpec> BufferSpecOf(absl::Span<const int64_t> shape,
                                        const ElementType& element,
                                        const MemoryConfig& config);

// Returns the buffer of a tensor with that memory configuration. Errors: those
// of BufferSpecOf and of Buffer::Create.
absl::StatusOr<Buffer> BufferOf(
    absl::Span<const int64_t> shape, const ElementType& element,
    const MemoryConfig& config,
    const ChipDescription& chip = UsualChip(Architecture::kWormholeB0));

// Returns the place of the element at `index` of a tensor with that buffer.
// Errors: those of Buffer::PlaceOf; and of PlacementOf if the form is that of
// 2025, whose map gives the place in the aligned shape.
absl::StatusOr<BufferPlace> PlaceInBuffer(const VerifiedTensor& tensor,
                                          const Buffer& buffer,
                                          absl::Span<const int64_t> index);

// Returns the element or the padding at a byte of that buffer. Errors: those of
// Buffer::At and, for the form of 2025, of PlacementOf.
absl::StatusOr<Place> ElementInBuffer(const VerifiedTensor& tensor,
                                      const Buffer& buffer,
                                      const BankPlace& place);

// The size of memory that is written in a text.
struct WrittenSize {
  int64_t bytes_per_bank = 0;  // of the memref
  int64_t bytes = 0;           // of all cells of the grid
};

// Returns the size of a memref in every cell of a grid. Errors: kOutOfRange,
// with the rule kSizeOverflow.
absl::StatusOr<WrittenSize> WrittenSizeOf(absl::Span<const int64_t> memref,
                                          const ElementType& element,
                                          absl::Span<const int64_t> grid);
absl::StatusOr<WrittenSize> WrittenSizeOf(const TtnnLayout& layout);
// Like the function above, for a tensor. In the form of 2025, the tensor's last
// sizes are the memref.
absl::StatusOr<WrittenSize> WrittenSizeOf(const TensorText& tensor);

// Returns the bytes that tt-mlir allocates in L1 for a memref of `bytes`: it
// rounds up to a whole tile of the element type, 32x32 for scalars
// (DeviceAttr::getMemrefSizeBytes). Errors: kOutOfRange, with the rule
// kSizeOverflow.
absl::StatusOr<int64_t> L1BytesOfMemRef(int64_t bytes,
                                        const ElementType& element);

}  // namespace tessera::tenstorrent

#endif  // TESSERA_TENSTORRENT_BUFFER_LAYOUT_BUFFER_H_
