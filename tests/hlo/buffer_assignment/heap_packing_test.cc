#include "tessera/hlo/buffer_assignment/heap_packing.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace tessera {
namespace hlo_internal {
namespace {

constexpr int64_t kNoLimit = int64_t{1} << 40;

HeapPacking Pack(const std::vector<HeapBlock>& blocks, int64_t alignment) {
  WorkCheck check;
  bool gives_up = false;
  const HeapPacking packing =
      PackHeap(blocks, alignment, kNoLimit, &check, &gives_up);
  EXPECT_FALSE(gives_up);
  return packing;
}

TEST(HeapPacking, ReusesWhatIsFree) {
  const HeapPacking packing = Pack({{100, 0, 5}, {50, 6, 9}}, 16);
  EXPECT_EQ(packing.bytes, 100);
  EXPECT_EQ(packing.offsets, (std::vector<int64_t>{0, 0}));
}

TEST(HeapPacking, AlignsAllButTheEnd) {
  const HeapPacking packing = Pack({{100, 0, 5}, {50, 5, 9}}, 16);
  EXPECT_EQ(packing.offsets, (std::vector<int64_t>{0, 112}));
  EXPECT_EQ(packing.bytes, 162);
}

TEST(HeapPacking, TakesTheSmallestGapThatFits) {
  // At time 1 there are gaps of 40, between 0 and 2, and of 20, between 2 and
  // 4.
  const std::vector<HeapBlock> blocks = {{100, 0, 9}, {40, 0, 0}, {99, 0, 9},
                                         {20, 0, 0},  {98, 0, 9}, {18, 1, 1}};
  const HeapPacking packing = Pack(blocks, 1);
  int64_t greatest = 0;
  for (size_t i = 0; i < blocks.size(); ++i) {
    greatest = std::max(greatest, packing.offsets[i] + blocks[i].bytes);
  }
  EXPECT_EQ(packing.bytes, greatest);
  EXPECT_EQ(packing.bytes, 357);
}

TEST(HeapPacking, ABlockLiesWhereItsHostLies) {
  // The guest is larger and outlives its host.
  const HeapPacking packing = Pack({{10, 0, 3}, {30, 4, 6, 0}, {20, 5, 7}}, 1);
  EXPECT_EQ(packing.offsets[0], packing.offsets[1]);
  EXPECT_EQ(packing.bytes, 50);
}

TEST(HeapPacking, TriesBothOrdersAndTakesTheSmallerHeap) {
  // By size 12, by duration 11.
  const std::vector<HeapBlock> blocks = {
      {6, 0, 1}, {5, 2, 3}, {5, 1, 2}, {5, 0, 0}};
  EXPECT_EQ(Pack(blocks, 1).bytes, 11);
}

TEST(HeapPacking, EqualBlocksGoByTheirNumber) {
  const HeapPacking packing =
      Pack({{8, 0, 3, -1, 7}, {8, 1, 4, -1, 3}, {8, 2, 5, -1, 5}}, 1);
  EXPECT_EQ(packing.offsets, (std::vector<int64_t>{16, 0, 8}));
}

// Each lies in the place of the one before: a program of operations in place.
TEST(HeapPacking, ALongChainOfHostsIsOnePlace) {
  std::vector<HeapBlock> blocks;
  constexpr int64_t kBlocks = 300000;
  for (int64_t i = 0; i < kBlocks; ++i) blocks.push_back({8, i, i, i - 1, i});
  const HeapPacking packing = Pack(blocks, 1);
  EXPECT_EQ(packing.bytes, 8);
  EXPECT_EQ(packing.offsets.back(), 0);
}

TEST(HeapPacking, GivesUpPastItsLimit) {
  std::vector<HeapBlock> blocks(100, HeapBlock{1, 0, 9});
  WorkCheck check;
  bool gives_up = false;
  EXPECT_EQ(PackHeap(blocks, 1, /*pair_limit=*/1000, &check, &gives_up).bytes,
            0);
  EXPECT_TRUE(gives_up);
  EXPECT_EQ(PackHeap({}, 1, /*pair_limit=*/0, &check, &gives_up).bytes, 0);
  EXPECT_FALSE(gives_up);
}

TEST(HeapPacking, BlocksThatAreThereAtOnceNeverOverlap) {
  for (int seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    const int64_t alignment = int64_t{1} << random() % 5;
    std::vector<HeapBlock> blocks;
    int64_t greatest = 0;
    for (int i = 0; i < 60; ++i) {
      HeapBlock block;
      block.bytes = random() % 100;
      block.first = random() % 50;
      block.last = block.first + random() % 20;
      block.number = i;
      blocks.push_back(block);
      greatest = std::max(greatest, block.bytes);
    }
    const HeapPacking packing = Pack(blocks, alignment);
    EXPECT_GE(packing.bytes, greatest);
    for (size_t i = 0; i < blocks.size(); ++i) {
      ASSERT_EQ(packing.offsets[i] % alignment, 0) << seed;
      for (size_t j = 0; j < i; ++j) {
        const bool meet = blocks[i].first <= blocks[j].last &&
                          blocks[j].first <= blocks[i].last;
        const bool overlap =
            packing.offsets[i] < packing.offsets[j] + blocks[j].bytes &&
            packing.offsets[j] < packing.offsets[i] + blocks[i].bytes;
        ASSERT_FALSE(meet && overlap) << seed << " " << i << " " << j;
      }
    }
  }
}

}  // namespace
}  // namespace hlo_internal
}  // namespace tessera
