#include "tessera/hlo/message/allocation_shape.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/index_util/array_sizes.h"
#include "tessera/parser/parser.h"
#include "tests/status_matchers.h"

namespace tessera {
namespace {

using ::testing::SizeIs;

StatedBytes Stated(const char* text) {
  StatedBytes stated;
  EXPECT_GT(ReadStatedBytes(text, &stated), 0u) << text;
  return stated;
}

TEST(AllocationShape, TilesFollowFromTheSize) {
  struct Case {
    const char* shape;
    const char* size;
    const char* tiled;
    int64_t tilings;
  };
  constexpr Case kCases[] = {
      {"f32[128,6]{1,0}", "64.0K", "f32[128,6]{1,0:T(8,128)}", 4},
      {"f32[128,3]{1,0}", "64.0K", "f32[128,3]{1,0:T(8,128)}", 4},
      {"f32[1,130]", "8.0K", "f32[1,130]{1,0:T(8,128)}", 1},
      {"f32[1,130]", "1.0K", "f32[1,130]{1,0:T(1,128)}", 1},
      {"bf16[9,130]{1,0}", "8.0K", "bf16[9,130]{1,0:T(8,128)(2,1)}", 2},
      {"bf16[9,130]{1,0}", "6.0K", "bf16[9,130]{1,0:T(4,128)(2,1)}", 1},
      {"s8[9,130]", "8.0K", "s8[9,130]{1,0:T(32,128)(4,1)}", 1},
      {"f32[7]", "4.0K", "f32[7]{0:T(1024)}", 1},
      {"bf16[7]", "2.0K", "bf16[7]{0:T(1024)(128)(2,1)}", 1},
      {"pred[64,512]", "128.0K", "pred[64,512]{1,0:T(8,128)E(32)}", 1},
      {"s4[9,130]{1,0}", "8.0K", "s4[9,130]{1,0:T(64,128)(8,1)E(4)}", 1},
  };
  for (const Case& c : kCases) {
    const absl::StatusOr<AllocationShape> found =
        ReadAllocationShape(c.shape, Stated(c.size), /*is_tpu=*/true);
    ASSERT_THAT(found, IsOk());
    EXPECT_EQ(found->shape.ToString(), c.tiled) << c.shape << " " << c.size;
    EXPECT_EQ(found->tilings, c.tilings) << c.shape << " " << c.size;
    EXPECT_TRUE(found->are_tiles_found);
    EXPECT_TRUE(Stated(c.size).Covers(found->sizes.padded_bytes));
  }
}

TEST(AllocationShape, WhereNoTilesAreLookedFor) {
  // It has some.
  absl::StatusOr<AllocationShape> shape = ReadAllocationShape(
      "s32[8388608,8,4]{2,1,0:T(8,128)}", Stated("32.00G"), true);
  ASSERT_THAT(shape, IsOk());
  EXPECT_FALSE(shape->are_tiles_found);
  EXPECT_EQ(shape->copies, 1);
  // It is as large without.
  shape = ReadAllocationShape("u8[4096]{0}", Stated("4.0K"), true);
  ASSERT_THAT(shape, IsOk());
  EXPECT_FALSE(shape->are_tiles_found);
  EXPECT_EQ(shape->shape.ToString(), "u8[4096]{0}");
  // It is GPU's.
  shape = ReadAllocationShape("f32[128,6]", Stated("64.0KiB"), false);
  ASSERT_THAT(shape, IsOk());
  EXPECT_FALSE(shape->are_tiles_found);
  EXPECT_EQ(shape->copies, 0);
  // No tiles give it.
  shape = ReadAllocationShape("f32[128,6]", Stated("100.0K"), true);
  ASSERT_THAT(shape, IsOk());
  EXPECT_EQ(shape->shape.ToString(), "f32[128,6]{1,0}");
  EXPECT_EQ(shape->tilings, 0);
}

TEST(AllocationShape, Copies) {
  const absl::StatusOr<AllocationShape> shape =
      ReadAllocationShape("f32[8,128]{1,0:T(8,128)}", Stated("12.0K"), true);
  ASSERT_THAT(shape, IsOk());
  EXPECT_EQ(shape->copies, 3);
}

TEST(AllocationShape, Errors) {
  EXPECT_EQ(ReadAllocationShape("(f32[2], f32[2])", Stated("16B"), true)
                .status()
                .code(),
            absl::StatusCode::kUnimplemented);
  EXPECT_EQ(ReadAllocationShape("g32[2]", Stated("16B"), true).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(ReadAllocationShape("", Stated("16B"), true).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(UsualTilings, AreValidAndDiffer) {
  for (const char* text : {"f32[5,7]", "bf16[5,7]", "s8[5,7]", "pred[5,7]",
                           "s4[5,7]", "s2[5,7]", "c64[5,7]", "f64[3]", "f32[3]",
                           "bf16[3]", "u8[3]", "u4[3]", "f32[2,3,4,5]"}) {
    const Shape shape = *ParseShape(text);
    std::set<std::string> seen;
    for (const Shape& tiled : UsualTilings(shape)) {
      const absl::StatusOr<ArraySizes> sizes = ComputeArraySizes(tiled);
      ASSERT_THAT(sizes, IsOk()) << tiled.ToString();
      EXPECT_TRUE(seen.insert(tiled.ToString()).second) << tiled.ToString();
    }
    EXPECT_FALSE(seen.empty()) << text;
  }
  EXPECT_THAT(UsualTilings(*ParseShape("f32[]")), SizeIs(0));
}

TEST(FittingBlock, IsTheLargestThatFits) {
  struct Case {
    const char* window;
    const char* full;
    int64_t buffers;
    int64_t limit;
    const char* block;  // "" for none
    int64_t bytes;
  };
  constexpr int64_t kMiB = 1 << 20;
  constexpr Case kCases[] = {
      {"f32[4096,8192]", "f32[8192,8192]", 2, 128 * kMiB, "f32[2048,8192]",
       128 * kMiB},
      {"f32[4096,8192]", "f32[8192,8192]", 2, 16 * kMiB, "f32[256,8192]",
       16 * kMiB},
      // 7168 is cut into equal parts.
      {"bf16[1,7168,4096]", "bf16[64,7168,4096]", 2, 64 * kMiB,
       "bf16[1,3584,4096]", 56 * kMiB},
      {"bf16[64,7168,4096]", "bf16[64,7168,4096]", 1, 64 * kMiB,
       "bf16[1,7168,4096]", 56 * kMiB},
      // It fits as it is.
      {"f32[8,128]", "f32[8,128]", 1, kMiB, "f32[8,128]", 4096},
      // Only a part of a row does.
      {"f32[8,1048576]", "f32[8,1048576]", 2, kMiB, "f32[8,16384]", kMiB},
      // A prime has no equal parts: whole tiles.
      {"f32[7919,128]", "f32[7919,128]", 1, kMiB, "f32[2048,128]", kMiB},
      {"f32[8,128]", "f32[8,128]", 2, 4096, "", 0},
      {"f32[1048576]", "f32[1048576]", 1, kMiB, "f32[262144]", kMiB},
  };
  for (const Case& c : kCases) {
    const std::optional<FittingBlock> fit = FindFittingBlock(
        *ParseShape(c.window), *ParseShape(c.full), c.buffers, c.limit);
    ASSERT_EQ(fit.has_value(), *c.block != '\0') << c.window;
    if (!fit.has_value()) continue;
    EXPECT_EQ(fit->block.ToString(/*with_layout=*/false), c.block);
    EXPECT_EQ(fit->bytes, c.bytes) << c.block;
    EXPECT_LE(fit->bytes, c.limit);
  }
}

TEST(FittingBlocks, FitTogether) {
  struct Case {
    std::vector<const char*> arrays;
    int64_t own;
    int64_t limit;
    std::vector<const char*> blocks;  // none if they do not fit
  };
  constexpr int64_t kMiB = 1 << 20;
  const Case kCases[] = {
      // In 4 parts the blocks take 12 MiB, and the rest 4.5 MiB.
      {{"bf16[2048,2048]", "bf16[2048,4096]"},
       18 * kMiB,
       16 * kMiB,
       {"bf16[256,2048]", "bf16[256,4096]"}},
      {{"bf16[2048,2048]", "bf16[2048,4096]"},
       0,
       16 * kMiB,
       {"bf16[512,2048]", "bf16[512,4096]"}},
      // One row of scales stays whole.
      {{"bf16[16384,6144]", "f32[1,6144]"},
       0,
       28 * kMiB,
       {"bf16[1024,6144]", "f32[1,6144]"}},
      {{"f32[8,128]"}, 0, kMiB, {"f32[8,128]"}},
      {{"f32[8,128]", "f32[8,128]"}, 0, 8192, {}},
      {{}, 0, kMiB, {}},
  };
  for (const Case& c : kCases) {
    std::vector<Shape> arrays;
    for (const char* array : c.arrays) arrays.push_back(*ParseShape(array));
    const std::vector<FittingBlock> fit =
        FindFittingBlocks(arrays, c.own, c.limit);
    std::vector<std::string> blocks;
    int64_t bytes = 0;
    for (const FittingBlock& block : fit) {
      blocks.push_back(block.block.ToString(/*with_layout=*/false));
      bytes += block.bytes;
    }
    EXPECT_THAT(blocks, ::testing::ElementsAreArray(c.blocks));
    EXPECT_LE(bytes, c.limit);
  }
}

}  // namespace
}  // namespace tessera
