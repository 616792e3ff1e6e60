#include "tessera/base/math/short_division.h"

#include <cstdint>
#include <limits>

#include "gtest/gtest.h"

namespace tessera {
namespace {

TEST(ShortDivision, Example) {
  EXPECT_EQ(DivideShort(80, 6).quotient, 13);
  EXPECT_EQ(DivideShort(80, 6).remainder, 2);
}

TEST(ShortDivision, AgreesWithDivisionOnBothSidesOfTheWidth) {
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  const int64_t numbers[] = {1,         2,
                             7,         (1LL << 31) - 1,
                             1LL << 31, (1LL << 32) - 1,
                             1LL << 32, (1LL << 32) + 1,
                             kMax / 3,  kMax};
  for (const int64_t a : numbers) {
    for (const int64_t b : numbers) {
      EXPECT_EQ(DivideShort(a, b).quotient, a / b) << a << " / " << b;
      EXPECT_EQ(DivideShort(a, b).remainder, a % b) << a << " % " << b;
    }
    EXPECT_EQ(DivideShort(0, a).quotient, 0);
  }
}

}  // namespace
}  // namespace tessera
