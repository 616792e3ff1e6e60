// Debian's libhwy takes more than 3 ms of processor time to load: it measures
// the resolution of the machine's timer, which no part of Tessera asks for.
// These two functions are all that dynamic dispatch needs of it. A program that
// has them does not load it.

#include <cstdint>

#include "hwy/targets.h"

namespace hwy {

// Each target needs all that the targets before it need: HWY_TARGET_STR in
// hwy/ops/set_macros-inl.h.
int64_t SupportedTargets() {
  int64_t targets = HWY_STATIC_TARGET;
#if HWY_ARCH_X86
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("ssse3")) return targets;
  targets |= HWY_SSSE3;
  if (!__builtin_cpu_supports("sse4.1") || !__builtin_cpu_supports("sse4.2") ||
      !__builtin_cpu_supports("pclmul") || !__builtin_cpu_supports("aes")) {
    return targets;
  }
  targets |= HWY_SSE4;
  // Clang cannot ask for F16C, which every processor with AVX2 has.
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi") ||
      !__builtin_cpu_supports("bmi2") || !__builtin_cpu_supports("fma")) {
    return targets;
  }
  targets |= HWY_AVX2;
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw")) {
    targets |= HWY_AVX3;
  }
#endif
  return targets;
}

ChosenTarget& GetChosenTarget() {
  static ChosenTarget chosen_target;
  return chosen_target;
}

}  // namespace hwy
