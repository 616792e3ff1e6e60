#include "tessera/index_util/index_util.h"

#include <cstdint>
#include <limits>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/tests/status_matchers.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr int64_t kLarge = int64_t{1} << 62;

Shape Array(Shape::Dimensions dimensions, Layout::MinorToMajor order) {
  return Shape::Array(F32, std::move(dimensions), Layout(std::move(order)));
}

TEST(IndexUtil, IgnoresTiles) {
  const Shape shape =
      Shape::Array(F32, {3, 5}, Layout({1, 0}).WithTiles({Tile({2, 2})}));
  EXPECT_EQ(*IndexUtil::MultidimensionalIndexToLinearIndex(shape, {2, 3}), 13);
}

TEST(IndexUtil, RoundTripsInEveryOrder) {
  for (const Layout::MinorToMajor& order : std::vector<Layout::MinorToMajor>{
           {0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}) {
    const Shape shape = Array({2, 3, 4}, order);
    for (int64_t n = 0; n < 24; ++n) {
      auto index = IndexUtil::LinearIndexToMultidimensionalIndex(shape, n);
      ASSERT_THAT(index, IsOk());
      EXPECT_EQ(*IndexUtil::MultidimensionalIndexToLinearIndex(shape, *index),
                n);
      EXPECT_EQ(*IndexUtil::MultidimensionalIndexToLinearIndex(
                    Array({2, 3, 4}, {2, 1, 0}), order, *index),
                n);
    }
  }
}

TEST(IndexUtil, ScalarsAndEmptyArrays) {
  const Shape scalar = Array({}, {});
  EXPECT_EQ(*IndexUtil::MultidimensionalIndexToLinearIndex(scalar, {}), 0);
  EXPECT_TRUE(
      IndexUtil::LinearIndexToMultidimensionalIndex(scalar, 0)->empty());
  EXPECT_THAT(IndexUtil::LinearIndexToMultidimensionalIndex(scalar, 1),
              StatusIs(absl::StatusCode::kOutOfRange));
  EXPECT_THAT(
      IndexUtil::LinearIndexToMultidimensionalIndex(Array({0, 3}, {1, 0}), 0),
      StatusIs(absl::StatusCode::kOutOfRange));
}

TEST(IndexUtil, BumpGoesInLogicalOrderAndStopsAtTheLast) {
  const Shape shape = Array({2, 2}, {0, 1});
  std::vector<int64_t> index = {0, 0};
  EXPECT_TRUE(IndexUtil::BumpIndices(shape, absl::MakeSpan(index)));
  EXPECT_THAT(index, ElementsAre(0, 1));
  EXPECT_TRUE(IndexUtil::BumpIndices(shape, absl::MakeSpan(index)));
  EXPECT_THAT(index, ElementsAre(1, 0));
  EXPECT_TRUE(IndexUtil::BumpIndices(shape, absl::MakeSpan(index)));
  EXPECT_FALSE(IndexUtil::BumpIndices(shape, absl::MakeSpan(index)));
  EXPECT_THAT(index, ElementsAre(1, 1));
  EXPECT_FALSE(IndexUtil::BumpIndices(Array({}, {}), {}));
  index = {5, 0};
  EXPECT_FALSE(IndexUtil::BumpIndices(shape, absl::MakeSpan(index)));
  EXPECT_THAT(index, ElementsAre(5, 0));
}

TEST(IndexUtil, BoundsAreCheckedBelowAndAbove) {
  const Shape shape = Array({2, 3}, {1, 0});
  EXPECT_TRUE(IndexUtil::IndexInBounds(shape, {1, 2}));
  EXPECT_FALSE(IndexUtil::IndexInBounds(shape, {1, 3}));
  EXPECT_FALSE(IndexUtil::IndexInBounds(shape, {-1, 0}));
  EXPECT_FALSE(IndexUtil::IndexInBounds(shape, {1}));
}

TEST(IndexUtil, ComparesLexicographically) {
  EXPECT_EQ(*IndexUtil::CompareIndices({1, 2}, {1, 3}), -1);
  EXPECT_EQ(*IndexUtil::CompareIndices({2, 0}, {1, 3}), 1);
  EXPECT_EQ(*IndexUtil::CompareIndices({1, 3}, {1, 3}), 0);
  EXPECT_EQ(*IndexUtil::CompareIndices({}, {}), 0);
  EXPECT_THAT(IndexUtil::CompareIndices({1}, {1, 3}).status().message(),
              HasSubstr("indices of 1 and 2 entries"));
}

TEST(IndexUtil, ErrorsNameTheValueAndTheRule) {
  const Shape shape = Array({2, 3}, {1, 0});
  EXPECT_EQ(
      IndexUtil::MultidimensionalIndexToLinearIndex(shape, {0, 3}).status(),
      absl::OutOfRangeError("index[1] = 3 is outside [0, 3)"));
  EXPECT_EQ(IndexUtil::MultidimensionalIndexToLinearIndex(shape, {0}).status(),
            absl::InvalidArgumentError(
                "the index has 1 entry but f32[2,3]{1,0} has 2 dimensions"));
  EXPECT_EQ(
      IndexUtil::MultidimensionalIndexToLinearIndex(shape, {0, 0}, {0, 0})
          .status(),
      absl::InvalidArgumentError("minor_to_major {0,0} is not a permutation of "
                                 "the 2 dimensions of f32[2,3]"));
  EXPECT_EQ(IndexUtil::MultidimensionalIndexToLinearIndex(Shape::Token(), {})
                .status(),
            absl::FailedPreconditionError("token[] is not an array"));
  EXPECT_EQ(
      IndexUtil::MultidimensionalIndexToLinearIndex(Shape::Array(F32, {2}), {0})
          .status(),
      absl::FailedPreconditionError("f32[2] has no layout"));
  EXPECT_THAT(IndexUtil::GetDimensionStride(shape, 2),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(
      IndexUtil::GetDimensionStride(Array({0, kLarge, 4}, {2, 1, 0}), 0),
      StatusIs(absl::StatusCode::kOutOfRange));
  // ValidateShape refuses it.
  EXPECT_EQ(IndexUtil::MultidimensionalIndexToLinearIndex(
                Array({kLarge, 4}, {1, 0}), {kLarge - 1, 0})
                .status(),
            absl::OutOfRangeError(
                "the untiled linear index of (4611686018427387903,0) in "
                "f32[4611686018427387904,4]{1,0} exceeds 2^63-1"));
  EXPECT_EQ(IndexUtil::LinearIndexToMultidimensionalIndex(shape, -1)
                .status()
                .message(),
            "untiled linear index -1 is outside the elements of f32[2,3]{1,0}");
}

}  // namespace
}  // namespace tessera
