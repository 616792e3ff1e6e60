#include "tessera/base/math/floor_division.h"

#include <cstdint>
#include <limits>

#include "gtest/gtest.h"
#include "tessera/base/math/checked_arithmetic.h"

namespace tessera {
namespace {

TEST(FloorDivision, Example) {
  EXPECT_EQ(FloorOfRatio(-5, 3), -2);
  EXPECT_EQ(FloorRemainder(-5, 3), 1);
}

TEST(FloorDivision, RoundsAsDefined) {
  for (int64_t a = -40; a <= 40; ++a) {
    for (int64_t b = 1; b <= 12; ++b) {
      const int64_t quotient = FloorOfRatio(a, b);
      const int64_t remainder = FloorRemainder(a, b);
      EXPECT_EQ(quotient * b + remainder, a) << a << " / " << b;
      EXPECT_GE(remainder, 0) << a << " / " << b;
      EXPECT_LT(remainder, b) << a << " / " << b;
      EXPECT_EQ(CeilOfRatio(a, b), quotient + (remainder > 0 ? 1 : 0))
          << a << " / " << b;
    }
  }
}

TEST(FloorDivision, HoldsAtTheEndsOfTheRange) {
  constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(FloorOfRatio(kMin, 1), kMin);
  EXPECT_EQ(FloorOfRatio(kMin, kMax), -2);
  EXPECT_EQ(FloorRemainder(kMin, kMax), kMax - 1);
  EXPECT_EQ(CeilOfRatio(kMin, kMax), -1);
  EXPECT_EQ(FloorOfRatio(kMax, kMax), 1);
}

}  // namespace
}  // namespace tessera
