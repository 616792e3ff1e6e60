// Computes the scoped VMEM of the blocks of a Pallas kernel before it is
// compiled.
//
//   #include "tessera/parser/parser.h"
//
//   absl::StatusOr<KernelBlock> block =
//       LayOutKernelBlock(*ParseShape("bf16[512,1000]"), /*buffers=*/2);
//   block->shape.ToString();   // "bf16[512,1000]{1,0:T(8,128)(2,1)}"
//   block->padded_bytes;       // 1048576: 1024 columns
//   block->total_bytes;        // 2097152
//
// A kernel with a grid reads and writes its operands and results block by
// block. Each block has a buffer in VMEM, and a second one into which the next
// block is fetched in the meantime. A kernel without a grid has one buffer per
// block. Scratch has one buffer. The compiler adds its own needs, and omits a
// block whose operand or result is in VMEM as a whole. If the sum exceeds the
// limit of scoped VMEM (hlo/memory/scoped_vmem.h), the compiler fails with
// E1001.

#ifndef TESSERA_HLO_MEMORY_KERNEL_VMEM_H_
#define TESSERA_HLO_MEMORY_KERNEL_VMEM_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "tessera/shape/shape.h"

namespace tessera {

struct KernelBlock {
  // The shape with its layout in VMEM.
  Shape shape;
  // The bytes of one buffer.
  int64_t unpadded_bytes = 0;
  int64_t padded_bytes = 0;
  int64_t buffers = 0;
  // The bytes of all buffers, including padding.
  int64_t total_bytes = 0;
};

// Returns a block of that shape in VMEM. A shape without tiles gets those of
// Mosaic (inferLayout in
// jaxlib/mosaic/dialect/tpu/transforms/infer_memref_layout.cc): tiles of 128
// columns and 8 rows. An array with fewer rows gets the smallest power of two
// that holds them. If elements are narrower than a word, several rows share a
// word. An array of rank 1 is laid out in the same way, in rows of 128
// elements. Elements of pred take 32 bits.
//
// Errors: kInvalidArgument for a shape that is not an array, that has no
// dimensions, or that has an unbounded dimension or one of size 0, for a layout
// without tiles that is not row-major, and if `buffers` is less than 1;
// kUnimplemented for elements that are not of 4, 8, 16 or 32 bits; kOutOfRange
// if the bytes exceed int64_t; those of ComputeArraySizes
// (index_util/array_sizes.h).
absl::StatusOr<KernelBlock> LayOutKernelBlock(const Shape& shape,
                                              int64_t buffers);

}  // namespace tessera

#endif  // TESSERA_HLO_MEMORY_KERNEL_VMEM_H_
