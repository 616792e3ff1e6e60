// Interleaves two, four or eight rows whose columns follow one another, and
// does the inverse.

#include <cstring>
#include <type_traits>

#include "hwy/cache_control.h"
#include "tessera/relayout/kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "relayout/interleave_kernel.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The bytes that are interleaved into a buffer before it is streamed.
constexpr size_t kBuffer = 2048;
// The distance in bytes at which rows are prefetched; measured.
constexpr size_t kAhead = 2048;

void StreamAligned(const uint8_t* HWY_RESTRICT from, uint8_t* HWY_RESTRICT to,
                   size_t bytes) {
  const hn::ScalableTag<uint8_t> d;
  for (size_t i = 0; i < bytes; i += hn::Lanes(d)) {
    hn::Stream(hn::Load(d, from + i), d, to + i);
  }
}

// Steps are in bytes, and rows may begin anywhere.
template <typename T>
HWY_INLINE const T* At(const uint8_t* base, size_t offset) {
  return reinterpret_cast<const T*>(base + offset);
}
template <typename T>
HWY_INLINE T* At(uint8_t* base, size_t offset) {
  return reinterpret_cast<T*>(base + offset);
}

#if HWY_TARGET != HWY_SCALAR

// Eight rows are interleaved in registers of 16 bytes: these fill lines of `to`
// in order, and memory is not faster.
template <typename T, int kRows>
using Tag = std::conditional_t<kRows == 8, hn::CappedTag<T, 16 / sizeof(T)>,
                               hn::ScalableTag<T>>;

// Rotates the bits of an element's place among eight vectors to the left,
// `kSteps` times. The bits of the vector come before those of the lane.
template <int kSteps, class D>
HWY_INLINE void TurnPlaces(D d, hn::Vec<D>* values) {
#pragma GCC unroll 4
  for (int step = 0; step < kSteps; ++step) {
    hn::Vec<D> next[8];
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) {
      next[2 * i] = hn::InterleaveLower(d, values[i], values[i + 4]);
      next[2 * i + 1] = hn::InterleaveUpper(d, values[i], values[i + 4]);
    }
#pragma GCC unroll 8
    for (int i = 0; i < 8; ++i) values[i] = next[i];
  }
}

// A vector of each row.
template <typename T, int kRows>
HWY_INLINE void InterleaveVectors(const uint8_t* HWY_RESTRICT from,
                                  size_t row_step, uint8_t* HWY_RESTRICT to) {
  const Tag<T, kRows> d;
  hn::Vec<Tag<T, kRows>> values[kRows];
#pragma GCC unroll 8
  for (size_t i = 0; i < kRows; ++i) {
    values[i] = hn::LoadU(d, At<T>(from, i * row_step));
  }
  if constexpr (kRows == 2) {
    hn::StoreInterleaved2(values[0], values[1], d, At<T>(to, 0));
  } else if constexpr (kRows == 4) {
    hn::StoreInterleaved4(values[0], values[1], values[2], values[3], d,
                          At<T>(to, 0));
  } else {
    TurnPlaces<3>(d, values);
#pragma GCC unroll 8
    for (size_t i = 0; i < kRows; ++i) {
      hn::StoreU(values[i], d, At<T>(to, i * 16));
    }
  }
}

// A vector of each column.
template <typename T, int kColumns>
HWY_INLINE void DeinterleaveVectors(const uint8_t* HWY_RESTRICT from,
                                    size_t column_step,
                                    uint8_t* HWY_RESTRICT to) {
  const Tag<T, kColumns> d;
  hn::Vec<Tag<T, kColumns>> values[kColumns];
  if constexpr (kColumns == 2) {
    hn::LoadInterleaved2(d, At<T>(from, 0), values[0], values[1]);
  } else if constexpr (kColumns == 4) {
    hn::LoadInterleaved4(d, At<T>(from, 0), values[0], values[1], values[2],
                         values[3]);
  } else {
#pragma GCC unroll 8
    for (size_t i = 0; i < kColumns; ++i) {
      values[i] = hn::LoadU(d, At<T>(from, i * 16));
    }
    // As many as there are bits in the number of a lane.
    TurnPlaces<sizeof(T) == 1 ? 4 : 3>(d, values);
  }
#pragma GCC unroll 8
  for (size_t i = 0; i < kColumns; ++i) {
    hn::StoreU(values[i], d, At<T>(to, i * column_step));
  }
}

#endif

