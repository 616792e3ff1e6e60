#include "tessera/layout/memory_space.h"

#include <cstdint>
#include <limits>

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

TEST(MemorySpaceNames, WithChangesACopyOnly) {
  const MemorySpaceNames names;
  EXPECT_EQ(names.With(1, "fast").NameOf(1), "fast");
  EXPECT_EQ(names.With(1, "fast").NameOf(0), "HBM");
  EXPECT_EQ(names.NameOf(1), "VMEM");
}

}  // namespace
}  // namespace tessera
