#include "tessera/shape/validate_shape.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/tests/shape/deep_tuple.h"
#include "tessera/tests/status_matchers.h"

namespace tessera {
namespace {

using ::testing::EndsWith;
using ::testing::StartsWith;

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
constexpr int64_t kUnbounded = Shape::kUnboundedSize;
constexpr int64_t k2To62 = int64_t{1} << 62;

TEST(ValidateShape, Accepts) {
  const Shape plain = Shape::Array(F32, {2, 3});
  const Shape kCases[] = {
      plain,
      Shape::Array(F32, {}),
      Shape::Array(F32, {0}),
      Shape::Array(F32, {}, Layout()),
      Shape::Array(F32, {2, 3}, Layout({0, 1})),
      Shape::Array(F32, {kUnbounded, 4, 5}, std::nullopt, {true, true}),
      Shape::Array(S8, {kMax, kUnbounded}, std::nullopt, {false, true}),
      Shape::Array(F32, {kMax / 4}),
      Shape::Array(F32, {0, k2To62, 4}),  // the zero comes first
      Shape::Token(),
      Shape::Opaque(),
      Shape::Tuple({}),
      Shape::Tuple({Shape::Tuple({plain}), Shape::Tuple({})}),
      Shape::Tuple({Shape::Buffer(plain), Shape::Token()}),
  };
  for (const Shape& shape : kCases) {
    EXPECT_EQ(ValidateShape(shape), absl::OkStatus()) << shape.ToString();
  }
}

TEST(ValidateShape, Rejects) {
  struct Case {
    Shape shape;
    ShapePart part;
    int64_t i;
    const char* message;
  };
  const Case kCases[] = {
      {Shape(), ShapePart::kElementType, -1, "element type 0 names no type"},
      {Shape::Array(static_cast<PrimitiveType>(99), {2}),
       ShapePart::kElementType, -1, "element type 99 names no type"},
      {Shape::Array(F32, {2, -3}), ShapePart::kDimension, 1,
       "dimensions[1] = -3 is negative"},
      {Shape::Array(F32, {2, -3}, std::nullopt, {true, true}),
       ShapePart::kDimension, 1, "dimensions[1] = -3 is negative"},
      {Shape::Array(F32, {kUnbounded}), ShapePart::kDimension, 0,
       "dimensions[0] = -9223372036854775808 is negative"},
      {Shape::Array(F32, {k2To62, 4, 0}), ShapePart::kDimension, 1,
       "the number of elements, 4611686018427387904 * 4 up to dimensions[1], "
       "exceeds 2^63-1"},
      {Shape::Array(S8, {kMax, kUnbounded, 2}, std::nullopt, {false, true}),
       ShapePart::kDimension, 2,
       "the number of elements, 9223372036854775807 * 2 up to dimensions[2], "
       "exceeds 2^63-1"},
      {Shape::Array(F32, {k2To62}), ShapePart::kWhole, -1,
       "the size in bytes, 4611686018427387904 elements * 4, exceeds 2^63-1"},
      {Shape::Array(F32, {2, 3}, Layout({0})), ShapePart::kMinorToMajor, -1,
       "minor_to_major has 1 entry, but the array has 2 dimensions"},
      {Shape::Array(F32, {2, 3}, Layout({0, 5})), ShapePart::kMinorToMajor, 1,
       "minor_to_major[1] = 5 is outside [0, 2)"},
      {Shape::Array(TOKEN, {2}), ShapePart::kDimension, 0,
       "token cannot have dimensions"},
      {Shape::Token().WithLayout(Layout({0})), ShapePart::kLayout, -1,
       "token cannot have a layout"},
      {Shape::Opaque().WithLayout(Layout().WithMemorySpace(1)),
       ShapePart::kLayout, -1, "opaque cannot have a layout"},
      {Shape::Tuple({}).WithLayout(Layout()), ShapePart::kLayout, -1,
       "tuple cannot have a layout"},
      {Shape::Buffer(Shape::Array(F32, {})).WithLayout(Layout()),
       ShapePart::kLayout, -1, "buffer cannot have a layout"},
      {Shape::Array(BUFFER, {}), ShapePart::kWhole, -1,
       "the buffer holds no array"},
      {Shape::Buffer(Shape::Token()), ShapePart::kWhole, -1,
       "the buffer holds token, but only an array can be a buffer's content"},
      {Shape::Buffer(Shape::Tuple({Shape::Array(F32, {})})), ShapePart::kWhole,
       -1,
       "the buffer holds tuple, but only an array can be a buffer's content"},
      {Shape::Buffer(Shape::Buffer(Shape::Array(F32, {}))), ShapePart::kWhole,
       -1,
       "the buffer holds buffer, but only an array can be a buffer's content"},
      {Shape::Buffer(Shape::Array(F32, {-2})), ShapePart::kDimension, 0,
       "dimensions[0] = -2 is negative"},
  };
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.message);
    const std::optional<Violation> violation = FindShapeViolation(c.shape);
    ASSERT_TRUE(violation.has_value());
    EXPECT_EQ(violation->part, c.part);
    EXPECT_EQ(violation->i, c.i);
    EXPECT_EQ(violation->message, c.message);
    EXPECT_EQ(ValidateShape(c.shape), absl::InvalidArgumentError(c.message));
    // The same in a tuple, with its place.
    EXPECT_EQ(
        ValidateShape(Shape::Tuple({Shape::Token(), Shape::Tuple({c.shape})})),
        absl::InvalidArgumentError(std::string("at {1,0}: ") + c.message));
  }
}

TEST(ValidateShape, MayRequireLayouts) {
  constexpr LayoutRequirement kRequired = LayoutRequirement::kRequired;
  const Shape bare = Shape::Array(F32, {2, 3});
  const Shape laid_out = bare.WithLayout(Layout({1, 0}));
  EXPECT_EQ(ValidateShape(laid_out, kRequired), absl::OkStatus());
  EXPECT_EQ(ValidateShape(Shape::Tuple({laid_out, Shape::Token()}), kRequired),
            absl::OkStatus());
  EXPECT_EQ(
      ValidateShape(bare, kRequired),
      absl::InvalidArgumentError("the array f32[2,3] does not have a layout"));
  EXPECT_EQ(
      ValidateShape(Shape::Tuple({laid_out, Shape::Buffer(bare)}), kRequired),
      absl::InvalidArgumentError(
          "at {1}: the array f32[2,3] does not have a layout"));
}

TEST(ValidateShape, DeepNesting) {
  EXPECT_EQ(ValidateShape(DeepTuple(kDeep, Shape::Array(F32, {2}))),
            absl::OkStatus());
  const absl::Status status =
      ValidateShape(DeepTuple(kDeep, Shape::Array(F32, {-2})));
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kInvalidArgument));
  const std::string message(status.message());
  EXPECT_THAT(message, StartsWith("at {0,0,"));
  EXPECT_THAT(message, EndsWith(",0}: dimensions[0] = -2 is negative"));
}

}  // namespace
}  // namespace tessera