template <typename T, int kRows>
void InterleaveRun(const uint8_t* HWY_RESTRICT from, size_t row_step,
                   size_t columns, uint8_t* HWY_RESTRICT to) {
  size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const size_t lanes = hn::Lanes(Tag<T, kRows>());
  for (; i + lanes <= columns; i += lanes) {
    const size_t at = i * sizeof(T);
    // The processor does not prefetch so many rows by itself if they are read
    // in turn, a tile's width at a time.
    if (kRows < 8 || at % 64 == 0) {
      for (size_t row = 0; row < kRows; ++row) {
        hwy::Prefetch(from + row * row_step + at + kAhead);
      }
    }
    InterleaveVectors<T, kRows>(from + at, row_step, to + at * kRows);
  }
#endif
  for (; i < columns; ++i) {
    for (size_t row = 0; row < kRows; ++row) {
      std::memcpy(to + (i * kRows + row) * sizeof(T),
                  from + row * row_step + i * sizeof(T), sizeof(T));
    }
  }
}

template <typename T, int kRows>
void Interleave(const KernelArguments& block, const uint8_t* from,
                uint8_t* to) {
  const size_t row_step = static_cast<size_t>(block.from_row_step);
  const size_t columns = static_cast<size_t>(block.columns);
  const size_t bytes = columns * kRows * sizeof(T);
  HWY_ALIGN uint8_t buffer[kBuffer];
  for (int64_t i = 0; i < block.repeats; ++i) {
    const bool streams = block.stream && bytes <= kBuffer && bytes % 64 == 0 &&
                         reinterpret_cast<uintptr_t>(to) % 64 == 0;
    InterleaveRun<T, kRows>(from, row_step, columns, streams ? buffer : to);
    if (streams) StreamAligned(buffer, to, bytes);
    from += block.from_repeat_step;
    to += block.to_repeat_step;
  }
}

template <typename T, int kColumns>
void DeinterleaveRun(const uint8_t* HWY_RESTRICT from, size_t rows,
                     size_t column_step, uint8_t* HWY_RESTRICT to) {
  size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const size_t lanes = hn::Lanes(Tag<T, kColumns>());
  for (; i + lanes <= rows; i += lanes) {
    const size_t at = i * sizeof(T);
    DeinterleaveVectors<T, kColumns>(from + at * kColumns, column_step,
                                     to + at);
  }
#endif
  for (; i < rows; ++i) {
    for (size_t column = 0; column < kColumns; ++column) {
      std::memcpy(to + column * column_step + i * sizeof(T),
                  from + (i * kColumns + column) * sizeof(T), sizeof(T));
    }
  }
}

template <typename T, int kColumns>
void Deinterleave(const KernelArguments& block, const uint8_t* from,
                  uint8_t* to) {
  const size_t rows = static_cast<size_t>(block.rows);
  const size_t column_step = static_cast<size_t>(block.to_column_step);
  const size_t bytes = rows * sizeof(T);  // of a column
  HWY_ALIGN uint8_t buffer[kBuffer];
  for (int64_t i = 0; i < block.repeats; ++i) {
    const bool streams = block.stream && bytes * kColumns <= kBuffer &&
                         bytes % 64 == 0 && block.to_column_step % 64 == 0 &&
                         reinterpret_cast<uintptr_t>(to) % 64 == 0;
    if (streams) {
      for (size_t j = 0; j < bytes * kColumns; j += 64) {
        hwy::Prefetch(from + kFetchAhead + j);
      }
      DeinterleaveRun<T, kColumns>(from, rows, bytes, buffer);
      for (size_t column = 0; column < kColumns; ++column) {
        StreamAligned(buffer + column * bytes, to + column * column_step,
                      bytes);
      }
    } else {
      DeinterleaveRun<T, kColumns>(from, rows, column_step, to);
    }
    from += block.from_repeat_step;
    to += block.to_repeat_step;
  }
}

