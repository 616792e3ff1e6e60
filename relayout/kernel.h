// Kernels, the innermost loops of a relayout, for whole bytes.
//
//   KernelArguments block;                   // 2 rows of 128 bf16, interleaved
//   block.rows = 2, block.columns = 128;
//   block.from_row_step = 8192;              // bytes from row to row
//   block.to_column_step = 4;                // and from column to column
//   InterleaveKernel(/*element_bytes=*/2, 2)(block, from, to);
//
// A kernel moves a block of rows x columns elements `repeats` times. In `from`
// the elements of a row are next to one another, and in `to` those of a column.
// A block of one row is a run if its columns are next to one another in `to`,
// too.
//
// Each kernel is one file. To add one, write a function that takes the shape of
// a block and returns a Kernel, or null for blocks that the kernel does not
// support, and add a line to RelayoutPlan::MakeStep.

#ifndef TESSERA_RELAYOUT_KERNEL_H_
#define TESSERA_RELAYOUT_KERNEL_H_

#include <cstdint>

namespace tessera {

// The distance in bytes at which kernels that stream their output prefetch
// their input; measured. Processors stop prefetching at every page.
inline constexpr int64_t kFetchAhead = 8192;

// Steps are in bytes, and may be negative.
struct KernelArguments {
  int64_t rows = 1;
  int64_t columns = 1;
  int64_t from_row_step = 0;
  int64_t to_column_step = 0;
  int64_t repeats = 1;
  int64_t from_repeat_step = 0;
  int64_t to_repeat_step = 0;
  // Whether `to` is so large that its next reader would not find it in the
  // cache. Lines that are written whole then bypass the cache.
  bool stream = false;
};

// Reads only the block's elements, and writes only these.
using Kernel = void (*)(const KernelArguments& block, const uint8_t* from,
                        uint8_t* to);

// The kernel that Highway selects for this processor from those exported as
// `name` (HWY_EXPORT). For use in the files of kernels.
#define TESSERA_KERNEL(name)                                           \
  [](const KernelArguments& block, const uint8_t* from, uint8_t* to) { \
    HWY_DYNAMIC_DISPATCH(name)(block, from, to);                       \
  }

// Copies runs: blocks of one row of `columns` bytes.
Kernel CopyKernel();

// Makes the bytes of streamed stores visible to other threads.
void FlushStreamedStores();

// Returns the kernel for blocks of 2, 4 or 8 rows whose columns follow one
// another in `to`, as in tiles of (2,1), (4,1) and (8,1). Null unless elements
// have 1, 2 or 4 bytes, and for 8 rows of 4 bytes.
Kernel InterleaveKernel(int64_t element_bytes, int64_t rows);
// Returns the inverse kernel: for blocks of 2, 4 or 8 columns, in rows that
// follow one another in `from`.
Kernel DeinterleaveKernel(int64_t element_bytes, int64_t columns);

// Returns the kernel for blocks of any shape and elements of 1, 2, 4, 8 or 16
// bytes. It is fastest if the repeats continue the rows in `to` or the columns
// in `from`, because all of them are then one block.
Kernel TransposeKernel(int64_t element_bytes);

}  // namespace tessera

#endif  // TESSERA_RELAYOUT_KERNEL_H_
