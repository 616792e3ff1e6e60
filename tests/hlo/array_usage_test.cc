#include "tessera/hlo/memory/array_usage.h"

#include <cstdint>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/index_util/array_sizes.h"
#include "tessera/parser/parser.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;

Shape Parsed(const char* text) { return *ParseShape(text); }

TEST(BlamePadding, Causes) {
  struct Case {
    const char* shape;
    PaddingCause cause;
    std::vector<int64_t> dimensions;
    int64_t bound;
    int64_t padded;
  };
  const Case kCases[] = {
      {"f32[8,128]{1,0:T(8,128)}", PaddingCause::kNone, {}, 1, 1},
      {"f32[0,5]{1,0:T(8,128)}", PaddingCause::kNone, {}, 1, 1},
      {"f32[1,100]{1,0:T(8,128)}", PaddingCause::kDimensions, {0}, 1, 8},
      {"f32[1,100]{0,1:T(8,128)}", PaddingCause::kDimensions, {0}, 1, 128},
      {"f32[3,5,7]{2,1,0:T(*,128)}",
       PaddingCause::kDimensions,
       {1, 2},
       35,
       128},
      {"f32[]{:T(128)}", PaddingCause::kTile, {}, 1, 128},
      // The dimension fills its part of the tile.
      {"f32[128]{0:T(8,128)}", PaddingCause::kTile, {}, 1, 8},
      {"f32[7]{0:L(100)}", PaddingCause::kTail, {}, 7, 100},
      // 9 -> 16 is worse than 16 -> 20.
      {"f32[9]{0:T(16)L(20)}", PaddingCause::kDimensions, {0}, 9, 16},
  };
  for (const Case& c : kCases) {
    const PaddingBlame blame =
        BlamePadding(*ComputeArraySizes(Parsed(c.shape)));
    EXPECT_EQ(blame.cause, c.cause) << c.shape;
    EXPECT_EQ(blame.dimensions, c.dimensions) << c.shape;
    EXPECT_EQ(blame.bound, c.bound) << c.shape;
    EXPECT_EQ(blame.padded, c.padded) << c.shape;
  }
}

TEST(FindBestOrder, Cases) {
  struct Case {
    const char* shape;
    std::vector<int64_t> minor_to_major;
    int64_t padded_bytes;
  };
  const Case kCases[] = {
      {"f32[]{:T(128)}", {}, 512},
      // Its own order where others are as good.
      {"f32[3,5]{0,1}", {0, 1}, 60},
      {"f32[128,8,1]{0,1,2:T(8,128)}", {0, 1, 2}, 4096},
      // 128 goes minor-most and 8 next to it.
      {"bf16[2,8,128,3]{0,1,2,3:T(8,128)(2,1)}", {2, 1, 0, 3}, 12288},
      {"f32[1,1,1,1,8,128]{0,1,2,3,4,5:T(8,128)}", {5, 4, 0, 1, 2, 3}, 4096},
      // 2^63-2 bytes as it is.
      {"s8[4611686018427387903,1]{1,0:T(1,2)}", {0, 1}, int64_t{1} << 62},
  };
  for (const Case& c : kCases) {
    const absl::optional<BestOrder> best = FindBestOrder(Parsed(c.shape));
    ASSERT_TRUE(best.has_value()) << c.shape;
    EXPECT_THAT(best->minor_to_major,
                ::testing::ElementsAreArray(c.minor_to_major))
        << c.shape;
    EXPECT_EQ(best->padded_bytes, c.padded_bytes) << c.shape;
  }
  EXPECT_FALSE(
      FindBestOrder(Parsed("f32[1,1,1,1,1,1,8]{0,1,2,3,4,5,6:T(8,128)}"))
          .has_value());
  EXPECT_FALSE(FindBestOrder(Parsed("f32[?,8]{1,0}")).has_value());
}

// An order under which the array would be too large, or in which a split would
// lie past its dimension, is no candidate.
TEST(FindBestOrder, InvalidOrdersAreNoCandidates) {
  const absl::optional<BestOrder> split =
      FindBestOrder(Parsed("f32[1000,2]{1,0:T(8,128)SC(0:500)}"));
  ASSERT_TRUE(split.has_value());
  EXPECT_THAT(split->minor_to_major, ElementsAre(1, 0));
}

}  // namespace
}  // namespace tessera
