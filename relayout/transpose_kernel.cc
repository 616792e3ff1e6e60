// Transposes blocks of any shape, one panel at a time. A panel has up to 256
// bytes of each of several columns of `to`. First, squares of 16 bytes are
// transposed, as many next to one another as fill a vector, and their vectors
// are kept in a buffer. Then the vectors of the same columns are joined into
// whole lines of `to`. So every line of `from` is read in one piece, and every
// line of `to` is written in one piece, however far apart rows are. It does not
// matter that caches map rows that are a power of two of bytes apart to the
// same place.
//
// Repeats that continue the rows of `to` or the columns of `from`, like the
// tiles of a transposed array, form one block: its rows or columns are in
// groups.

#include <algorithm>
#include <cstring>
#include <type_traits>
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

constexpr int64_t kPanelBytes = 256;  // of a column of `to`, at most
// The bytes of a panel; measured. Rows of narrow elements that are far apart,
// and any of single bytes, are best read in longer pieces, for which a panel
// must take more of the first-level cache.
constexpr int64_t kPanelSize = 16384;
constexpr int64_t kLargePanelSize = 32768;
constexpr int64_t kMaxPanelColumns = 512;
constexpr int64_t kQuadBytes = 16;
constexpr int64_t kLine = 64;
// The number of steps by which columns are prefetched before they are written;
// measured.
constexpr int64_t kStepsAhead = 4;

// The places at which the rows of a block begin in `from`, or its columns in
// `to`; a group has `size` of them.
struct Groups {
  int64_t size;
  int64_t step;
  int64_t group_step;
};

// The offsets of groups, one by one.
class GroupWalk {
 public:
  explicit GroupWalk(const Groups& groups)
      : groups_(groups), left_(groups.size) {}

  int64_t Next() {
    const int64_t offset = offset_;
    offset_ += groups_.step;
    if (--left_ == 0) {
      left_ = groups_.size;
      group_ += groups_.group_step;
      offset_ = group_;
    }
    return offset;
  }

 private:
  Groups groups_;
  int64_t left_;  // of the group
  int64_t group_ = 0;
  int64_t offset_ = 0;
};

struct GroupedBlock {
  int64_t rows;
  int64_t columns;
  Groups from_rows;
  Groups to_columns;
  bool stream;
};

// The part of each of `count` rows that is read.
struct RowPieces {
  const uint8_t* const* rows;
  int64_t count;
  int64_t offset;
  int64_t bytes;
};

// Prefetches into the second-level cache, because the first-level cache does
// not have room for rows that are a power of two apart. Always inline, because
// gcc drops calls of functions that only prefetch.
HWY_INLINE void FetchLines(const uint8_t* begin, int64_t bytes) {
  for (int64_t i = 0; i < bytes; i += kLine) {
    __builtin_prefetch(begin + i, /*rw=*/0, /*locality=*/2);
  }
}

// Prefetches the input of the next panel step by step. Its rows are too far
// apart for the processor's own prefetching, and too many to fetch at once.
class Fetcher {
 public:
  explicit Fetcher(const RowPieces& pieces) : pieces_(pieces) {}

  void FetchRows(int64_t end) {
    for (; next_ < std::min(end, pieces_.count); ++next_) {
      // Rows of odd number first; measured.
      const int64_t odd = pieces_.count / 2;
      const int64_t row = next_ < odd ? 2 * next_ + 1 : 2 * (next_ - odd);
      FetchLines(pieces_.rows[row] + pieces_.offset, pieces_.bytes);
    }
  }

 private:
  RowPieces pieces_;
  int64_t next_ = 0;
};

// Sixteen bytes, which have nothing to interleave.
struct Wide {
  uint64_t words[2];
};

constexpr int64_t RoundUp(int64_t value, int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

}  // namespace
}  // namespace tessera

#endif  // TESSERA_RELAYOUT_TRANSPOSE_KERNEL_PANEL

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

constexpr int64_t kVector = kQuadBytes;
constexpr int kSquares = 1;

