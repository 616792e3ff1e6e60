#include "tessera/base/math/checked_arithmetic.h"

#include <cstdint>
#include <limits>
#include <optional>

#include "gtest/gtest.h"

namespace tessera {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

TEST(CheckedArithmetic, Example) {
  EXPECT_EQ(CheckedMultiply(1 << 20, 1 << 20), int64_t{1} << 40);
  EXPECT_EQ(CheckedMultiply(int64_t{1} << 62, 2), std::nullopt);
  EXPECT_EQ(CeilOfRatio(5, 2), 3);
}

TEST(CheckedArithmetic, AtTheEdgeOfInt64) {
  EXPECT_EQ(CheckedMultiply(kMax, 1), kMax);
  EXPECT_EQ(CheckedAdd(kMax - 1, 1), kMax);
  EXPECT_EQ(CheckedAdd(kMax, 1), std::nullopt);
  EXPECT_EQ(CeilOfRatio(kMax, 2), kMax / 2 + 1);
  EXPECT_EQ(CheckedRoundUp(kMax - 1, kMax), kMax);
  EXPECT_EQ(CheckedRoundUp(kMax, 2), std::nullopt);
  EXPECT_EQ(CheckedRoundUp(0, 7), 0);
}

TEST(CheckedArithmetic, ProductStopsAtZeroWhereverItStands) {
  EXPECT_EQ(CheckedProduct({}), 1);
  EXPECT_EQ(CheckedProduct({3, 5, 7}), 105);
  EXPECT_EQ(CheckedProduct({kMax, kMax, 0}), 0);
  EXPECT_EQ(CheckedProduct({0, kMax, kMax}), 0);
  EXPECT_EQ(CheckedProduct({kMax, 2}), std::nullopt);
}

}  // namespace
}  // namespace tessera
