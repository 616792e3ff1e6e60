#include "tessera/index_util/bitcast.h"

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/parser/parser.h"

namespace tessera {
namespace {

Shape Parse(const char* text) {
  absl::StatusOr<Shape> shape = ParseShape(text);
  EXPECT_TRUE(shape.ok()) << shape.status();
  return *std::move(shape);
}

TEST(IsBitcast, Example) {
  const Shape from = Parse("bf16[8,128]{1,0:T(8,128)}");
  EXPECT_TRUE(*IsBitcast(from, Parse("bf16[1024]{0}")));
  EXPECT_FALSE(
      *IsBitcast(Parse("bf16[8,256]{1,0:T(8,128)}"), Parse("bf16[2048]{0}")));
}

TEST(IsBitcast, Table) {
  struct Case {
    const char* from;
    const char* to;
    bool want;
  };
  const Case cases[] = {
      // Untiled reshapes, transposes of unit dimensions, scalars.
      {"f32[4,6,5]{2,1,0}", "f32[24,5]{1,0}", true},
      {"f32[4,6,5]{2,1,0}", "f32[4,30]{1,0}", true},
      {"f32[6,4]{1,0}", "f32[4,6]{1,0}", true},
      {"f32[6,4]{0,1}", "f32[24]{0}", false},
      {"f32[1,7]{0,1}", "f32[7]{0}", true},
      {"f32[]", "f32[1,1]{1,0:T(8,128)}", true},
      {"f32[0,5]{1,0}", "f32[5,0]{0,1:T(8,128)}", true},
      // Types of equal width; other widths, counts, spaces and prefixes.
      {"f32[4]{0}", "s32[4]{0}", true},
      {"f32[4]{0}", "f16[4]{0}", false},
      {"s4[4]{0}", "s8[4]{0}", true},
      {"s4[4]{0:E(4)}", "s8[4]{0}", false},
      {"f32[4]{0}", "f32[5]{0}", false},
      {"f32[4]{0}", "f32[4]{0:S(1)}", false},
      {"f32[<=4]{0:M(8)}", "f32[4]{0}", false},
      // Tiled: whole tiles merge with major dimensions, not with minor ones.
      {"bf16[4,16,128]{2,1,0:T(8,128)(2,1)}", "bf16[64,128]{1,0:T(8,128)(2,1)}",
       true},
      {"bf16[4,12,128]{2,1,0:T(8,128)(2,1)}", "bf16[48,128]{1,0:T(8,128)(2,1)}",
       false},
      {"f32[64,128]{1,0:T(8,128)}", "f32[64,128]{1,0}", true},
      {"f32[64,256]{1,0:T(8,128)}", "f32[64,256]{1,0}", false},
      {"f32[64,256]{1,0:T(8,128)}", "f32[8,8,2,128]{3,1,2,0}", true},
      {"f32[1024]{0:T(1024)}", "f32[8,128]{1,0:T(8,128)}", true},
      {"f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}", "f32[112,110]{1,0:T(2,3)}",
       true},
      {"f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}", "f32[112,110]{1,0:T(2,5)}",
       false},
      // Layouts that differ in what they pad after the data only.
      {"f32[100]{0:T(128)}", "f32[100]{0:T(1024)}", true},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.from) + " -> " + c.to);
    absl::StatusOr<bool> forth = IsBitcast(Parse(c.from), Parse(c.to));
    ASSERT_TRUE(forth.ok()) << forth.status();
    EXPECT_EQ(*forth, c.want);
    EXPECT_EQ(*IsBitcast(Parse(c.to), Parse(c.from)), c.want);
  }
}

TEST(IsBitcast, AsksForArrays) {
  EXPECT_EQ(IsBitcast(Shape::Token(), Parse("f32[1]")).status().code(),
            absl::StatusCode::kFailedPrecondition);
}

// 24 is cut into 4 and 6 by one shape and is whole in the other.
TEST(RowMajorMaps, HaveIndicesInCommon) {
  const auto maps =
      RowMajorMaps(Parse("f32[4,6,5]{2,1,0}"), Parse("f32[24,5]{0,1}"));
  ASSERT_TRUE(maps.ok());
  EXPECT_THAT(maps->first.bounds(), ::testing::ElementsAre(24, 5));
  EXPECT_EQ(*maps->first.LinearIndex({7, 3}), 38);
  EXPECT_EQ(*maps->second.LinearIndex({7, 3}), 79);

  for (const char* other : {"f32[5]{0}", "f32[0]{0}"}) {
    const absl::Status status =
        RowMajorMaps(Parse(other), Parse("f32[0,2]{1,0}")).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << other;
  }
}

}  // namespace
}  // namespace tessera
