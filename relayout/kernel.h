// File: relayout/kernel.h
//
// Kernels, the innermost loops of a relayout, for whole bytes.
//
//   KernelArguments block;                   // 2 rows of 128 bf16, interleaved
//   block.rows = 2, block.columns = 128;
//   block.from_row_step = 8192;              // bytes from row to row
//   block.to_column_step = 4;                // and from column to column
//   InterleaveKernel(/*element_bytes=*/2, 2)(block, from, to);
//
// A kernel moves a block of rows x columns elements `repeats` times. In `from`
// the elements of a row stand next to one another, in `to` those of a column
// do. A block of one row is a run where the columns stand next to one another
// in `to` as well.
//
// Each kernel is one file. A new one is a function from the shape of a block to
// a Kernel, or null where it has nothing to offer, and a line in
// RelayoutPlan::MakeStep.

#ifndef TESSERA_RELAYOUT_KERNEL_H_
#define TESSERA_RELAYOUT_KERNEL_H_

#include <cstdint>

namespace tessera {

// How far ahead of what is streamed away the kernels fetch what they read in
// order, in bytes; measured. Processors stop looking ahead at every page.
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
  // Whether `to` is too large for the cache to be of use to who reads it next:
  // lines that are written whole bypass it.
  bool stream = false;
};

// Reads nothing but the block's elements, and writes nothing else.
using Kernel = void (*)(const KernelArguments& block, const uint8_t* from,
                        uint8_t* to);

// The kernel that Highway picks for this processor from those exported as
// `name` (HWY_EXPORT). For the files of kernels.
#define TESSERA_KERNEL(name)                                           \
  [](const KernelArguments& block, const uint8_t* from, uint8_t* to) { \
    HWY_DYNAMIC_DISPATCH(name)(block, from, to);                       \
  }

// Runs: blocks of one row of `columns` bytes.
Kernel CopyKernel();

// Makes what streamed stores wrote visible to other threads.
void FlushStreamedStores();

// Blocks of 2, 4 or 8 rows whose columns follow one another in `to`, as tiles
// of (2,1), (4,1) and (8,1) have them; null for other elements than of 1, 2 and
// 4 bytes, and for 8 rows of 4 bytes.
Kernel InterleaveKernel(int64_t element_bytes, int64_t rows);
// The way back: blocks of 2, 4 or 8 columns, in rows that follow one another in
// `from`.
Kernel DeinterleaveKernel(int64_t element_bytes, int64_t columns);

// Blocks of any shape. Elements of 1, 2, 4, 8 or 16 bytes. Fastest where the
// repeats go on with the rows in `to`, or with the columns in `from`: then all
// of them are one block.
Kernel TransposeKernel(int64_t element_bytes);

}  // namespace tessera

#endif  // TESSERA_RELAYOUT_KERNEL_H_
