#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tests/bench/batch_by_hand.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
//
#include <type_traits>

#include "hwy/highway.h"
#include "tests/bench/batch_by_hand.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

template <typename Int>
void Forward(BatchLayout layout, const Int* const* inputs, Int* const* outputs,
             size_t count) {
  using Unsigned = std::make_unsigned_t<Int>;
  Int* HWY_RESTRICT const to = outputs[0];
  const size_t rank = layout == BatchLayout::kRank4 ? 4 : 2;
  const Int* HWY_RESTRICT const rows = inputs[rank - 2];
  const Int* HWY_RESTRICT const columns = inputs[rank - 1];
  switch (layout) {
    case BatchLayout::kNested:
      for (size_t i = 0; i < count; ++i) {
        const Unsigned row = rows[i], column = columns[i];
        to[i] = ((row >> 3) << 17) + ((column >> 7) << 10) +
                (((row >> 1) & 3) << 8) + ((column & 127) << 1) + (row & 1);
      }
      break;
    case BatchLayout::kPadded:
      for (size_t i = 0; i < count; ++i) {
        const Unsigned row = rows[i], column = columns[i];
        to[i] = (((row >> 3) * 12 + (column >> 7)) << 10) + ((row & 7) << 7) +
                (column & 127);
      }
      break;
    case BatchLayout::kRank4: {
      const Int* HWY_RESTRICT const batches = inputs[0];
      for (size_t i = 0; i < count; ++i) {
        const Unsigned row = rows[i], column = columns[i];
        to[i] = ((static_cast<Unsigned>(batches[i]) * 160 + (row >> 3)) << 17) +
                ((column >> 7) << 10) + (((row >> 1) & 3) << 8) +
                ((column & 127) << 1) + (row & 1);
      }
      break;
    }
  }
}

template <typename Int>
void Inverse(BatchLayout layout, const Int* const* inputs, Int* const* outputs,
             uint8_t* HWY_RESTRICT kinds, size_t count) {
  using Unsigned = std::make_unsigned_t<Int>;
  const Int* HWY_RESTRICT const positions = inputs[0];
  const size_t rank = layout == BatchLayout::kRank4 ? 4 : 2;
  Int* HWY_RESTRICT const rows = outputs[rank - 2];
  Int* HWY_RESTRICT const columns = outputs[rank - 1];
  switch (layout) {
    case BatchLayout::kNested:
      for (size_t i = 0; i < count; ++i) {
        const Unsigned p = positions[i];
        rows[i] = ((p >> 17) << 3) | (((p >> 8) & 3) << 1) | (p & 1);
        columns[i] = (((p >> 10) & 127) << 7) | ((p >> 1) & 127);
      }
      break;
    case BatchLayout::kPadded:
      for (size_t i = 0; i < count; ++i) {
        const Unsigned p = positions[i];
        const Unsigned tile = p >> 10, tile_row = tile / 12;
        const Unsigned row = (tile_row << 3) + ((p >> 7) & 7);
        const Unsigned column = ((tile - tile_row * 12) << 7) + (p & 127);
        rows[i] = row;
        columns[i] = column;
        kinds[i] = row >= 1001 || column >= 1501;
      }
      break;
    case BatchLayout::kRank4: {
      Int* HWY_RESTRICT const batches = outputs[0];
      Int* HWY_RESTRICT const units = outputs[1];
      for (size_t i = 0; i < count; ++i) {
        const Unsigned p = positions[i];
        const Unsigned tile_row = p >> 17, batch = tile_row / 160;
        batches[i] = batch;
        units[i] = 0;
        rows[i] =
            ((tile_row - batch * 160) << 3) | (((p >> 8) & 3) << 1) | (p & 1);
        columns[i] = (((p >> 10) & 127) << 7) | ((p >> 1) & 127);
      }
      break;
    }
  }
}

void Forward64(BatchLayout layout, const int64_t* const* inputs,
               int64_t* const* outputs, size_t count) {
  Forward(layout, inputs, outputs, count);
}
void Forward32(BatchLayout layout, const int32_t* const* inputs,
               int32_t* const* outputs, size_t count) {
  Forward(layout, inputs, outputs, count);
}
void Inverse64(BatchLayout layout, const int64_t* const* inputs,
               int64_t* const* outputs, uint8_t* kinds, size_t count) {
  Inverse(layout, inputs, outputs, kinds, count);
}
void Inverse32(BatchLayout layout, const int32_t* const* inputs,
               int32_t* const* outputs, uint8_t* kinds, size_t count) {
  Inverse(layout, inputs, outputs, kinds, count);
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera {

HWY_EXPORT(Forward64);
HWY_EXPORT(Forward32);
HWY_EXPORT(Inverse64);
HWY_EXPORT(Inverse32);

const char* BatchLayoutText(BatchLayout layout) {
  switch (layout) {
    case BatchLayout::kNested:
      return "bf16[4096,16384]{1,0:T(8,128)(2,1)}";
    case BatchLayout::kPadded:
      return "f32[1001,1501]{1,0:T(8,128)}";
    case BatchLayout::kRank4:
      break;
  }
  return "bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)}";
}

void ForwardByHand(BatchLayout layout, const int64_t* const* inputs,
                   int64_t* const* outputs, size_t count) {
  HWY_DYNAMIC_DISPATCH(Forward64)(layout, inputs, outputs, count);
}
void ForwardByHand(BatchLayout layout, const int32_t* const* inputs,
                   int32_t* const* outputs, size_t count) {
  HWY_DYNAMIC_DISPATCH(Forward32)(layout, inputs, outputs, count);
}
void InverseByHand(BatchLayout layout, const int64_t* const* inputs,
                   int64_t* const* outputs, uint8_t* kinds, size_t count) {
  HWY_DYNAMIC_DISPATCH(Inverse64)(layout, inputs, outputs, kinds, count);
}
void InverseByHand(BatchLayout layout, const int32_t* const* inputs,
                   int32_t* const* outputs, uint8_t* kinds, size_t count) {
  HWY_DYNAMIC_DISPATCH(Inverse32)(layout, inputs, outputs, kinds, count);
}

}  // namespace tessera
#endif  // HWY_ONCE
