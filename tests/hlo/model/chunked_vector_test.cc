#include "tessera/hlo/model/chunked_vector.h"

#include "gtest/gtest.h"

namespace tessera {
namespace hlo_internal {
namespace {

TEST(ChunkedVector, KeepsElementsWhereTheyAre) {
  ChunkedVector<int> numbers;
  EXPECT_TRUE(numbers.empty());
  numbers.push_back(7);
  const int* const first = &numbers[0];
  for (int i = 1; i < 10000; ++i) numbers.push_back(7 * i);
  EXPECT_EQ(&numbers[0], first);
  EXPECT_EQ(numbers.size(), 10000);
  for (int i = 1; i < 10000; ++i) ASSERT_EQ(numbers[i], 7 * i);
}

}  // namespace
}  // namespace hlo_internal
}  // namespace tessera
