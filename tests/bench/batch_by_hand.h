// Loops as one writes them by hand for one layout, over batches of indices:
// what BatchIndexMap is measured against. Compiled with -O3 for every
// instruction set that Highway knows, the processor's own being taken.
//
//   const int64_t* const inputs[] = {rows, columns};
//   int64_t* const outputs[] = {positions};
//   ForwardByHand(BatchLayout::kNested, inputs, outputs, nullptr, count);

#ifndef TESSERA_TESTS_BENCH_BATCH_BY_HAND_H_
#define TESSERA_TESTS_BENCH_BATCH_BY_HAND_H_

#include <cstddef>
#include <cstdint>

namespace tessera {

enum class BatchLayout {
  kNested,  // bf16[4096,16384]{1,0:T(8,128)(2,1)}
  kPadded,  // f32[1001,1501]{1,0:T(8,128)}
  kRank4,   // bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)}
};
inline constexpr BatchLayout kBatchLayouts[] = {
    BatchLayout::kNested, BatchLayout::kPadded, BatchLayout::kRank4};
const char* BatchLayoutText(BatchLayout layout);

void ForwardByHand(BatchLayout layout, const int64_t* const* inputs,
                   int64_t* const* outputs, size_t count);
void ForwardByHand(BatchLayout layout, const int32_t* const* inputs,
                   int32_t* const* outputs, size_t count);

// `kinds`: 1 for padding, where the layout has any.
void InverseByHand(BatchLayout layout, const int64_t* const* inputs,
                   int64_t* const* outputs, uint8_t* kinds, size_t count);
void InverseByHand(BatchLayout layout, const int32_t* const* inputs,
                   int32_t* const* outputs, uint8_t* kinds, size_t count);

}  // namespace tessera

#endif  // TESSERA_TESTS_BENCH_BATCH_BY_HAND_H_
