#include "tessera/report/text/units.h"

#include <cstdint>
#include <limits>

#include "gtest/gtest.h"

namespace tessera {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

TEST(Units, Example) {
  EXPECT_EQ(Counted(1, "byte"), "1 byte");
  EXPECT_EQ(Counted(2, "entry", "entries"), "2 entries");
  EXPECT_EQ(HumanBytes(85899345920), "80.0 GiB");
  EXPECT_EQ(HumanCount(1234567), "1,234,567");
  EXPECT_EQ(HumanFactor(8192, 2340), "3.50x");
  EXPECT_EQ(HumanPercent(1, 3), "33.3%");
  EXPECT_EQ(HumanMemorySpace(1, "VMEM"), "VMEM S(1)");
}

TEST(Units, Bytes) {
  EXPECT_EQ(HumanBytes(0), "0 B");
  EXPECT_EQ(HumanBytes(1023), "1023 B");
  EXPECT_EQ(HumanBytes(1024), "1.00 KiB");
  EXPECT_EQ(HumanBytes(1280 << 10), "1.25 MiB");
  // Halves go up.
  EXPECT_EQ(HumanBytes(32768000), "31.3 MiB");
  EXPECT_EQ(HumanBytes(10 * 1024 - 1), "10.0 KiB");
  // Never "1024.0".
  EXPECT_EQ(HumanBytes(1024 * 1024 - 1), "1.00 MiB");
  EXPECT_EQ(HumanBytes(int64_t{1023} << 20), "1023.0 MiB");
  EXPECT_EQ(HumanBytes(kMax), "8.00 EiB");
}

TEST(Units, Counts) {
  EXPECT_EQ(HumanCount(0), "0");
  EXPECT_EQ(HumanCount(999), "999");
  EXPECT_EQ(HumanCount(1000), "1,000");
  EXPECT_EQ(HumanCount(kMax), "9,223,372,036,854,775,807");
  EXPECT_EQ(HumanQuantity(1, "array"), "1 array");
  EXPECT_EQ(HumanQuantity(0, "array"), "0 arrays");
}

TEST(Units, MemorySpaceWithoutAName) {
  EXPECT_EQ(HumanMemorySpace(7, "7"), "S(7)");
}

TEST(Units, Ratios) {
  EXPECT_EQ(HumanFactor(0, 0), "1.00x");
  EXPECT_EQ(HumanFactor(5, 0), "-");
  EXPECT_EQ(HumanPercent(0, 0), "0.0%");
  EXPECT_EQ(HumanPercent(kMax, kMax), "100.0%");
}

}  // namespace
}  // namespace tessera
