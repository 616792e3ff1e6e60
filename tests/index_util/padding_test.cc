#include "tessera/index_util/padding.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/index_util/array_sizes.h"
#include "tessera/layout/primitive_type.h"
#include "tessera/parser/parser.h"
#include "tessera/shape/shape.h"
#include "tests/status_matchers.h"

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
      // Bits of one element; google/trax#525.
      {"pred[64,512,2048]{2,1,0:T(8,128)E(32)}",
       PaddingCause::kElement,
       {},
       8,
       32},
      {"s8[64,100]{1,0:T(8,128)E(32)}", PaddingCause::kElement, {}, 8, 32},
      {"s4[64,128]{1,0:T(8,128)E(16)}", PaddingCause::kElement, {}, 8, 16},
      // 1 -> 8 is worse than 8 bits -> 32, and worse than 4 are 4 before them.
      {"pred[1,128]{1,0:T(8,128)E(32)}", PaddingCause::kDimensions, {0}, 1, 8},
      {"pred[2,128]{1,0:T(8,128)E(32)}", PaddingCause::kDimensions, {0}, 2, 8},
      {"pred[7]{0:E(32)L(28)}", PaddingCause::kElement, {}, 8, 32},
      // What E packs, or leaves as it is, is no padding.
      {"s4[64,128]{1,0:T(8,128)}", PaddingCause::kNone, {}, 1, 1},
      {"s4[64,128]{1,0:T(8,128)E(4)}", PaddingCause::kNone, {}, 1, 1},
      {"s4[64,128]{1,0:T(8,128)E(8)}", PaddingCause::kNone, {}, 1, 1},
      {"f32[64,128]{1,0:T(8,128)E(32)}", PaddingCause::kNone, {}, 1, 1},
      {"pred[0,128]{1,0:T(8,128)E(32)}", PaddingCause::kNone, {}, 1, 1},
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

TEST(PaddingCauseName, All) {
  EXPECT_EQ(PaddingCauseName(PaddingCause::kNone), "");
  EXPECT_EQ(PaddingCauseName(PaddingCause::kDimensions), "dimension");
  EXPECT_EQ(PaddingCauseName(PaddingCause::kTile), "tile");
  EXPECT_EQ(PaddingCauseName(PaddingCause::kElement), "element");
  EXPECT_EQ(PaddingCauseName(PaddingCause::kTail), "tail");
}

// Bytes that a program needs and those that it gets. What E(n) widens is
// padding; what is packed, and a sub-byte type that is not, is none.
TEST(ArraySizes, WidenedElementsArePadding) {
  struct Case {
    const char* shape;
    int64_t element_bits;
    int64_t storage_bits;
    int64_t unpadded_bytes;
    int64_t padded_bytes;
  };
  constexpr Case kCases[] = {
      // "Unpadded size: 64.00M, Extra memory due to padding: 192.00M (4.0x
      // expansion)", says XLA (google/trax#525).
      {"pred[64,512,2048]{2,1,0:T(8,128)E(32)}", 8, 32, 67108864, 268435456},
      {"s8[64,100]{1,0:T(8,128)E(32)}", 8, 32, 6400, 32768},
      {"pred[8,8,8]{0,2,1:T(8,128)E(32)}", 8, 32, 512, 32768},
      {"u8[3]{0:E(16)}", 8, 16, 3, 6},
      {"bf16[3]{0:E(32)}", 16, 32, 6, 12},
      {"f32[3]{0:E(64)}", 32, 64, 12, 24},
      {"c64[3]{0:E(128)}", 64, 128, 24, 48},
      {"pred[0,8]{1,0:E(32)}", 8, 32, 0, 0},
      {"f32[3]{0:E(32)}", 32, 32, 12, 12},
      // Half a byte where E(4) packs it, and a byte where nothing does: as
      // ShapeUtil::ByteSizeOf has both.
      {"s4[3,3]{1,0:E(4)}", 4, 4, 5, 5},
      {"u4[3,3]{1,0:E(4)}", 4, 4, 5, 5},
      {"s2[3,3]{1,0:E(2)}", 2, 2, 3, 3},
      {"pred[3,3]{1,0:E(1)}", 1, 1, 2, 2},
      {"s4[3,3]{1,0}", 8, 8, 9, 9},
      {"s4[3,3]{1,0:E(8)}", 8, 8, 9, 9},
      {"s4[3,3]{1,0:E(16)}", 8, 16, 9, 18},
      {"s2[3,3]{1,0:E(4)}", 4, 4, 5, 5},
      {"s4[100,300]{1,0:T(64,128)(8,1)E(4)}", 4, 4, 15000, 24576},
      // Narrower than its type: as it is.
      {"bf16[8,128]{1,0:E(4)}", 4, 4, 512, 512},
  };
  for (const Case& c : kCases) {
    const absl::StatusOr<ArraySizes> sizes = ComputeArraySizes(Parsed(c.shape));
    ASSERT_THAT(sizes, IsOk()) << c.shape;
    EXPECT_EQ(sizes->unpadded_element_bits, c.element_bits) << c.shape;
    EXPECT_EQ(sizes->storage_bits, c.storage_bits) << c.shape;
    EXPECT_EQ(sizes->unpadded_bytes, c.unpadded_bytes) << c.shape;
    EXPECT_EQ(sizes->padded_bytes, c.padded_bytes) << c.shape;
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
    const absl::StatusOr<BestOrder> best = FindBestOrder(Parsed(c.shape));
    ASSERT_THAT(best, IsOk()) << c.shape;
    EXPECT_THAT(best->minor_to_major,
                ::testing::ElementsAreArray(c.minor_to_major))
        << c.shape;
    EXPECT_EQ(best->padded_bytes, c.padded_bytes) << c.shape;
  }
}

