#include "tessera/hlo/memory/memory_totals.h"

#include <cstdint>
#include <limits>
#include <optional>

#include "gtest/gtest.h"
#include "tessera/index_util/array_sizes.h"
#include "tessera/parser/parser.h"
#include "tessera/shape/shape.h"

namespace tessera {
namespace {

TEST(MemoryTotals, SaturationIsPassedOn) {
  const ArraySizes sizes =
      *ComputeArraySizes(*ParseShape("u8[576460752303423488]"));
  MemoryTotals some, all;
  some.Add(16, sizes);
  EXPECT_TRUE(some.is_saturated);
  EXPECT_EQ(some.padded_bytes, std::numeric_limits<int64_t>::max());
  all.Add(some);
  EXPECT_TRUE(all.is_saturated);
}

TEST(ArrayTotals, SumsAndSkips) {
  const Shape fast = *ParseShape("s8[4]{0:S(1)}");
  const Shape unbounded = *ParseShape("s8[?]{0}");
  ArrayTotals totals;
  totals.Add(2, fast, *ComputeArraySizes(fast));
  totals.Add(3, unbounded, std::nullopt);
  ArrayTotals twice = totals;
  twice.Add(totals);
  EXPECT_EQ(twice.total.arrays, 4);
  EXPECT_EQ(twice.by_memory_space.at(1).padded_bytes, 16);
  EXPECT_EQ(twice.by_element_type.at(S8).arrays, 4);
  EXPECT_EQ(twice.by_memory_space.size(), 1);
  EXPECT_EQ(twice.skipped_arrays, 6);
}

}  // namespace
}  // namespace tessera