template <typename T>
HWY_INLINE void TransposeSquares(const uint8_t* const* rows, int64_t offset,
                                 int64_t panel_step,
                                 uint8_t* HWY_RESTRICT panel) {
  constexpr int64_t kRows = kQuadBytes / sizeof(T);
  for (int64_t i = 0; i < kRows; ++i) {
    for (int64_t j = 0; j < kRows; ++j) {
      std::memcpy(panel + j * panel_step + i * sizeof(T),
                  rows[i] + offset + j * sizeof(T), sizeof(T));
    }
  }
}

template <bool kStream>
HWY_INLINE void WriteVectors(const uint8_t* HWY_RESTRICT panel,
                             uint8_t* const* columns, int64_t offset) {
  std::memcpy(columns[0] + offset, panel, kVector);
}

#else

// The bytes of a vector, and the number of squares next to one another in it.
constexpr int64_t kVector = HWY_MIN(HWY_MAX_BYTES, kLine);
constexpr int kSquares = static_cast<int>(kVector / kQuadBytes);

// Transposes the squares that begin at `offset` of the rows. The vector i, at
// i * panel_step, has the column i of every square.
//
// At every step the rows i and i + n/2 are interleaved into the rows 2i and
// 2i + 1; after as many steps as n has bits the squares are transposed.
template <typename T>
HWY_INLINE void TransposeSquares(const uint8_t* const* rows, int64_t offset,
                                 int64_t panel_step,
                                 uint8_t* HWY_RESTRICT panel) {
  using Lane = std::conditional_t<std::is_same<T, Wide>::value, uint64_t, T>;
  using Tag = hn::FixedTag<Lane, kVector / sizeof(Lane)>;
  constexpr int kRows = kQuadBytes / sizeof(T);
  const Tag d;
  hn::Vec<Tag> values[kRows], next[kRows];
#pragma GCC unroll 16
  for (int i = 0; i < kRows; ++i) {
    values[i] = hn::LoadU(d, reinterpret_cast<const Lane*>(rows[i] + offset));
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
    hn::Store(values[i], d, reinterpret_cast<Lane*>(panel + i * panel_step));
  }
}

// Transposes kSquares vectors by 16 bytes, and writes one to each column.
template <bool kStream>
HWY_INLINE void WriteVectors(const uint8_t* HWY_RESTRICT panel,
                             uint8_t* const* columns, int64_t offset) {
  using Tag = hn::FixedTag<uint64_t, kVector / sizeof(uint64_t)>;
  const Tag d;
  hn::Vec<Tag> values[kSquares];
#pragma GCC unroll 4
  for (int i = 0; i < kSquares; ++i) {
    values[i] =
        hn::Load(d, reinterpret_cast<const uint64_t*>(panel + i * kVector));
  }
#if HWY_MAX_BYTES == 32
  const auto lower = hn::ConcatLowerLower(d, values[1], values[0]);
  values[1] = hn::ConcatUpperUpper(d, values[1], values[0]);
  values[0] = lower;
#elif HWY_MAX_BYTES >= 64
  const auto even_lower = hn::ConcatLowerLower(d, values[2], values[0]);
  const auto odd_lower = hn::ConcatLowerLower(d, values[3], values[1]);
  const auto even_upper = hn::ConcatUpperUpper(d, values[2], values[0]);
  const auto odd_upper = hn::ConcatUpperUpper(d, values[3], values[1]);
  values[0] = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(odd_lower), even_lower);
  values[1] = hn::OddEvenBlocks(odd_lower, hn::SwapAdjacentBlocks(even_lower));
  values[2] = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(odd_upper), even_upper);
  values[3] = hn::OddEvenBlocks(odd_upper, hn::SwapAdjacentBlocks(even_upper));
#endif
#pragma GCC unroll 4
  for (int i = 0; i < kSquares; ++i) {
    uint64_t* const to = reinterpret_cast<uint64_t*>(columns[i] + offset);
    if constexpr (kStream) {
      hn::Stream(values[i], d, to);
    } else {
      hn::StoreU(values[i], d, to);
    }
  }
}

