#include "tessera/shape/shape_utilities.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tessera/parser/parser.h"
#include "tessera/tests/shape/deep_tuple.h"
#include "tessera/tests/status_matchers.h"

namespace tessera {
namespace {

using ::testing::ElementsAre;

constexpr int64_t kUnbounded = Shape::kUnboundedSize;
constexpr int64_t k2To62 = int64_t{1} << 62;

// f32[150,200,100]{0,1,2:SC(0:30)(1:40,130)}
Shape SplitShape() {
  Layout::Parts parts;
  parts.minor_to_major = {0, 1, 2};
  parts.split_configs.resize(2);
  parts.split_configs[0].split_indices = {30};
  parts.split_configs[1].dimension = 1;
  parts.split_configs[1].split_indices = {40, 130};
  return Shape::Array(F32, {150, 200, 100}, Layout(parts));
}

TEST(ShapeUtilities, ElementsIn) {
  EXPECT_EQ(*ElementsIn(Shape::Array(F32, {})), 1);
  EXPECT_EQ(*ElementsIn(Shape::Array(F32, {2, 0, 3})), 0);
  EXPECT_EQ(*ElementsIn(Shape::Array(F32, {4, 3}, std::nullopt, {true})), 12);
  EXPECT_EQ(ElementsIn(Shape::Array(F32, {k2To62, 2})).status(),
            absl::OutOfRangeError("the number of elements of "
                                  "f32[4611686018427387904,2] exceeds 2^63-1"));
  EXPECT_EQ(ElementsIn(Shape::Token()).status(),
            absl::FailedPreconditionError("token[] is not an array"));
  EXPECT_EQ(ElementsIn(Shape::Array(F32, {kUnbounded}, std::nullopt, {true}))
                .status(),
            absl::FailedPreconditionError("f32[?] has an unbounded dimension"));
}

TEST(ShapeUtilities, TrueDimensions) {
  struct Case {
    Shape shape;
    int64_t true_dimensions;
    bool is_effective_scalar;
  };
  for (const Case& c :
       {Case{Shape::Array(F32, {}), 0, true},
        Case{Shape::Array(F32, {1, 1}), 0, true},
        Case{Shape::Array(F32, {1, 2, 1, 3}), 2, false},
        Case{Shape::Array(F32, {0}), 1, false}, Case{Shape::Token(), 0, false},
        Case{Shape::Tuple({}), 0, false}}) {
    SCOPED_TRACE(c.shape.ToString());
    EXPECT_EQ(TrueNumDimensions(c.shape), c.true_dimensions);
    EXPECT_EQ(IsEffectiveScalar(c.shape), c.is_effective_scalar);
  }
}

TEST(ShapeUtilities, HasLayout) {
  const Shape with = Shape::Array(F32, {2}, Layout({0}));
  const Shape without = Shape::Array(F32, {2});
  struct Case {
    Shape shape;
    bool has;
    bool has_any;
  };
  for (const Case& c :
       {Case{with, true, true}, Case{without, false, false},
        Case{Shape::Token(), true, true}, Case{Shape::Opaque(), true, true},
        Case{Shape::Buffer(with), true, true},
        Case{Shape::Buffer(without), false, false},
        Case{Shape::Tuple({}), true, false},
        Case{Shape::Tuple({with, Shape::Tuple({without})}), false, true},
        Case{Shape::Tuple({with, Shape::Tuple({with})}), true, true},
        Case{Shape::Tuple({without, Shape::Tuple({without})}), false, false}}) {
    SCOPED_TRACE(c.shape.ToString());
    EXPECT_EQ(HasLayout(c.shape), c.has);
    EXPECT_EQ(HasAnyLayout(c.shape), c.has_any);
  }
}

TEST(ShapeUtilities, MemorySpace) {
  EXPECT_EQ(MemorySpace(Shape::Array(F32, {})), 0);
  EXPECT_EQ(MemorySpace(Shape::Array(F32, {}, Layout().WithMemorySpace(5))), 5);
}

TEST(ShapeUtilities, GetDefaultLayoutForShape) {
  EXPECT_EQ(*GetDefaultLayoutForShape(Shape::Array(F32, {2, 3})),
            Layout({1, 0}));
  EXPECT_EQ(*GetDefaultLayoutForShape(Shape::Token()), Layout());
  EXPECT_EQ(*GetDefaultLayoutForShape(Shape::Opaque()), Layout());
  EXPECT_EQ(GetDefaultLayoutForShape(Shape::Tuple({})).status(),
            absl::FailedPreconditionError("() is not an array"));
}

TEST(ShapeUtilities, TransformArraysReachesEveryArrayAndNothingElse) {
  const Shape array = Shape::Array(F32, {2});
  const Shape shape = Shape::Tuple(
      {array, Shape::Tuple({Shape::Buffer(array), Shape::Tuple({})}),
       Shape::Token(), Shape::Opaque(), Shape()});
  const auto to_bf16 = [](const Shape& s) {
    return Shape::Array(BF16, {s.dimensions(0) + 1});
  };
  EXPECT_EQ(TransformArrays(shape, to_bf16).ToString(),
            "(bf16[3], (b(bf16[3]), ()), token[], opaque[], "
            "primitive_type_invalid[])");
  EXPECT_EQ(TransformArrays(array, to_bf16).ToString(), "bf16[3]");
}

TEST(ShapeUtilities, DeviceShapeToHostShape) {
  const Shape device = Shape::Tuple(
      {Shape::Array(
           F32, {8, 128},
           Layout({1, 0}).WithTiles({Tile({8, 128})}).WithMemorySpace(1)),
       Shape::Array(F32, {2}), SplitShape()});
  const Shape host = DeviceShapeToHostShape(device);
  EXPECT_EQ(host.ToString(),
            "(f32[8,128]{1,0}, f32[2], "
            "f32[150,200,100]{0,1,2:SC(0:30)(1:40,130)})");
  EXPECT_FALSE(DeviceShapeIsHostShape(device));
  EXPECT_TRUE(DeviceShapeIsHostShape(host));
}

TEST(ShapeUtilities, UpdateElementSizeInBits) {
  const Shape shape = Shape::Tuple(
      {Shape::Array(S4, {2}, Layout({0})), Shape::Array(S4, {2}),
       Shape::Array(PRED, {2}, Layout({0}).WithElementSizeInBits(32)),
       Shape::Array(F4E2M1FN, {2}, Layout({0})),
       Shape::Array(F6E3M2FN, {2}, Layout({0})),
       Shape::Buffer(Shape::Array(U2, {2}, Layout({0})))});
  const Shape packed = UpdateElementSizeInBits(shape, true);
  EXPECT_EQ(packed.ToString(),
            "(s4[2]{0:E(4)}, s4[2], pred[2]{0}, f4e2m1fn[2]{0:E(4)}, "
            "f6e3m2fn[2]{0}, /*index=5*/b(u2[2]{0:E(2)}))");
  EXPECT_EQ(UpdateElementSizeInBits(packed, false).ToString(),
            "(s4[2]{0}, s4[2], pred[2]{0}, f4e2m1fn[2]{0}, f6e3m2fn[2]{0}, "
            "/*index=5*/b(u2[2]{0}))");
}

TEST(ShapeUtilities, PermuteDimensionsKeepsElementsInPlace) {
  const Layout tiled =
      Layout({1, 2, 0}).WithTiles({Tile({8, 128})}).WithMemorySpace(1);
  const Shape shape = Shape::Array(F32, {2, 3, 5}, tiled, {false, true, false});
  const Shape permuted = *PermuteDimensions({2, 0, 1}, shape);
  EXPECT_EQ(permuted.ToString(), "f32[5,2,<=3]{2,0,1:T(8,128)S(1)}");
  // The sizes in physical order are what they were.
  for (int64_t i = 0; i < 3; ++i) {
    EXPECT_EQ(permuted.dimensions(permuted.layout().minor_to_major(i)),
              shape.dimensions(shape.layout().minor_to_major(i)));
  }
  EXPECT_EQ(*PermuteDimensions({1, 2, 0}, permuted), shape);
  EXPECT_EQ(*PermuteDimensions({}, Shape::Array(F32, {})),
            Shape::Array(F32, {}));
  EXPECT_EQ(PermuteDimensions({1, 0}, Shape::Array(F32, {2, 3}))->ToString(),
            "f32[3,2]");
}

TEST(ShapeUtilities, PermuteDimensionsErrors) {
  const Shape shape = Shape::Array(F32, {2, 3});
  for (const std::vector<int64_t>& bad :
       {std::vector<int64_t>{0}, std::vector<int64_t>{0, 0},
        std::vector<int64_t>{0, 2}, std::vector<int64_t>{-1, 0},
        std::vector<int64_t>{0, 1, 1}, std::vector<int64_t>{0, 1, 2}}) {
    const absl::Status status = PermuteDimensions(bad, shape).status();
    EXPECT_THAT(
        status,
        StatusIs(absl::StatusCode::kInvalidArgument,
                 ::testing::EndsWith(
                     "} is not a permutation of the dimensions of f32[2,3]")));
  }
  EXPECT_EQ(PermuteDimensions({}, Shape::Token()).status(),
            absl::FailedPreconditionError("token[] is not an array"));
  EXPECT_EQ(
      PermuteDimensions({1, 0}, shape.WithLayout(Layout({0, 7}))).status(),
      absl::InvalidArgumentError("minor_to_major[1] = 7 is outside [0, 2)"));
}

TEST(ShapeUtilities, PackedFactorFor1DInterleavedArray) {
  const auto tiled = [](int64_t rank, Layout::Tiles tiles) {
    return Shape::Array(
        BF16, Shape::Dimensions(rank, 2048),
        Layout(Layout::MinorToMajor(rank, 0)).WithTiles(std::move(tiles)));
  };
  EXPECT_EQ(*PackedFactorFor1DInterleavedArray(
                tiled(1, {Tile({1024}), Tile({128}), Tile({2, 1})})),
            2);
  for (const Shape& other :
       {tiled(1, {Tile({1024}), Tile({2, 1})}),
        tiled(1, {Tile({1024}), Tile({128}), Tile({2})}),
        tiled(2, {Tile({1024}), Tile({128}), Tile({2, 1})}),
        Shape::Array(BF16, {2048}), Shape::Token()}) {
    EXPECT_EQ(PackedFactorFor1DInterleavedArray(other).status(),
              absl::InvalidArgumentError(other.ToString() +
                                         " is not a 1-D interleaved array"));
  }
}

TEST(ShapeUtilities, Splits) {
  const Shape shape = SplitShape();
  EXPECT_EQ(*MaxSplitSize(shape, 0), 150);
  EXPECT_EQ(*MaxSplitSize(shape, 1), 90);
  EXPECT_EQ(*MaxSplitSize(shape, 2), 70);
  EXPECT_THAT(*SplitSizes(shape, 0), ElementsAre(150));
  EXPECT_THAT(*SplitSizes(shape, 2), ElementsAre(30, 70));

  const Shape whole = shape.WithLayout(std::nullopt);
  EXPECT_EQ(*MaxSplitSize(whole, 1), 200);
  EXPECT_EQ(*MaxElementsInPerSplit(whole), 150 * 200 * 100);
  EXPECT_EQ(*MaxElementsInPerSplit(Shape::Array(F32, {}, Layout())), 1);
}

TEST(ShapeUtilities, DimensionsComeAndGo) {
  Layout::Parts parts;
  parts.minor_to_major = {2, 1, 0};
  parts.tiles = {Tile({8, 128})};
  parts.memory_space = 1;
  parts.split_configs.resize(1);
  parts.split_configs[0].dimension = 1;
  parts.split_configs[0].split_indices = {3};
  const Shape array =
      Shape::Array(BF16, {4, 9, 130}, Layout(parts), {false, true, false});
  ASSERT_EQ(array.ToString(), "bf16[4,<=9,130]{2,1,0:T(8,128)S(1)SC(1:3)}");
  EXPECT_EQ(DeleteDimension(0, array)->ToString(),
            "bf16[<=9,130]{1,0:T(8,128)S(1)SC(0:3)}");
  EXPECT_EQ(DeleteDimension(1, array)->ToString(),
            "bf16[4,130]{1,0:T(8,128)S(1)}");
  EXPECT_EQ(MoveDimToMajor(array, 2)->ToString(),
            "bf16[4,<=9,130]{1,0,2:T(8,128)S(1)SC(1:3)}");
  EXPECT_EQ(PrependMajorDimension(7, array)->ToString(),
            "bf16[7,4,<=9,130]{3,2,1,0:T(8,128)S(1)SC(2:3)}");
  EXPECT_EQ(*DeleteDimension(0, *PrependMajorDimension(7, array)), array);

  const Shape bare = Shape::Array(F32, {2, 3});
  EXPECT_EQ(DeleteDimension(1, bare)->ToString(), "f32[2]");
  EXPECT_EQ(*MoveDimToMajor(bare, 1), bare);
  EXPECT_EQ(PrependMajorDimension(0, bare)->ToString(), "f32[0,2,3]");

  const absl::Status none =
      absl::InvalidArgumentError("there is no dimension 2 in f32[2,3]");
  EXPECT_EQ(DeleteDimension(2, bare).status(), none);
  EXPECT_EQ(MoveDimToMajor(bare, 2).status(), none);
  // Dimension 0 has no element 100 to split at.
  EXPECT_THAT(MoveDimToMajor(*ParseShape("f32[10,200]{1,0:SC(1:100)}"), 1),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_EQ(
      PrependMajorDimension(-1, bare).status(),
      absl::InvalidArgumentError("the bound of a dimension, -1, is negative"));
  const absl::Status no_array =
      absl::FailedPreconditionError("token[] is not an array");
  EXPECT_EQ(DeleteDimension(0, Shape::Token()).status(), no_array);
  EXPECT_EQ(MoveDimToMajor(Shape::Token(), 0).status(), no_array);
  EXPECT_EQ(PrependMajorDimension(1, Shape::Token()).status(), no_array);
}

TEST(ShapeUtilities, BoundedArrays) {
  EXPECT_EQ(CheckBoundedArray(Shape::Array(F32, {0, 3})), absl::OkStatus());
  EXPECT_EQ(
      CheckBoundedArray(Shape::Tuple({Shape::Array(F32, {2}), Shape::Token()})),
      absl::FailedPreconditionError("(f32[2], token[]) is not an array"));
  EXPECT_EQ(
      CheckBoundedArray(Shape::Array(F32, {2, kUnbounded})),
      absl::FailedPreconditionError("f32[2,?] has an unbounded dimension"));
}

TEST(ShapeUtilities, SplitErrors) {
  struct Case {
    Shape shape;
    absl::Status status;
  };
  const Case kCases[] = {
      {Shape::Tuple({}), absl::FailedPreconditionError("() is not an array")},
      {Shape::Array(F32, {kUnbounded}, std::nullopt, {true}),
       absl::FailedPreconditionError("f32[?] has an unbounded dimension")},
      {Shape::Array(F32, {2}, Layout({1})),
       absl::InvalidArgumentError("minor_to_major[0] = 1 is outside [0, 1)")},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(SplitSizes(c.shape, 0).status(), c.status);
    EXPECT_EQ(MaxSplitSize(c.shape, 0).status(), c.status);
    EXPECT_EQ(MaxElementsInPerSplit(c.shape).status(), c.status);
  }
  for (int64_t bad : {-1, 1}) {
    EXPECT_EQ(SplitSizes(Shape::Array(F32, {2}), bad).status(),
              absl::InvalidArgumentError("there is no dimension " +
                                         std::to_string(bad) + " in f32[2]"));
  }
}

TEST(ShapeUtilities, DeepNesting) {
  const Shape array = Shape::Array(S4, {2}, Layout({0}).WithMemorySpace(1));
  const Shape deep = DeepTuple(kDeep, array);
  EXPECT_TRUE(HasLayout(deep));
  EXPECT_FALSE(DeviceShapeIsHostShape(deep));
  EXPECT_TRUE(DeviceShapeIsHostShape(DeviceShapeToHostShape(deep)));
  EXPECT_FALSE(HasLayout(DeepBuffer(kDeep, Shape::Array(S4, {2}))));
}

}  // namespace
}  // namespace tessera
