// Every kernel, for every processor that this one can stand in for.

#include "tessera/relayout/kernel.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "gtest/gtest.h"
#include "tessera/tests/literal/random_layouts.h"
#include "tessera/tests/vectors/each_vector_target.h"

namespace tessera {
namespace {

// Ends where its allocation ends, so that the sanitizers see every byte past
// it, and begins `offset` bytes after it, so that nothing need be aligned.
struct Buffer {
  Buffer(int64_t bytes, int64_t offset, RandomBits* random)
      : size(bytes + offset),
        memory(new uint8_t[static_cast<size_t>(size)]),
        begin(memory.get() + offset) {
    for (int64_t i = 0; i < size; ++i) {
      memory[i] = static_cast<uint8_t>(Uniform(0, 255, random));
    }
  }
  int64_t size;
  std::unique_ptr<uint8_t[]> memory;
  uint8_t* begin;
};

void CopyByElement(const KernelArguments& block, int64_t element_bytes,
                   const uint8_t* from, uint8_t* to) {
  for (int64_t i = 0; i < block.repeats; ++i) {
    for (int64_t row = 0; row < block.rows; ++row) {
      for (int64_t column = 0; column < block.columns; ++column) {
        std::memcpy(to + i * block.to_repeat_step +
                        column * block.to_column_step + row * element_bytes,
                    from + i * block.from_repeat_step +
                        row * block.from_row_step + column * element_bytes,
                    element_bytes);
      }
    }
  }
}

void CheckKernel(Kernel kernel, const KernelArguments& block,
                 int64_t element_bytes, RandomBits* random) {
  const int64_t from_bytes = (block.repeats - 1) * block.from_repeat_step +
                             (block.rows - 1) * block.from_row_step +
                             block.columns * element_bytes;
  const int64_t to_bytes = (block.repeats - 1) * block.to_repeat_step +
                           (block.columns - 1) * block.to_column_step +
                           block.rows * element_bytes;
  const Buffer from(from_bytes, Uniform(0, 1, random) * 7, random);
  const Buffer to(to_bytes, Uniform(0, 1, random) * 7, random);
  const std::vector<uint8_t> before(to.begin, to.begin + to_bytes);
  std::vector<uint8_t> expected = before;
  CopyByElement(block, element_bytes, from.begin, expected.data());
  kernel(block, from.begin, to.begin);
  FlushStreamedStores();
  ASSERT_EQ(std::memcmp(to.begin, expected.data(), expected.size()), 0)
      << block.rows << " rows of " << block.columns << " columns of "
      << element_bytes << " bytes, " << block.repeats << " repeats";
}

void ExpectCopyByElement() {
  RandomBits random(TestSeed());
  int64_t narrow = 0;
  for (int64_t i = 0; i < 500; ++i) {
    const int64_t bytes = int64_t{1} << Uniform(0, 4, &random);
    // More than one panel.
    const int64_t most =
        Uniform(0, 1, &random) == 0 ? 20 : 300 / std::min<int64_t>(bytes, 4);
    KernelArguments block;
    block.stream = Uniform(0, 1, &random) == 1;
    block.rows = Uniform(1, most, &random);
    block.columns = Uniform(1, most, &random);
    block.repeats = Uniform(1, 3, &random);
    const int64_t few = int64_t{1} << Uniform(1, 3, &random);
    Kernel kernel = nullptr;
    const int64_t kind = Uniform(0, 4, &random);
    if (kind == 0) {
      kernel = InterleaveKernel(bytes, few);
      if (kernel != nullptr) block.rows = few;
    } else if (kind == 1) {
      kernel = DeinterleaveKernel(bytes, few);
      if (kernel != nullptr) block.columns = few;
    }
    const bool is_narrow = kernel != nullptr;
    narrow += is_narrow ? 1 : 0;
    if (!is_narrow) kernel = TransposeKernel(bytes);
    const int64_t gap = is_narrow ? 0 : Uniform(0, 1, &random) * 9;
    block.from_row_step = (block.columns + gap) * bytes;
    block.to_column_step = (block.rows + gap) * bytes;
    block.from_repeat_step = block.rows * block.from_row_step;
    block.to_repeat_step = block.columns * block.to_column_step;
    if (!is_narrow && kind == 2) {
      // Repeats go on with the rows of `to`.
      block.to_repeat_step = block.rows * bytes;
      block.to_column_step = block.repeats * block.to_repeat_step;
    } else if (!is_narrow && kind == 3) {
      // And with the columns of `from`.
      block.from_repeat_step = block.columns * bytes;
      block.from_row_step = block.repeats * block.from_repeat_step;
    }
    CheckKernel(kernel, block, bytes, &random);
    if (testing::Test::HasFatalFailure()) return;
  }
  EXPECT_GT(narrow, 25);
}

TEST(Kernels, AreTheCopyByElement) { ForEachVectorTarget(ExpectCopyByElement); }

TEST(InterleaveKernel, OfFewSizes) {
  for (const int64_t bytes : {1, 2, 4}) {
    for (const int64_t count : {1, 2, 3, 4, 8, 16}) {
      const bool is_there =
          count == 2 || count == 4 || (count == 8 && bytes < 4);
      EXPECT_EQ(InterleaveKernel(bytes, count) != nullptr, is_there)
          << bytes << " " << count;
      EXPECT_EQ(DeinterleaveKernel(bytes, count) != nullptr, is_there)
          << bytes << " " << count;
    }
  }
  EXPECT_EQ(InterleaveKernel(8, 2), nullptr);
  EXPECT_EQ(DeinterleaveKernel(16, 4), nullptr);
}

}  // namespace
}  // namespace tessera
