#include "tessera/index_util/bitcast.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/parser/parser.h"
#include "tessera/tests/status_matchers.h"

namespace tessera {
namespace {

Shape Parse(const char* text) {
  absl::StatusOr<Shape> shape = ParseShape(text);
  EXPECT_THAT(shape, IsOk());
  return *std::move(shape);
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
    EXPECT_THAT(forth, IsOkAndHolds(c.want));
    EXPECT_EQ(*IsBitcast(Parse(c.to), Parse(c.from)), c.want);
  }
}

TEST(IsBitcast, AsksForArrays) {
  EXPECT_THAT(IsBitcast(Shape::Token(), Parse("f32[1]")),
              StatusIs(absl::StatusCode::kFailedPrecondition));
}

TEST(ReshapeIsBitcast, LooksAtMinorToMajorOnly) {
  struct Case {
    const char* from;
    const char* to;
    bool want;
  };
  const Case cases[] = {
      {"f32[4,6,5]{2,1,0}", "f32[24,5]{1,0}", true},
      {"f32[6,4]{1,0}", "f32[4,6]{1,0}", true},
      {"f32[6,4]{0,1}", "f32[24]{0}", false},
      {"f32[24]{0}", "f32[6,4]{0,1}", false},
      {"f32[4,6]{0,1}", "f32[4,2,3]{0,2,1}", true},
      {"f32[4,6]{0,1}", "f32[4,2,3]{0,1,2}", false},
      {"f32[1,7]{0,1}", "f32[7]{0}", true},
      {"f32[]", "f32[1,1]{0,1}", true},
      {"f32[0,5]{1,0}", "f32[5,0]{0,1}", true},
      {"f32[4]{0}", "f32[5]{0}", false},
      // Where IsBitcast says otherwise.
      {"f32[64,256]{1,0:T(8,128)}", "f32[64,256]{1,0}", true},
      {"f32[4]{0:S(1)}", "f32[4]{0}", true},
      {"f32[4]{0}", "s32[4]{0}", false},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.from) + " " + c.to);
    EXPECT_EQ(*ReshapeIsBitcast(Parse(c.from), Parse(c.to)), c.want);
  }
}

// Where both rules apply, untiled arrays of one type, they agree.
TEST(ReshapeIsBitcast, AgreesWithIsBitcastOnUntiledArrays) {
  std::vector<Shape> shapes;
  for (const Shape::Dimensions& dimensions : std::vector<Shape::Dimensions>{
           {12}, {3, 4}, {4, 3}, {2, 6}, {2, 2, 3}, {3, 1, 4}, {2, 3, 2}}) {
    Layout::MinorToMajor order(dimensions.size());
    std::iota(order.begin(), order.end(), 0);
    do {
      shapes.push_back(Shape::Array(F32, dimensions, Layout(order)));
    } while (std::next_permutation(order.begin(), order.end()));
  }
  for (const Shape& from : shapes) {
    for (const Shape& to : shapes) {
      EXPECT_EQ(*ReshapeIsBitcast(from, to), *IsBitcast(from, to))
          << from.ToString() << " " << to.ToString();
    }
  }
}

TEST(TransposeIsBitcast, ComposesTheMapping) {
  const Shape from = Parse("f32[2,3,5]{2,1,0:T(8,128)}");
  EXPECT_TRUE(*TransposeIsBitcast(from, Parse("f32[5,2,3]{0,2,1}"), {2, 0, 1}));
  EXPECT_FALSE(
      *TransposeIsBitcast(from, Parse("f32[5,2,3]{2,1,0}"), {2, 0, 1}));
  EXPECT_FALSE(
      *TransposeIsBitcast(from, Parse("s32[5,2,3]{0,2,1}"), {2, 0, 1}));
  EXPECT_TRUE(*TransposeIsBitcast(Parse("f32[]"), Parse("f32[]"), {}));
  // A dimension of 1 that moves counts as an order of its own, as in XLA.
  EXPECT_FALSE(*TransposeIsBitcast(Parse("f32[1,3]{1,0}"),
                                   Parse("f32[3,1]{1,0}"), {1, 0}));
}

TEST(XlaBitcasts, Errors) {
  const Shape array = Parse("f32[2,3]{1,0}");
  const Shape bare = Shape::Array(F32, {2, 3});
  const Shape bad_order = Shape::Array(F32, {2, 3}, Layout({0, 0}));
  struct Case {
    Shape shape;
    absl::Status status;
  };
  const Case cases[] = {
      {Shape::Token(),
       absl::FailedPreconditionError("token[] is not an array")},
      {bare, absl::FailedPreconditionError("f32[2,3] has no layout")},
      {bad_order,
       absl::InvalidArgumentError("minor_to_major {0,0} is not a permutation "
                                  "of the 2 dimensions of f32[2,3]")},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(ReshapeIsBitcast(array, c.shape).status(), c.status);
    EXPECT_EQ(ReshapeIsBitcast(c.shape, array).status(), c.status);
    EXPECT_EQ(TransposeIsBitcast(array, c.shape, {0, 1}).status(), c.status);
  }
  EXPECT_EQ(
      ReshapeIsBitcast(array, Parse("f32[?]")).status(),
      absl::FailedPreconditionError("f32[?]{0} has an unbounded dimension"));
  EXPECT_EQ(TransposeIsBitcast(array, array, {0, 0}).status(),
            absl::InvalidArgumentError(
                "{0,0} does not map the dimensions of f32[2,3]{1,0} to those "
                "of f32[2,3]{1,0}"));
  EXPECT_EQ(TransposeIsBitcast(array, array, {1, 0}).status(),
            absl::InvalidArgumentError(
                "dimension 0 of f32[2,3]{1,0} differs in size from dimension "
                "1 of f32[2,3]{1,0}"));
}

// 24 is cut into 4 and 6 by one shape and is whole in the other.
TEST(RowMajorMaps, HaveIndicesInCommon) {
  const auto maps =
      RowMajorMaps(Parse("f32[4,6,5]{2,1,0}"), Parse("f32[24,5]{0,1}"));
  ASSERT_THAT(maps, IsOk());
  EXPECT_THAT(maps->first.bounds(), ::testing::ElementsAre(24, 5));
  EXPECT_EQ(*maps->first.LinearIndex({7, 3}), 38);
  EXPECT_EQ(*maps->second.LinearIndex({7, 3}), 79);

  for (const char* other : {"f32[5]{0}", "f32[0]{0}"}) {
    const absl::Status status =
        RowMajorMaps(Parse(other), Parse("f32[0,2]{1,0}")).status();
    EXPECT_THAT(status, StatusIs(absl::StatusCode::kFailedPrecondition))
        << other;
  }
}

}  // namespace
}  // namespace tessera