#endif

template <bool kStream>
HWY_INLINE void WriteColumns(const uint8_t* HWY_RESTRICT panel,
                             uint8_t* const* columns, int64_t bytes) {
  for (int64_t i = 0; i < bytes; i += kVector) {
    WriteVectors<kStream>(panel + i * kSquares, columns, i);
  }
}

HWY_INLINE bool IsAligned(const uint8_t* to) {
  return reinterpret_cast<uintptr_t>(to) % kLine == 0;
}

// `targets` are the places at which columns begin. There are as many rows as
// fill vectors of columns; those past the row_count-th are not written.
template <typename T>
void TransposePanel(const RowPieces& pieces, int64_t row_count,
                    const RowPieces& ahead, uint8_t* const* targets,
                    bool stream) {
  constexpr int64_t kBytes = sizeof(T);
  constexpr int64_t kQuad = kQuadBytes / kBytes;
  constexpr int64_t kVectorElements = kVector / kBytes;
  HWY_ALIGN uint8_t panel[kLargePanelSize];
  const int64_t quads = RoundUp(row_count, kVectorElements) / kQuad;
  const int64_t step = quads * kVector;
  const int64_t vectors = pieces.bytes / kVector;
  const int64_t rest = pieces.bytes % kVector;
  Fetcher fetcher(ahead);
  // Half of it now, and half while columns are written. Squares of wide
  // elements are transposed too soon for that.
  const int64_t fetched_early = kBytes < 8 ? ahead.count / 2 : 0;
  for (int64_t quad = 0; quad < quads; ++quad) {
    const uint8_t* const* const rows = pieces.rows + quad * kQuad;
    fetcher.FetchRows(std::min(fetched_early, (quad + 1) * kQuad / 2));
    for (int64_t k = 0; k < vectors; ++k) {
      TransposeSquares<T>(rows, pieces.offset + k * kVector, step,
                          panel + k * kQuad * step + quad * kVector);
    }
    if (rest > 0) {
      // Nothing past the end of a row is read.
      HWY_ALIGN uint8_t copies[kQuad * kVector];
      const uint8_t* copied_rows[kQuad];
      for (int64_t i = 0; i < kQuad; ++i) {
        copied_rows[i] = copies + i * kVector;
        std::memcpy(copies + i * kVector,
                    rows[i] + pieces.offset + vectors * kVector, rest);
      }
      TransposeSquares<T>(copied_rows, 0, step,
                          panel + vectors * kQuad * step + quad * kVector);
    }
  }

  const int64_t bytes = row_count * kBytes;
  const int64_t whole_bytes = bytes / kVector * kVector;
  const int64_t column_count = pieces.bytes / kBytes;
  const int64_t steps = (vectors + (rest > 0 ? 1 : 0)) * kQuad;
  const int64_t fetched_a_step =
      RoundUp(ahead.count - fetched_early, steps) / steps;
  const auto first_column_of = [](int64_t i) {
    return i / kQuad * kVectorElements + i % kQuad;
  };
  for (int64_t i = 0; i < steps; ++i) {
    fetcher.FetchRows(fetched_early + (i + 1) * fetched_a_step);
    const int64_t first_column = first_column_of(i);
    uint8_t* columns[kSquares];
    if (i >= vectors * kQuad) {
      // Some of these columns do not exist.
      HWY_ALIGN uint8_t buffer[kSquares * kPanelBytes];
      for (int64_t j = 0; j < kSquares; ++j) {
        columns[j] = buffer + j * kPanelBytes;
      }
      WriteColumns<false>(panel + i * step, columns, RoundUp(bytes, kVector));
      for (int64_t j = 0; j < kSquares; ++j) {
        const int64_t column = first_column + j * kQuad;
        if (column < column_count) {
          std::memcpy(targets[column], columns[j], bytes);
        }
      }
      continue;
    }
    bool are_aligned = true;
    for (int64_t j = 0; j < kSquares; ++j) {
      columns[j] = targets[first_column + j * kQuad];
      are_aligned = are_aligned && IsAligned(columns[j]);
    }
    if (stream && are_aligned) {
      WriteColumns<true>(panel + i * step, columns, whole_bytes);
    } else {
      // Plain stores of a part of a line read the line first.
      const int64_t i_ahead = i + kStepsAhead;
      for (int64_t j = 0; stream && i_ahead < vectors * kQuad && j < kSquares;
           ++j) {
        FetchLines(targets[first_column_of(i_ahead) + j * kQuad], bytes);
      }
      WriteColumns<false>(panel + i * step, columns, whole_bytes);
    }
    if (whole_bytes < bytes) {
      HWY_ALIGN uint8_t buffer[kSquares * kVector];
      uint8_t* ends[kSquares];
      for (int64_t j = 0; j < kSquares; ++j) ends[j] = buffer + j * kVector;
      WriteVectors<false>(panel + i * step + whole_bytes * kSquares, ends, 0);
      for (int64_t j = 0; j < kSquares; ++j) {
        std::memcpy(columns[j] + whole_bytes, ends[j], bytes - whole_bytes);
      }
    }
  }
}

