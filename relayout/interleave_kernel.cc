// Two or four rows whose columns follow one another, both ways.

#include <cstring>

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

// As much as is interleaved into a buffer before it is streamed, in bytes.
constexpr size_t kBuffer = 2048;
// How far ahead rows are fetched, in bytes; measured.
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

template <typename T, int kRows>
void InterleaveRun(const uint8_t* HWY_RESTRICT from, size_t row_step,
                   size_t columns, uint8_t* HWY_RESTRICT to) {
  size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::ScalableTag<T> d;
  const size_t lanes = hn::Lanes(d);
  for (; i + lanes <= columns; i += lanes) {
    const size_t at = i * sizeof(T);
    // Rows that are read in turn, a tile's width at a time, are more than the
    // processor looks ahead for by itself.
    for (size_t row = 0; row < kRows; ++row) {
      hwy::Prefetch(from + row * row_step + at + kAhead);
    }
    const auto v0 = hn::LoadU(d, At<T>(from, at));
    const auto v1 = hn::LoadU(d, At<T>(from, row_step + at));
    if constexpr (kRows == 2) {
      hn::StoreInterleaved2(v0, v1, d, At<T>(to, at * kRows));
    } else {
      const auto v2 = hn::LoadU(d, At<T>(from, 2 * row_step + at));
      const auto v3 = hn::LoadU(d, At<T>(from, 3 * row_step + at));
      hn::StoreInterleaved4(v0, v1, v2, v3, d, At<T>(to, at * kRows));
    }
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
  const hn::ScalableTag<T> d;
  const size_t lanes = hn::Lanes(d);
  for (; i + lanes <= rows; i += lanes) {
    const size_t at = i * sizeof(T);
    hn::Vec<decltype(d)> v0, v1;
    if constexpr (kColumns == 2) {
      hn::LoadInterleaved2(d, At<T>(from, at * kColumns), v0, v1);
    } else {
      hn::Vec<decltype(d)> v2, v3;
      hn::LoadInterleaved4(d, At<T>(from, at * kColumns), v0, v1, v2, v3);
      hn::StoreU(v2, d, At<T>(to, 2 * column_step + at));
      hn::StoreU(v3, d, At<T>(to, 3 * column_step + at));
    }
    hn::StoreU(v0, d, At<T>(to, at));
    hn::StoreU(v1, d, At<T>(to, column_step + at));
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
void Interleave2By2(const KernelArguments& b, const uint8_t* f, uint8_t* t) {
  Interleave<uint16_t, 2>(b, f, t);
}
void Interleave2By4(const KernelArguments& b, const uint8_t* f, uint8_t* t) {
  Interleave<uint16_t, 4>(b, f, t);
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
void Deinterleave2By2(const KernelArguments& b, const uint8_t* f, uint8_t* t) {
  Deinterleave<uint16_t, 2>(b, f, t);
}
void Deinterleave2By4(const KernelArguments& b, const uint8_t* f, uint8_t* t) {
  Deinterleave<uint16_t, 4>(b, f, t);
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
HWY_EXPORT(Interleave2By2);
HWY_EXPORT(Interleave2By4);
HWY_EXPORT(Interleave4By2);
HWY_EXPORT(Interleave4By4);
HWY_EXPORT(Deinterleave1By2);
HWY_EXPORT(Deinterleave1By4);
HWY_EXPORT(Deinterleave2By2);
HWY_EXPORT(Deinterleave2By4);
HWY_EXPORT(Deinterleave4By2);
HWY_EXPORT(Deinterleave4By4);

Kernel InterleaveKernel(int64_t element_bytes, int64_t rows) {
  if (rows != 2 && rows != 4) return nullptr;
  switch (element_bytes * 10 + rows) {
    case 12:
      return TESSERA_KERNEL(Interleave1By2);
    case 14:
      return TESSERA_KERNEL(Interleave1By4);
    case 22:
      return TESSERA_KERNEL(Interleave2By2);
    case 24:
      return TESSERA_KERNEL(Interleave2By4);
    case 42:
      return TESSERA_KERNEL(Interleave4By2);
    case 44:
      return TESSERA_KERNEL(Interleave4By4);
    default:
      return nullptr;
  }
}

Kernel DeinterleaveKernel(int64_t element_bytes, int64_t columns) {
  if (columns != 2 && columns != 4) return nullptr;
  switch (element_bytes * 10 + columns) {
    case 12:
      return TESSERA_KERNEL(Deinterleave1By2);
    case 14:
      return TESSERA_KERNEL(Deinterleave1By4);
    case 22:
      return TESSERA_KERNEL(Deinterleave2By2);
    case 24:
      return TESSERA_KERNEL(Deinterleave2By4);
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
