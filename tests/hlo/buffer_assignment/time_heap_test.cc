#include <cstdint>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/hlo/buffer_assignment/heap_packing.h"

namespace tessera::hlo_internal {
namespace {

struct Block {
  int64_t bytes;
  int64_t first;
  int64_t last;
};

std::vector<int64_t> Offsets(int64_t alignment,
                             const std::vector<Block>& blocks) {
  TimeHeap heap(alignment);
  std::vector<int64_t> offsets;
  for (const Block& block : blocks) {
    offsets.push_back(heap.Place(block.bytes, block.first, block.last));
  }
  offsets.push_back(heap.bytes());
  offsets.push_back(heap.peak_bytes());
  return offsets;
}

// Offsets, and behind them the size of the heap and the most that is live.
TEST(TimeHeap, PlacesByTime) {
  using ::testing::ElementsAre;
  // What ends before a step is free at it; both ends count.
  EXPECT_THAT(Offsets(16, {{16, 0, 1}, {16, 1, 2}, {16, 2, 3}}),
              ElementsAre(0, 16, 0, 32, 32));
  // A dead block leaves its true bytes, not the slot.
  EXPECT_THAT(Offsets(16384, {{512, 0, 1}, {512, 0, 9}, {4096, 3, 9}}),
              ElementsAre(0, 16384, 32768, 36864, 4608));
  // The block with the fewest bytes, the lowest of equals.
  EXPECT_THAT(Offsets(16, {{64, 0, 1},
                           {16, 0, 9},
                           {32, 0, 1},
                           {16, 0, 9},
                           {32, 0, 1},
                           {16, 0, 9},
                           {32, 3, 9}}),
              ElementsAre(0, 64, 80, 112, 128, 160, 80, 176, 176));
  // Free bytes that touch are one block, over the gap to the next slot, too.
  EXPECT_THAT(Offsets(16, {{8, 0, 1}, {8, 0, 1}, {8, 0, 9}, {24, 3, 9}}),
              ElementsAre(0, 16, 32, 0, 40, 32));
  // The free block at the end grows.
  EXPECT_THAT(Offsets(16, {{16, 0, 9}, {16, 0, 1}, {64, 3, 9}}),
              ElementsAre(0, 16, 16, 80, 80));
  // Bytes in front of the first multiple in a free block go with the block that
  // is cut out of it: 12 bytes do not fit over the dead 4.
  EXPECT_THAT(
      Offsets(16, {{64, 0, 1}, {16, 0, 9}, {4, 2, 3}, {16, 2, 9}, {12, 5, 9}}),
      ElementsAre(0, 64, 0, 16, 32, 80, 80));
  // Nothing takes nothing.
  EXPECT_THAT(Offsets(16, {{0, 0, 9}, {16, 0, 9}}), ElementsAre(0, 0, 16, 16));
}

}  // namespace
}  // namespace tessera::hlo_internal
