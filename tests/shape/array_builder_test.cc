#include "tessera/shape/array_builder.h"

#include "gtest/gtest.h"
#include "tessera/shape/shape.h"

namespace tessera {
namespace {

TEST(ArrayBuilder, Example) {
  Shape shape;
  ArrayBuilder builder(F32, &shape);
  builder.AddDimension(3);
  builder.AddDynamicDimension(5);
  builder.AddLayout()->minor_to_major = {1, 0};
  EXPECT_EQ(shape.ToString(), "f32[3,<=5]{1,0}");
}

TEST(ArrayBuilder, BuildsWhatShapeArrayMakes) {
  Shape all_static;
  ArrayBuilder static_builder(S8, &all_static);
  static_builder.AddDimension(3);
  static_builder.AddDimension(5);
  EXPECT_EQ(all_static, Shape::Array(S8, {3, 5}));
  EXPECT_TRUE(all_static.dynamic_dimensions().empty());

  Shape dynamic;
  ArrayBuilder dynamic_builder(S8, &dynamic);
  dynamic_builder.AddDimension(3);
  dynamic_builder.AddDynamicDimension(5);
  dynamic_builder.AddDimension(7);
  dynamic_builder.AddDynamicDimension(Shape::kUnboundedSize);
  dynamic_builder.AddDefaultLayout();
  EXPECT_EQ(dynamic,
            Shape::Array(S8, {3, 5, 7, Shape::kUnboundedSize},
                         Layout({3, 2, 1, 0}), {false, true, false, true}));

  Shape scalar;
  ArrayBuilder(PRED, &scalar).AddDefaultLayout();
  EXPECT_EQ(scalar, Shape::Array(PRED, {}, Layout()));
}

}  // namespace
}  // namespace tessera