TEST(FindBestOrder, Errors) {
  struct Case {
    Shape shape;
    absl::StatusCode code;
    const char* message;
  };
  const Case kCases[] = {
      // No text reads so: ParseShape fills in a layout.
      {Shape::Array(F32, {3, 5}), absl::StatusCode::kFailedPrecondition,
       "f32[3,5] has no layout; ParseShape fills in the "
       "default, GetDefaultLayoutForShape returns it"},
      {Shape::Array(F32, {}), absl::StatusCode::kFailedPrecondition,
       "f32[] has no layout; ParseShape fills in the "
       "default, GetDefaultLayoutForShape returns it"},
      {Shape::Array(F32, {1, 1, 1, 1, 1, 1, 8}),
       absl::StatusCode::kFailedPrecondition,
       "f32[1,1,1,1,1,1,8] has no layout; ParseShape fills in the "
       "default, GetDefaultLayoutForShape returns it"},
      {Parsed("(f32[3]{0}, s32[])"), absl::StatusCode::kFailedPrecondition,
       "(f32[3]{0}, s32[]) is not an array"},
      {Parsed("token[]"), absl::StatusCode::kFailedPrecondition,
       "token[] is not an array"},
      {Parsed("f32[?,8]{1,0}"), absl::StatusCode::kFailedPrecondition,
       "f32[?,8]{1,0} has an unbounded dimension"},
      {Parsed("f32[1,1,1,1,1,1,8]{0,1,2,3,4,5,6:T(8,128)}"),
       absl::StatusCode::kResourceExhausted,
       "f32[1,1,1,1,1,1,8]{0,1,2,3,4,5,6:T(8,128)} has 7 dimensions; all "
       "orders are tried of at most 6"},
  };
  for (const Case& c : kCases) {
    EXPECT_THAT(FindBestOrder(c.shape), StatusIs(c.code, c.message));
  }
}

// An order under which the array would be too large, or in which a split would
// lie past its dimension, is no candidate.
TEST(FindBestOrder, InvalidOrdersAreNoCandidates) {
  const absl::StatusOr<BestOrder> split =
      FindBestOrder(Parsed("f32[1000,2]{1,0:T(8,128)SC(0:500)}"));
  ASSERT_THAT(split, IsOk());
  EXPECT_THAT(split->minor_to_major, ElementsAre(1, 0));
}

std::string SmallerSizesOf(const char* shape) {
  const absl::StatusOr<std::vector<SmallerTpuSize>> sizes =
      FindSmallerTpuSizes(Parsed(shape));
  if (!sizes.ok()) return std::string(sizes.status().message());
  std::string text;
  for (const SmallerTpuSize& size : *sizes) {
    absl::StrAppend(&text, text.empty() ? "" : ", ", size.dimension, ":",
                    size.size, " ", size.padded_bytes);
  }
  return text;
}

TEST(FindSmallerTpuSizes, Cases) {
  const struct {
    const char* shape;
    const char* sizes;
  } kCases[] = {
      // Whole tiles less.
      {"bf16[9,130]", "0:8 4096, 1:128 4096"},
      {"f32[1000,9]", "0:896 57344, 1:8 32768"},
      // In the same tiles, a dimension may go to half of one.
      {"f32[5,128]", "0:4 2048"},
      {"f32[3,128]", "0:2 1024"},
      {"bf16[1,128]", ""},
      {"f32[1000]", "0:512 2048"},
      {"f32[1030]", "0:1024 4096"},
      {"f32[100]", ""},
      // The order that the layout would have then.
      {"f32[129,128]", "0:128 65536"},
      // Whatever the layout is.
      {"bf16[9,130]{0,1:T(2,2)}", "0:8 4096, 1:128 4096"},
      {"f32[<=9,128]", "0:8 4096"},
      // Nothing is padded, or nothing is there.
      {"f32[8,128]", ""},
      {"f32[0,130]", ""},
      {"f32[]", ""},
      {"f32[?,3]", "f32[?,3] has an unbounded dimension"},
      {"token[]", "token[] is not an array"},
  };
  for (const auto& test : kCases) {
    EXPECT_EQ(SmallerSizesOf(test.shape), test.sizes) << test.shape;
  }
}

TEST(ArraySizes, WithoutBytesThereIsNoPadding) {
  EXPECT_EQ(ComputeArraySizes(Parsed("f32[0,3]{1,0}"))->padding_fraction(), 0);
  EXPECT_EQ(ComputeArraySizes(Parsed("f32[0,3]{1,0}"))->padding_factor(), 1);
}

}  // namespace
}  // namespace tessera
