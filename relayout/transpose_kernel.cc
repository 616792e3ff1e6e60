// Blocks of any shape, a panel at a time. A panel has 256 bytes of each of 64
// columns of `to`; it is transposed by squares of 16 bytes into a buffer, from
// which each column's part is then written at once. So every line of `from` is
// read, and every line of `to` written, in one piece however far rows are
// apart, and caches that map rows of a power of two of bytes to the same place
// do not matter.
//
// Where repeats go on with the rows of `to` or with the columns of `from`, as
// tiles of a transposed array do, they make one block: its rows or columns come
// in groups.

#include <algorithm>
#include <cstring>
#include <utility>

#include "hwy/cache_control.h"
#include "tessera/relayout/kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "relayout/transpose_kernel.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#ifndef TESSERA_RELAYOUT_TRANSPOSE_KERNEL_PANEL
#define TESSERA_RELAYOUT_TRANSPOSE_KERNEL_PANEL

namespace tessera {
namespace {

constexpr int64_t kPanelBytes = 256;  // of a column of `to`
constexpr int64_t kPanelColumns = 64;
constexpr int64_t kQuadBytes = 16;
constexpr int64_t kLine = 64;

// Where the rows of a block begin in `from`, or its columns in `to`, `size` in
// a group.
struct Groups {
  int64_t size;
  int64_t step;
  int64_t group_step;

  int64_t Offset(int64_t number) const {
    return number / size * group_step + number % size * step;
  }
};

struct GroupedBlock {
  int64_t rows;
  int64_t columns;
  Groups from_rows;
  Groups to_columns;
  bool stream;
};

// Sixteen bytes, which have nothing to interleave.
struct Wide {
  uint64_t words[2];
};

}  // namespace
}  // namespace tessera

#endif  // TESSERA_RELAYOUT_TRANSPOSE_KERNEL_PANEL

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Transposes a square of 16 bytes of each of the rows at `offset` into lines of
// a panel.
#if HWY_TARGET == HWY_SCALAR

template <typename T>
HWY_INLINE void TransposeQuad(const uint8_t* const* rows, int64_t offset,
                              uint8_t* to) {
  constexpr int64_t kRows = kQuadBytes / sizeof(T);
  for (int64_t i = 0; i < kRows; ++i) {
    for (int64_t j = 0; j < kRows; ++j) {
      std::memcpy(to + j * kPanelBytes + i * sizeof(T),
                  rows[i] + offset + j * sizeof(T), sizeof(T));
    }
  }
}

#else

// At every step the rows i and i + n/2 are interleaved into the rows 2i and
// 2i + 1; after as many steps as n has bits the square is transposed.
template <typename T>
HWY_INLINE void TransposeQuad(const uint8_t* const* rows, int64_t offset,
                              uint8_t* HWY_RESTRICT to) {
  constexpr int kRows = kQuadBytes / sizeof(T);
  const hn::FixedTag<T, kRows> d;
  hn::Vec<hn::FixedTag<T, kRows> > values[kRows], next[kRows];
#pragma GCC unroll 16
  for (int i = 0; i < kRows; ++i) {
    values[i] = hn::LoadU(d, reinterpret_cast<const T*>(rows[i] + offset));
  }
#pragma GCC unroll 4
  for (int step = 1; step < kRows; step *= 2) {
#pragma GCC unroll 8
    for (int i = 0; i < kRows / 2; ++i) {
      next[2 * i] = hn::InterleaveLower(d, values[i], values[i + kRows / 2]);
      next[2 * i + 1] =
          hn::InterleaveUpper(d, values[i], values[i + kRows / 2]);
    }
#pragma GCC unroll 16
    for (int i = 0; i < kRows; ++i) values[i] = next[i];
  }
#pragma GCC unroll 16
  for (int i = 0; i < kRows; ++i) {
    hn::StoreU(values[i], d, reinterpret_cast<T*>(to + i * kPanelBytes));
  }
}

#endif

// Whole lines of `to` bypass the cache.
void StreamLines(const uint8_t* HWY_RESTRICT from, uint8_t* HWY_RESTRICT to,
                 int64_t bytes) {
  const hn::CappedTag<uint8_t, kLine> d;
  for (int64_t i = 0; i < bytes; i += static_cast<int64_t>(hn::Lanes(d))) {
    hn::Stream(hn::Load(d, from + i), d, to + i);
  }
}

