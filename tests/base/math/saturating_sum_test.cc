#include "tessera/base/math/saturating_sum.h"

#include <cstdint>
#include <limits>

#include "gtest/gtest.h"

namespace tessera {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

TEST(SaturatingSum, Example) {
  bool is_saturated = false;
  int64_t bytes = 0;
  SaturatingAdd(5, &bytes, &is_saturated);
  EXPECT_EQ(bytes, 5);
  SaturatingAddProduct(int64_t{1} << 62, 4, &bytes, &is_saturated);
  EXPECT_EQ(bytes, kMax);
  EXPECT_TRUE(is_saturated);
}

TEST(SaturatingSum, TheGreatestSumIsNotSaturated) {
  bool is_saturated = false;
  int64_t sum = kMax - 6;
  SaturatingAddProduct(2, 3, &sum, &is_saturated);
  EXPECT_EQ(sum, kMax);
  EXPECT_FALSE(is_saturated);
  SaturatingAdd(0, &sum, &is_saturated);
  EXPECT_FALSE(is_saturated);
  SaturatingAdd(1, &sum, &is_saturated);
  EXPECT_EQ(sum, kMax);
  EXPECT_TRUE(is_saturated);
}

TEST(SaturatingSum, TheFlagStays) {
  bool is_saturated = true;
  int64_t sum = 1;
  SaturatingAdd(1, &sum, &is_saturated);
  EXPECT_EQ(sum, 2);
  EXPECT_TRUE(is_saturated);
  EXPECT_EQ(SaturatingMultiply(2, 3, &is_saturated), 6);
  EXPECT_TRUE(is_saturated);
}

}  // namespace
}  // namespace tessera
