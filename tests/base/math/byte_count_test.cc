#include "tessera/base/math/byte_count.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <random>

#include "gtest/gtest.h"

namespace tessera {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

TEST(CheckedByteCount, Example) {
  EXPECT_EQ(CheckedByteCount(3, 4), 2);
  EXPECT_EQ(CheckedByteCount(int64_t{1} << 62, 8), int64_t{1} << 62);
  EXPECT_EQ(CheckedByteCount(int64_t{1} << 62, 16), std::nullopt);
}

TEST(CheckedByteCount, AtTheEdge) {
  EXPECT_EQ(CheckedByteCount(0, kMax), 0);
  EXPECT_EQ(CheckedByteCount(kMax, 0), 0);
  EXPECT_EQ(CheckedByteCount(1, 1), 1);
  EXPECT_EQ(CheckedByteCount(8, 1), 1);
  EXPECT_EQ(CheckedByteCount(9, 1), 2);
  EXPECT_EQ(CheckedByteCount(kMax, 1), int64_t{1} << 60);
  EXPECT_EQ(CheckedByteCount(kMax, 8), kMax);
  EXPECT_EQ(CheckedByteCount(8, kMax), kMax);
  EXPECT_EQ(CheckedByteCount(kMax, 9), std::nullopt);
  EXPECT_EQ(CheckedByteCount(kMax, kMax), std::nullopt);
  // 2^63-1 bytes and one bit.
  EXPECT_EQ(CheckedByteCount(17967, 4106805604432471), std::nullopt);
  EXPECT_EQ(CheckedByteCount(17966, 4106805604432471), 9222858686154221749);
}

// The division by eight of what no 64 bits hold, done another way.
TEST(CheckedByteCount, AgreesWithTheRemaindersOfBoth) {
  std::mt19937_64 random(1);
  auto number = [&random] {
    return static_cast<int64_t>(random() >> (1 + random() % 63));
  };
  int64_t fits = 0;
  for (int i = 0; i < 100000; ++i) {
    const int64_t elements = number(), bits = number();
    SCOPED_TRACE(testing::Message() << elements << " of " << bits);
    // (8a + b) * (8c + d) / 8 == 8ac + ad + bc + bd / 8
    const unsigned __int128 a = elements / 8, b = elements % 8, c = bits / 8,
                            d = bits % 8;
    const unsigned __int128 bytes = 8 * a * c + a * d + b * c + (b * d + 7) / 8;
    const std::optional<int64_t> count = CheckedByteCount(elements, bits);
    ASSERT_EQ(count.has_value(), bytes <= static_cast<uint64_t>(kMax));
    if (!count.has_value()) continue;
    ASSERT_EQ(static_cast<unsigned __int128>(*count), bytes);
    ++fits;
  }
  EXPECT_GT(fits, 10000);
  EXPECT_LT(fits, 90000);
}

}  // namespace
}  // namespace tessera
