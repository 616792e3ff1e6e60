// Gathers the bits of a number under a mask, and scatters low bits under a
// mask, by processor instructions.
//
//   if (CanGatherBits()) ...  // may call functions marked TESSERA_GATHERS_BITS
//   GatherBitsUnder(0b111000, 0b101101)  // 0b101
//   ScatterBitsUnder(0b111000, 0b1101)   // 0b101000
//
// One instruction each (PEXT and PDEP of BMI2) where they exist and are fast;
// code that uses them also has a portable form.

#ifndef TESSERA_INDEX_MAP_INTERNAL_GATHER_BITS_H_
#define TESSERA_INDEX_MAP_INTERNAL_GATHER_BITS_H_

#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tessera {

#if defined(__x86_64__)

// Aligned, because the time of functions of a few nanoseconds varies by a fifth
// with their address.
#define TESSERA_GATHERS_BITS __attribute__((target("bmi2"), aligned(64)))

// Returns whether this processor has both instructions, and not as the slow
// microcode of AMD's first two generations of Zen.
inline bool CanGatherBits() {
  __builtin_cpu_init();
  return __builtin_cpu_supports("bmi2") && !__builtin_cpu_is("znver1") &&
         !__builtin_cpu_is("znver2");
}

// Precondition: CanGatherBits(), and the caller is marked TESSERA_GATHERS_BITS.
TESSERA_GATHERS_BITS inline uint64_t GatherBitsUnder(uint64_t mask,
                                                     uint64_t value) {
  return _pext_u64(value, mask);
}
TESSERA_GATHERS_BITS inline uint64_t ScatterBitsUnder(uint64_t mask,
                                                      uint64_t value) {
  return _pdep_u64(value, mask);
}

#else

#define TESSERA_GATHERS_BITS

inline bool CanGatherBits() { return false; }

inline uint64_t GatherBitsUnder(uint64_t mask, uint64_t value) {
  uint64_t gathered = 0;
  for (uint64_t bit = 1; mask != 0; bit <<= 1, mask &= mask - 1) {
    if (value & mask & -mask) gathered |= bit;
  }
  return gathered;
}

inline uint64_t ScatterBitsUnder(uint64_t mask, uint64_t value) {
  uint64_t scattered = 0;
  for (; mask != 0; value >>= 1, mask &= mask - 1) {
    if (value & 1) scattered |= mask & -mask;
  }
  return scattered;
}

#endif

}  // namespace tessera

#endif  // TESSERA_INDEX_MAP_INTERNAL_GATHER_BITS_H_
