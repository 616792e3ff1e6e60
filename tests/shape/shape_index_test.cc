#include "tessera/shape/shape_index.h"

#include <cstdint>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/tests/shape/deep_tuple.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;

TEST(ShapeIndex, VisitsEverySubshapeWithItsIndex) {
  Shape inner = Shape::Tuple({Shape::Array(F32, {2}), Shape::Token()});
  Shape shape = Shape::Tuple({Shape::Opaque(), inner});
  EXPECT_EQ(GetSubshape(shape, {1, 0})->ToString(), "f32[2]");
  std::vector<std::string> indices;
  ForEachSubshape(shape, [&](const Shape& subshape, ShapeIndexView index) {
    EXPECT_EQ(*GetSubshape(shape, index), subshape);
    indices.push_back(ShapeIndexToString(index));
  });
  EXPECT_THAT(indices, ElementsAre("{}", "{0}", "{1}", "{1,0}", "{1,1}"));
}

TEST(ShapeIndex, GetSubshapeErrors) {
  const Shape shape =
      Shape::Tuple({Shape::Tuple({Shape::Token()}), Shape::Array(F32, {2}),
                    Shape::Buffer(Shape::Array(F32, {2}))});
  EXPECT_EQ(*GetSubshape(shape, {}), shape);
  struct Case {
    ShapeIndex index;
    absl::Status status;
  };
  const Case kCases[] = {
      {{3},
       absl::OutOfRangeError("shape index {3}: entry 0 = 3 is outside "
                             "[0, 3), the elements of the tuple")},
      {{0, -1},
       absl::OutOfRangeError("shape index {0,-1}: entry 1 = -1 is outside "
                             "[0, 1), the elements of the tuple")},
      {{1, 0},
       absl::FailedPreconditionError(
           "shape index {1,0} goes into {1}, which is not a tuple: f32")},
      {{0, 0, 0},
       absl::FailedPreconditionError(
           "shape index {0,0,0} goes into {0,0}, which is not a tuple: token")},
      {{2, 0},
       absl::FailedPreconditionError(
           "shape index {2,0} goes into {2}, which is not a tuple: buffer")},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(GetSubshape(shape, c.index).status(), c.status);
  }
}

std::vector<std::string> LeafIndices(const Shape& shape) {
  std::vector<std::string> indices;
  ForEachLeafShape(shape, [&](const Shape& leaf, ShapeIndexView index) {
    EXPECT_FALSE(leaf.IsTuple());
    indices.push_back(ShapeIndexToString(index));
  });
  return indices;
}

TEST(ShapeIndex, Leaves) {
  const Shape array = Shape::Array(F32, {2});
  struct Case {
    Shape shape;
    std::vector<std::string> leaves;
  };
  const Case kCases[] = {
      {array, {"{}"}},
      {Shape::Token(), {"{}"}},
      {Shape::Buffer(array), {"{}"}},
      {Shape::Tuple({}), {}},
      {Shape::Tuple({Shape::Tuple({}), Shape::Tuple({array, Shape::Opaque()}),
                     Shape::Tuple({}), array}),
       {"{1,0}", "{1,1}", "{3}"}},
  };
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.shape.ToString());
    EXPECT_EQ(LeafIndices(c.shape), c.leaves);
    EXPECT_EQ(GetLeafCount(c.shape), c.leaves.size());
  }
}

TEST(ShapeIndex, TheFirstErrorEndsTheVisit) {
  const Shape shape =
      Shape::Tuple({Shape::Token(), Shape::Opaque(), Shape::Token()});
  int visited = 0;
  const absl::Status status = ForEachSubshapeWithStatus(
      shape, [&visited](const Shape& subshape, ShapeIndexView) {
        ++visited;
        return subshape.IsOpaque() ? absl::NotFoundError("stop")
                                   : absl::OkStatus();
      });
  EXPECT_EQ(status, absl::NotFoundError("stop"));
  EXPECT_EQ(visited, 3);
}

TEST(ShapeIndex, DeepNesting) {
  const Shape shape = DeepTuple(kDeep, Shape::Array(F32, {2}));
  EXPECT_EQ(GetLeafCount(shape), 1);
  EXPECT_EQ(*GetSubshape(shape, ShapeIndex(kDeep, 0)), Shape::Array(F32, {2}));
}

}  // namespace
}  // namespace tessera
