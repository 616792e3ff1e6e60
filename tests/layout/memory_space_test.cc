#include "tessera/layout/memory_space.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "gtest/gtest.h"

namespace tessera {
namespace {

TEST(MemorySpaceNames, Defaults) {
  const MemorySpaceNames names;
  EXPECT_EQ(names.NameOf(0), "HBM");
  EXPECT_EQ(names.NameOf(5), "host");
  EXPECT_EQ(names.NameOf(200), "200");
  EXPECT_EQ(names.NameOf(-1), "-1");
  EXPECT_EQ(names.NameOf(std::numeric_limits<int64_t>::max()),
            "9223372036854775807");
}

TEST(MemorySpaceNames, OfEachTarget) {
  struct Case {
    const MemorySpaceNames& names;
    const char* expected;  // of 0 to 8
  };
  const Case kCases[] = {
      {MemorySpaceNames::OfTpu(),
       "HBM, VMEM, semaphores, CMEM, SMEM, host, 6, 7, SparseCore semaphores"},
      {MemorySpaceNames::OfGpu(),
       "device, collective, temporary, 3, 4, host, 6, 7, 8"},
      {MemorySpaceNames::OfCpu(), "host, 1, 2, 3, 4, pinned host, 6, 7, 8"},
      {MemorySpaceNames::OfAny(), "default, 1, 2, 3, 4, host, 6, 7, 8"},
  };
  for (const Case& c : kCases) {
    std::string names;
    for (int64_t i = 0; i <= 8; ++i) {
      names += (i == 0 ? "" : ", ") + c.names.NameOf(i);
    }
    EXPECT_EQ(names, c.expected);
  }
}

TEST(MemorySpaceNames, NumberOf) {
  const MemorySpaceNames& tpu = MemorySpaceNames::OfTpu();
  EXPECT_EQ(tpu.NumberOf("HBM"), 0);
  EXPECT_EQ(tpu.NumberOf("vmem"), 1);
  EXPECT_EQ(tpu.NumberOf("sparsecore SEMAPHORES"), 8);
  EXPECT_EQ(tpu.NumberOf("device"), std::nullopt);
  EXPECT_EQ(tpu.NumberOf("6"), std::nullopt);
  EXPECT_EQ(tpu.NumberOf(""), std::nullopt);
  EXPECT_EQ(MemorySpaceNames({{7, "a"}, {3, "A"}}).NumberOf("a"), 3);
  EXPECT_EQ(MemorySpaceNames::OfCpu().NumberOf("host"), 0);
  EXPECT_EQ(MemorySpaceNames::OfGpu().NumberOf("host"), 5);
}

TEST(MemorySpaceNames, WithChangesACopyOnly) {
  const MemorySpaceNames names;
  EXPECT_EQ(names.With(1, "fast").NameOf(1), "fast");
  EXPECT_EQ(names.With(1, "fast").NameOf(0), "HBM");
  EXPECT_EQ(names.NameOf(1), "VMEM");
}

}  // namespace
}  // namespace tessera