template <typename T>
void TransposeBlock(const GroupedBlock& block, const uint8_t* from,
                    uint8_t* to) {
  constexpr int64_t kBytes = sizeof(T);
  constexpr int64_t kMaxPanelRows = kPanelBytes / kBytes;
  constexpr int64_t kVectorElements = kVector / kBytes;
  const int64_t panel_rows =
      std::min(kMaxPanelRows, RoundUp(block.rows, kVectorElements));
  const bool is_large = kBytes < 8 && block.stream &&
                        (kBytes == 1 || block.from_rows.size == block.rows);
  const int64_t columns_held =
      (is_large ? kLargePanelSize : kPanelSize) / (panel_rows * kBytes);
  const int64_t panel_columns = std::min(
      columns_held / kVectorElements * kVectorElements, kMaxPanelColumns);
  const uint8_t* buffers[2][kMaxPanelRows];
  const uint8_t** rows = buffers[0];
  const uint8_t** next_rows = buffers[1];
  GroupWalk row_walk(block.from_rows);
  // Past the last row, the rows of a panel are the block's first.
  const auto begin_rows = [&](const uint8_t* first, int64_t row,
                              const uint8_t** begins) {
    for (int64_t i = 0; i < panel_rows; ++i) {
      begins[i] = first + (row + i < block.rows ? row_walk.Next() : 0);
    }
  };
  begin_rows(from, 0, rows);
  for (int64_t row = 0; row < block.rows; row += panel_rows) {
    if (row + panel_rows < block.rows) {
      begin_rows(from, row + panel_rows, next_rows);
    } else {
      // In most cases, the next block begins where the rows of this one, or of
      // its first group, end. If it does not, only the prefetching is wasted.
      row_walk = GroupWalk(block.from_rows);
      begin_rows(from + block.from_rows.size * block.from_rows.step, 0,
                 next_rows);
    }
    GroupWalk column_walk(block.to_columns);
    RowPieces pieces = {rows, panel_rows, 0,
                        std::min(panel_columns, block.columns) * kBytes};
    for (int64_t column = 0; column < block.columns; column += panel_columns) {
      uint8_t* targets[kMaxPanelColumns];
      for (int64_t i = 0; i < pieces.bytes / kBytes; ++i) {
        targets[i] = to + row * kBytes + column_walk.Next();
      }
      RowPieces ahead = pieces;
      ahead.offset += pieces.bytes;
      ahead.bytes =
          std::min(pieces.bytes, block.columns * kBytes - ahead.offset);
      if (ahead.bytes == 0) {
        ahead = {next_rows, panel_rows, 0,
                 std::min(panel_columns, block.columns) * kBytes};
      }
      TransposePanel<T>(pieces, std::min(panel_rows, block.rows - row), ahead,
                        targets, block.stream);
      pieces = ahead;
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