// Meanwhile fetches what the next panel reads, at `ahead_offset` of the rows
// `ahead`: they are too far apart for the processor to look ahead by itself.
template <typename T>
void TransposePanel(const GroupedBlock& block, const uint8_t* const* rows,
                    int64_t row_count, int64_t column, int64_t column_count,
                    const uint8_t* const* ahead, int64_t ahead_offset,
                    uint8_t* to) {
  constexpr int64_t kBytes = sizeof(T);
  constexpr int64_t kQuad = kQuadBytes / kBytes;
  HWY_ALIGN uint8_t panel[kPanelColumns * kPanelBytes];
  const int64_t offset = column * static_cast<int64_t>(sizeof(T));
  int64_t whole_rows = 0, whole_columns = 0;
  if constexpr (kQuad > 1) {
    whole_rows = row_count / kQuad * kQuad;
    whole_columns = column_count / kQuad * kQuad;
    for (int64_t r = 0; r < whole_rows; r += kQuad) {
      for (int64_t i = r; i < r + kQuad; ++i) {
        for (int64_t j = 0; j < kPanelColumns * kBytes; j += kLine) {
          hwy::Prefetch(ahead[i] + ahead_offset + j);
        }
      }
      for (int64_t c = 0; c < whole_columns; c += kQuad) {
        TransposeQuad<T>(rows + r, offset + c * sizeof(T),
                         panel + c * kPanelBytes + r * sizeof(T));
      }
    }
  }
  const auto move_elements = [&](int64_t first_row, int64_t first_column) {
    for (int64_t r = first_row; r < row_count; ++r) {
      for (int64_t c = first_column; c < column_count; ++c) {
        std::memcpy(panel + c * kPanelBytes + r * sizeof(T),
                    rows[r] + offset + c * sizeof(T), sizeof(T));
      }
    }
  };
  if (whole_rows < row_count) move_elements(whole_rows, 0);
  if (whole_columns < column_count) {
    const int64_t all_rows = row_count;
    row_count = whole_rows;
    move_elements(0, whole_columns);
    row_count = all_rows;
  }
  const int64_t bytes = row_count * static_cast<int64_t>(sizeof(T));
  for (int64_t c = 0; c < column_count; ++c) {
    uint8_t* const target = to + block.to_columns.Offset(column + c);
    const bool streams = block.stream && bytes % kLine == 0 &&
                         reinterpret_cast<uintptr_t>(target) % kLine == 0;
    if (streams) {
      StreamLines(panel + c * kPanelBytes, target, bytes);
    } else {
      std::memcpy(target, panel + c * kPanelBytes, bytes);
    }
  }
}

template <typename T>
void TransposeBlock(const GroupedBlock& block, const uint8_t* from,
                    uint8_t* to) {
  constexpr int64_t kBytes = sizeof(T);
  constexpr int64_t kPanelRows = kPanelBytes / kBytes;
  const uint8_t* buffers[2][kPanelRows];
  const uint8_t** rows = buffers[0];
  const uint8_t** next_rows = buffers[1];
  // Past the last row, the rows of a panel are its first.
  const auto begin_rows = [&](int64_t row, const uint8_t** begins) {
    for (int64_t i = 0; i < kPanelRows; ++i) {
      begins[i] =
          from + block.from_rows.Offset(row + i < block.rows ? row + i : 0);
    }
  };
  begin_rows(0, rows);
  for (int64_t row = 0; row < block.rows; row += kPanelRows) {
    begin_rows(row + kPanelRows, next_rows);
    for (int64_t column = 0; column < block.columns; column += kPanelColumns) {
      const int64_t next_column = column + kPanelColumns;
      const bool is_last = next_column >= block.columns;
      TransposePanel<T>(block, rows, std::min(kPanelRows, block.rows - row),
                        column, std::min(kPanelColumns, block.columns - column),
                        is_last ? next_rows : rows,
                        is_last ? 0 : next_column * kBytes, to + row * kBytes);
    }
    std::swap(rows, next_rows);
  }
}

template <typename T>
void Transpose(const KernelArguments& block, const uint8_t* from, uint8_t* to) {
  constexpr int64_t kBytes = sizeof(T);
  GroupedBlock grouped = {block.rows,
                          block.columns,
                          {block.rows, block.from_row_step, 0},
                          {block.columns, block.to_column_step, 0},
                          block.stream};
  if (block.to_repeat_step == block.rows * kBytes) {
    grouped.rows *= block.repeats;
    grouped.from_rows.group_step = block.from_repeat_step;
    TransposeBlock<T>(grouped, from, to);
    return;
  }
  if (block.from_repeat_step == block.columns * kBytes) {
    grouped.columns *= block.repeats;
    grouped.to_columns.group_step = block.to_repeat_step;
    TransposeBlock<T>(grouped, from, to);
    return;
  }
  for (int64_t i = 0; i < block.repeats; ++i) {
    TransposeBlock<T>(grouped, from, to);
    from += block.from_repeat_step;
    to += block.to_repeat_step;
  }
}

void Transpose1(const KernelArguments& b, const uint8_t* f, uint8_t* t) {
  Transpose<uint8_t>(b, f, t);
}
void Transpose2(const KernelArguments& b, const uint8_t* f, uint8_t* t) {
  Transpose<uint16_t>(b, f, t);
}
void Transpose4(const KernelArguments& b, const uint8_t* f, uint8_t* t) {
  Transpose<uint32_t>(b, f, t);
}
void Transpose8(const KernelArguments& b, const uint8_t* f, uint8_t* t) {
  Transpose<uint64_t>(b, f, t);
}
void Transpose16(const KernelArguments& b, const uint8_t* f, uint8_t* t) {
  Transpose<Wide>(b, f, t);
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera {

HWY_EXPORT(Transpose1);
HWY_EXPORT(Transpose2);
HWY_EXPORT(Transpose4);
HWY_EXPORT(Transpose8);
HWY_EXPORT(Transpose16);

Kernel TransposeKernel(int64_t element_bytes) {
  switch (element_bytes) {
    case 1:
      return TESSERA_KERNEL(Transpose1);
    case 2:
      return TESSERA_KERNEL(Transpose2);
    case 4:
      return TESSERA_KERNEL(Transpose4);
    case 8:
      return TESSERA_KERNEL(Transpose8);
    default:
      return TESSERA_KERNEL(Transpose16);
  }
}

}  // namespace tessera
#endif  // HWY_ONCE