// HWY_EXPORT takes names without commas.
void Interleave1By2(const KernelArguments& b, const uint8_t* f, uint8_t* t) {
  Interleave<uint8_t, 2>(b, f, t);
}
void Interleave1By4(const KernelArguments& b, const uint8_t* f, uint8_t* t) {
  Interleave<uint8_t, 4>(b, f, t);
}
void Interleave1By8(const KernelArguments& b, const uint8_t* f, uint8_t* t) {
  Interleave<uint8_t, 8>(b, f, t);
}
void Interleave2By2(const KernelArguments& b, const uint8_t* f, uint8_t* t) {
  Interleave<uint16_t, 2>(b, f, t);
}
void Interleave2By4(const KernelArguments& b, const uint8_t* f, uint8_t* t) {
  Interleave<uint16_t, 4>(b, f, t);
}
void Interleave2By8(const KernelArguments& b, const uint8_t* f, uint8_t* t) {
  Interleave<uint16_t, 8>(b, f, t);
}
void Interleave4By2(const KernelArguments& b, const uint8_t* f, uint8_t* t) {
  Interleave<uint32_t, 2>(b, f, t);
}
void Interleave4By4(const KernelArguments& b, const uint8_t* f, uint8_t* t) {
  Interleave<uint32_t, 4>(b, f, t);
}
void Deinterleave1By2(const KernelArguments& b, const uint8_t* f, uint8_t* t) {
  Deinterleave<uint8_t, 2>(b, f, t);
}
void Deinterleave1By4(const KernelArguments& b, const uint8_t* f, uint8_t* t) {
  Deinterleave<uint8_t, 4>(b, f, t);
}
void Deinterleave1By8(const KernelArguments& b, const uint8_t* f, uint8_t* t) {
  Deinterleave<uint8_t, 8>(b, f, t);
}
void Deinterleave2By2(const KernelArguments& b, const uint8_t* f, uint8_t* t) {
  Deinterleave<uint16_t, 2>(b, f, t);
}
void Deinterleave2By4(const KernelArguments& b, const uint8_t* f, uint8_t* t) {
  Deinterleave<uint16_t, 4>(b, f, t);
}
void Deinterleave2By8(const KernelArguments& b, const uint8_t* f, uint8_t* t) {
  Deinterleave<uint16_t, 8>(b, f, t);
}
void Deinterleave4By2(const KernelArguments& b, const uint8_t* f, uint8_t* t) {
  Deinterleave<uint32_t, 2>(b, f, t);
}
void Deinterleave4By4(const KernelArguments& b, const uint8_t* f, uint8_t* t) {
  Deinterleave<uint32_t, 4>(b, f, t);
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera {

HWY_EXPORT(Interleave1By2);
HWY_EXPORT(Interleave1By4);
HWY_EXPORT(Interleave1By8);
HWY_EXPORT(Interleave2By2);
HWY_EXPORT(Interleave2By4);
HWY_EXPORT(Interleave2By8);
HWY_EXPORT(Interleave4By2);
HWY_EXPORT(Interleave4By4);
HWY_EXPORT(Deinterleave1By2);
HWY_EXPORT(Deinterleave1By4);
HWY_EXPORT(Deinterleave1By8);
HWY_EXPORT(Deinterleave2By2);
HWY_EXPORT(Deinterleave2By4);
HWY_EXPORT(Deinterleave2By8);
HWY_EXPORT(Deinterleave4By2);
HWY_EXPORT(Deinterleave4By4);

Kernel InterleaveKernel(int64_t element_bytes, int64_t rows) {
  if (rows != 2 && rows != 4 && rows != 8) return nullptr;
  switch (element_bytes * 10 + rows) {
    case 12:
      return TESSERA_KERNEL(Interleave1By2);
    case 14:
      return TESSERA_KERNEL(Interleave1By4);
    case 18:
      return TESSERA_KERNEL(Interleave1By8);
    case 22:
      return TESSERA_KERNEL(Interleave2By2);
    case 24:
      return TESSERA_KERNEL(Interleave2By4);
    case 28:
      return TESSERA_KERNEL(Interleave2By8);
    case 42:
      return TESSERA_KERNEL(Interleave4By2);
    case 44:
      return TESSERA_KERNEL(Interleave4By4);
    default:
      return nullptr;
  }
}

Kernel DeinterleaveKernel(int64_t element_bytes, int64_t columns) {
  if (columns != 2 && columns != 4 && columns != 8) return nullptr;
  switch (element_bytes * 10 + columns) {
    case 12:
      return TESSERA_KERNEL(Deinterleave1By2);
    case 14:
      return TESSERA_KERNEL(Deinterleave1By4);
    case 18:
      return TESSERA_KERNEL(Deinterleave1By8);
    case 22:
      return TESSERA_KERNEL(Deinterleave2By2);
    case 24:
      return TESSERA_KERNEL(Deinterleave2By4);
    case 28:
      return TESSERA_KERNEL(Deinterleave2By8);
    case 42:
      return TESSERA_KERNEL(Deinterleave4By2);
    case 44:
      return TESSERA_KERNEL(Deinterleave4By4);
    default:
      return nullptr;
  }
}

}  // namespace tessera
#endif  // HWY_ONCE
