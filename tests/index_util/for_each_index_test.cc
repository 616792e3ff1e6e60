#include "tessera/index_util/for_each_index.h"

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_join.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/index_util/index_util.h"
#include "tessera/parser/parser.h"
#include "tessera/tests/status_matchers.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Shape Parse(const char* text) {
  absl::StatusOr<Shape> shape = ParseShape(text);
  EXPECT_THAT(shape, IsOk());
  return *std::move(shape);
}

// "0,1" for each index visited.
std::vector<std::string> Visited(const Shape& shape,
                                 absl::Span<const int64_t> base,
                                 absl::Span<const int64_t> count,
                                 absl::Span<const int64_t> increment) {
  std::vector<std::string> visited;
  const absl::Status status = ForEachIndex(
      shape, base, count, increment, [&](absl::Span<const int64_t> index) {
        visited.push_back(absl::StrJoin(index, ","));
        return true;
      });
  EXPECT_THAT(status, IsOk());
  return visited;
}

// Untiled, all indices come in the order of their untiled linear index.
TEST(ForEachIndex, FollowsTheLayout) {
  for (const char* text :
       {"f32[2,3,4]{1,2,0}", "f32[4,3]{1,0:T(2,2)}", "f32[]", "u8[1,1]{0,1}"}) {
    const Shape shape = Parse(text);
    int64_t number = 0;
    ASSERT_THAT(
        ForEachIndex(shape,
                     [&](absl::Span<const int64_t> index) {
                       EXPECT_EQ(*IndexUtil::MultidimensionalIndexToLinearIndex(
                                     shape, index),
                                 number++);
                       return true;
                     }),
        IsOk());
    int64_t elements = 1;
    for (int64_t size : shape.dimensions()) elements *= size;
    EXPECT_EQ(number, elements) << text;
  }
}

TEST(ForEachIndex, StepsAndEnds) {
  const Shape shape = Parse("f32[5,7]{1,0}");
  EXPECT_THAT(Visited(shape, {1, 0}, {3, 7}, {2, 3}),
              ElementsAre("1,0", "1,3", "1,6", "3,0", "3,3", "3,6"));
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  EXPECT_THAT(Visited(shape, {4, 6}, {1, 1}, {kMax, kMax}), ElementsAre("4,6"));
  EXPECT_THAT(Visited(shape, {0, 7}, {5, 0}, {1, 1}), IsEmpty());
  EXPECT_THAT(Visited(Parse("f32[0,3]"), {0, 0}, {0, 3}, {1, 1}), IsEmpty());
  int64_t visits = 0;
  EXPECT_THAT(
      ForEachIndex(shape,
                   [&](absl::Span<const int64_t>) { return ++visits < 3; }),
      IsOk());
  EXPECT_EQ(visits, 3);
}

TEST(ForEachIndex, Errors) {
  const auto visit = [](absl::Span<const int64_t>) {
    ADD_FAILURE();
    return false;
  };
  EXPECT_EQ(ForEachIndex(Shape::Token(), visit),
            absl::FailedPreconditionError("token[] is not an array"));
  EXPECT_EQ(
      ForEachIndex(Parse("f32[?]"), visit),
      absl::FailedPreconditionError("f32[?]{0} has an unbounded dimension"));
  EXPECT_EQ(ForEachIndex(Shape::Array(F32, {2}), visit),
            absl::FailedPreconditionError("f32[2] has no layout"));
  EXPECT_EQ(
      ForEachIndex(Shape::Array(F32, {2, 3}, Layout({0, 0})), visit).code(),
      absl::StatusCode::kInvalidArgument);
  const Shape shape = Parse("f32[2,3]");
  EXPECT_EQ(ForEachIndex(shape, {0}, {2, 3}, {1, 1}, visit),
            absl::InvalidArgumentError(
                "base, count and increment have 1, 2 and 2 entries, but the "
                "number of dimensions of f32[2,3]{1,0} is 2"));
  EXPECT_EQ(ForEachIndex(shape, {0, 0}, {2, 3}, {1, 0}, visit),
            absl::InvalidArgumentError("increment[1] = 0 is not positive"));
  EXPECT_EQ(ForEachIndex(shape, {0, 1}, {2, 3}, {1, 1}, visit),
            absl::OutOfRangeError(
                "base[1] = 1 and count[1] = 3 reach outside [0, 3)"));
  EXPECT_EQ(ForEachIndex(shape, {-1, 0}, {2, 3}, {1, 1}, visit).code(),
            absl::StatusCode::kOutOfRange);
  EXPECT_EQ(ForEachIndex(shape, {0, 0}, {2, -3}, {1, 1}, visit).code(),
            absl::StatusCode::kOutOfRange);
}

TEST(ByteStrides, AreOfWholeElements) {
  EXPECT_THAT(*ByteStrides(Parse("bf16[9,130]{1,0:T(8,128)(2,1)}")),
              ElementsAre(260, 2));
  EXPECT_THAT(*ByteStrides(Parse("f32[]")), IsEmpty());
  EXPECT_THAT(*ByteStrides(Parse("pred[2,3]{1,0:E(32)}")), ElementsAre(12, 4));
  EXPECT_THAT(*UnpackedByteStrides(Parse("pred[2,3]{1,0:E(32)}")),
              ElementsAre(3, 1));
  const Shape packed = Parse("s4[2,3]{1,0:E(4)}");
  EXPECT_THAT(*UnpackedByteStrides(packed), ElementsAre(3, 1));
  EXPECT_EQ(ByteStrides(packed).status(),
            absl::FailedPreconditionError(
                "s4[2,3]{1,0:E(4)} has elements of 4 bits, which do not begin "
                "on whole bytes"));
  EXPECT_EQ(ByteStrides(Shape::Tuple({})).status(),
            absl::FailedPreconditionError("() is not an array"));
  const int64_t kLarge = int64_t{1} << 61;
  EXPECT_EQ(UnpackedByteStrides(Shape::Array(F32, {0, kLarge}, Layout({1, 0})))
                .status(),
            absl::OutOfRangeError(
                "the stride of dimension 0 of f32[0,2305843009213693952]{1,0}, "
                "2305843009213693952 x 4 bytes, exceeds 2^63-1"));
}

TEST(ByteStrides, OneBitIsSingular) {
  EXPECT_EQ(ByteStrides(Parse("pred[2,3]{1,0:E(1)}")).status().message(),
            "pred[2,3]{1,0:E(1)} has elements of 1 bit, which do not begin on "
            "whole bytes");
}

}  // namespace
}  // namespace tessera
