#include "tessera/hlo/buffer_assignment/trace_peak.h"

#include <limits>

#include "gtest/gtest.h"

namespace tessera {
namespace hlo_internal {
namespace {

TEST(TracePeak, Example) {
  TracePeak trace;
  trace.Allocate(7, 512);
  trace.Share(8, 7, 512);
  trace.Free(7);
  trace.Allocate(9, 100);
  EXPECT_EQ(trace.peak_bytes(), 612);
}

// The place is given back with the last value in it.
TEST(TracePeak, ValuesThatShareCountOnce) {
  TracePeak trace;
  trace.Allocate(1, 100);
  trace.Share(2, 1, 100);
  trace.Free(1);
  trace.Free(2);
  trace.Allocate(3, 50);
  EXPECT_EQ(trace.peak_bytes(), 100);
  // It is taken again, behind the end of the first.
  trace.Share(4, 1, 100);
  EXPECT_EQ(trace.peak_bytes(), 150);
}

// As XLA has it of what two branches use: one FREE too many.
TEST(TracePeak, EachFreeIsTakenOff) {
  TracePeak trace;
  trace.Allocate(1, 100);
  trace.Free(1);
  trace.Free(1);
  trace.Allocate(2, 150);
  EXPECT_EQ(trace.peak_bytes(), 100);
  trace.Allocate(1, 100);
  EXPECT_EQ(trace.peak_bytes(), 150);
  trace.Free(5);  // never there
  EXPECT_EQ(trace.peak_bytes(), 150);
}

TEST(TracePeak, SizesOfAFileMayBeAny) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  TracePeak trace;
  trace.Allocate(1, kMost);
  trace.Allocate(2, kMost);
  EXPECT_EQ(trace.peak_bytes(), kMost);
}

}  // namespace
}  // namespace hlo_internal
}  // namespace tessera
