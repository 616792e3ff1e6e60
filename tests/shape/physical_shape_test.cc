#include "tessera/shape/physical_shape.h"

#include <optional>
#include <string>
#include <utility>

#include "gtest/gtest.h"
#include "tessera/layout/layout_proto.h"

namespace tessera {
namespace {

TEST(PhysicalShape, Example) {
  Layout::Parts parts;
  parts.physical_shape = *MakePhysicalShape(Shape::Array(F32, {8}));
  EXPECT_EQ(Layout(parts).ToString(), "{:P(f32[8])}");
  EXPECT_EQ(*PhysicalShapeOf(Layout(parts)), Shape::Array(F32, {8}));
}

Layout WithPhysicalShape(Shape shape) {
  Layout::Parts parts;
  parts.minor_to_major = {0};
  parts.physical_shape = *MakePhysicalShape(std::move(shape));
  return Layout(parts);
}

TEST(PhysicalShape, EqualityIsThatOfTheShapes) {
  const Shape shape = Shape::Tuple({Shape::Array(F32, {8}, Layout({0}))});
  EXPECT_EQ(WithPhysicalShape(shape), WithPhysicalShape(shape));
  EXPECT_NE(WithPhysicalShape(shape), WithPhysicalShape(Shape::Token()));
  EXPECT_NE(WithPhysicalShape(shape), Layout({0}));
  EXPECT_EQ(PhysicalShapeOf(Layout({0})), std::nullopt);
}

TEST(PhysicalShape, CrossesToProtoAndBack) {
  const Layout layout = WithPhysicalShape(
      Shape::Tuple({Shape::Array(U32, {4}, Layout({0})), Shape::Token()}));
  const LayoutProto proto = LayoutToProto(layout);
  EXPECT_EQ(proto.physical_shape().tuple_shapes(0).element_type(), U32);
  EXPECT_EQ(*LayoutFromProto(proto), layout);
}

TEST(PhysicalShape, DoesNotNest) {
  const Shape nested =
      Shape::Array(F32, {8}, WithPhysicalShape(Shape::Array(F32, {8})));
  const std::string rule =
      "physical shape P(f32[8]) belongs to a sparse layout, and arrays are "
      "dense";
  EXPECT_EQ(MakePhysicalShape(nested).status(),
            absl::InvalidArgumentError(rule));

  LayoutProto proto;
  proto.mutable_physical_shape()
      ->mutable_layout()
      ->mutable_physical_shape()
      ->set_element_type(xla_data_proto::TOKEN);
  EXPECT_EQ(LayoutFromProto(proto).status(),
            absl::InvalidArgumentError(
                "physical shape: a physical shape belongs to a sparse layout, "
                "and arrays are dense"));
}

TEST(PhysicalShape, MustBeValid) {
  EXPECT_EQ(MakePhysicalShape(Shape::Array(F32, {-1})).status(),
            absl::InvalidArgumentError("dimensions[0] = -1 is negative"));
  LayoutProto proto;
  proto.mutable_physical_shape();
  EXPECT_EQ(LayoutFromProto(proto).status(),
            absl::InvalidArgumentError(
                "physical shape: element type 0 names no type"));
}

}  // namespace
}  // namespace tessera
