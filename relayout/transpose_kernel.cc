// Blocks of any shape. A square of 64 bytes by 64 bytes' worth of elements is
// transposed into a buffer, of which each line is then written at once, so that
// every line of `from` and of `to` is touched once however far rows are apart.
// What is left over at the edges is moved by elements.

#include <algorithm>
#include <cstring>

#include "tessera/relayout/kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "relayout/transpose_kernel.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr int64_t kLine = 64;

#if HWY_TARGET == HWY_SCALAR

template <typename T>
HWY_INLINE void TransposeQuad(const uint8_t* from, int64_t from_step,
                              uint8_t* to, int64_t to_step) {
  constexpr int64_t kRows = 16 / sizeof(T);
  for (int64_t i = 0; i < kRows; ++i) {
    for (int64_t j = 0; j < kRows; ++j) {
      std::memcpy(to + j * to_step + i * sizeof(T),
                  from + i * from_step + j * sizeof(T), sizeof(T));
    }
  }
}

#else

// 16 bytes, of which the halves of two are interleaved, element by element.
template <typename T>
using Quad = hn::FixedTag<T, 16 / sizeof(T)>;

// Transposes a square of 16 bytes by 16 bytes' worth of elements: at every
// step, the rows i and i + n/2 are interleaved into the rows 2i and 2i + 1.
template <typename T>
HWY_INLINE void TransposeQuad(const uint8_t* HWY_RESTRICT from,
                              int64_t from_step, uint8_t* HWY_RESTRICT to,
                              int64_t to_step) {
  constexpr int kRows = 16 / sizeof(T);
  const Quad<T> d;
  using V = hn::Vec<Quad<T> >;
  V rows[kRows], next[kRows];
#pragma GCC unroll 16
  for (int i = 0; i < kRows; ++i) {
    rows[i] = hn::LoadU(d, reinterpret_cast<const T*>(from + i * from_step));
  }
#pragma GCC unroll 4
  for (int step = 1; step < kRows; step *= 2) {
#pragma GCC unroll 8
    for (int i = 0; i < kRows / 2; ++i) {
      next[2 * i] = hn::InterleaveLower(d, rows[i], rows[i + kRows / 2]);
      next[2 * i + 1] = hn::InterleaveUpper(d, rows[i], rows[i + kRows / 2]);
    }
#pragma GCC unroll 16
    for (int i = 0; i < kRows; ++i) rows[i] = next[i];
  }
#pragma GCC unroll 16
  for (int i = 0; i < kRows; ++i) {
    hn::StoreU(rows[i], d, reinterpret_cast<T*>(to + i * to_step));
  }
}

#endif

// Sixteen bytes have nothing to interleave.
struct Wide {
  uint64_t words[2];
};

template <typename T>
HWY_INLINE void TransposeLines(const uint8_t* HWY_RESTRICT from,
                               int64_t from_step, uint8_t* HWY_RESTRICT to,
                               int64_t to_step) {
  constexpr int64_t kSide = kLine / sizeof(T);
  constexpr int64_t kQuad = 16 / sizeof(T);
  for (int64_t column = 0; column < kSide; column += kQuad) {
    for (int64_t row = 0; row < kSide; row += kQuad) {
      TransposeQuad<T>(from + row * from_step + column * sizeof(T), from_step,
                       to + column * to_step + row * sizeof(T), to_step);
    }
  }
}

template <typename T>
void MoveByElements(const KernelArguments& block, const uint8_t* from,
                    uint8_t* to, int64_t row_begin, int64_t row_end,
                    int64_t column_begin, int64_t column_end) {
  for (int64_t column = column_begin; column < column_end; ++column) {
    for (int64_t row = row_begin; row < row_end; ++row) {
      std::memcpy(to + column * block.to_column_step + row * sizeof(T),
                  from + row * block.from_row_step + column * sizeof(T),
                  sizeof(T));
    }
  }
}

// The same by squares of 16 bytes as far as they go.
template <typename T>
void MoveByQuads(const KernelArguments& block, const uint8_t* from, uint8_t* to,
                 int64_t row_begin, int64_t row_end, int64_t column_begin,
                 int64_t column_end) {
  constexpr int64_t kQuad = 16 / sizeof(T);
  const int64_t rows = row_begin + (row_end - row_begin) / kQuad * kQuad;
  const int64_t columns =
      column_begin + (column_end - column_begin) / kQuad * kQuad;
  for (int64_t row = row_begin; row < rows; row += kQuad) {
    for (int64_t column = column_begin; column < columns; column += kQuad) {
      TransposeQuad<T>(from + row * block.from_row_step + column * sizeof(T),
                       block.from_row_step,
                       to + column * block.to_column_step + row * sizeof(T),
                       block.to_column_step);
    }
  }
  MoveByElements<T>(block, from, to, row_begin, rows, columns, column_end);
  MoveByElements<T>(block, from, to, rows, row_end, column_begin, column_end);
}

void WriteLines(const uint8_t* HWY_RESTRICT lines, uint8_t* HWY_RESTRICT to,
                int64_t count, int64_t to_step, bool stream) {
  const hn::CappedTag<uint8_t, kLine> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t i = 0; i < count; ++i) {
    for (int64_t j = 0; j < kLine; j += lanes) {
      const auto v = hn::Load(d, lines + i * kLine + j);
      if (stream) {
        hn::Stream(v, d, to + i * to_step + j);
      } else {
        hn::StoreU(v, d, to + i * to_step + j);
      }
    }
  }
}

template <typename T>
void TransposeBlock(const KernelArguments& block, const uint8_t* from,
                    uint8_t* to) {
  constexpr int64_t kSide = kLine / sizeof(T);
  HWY_ALIGN uint8_t lines[kSide * kLine];
  const bool streams = block.stream && block.to_column_step % kLine == 0 &&
                       reinterpret_cast<uintptr_t>(to) % kLine == 0;
  const int64_t rows = block.rows / kSide * kSide;
  const int64_t columns = block.columns / kSide * kSide;
  for (int64_t row = 0; row < rows; row += kSide) {
    for (int64_t column = 0; column < columns; column += kSide) {
      TransposeLines<T>(from + row * block.from_row_step + column * sizeof(T),
                        block.from_row_step, lines, kLine);
      WriteLines(lines, to + column * block.to_column_step + row * sizeof(T),
                 kSide, block.to_column_step, streams);
    }
  }
  MoveByQuads<T>(block, from, to, 0, rows, columns, block.columns);
  MoveByQuads<T>(block, from, to, rows, block.rows, 0, block.columns);
}

template <typename T>
void Transpose(const KernelArguments& block, const uint8_t* from, uint8_t* to) {
  for (int64_t i = 0; i < block.repeats; ++i) {
    if constexpr (sizeof(T) <= 8) {
      TransposeBlock<T>(block, from, to);
    } else {
      MoveByElements<T>(block, from, to, 0, block.rows, 0, block.columns);
    }
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
