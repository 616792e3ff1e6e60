#include "tessera/base/math/fast_divider.h"

#include <cstdint>
#include <limits>
#include <random>

#include "gtest/gtest.h"

namespace tessera {
namespace {

TEST(FastDivider, Example) {
  FastDivider by_160(160);
  EXPECT_EQ(by_160.Divide(20971519), 131071);
}

TEST(FastDivider, DefaultDividesByOne) {
  EXPECT_EQ(FastDivider().Divide(7), 7);
}

// Quotients change at the multiples of the divisor: try those and their
// neighbours, for dividends and divisors of every length.
TEST(FastDivider, AgreesWithDivisionEverywhere) {
  std::mt19937_64 random(20261121);
  for (int round = 0; round < 1000000; ++round) {
    const int64_t divisor =
        static_cast<int64_t>(random() >> (1 + random() % 63)) | 1;
    const int64_t dividend =
        static_cast<int64_t>(random() >> (1 + random() % 63));
    FastDivider divider(divisor);
    const int64_t multiple = dividend / divisor * divisor;
    for (int64_t n : {dividend, multiple, multiple == 0 ? 0 : multiple - 1}) {
      ASSERT_EQ(divider.Divide(n), n / divisor) << n << " / " << divisor;
    }
  }
}

TEST(FastDivider, AgreesAtTheEnds) {
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  constexpr int64_t kHalf = int64_t{1} << 62;
  for (int64_t divisor : {int64_t{1}, int64_t{2}, int64_t{3}, kHalf - 1, kHalf,
                          kHalf + 1, kMax - 1, kMax}) {
    FastDivider divider(divisor);
    for (int64_t n :
         {int64_t{0}, int64_t{1}, divisor - 1, divisor, kMax - 1, kMax}) {
      EXPECT_EQ(divider.Divide(n), n / divisor) << n << " / " << divisor;
    }
  }
}

}  // namespace
}  // namespace tessera
