// Copies runs by memcpy or, if the cache does not help, by stores that bypass
// it.

#include <cstring>

#include "hwy/cache_control.h"
#include "tessera/relayout/kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "relayout/copy_kernel.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Precondition: bytes >= 64.
void StreamRun(const uint8_t* HWY_RESTRICT from, uint8_t* HWY_RESTRICT to,
               size_t bytes) {
  constexpr size_t kLine = 64;
  const hn::ScalableTag<uint8_t> d;
  const size_t lanes = hn::Lanes(d);
  const size_t head = -reinterpret_cast<uintptr_t>(to) % kLine;
  std::memcpy(to, from, head);
  from += head;
  to += head;
  bytes -= head;
  size_t i = 0;
  for (; i + kLine <= bytes; i += kLine) {
    hwy::Prefetch(from + i + kFetchAhead);
    for (size_t j = 0; j < kLine; j += lanes) {
      hn::Stream(hn::LoadU(d, from + i + j), d, to + i + j);
    }
  }
  std::memcpy(to + i, from + i, bytes - i);
}

void Copy(const KernelArguments& block, const uint8_t* from, uint8_t* to) {
  const size_t bytes = static_cast<size_t>(block.columns);
  for (int64_t i = 0; i < block.repeats; ++i) {
    if (block.stream && bytes >= 256) {
      StreamRun(from, to, bytes);
    } else {
      std::memcpy(to, from, bytes);
    }
    from += block.from_repeat_step;
    to += block.to_repeat_step;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera {

HWY_EXPORT(Copy);

Kernel CopyKernel() { return TESSERA_KERNEL(Copy); }

void FlushStreamedStores() { hwy::FlushStream(); }

}  // namespace tessera
#endif  // HWY_ONCE
