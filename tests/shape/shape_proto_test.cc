#include "tessera/shape/shape_proto.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "google/protobuf/arena.h"
#include "gtest/gtest.h"
#include "tessera/layout/layout_proto.h"
#include "tessera/tests/shape/deep_tuple.h"

namespace tessera {
namespace {

using ::testing::EndsWith;
using ::testing::StartsWith;

constexpr int64_t kUnbounded = Shape::kUnboundedSize;
constexpr int64_t kStar = Tile::kCombineDimension;

// (s4[<=100,8]{1,0:T(8,128)(*,1)L(2)E(4)S(5)SC(0:30,60)(1:4)M(1024)}, token[])
Shape WireShape() {
  Layout::Parts parts;
  parts.minor_to_major = {1, 0};
  parts.tiles = {Tile({8, 128}), Tile({kStar, 1})};
  parts.tail_padding_alignment_in_elements = 2;
  parts.element_size_in_bits = 4;
  parts.memory_space = 5;
  parts.split_configs.resize(2);
  parts.split_configs[0].dimension = 0;
  parts.split_configs[0].split_indices = {30, 60};
  parts.split_configs[1].dimension = 1;
  parts.split_configs[1].split_indices = {4};
  parts.dynamic_shape_metadata_prefix_bytes = 1024;
  return Shape::Tuple({Shape::Array(S4, {100, 8}, Layout(parts), {true, false}),
                       Shape::Token()});
}

// The same by hand. A field is a tag (its number * 8, plus 0 for a number or 2
// for bytes), for bytes their length, and its value; numbers are in base 128,
// the lowest digit first.
constexpr unsigned char kWireBytes[] = {
    // The tuple.
    0x10, 0x0d,  // ShapeProto.element_type (2) = TUPLE, 13
    0x22, 0x3f,  // ShapeProto.tuple_shapes (4), 63 bytes

    // Its element 0, the array.
    0x10, 0x15,              // ShapeProto.element_type (2) = S4, 21
    0x1a, 0x02, 0x64, 0x08,  // ShapeProto.dimensions (3), 2 bytes: 100, 8
    0x2a, 0x33,              // ShapeProto.layout (5), 51 bytes

    // The layout of the array.
    0x0a, 0x02, 0x01, 0x00,  // LayoutProto.minor_to_major (1), 2 bytes: 1, 0
    // LayoutProto.tiles (6), 5 bytes
    0x32, 0x05,
    // TileProto.dimensions (1), 3 bytes: 8, 128
    0x0a, 0x03, 0x08, 0x80, 0x01,
    // LayoutProto.tiles (6), 13 bytes
    0x32, 0x0d,
    // TileProto.dimensions (1), 11 bytes: INT64_MIN, 1
    0x0a, 0x0b,                                                  //
    0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01,  //
    0x01,
    // LayoutProto.element_size_in_bits (7) = 4
    0x38, 0x04,
    // LayoutProto.memory_space (8) = 5
    0x40, 0x05,
    // LayoutProto.dynamic_shape_metadata_prefix_bytes (15) = 1024
    0x78, 0x80, 0x08,
    // LayoutProto.tail_padding_alignment_in_elements (16) = 2
    0x80, 0x01, 0x02,
    // LayoutProto.split_configs (17), 4 bytes
    0x8a, 0x01, 0x04,
    // SplitConfigProto.split_indices (2), 2 bytes: 30, 60; dimension is 0 and
    // therefore left out
    0x12, 0x02, 0x1e, 0x3c,
    // LayoutProto.split_configs (17), 5 bytes
    0x8a, 0x01, 0x05,
    // SplitConfigProto.dimension (1) = 1
    0x08, 0x01,
    // SplitConfigProto.split_indices (2), 1 byte: 4
    0x12, 0x01, 0x04,

    // Back in the array.
    // ShapeProto.is_dynamic_dimension (6), 2 bytes: true, false
    0x32, 0x02, 0x01, 0x00,

    // Back in the tuple.
    0x22, 0x02,  // ShapeProto.tuple_shapes (4), 2 bytes

    // Its element 1, the token.
    0x10, 0x11,  // ShapeProto.element_type (2) = TOKEN, 17
};

TEST(ShapeProto, ParsesWireBytes) {
  ShapeProto proto;
  ASSERT_TRUE(proto.ParseFromArray(kWireBytes, sizeof(kWireBytes)));
  const absl::StatusOr<Shape> shape = ShapeFromProto(proto);
  ASSERT_EQ(shape.status(), absl::OkStatus());
  EXPECT_EQ(*shape, WireShape());
  EXPECT_EQ(shape->ToString(),
            "(s4[<=100,8]{1,0:T(8,128)(*,1)L(2)E(4)S(5)SC(0:30,60)(1:4)M(1024)"
            "}, token[])");
}

TEST(ShapeProto, SerialisesToWireBytes) {
  const std::string bytes = ShapeToProto(WireShape()).SerializeAsString();
  EXPECT_EQ(
      std::vector<unsigned char>(bytes.begin(), bytes.end()),
      std::vector<unsigned char>(std::begin(kWireBytes), std::end(kWireBytes)));
}

TEST(ShapeProto, RoundTrips) {
  const Shape array = Shape::Array(F32, {2, 3}, Layout({0, 1}));
  const Shape kCases[] = {
      array,
      Shape::Array(F32, {2, 3}),
      Shape::Array(PRED, {}),
      Shape::Array(U32, {}, Layout().WithTiles({Tile({128})})),
      Shape::Array(F32, {kUnbounded, 4, 5}, std::nullopt, {true, true}),
      Shape::Token(),
      Shape::Opaque(),
      Shape::Buffer(array),
      Shape::Tuple({}),
      Shape::Tuple({array,
                    Shape::Tuple({Shape::Buffer(array), Shape::Tuple({}),
                                  Shape::Token()}),
                    array}),
      WireShape(),
  };
  for (const Shape& shape : kCases) {
    SCOPED_TRACE(shape.ToString());
    EXPECT_EQ(*ShapeFromProto(ShapeToProto(shape)), shape);
  }
}

TEST(ShapeProto, WritesFieldsAsXlaDoes) {
  const Shape array =
      Shape::Array(F32, {kUnbounded, 3}, std::nullopt, {true, false});
  const ShapeProto proto = ShapeToProto(Shape::Buffer(array));
  EXPECT_EQ(proto.element_type(), BUFFER);
  EXPECT_EQ(proto.dimensions_size(), 0);
  ASSERT_EQ(proto.tuple_shapes_size(), 1);
  const ShapeProto& inner = proto.tuple_shapes(0);
  EXPECT_EQ(inner.dimensions(0), std::numeric_limits<int64_t>::min());
  EXPECT_FALSE(inner.has_layout());
  ASSERT_EQ(inner.is_dynamic_dimension_size(), 2);
  EXPECT_TRUE(inner.is_dynamic_dimension(0));
  // Flags are written even where every dimension is static.
  EXPECT_EQ(ShapeToProto(Shape::Array(F32, {2, 3})).is_dynamic_dimension_size(),
            2);
}

TEST(ShapeProto, ReplacesWhatTheMessageHeld) {
  ShapeProto proto = ShapeToProto(WireShape());
  ShapeToProto(Shape::Token(), &proto);
  EXPECT_EQ(*ShapeFromProto(proto), Shape::Token());
  EXPECT_EQ(proto.tuple_shapes_size(), 0);
}

TEST(ShapeProto, EmptyFlagsMeanStatic) {
  ShapeProto proto;
  proto.set_element_type(xla_data_proto::F32);
  proto.add_dimensions(2);
  EXPECT_EQ(*ShapeFromProto(proto), Shape::Array(F32, {2}));
}

TEST(ShapeProto, Rejects) {
  struct Case {
    void (*build)(ShapeProto*);
    const char* message;
  };
  const Case kCases[] = {
      {[](ShapeProto*) {}, "element type 0 names no type"},
      {[](ShapeProto* p) {
         p->set_element_type(static_cast<xla_data_proto::PrimitiveType>(99));
       },
       "element type 99 names no type"},
      {[](ShapeProto* p) {
         p->set_element_type(xla_data_proto::F32);
         p->add_dimensions(-1);
       },
       "dimensions[0] = -1 is negative"},
      {[](ShapeProto* p) {
         p->set_element_type(xla_data_proto::F32);
         p->add_dimensions(kUnbounded);
       },
       "dimensions[0] = -9223372036854775808 is negative"},
      {[](ShapeProto* p) {
         p->set_element_type(xla_data_proto::F32);
         p->add_dimensions(2);
         p->add_is_dynamic_dimension(true);
         p->add_is_dynamic_dimension(true);
       },
       "is_dynamic_dimension has 2 entries, but the number of dimensions is 1"},
      {[](ShapeProto* p) {
         p->set_element_type(xla_data_proto::F32);
         p->add_tuple_shapes()->set_element_type(xla_data_proto::TOKEN);
       },
       "f32 cannot have tuple_shapes"},
      {[](ShapeProto* p) {
         p->set_element_type(xla_data_proto::TOKEN);
         p->add_dimensions(2);
       },
       "token cannot have dimensions"},
      {[](ShapeProto* p) {
         p->set_element_type(xla_data_proto::OPAQUE_TYPE);
         p->mutable_layout();
       },
       "opaque cannot have a layout"},
      {[](ShapeProto* p) {
         p->set_element_type(xla_data_proto::TUPLE);
         p->add_dimensions(2);
       },
       "tuple cannot have dimensions"},
      {[](ShapeProto* p) {
         p->set_element_type(xla_data_proto::TUPLE);
         p->add_is_dynamic_dimension(false);
       },
       "tuple cannot have dimensions"},
      {[](ShapeProto* p) {
         p->set_element_type(xla_data_proto::BUFFER);
         p->mutable_layout();
       },
       "buffer cannot have a layout"},
      {[](ShapeProto* p) { p->set_element_type(xla_data_proto::BUFFER); },
       "buffer has 0 tuple_shapes, but must have one"},
      {[](ShapeProto* p) {
         p->set_element_type(xla_data_proto::BUFFER);
         p->add_tuple_shapes()->set_element_type(xla_data_proto::TUPLE);
       },
       "the buffer holds tuple, but only an array can be a buffer's content"},
      {[](ShapeProto* p) {
         p->set_element_type(xla_data_proto::BUFFER);
         p->add_tuple_shapes()->set_element_type(xla_data_proto::F32);
         p->mutable_tuple_shapes(0)->add_dimensions(-2);
       },
       "dimensions[0] = -2 is negative"},
      {[](ShapeProto* p) {
         p->set_element_type(xla_data_proto::F32);
         p->mutable_layout()->add_minor_to_major(0);
       },
       "minor_to_major has 1 entry, but the array has 0 dimensions"},
      {[](ShapeProto* p) {
         p->set_element_type(xla_data_proto::F32);
         p->mutable_layout()->mutable_physical_shape()->set_element_type(
             xla_data_proto::TOKEN);
       },
       "a physical shape belongs to a sparse layout, and arrays are dense"},
  };
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.message);
    ShapeProto proto;
    c.build(&proto);
    EXPECT_EQ(ShapeFromProto(proto).status(),
              absl::InvalidArgumentError(c.message));

    ShapeProto tuple;
    tuple.set_element_type(xla_data_proto::TUPLE);
    tuple.add_tuple_shapes()->set_element_type(xla_data_proto::TOKEN);
    ShapeProto* inner = tuple.add_tuple_shapes();
    inner->set_element_type(xla_data_proto::TUPLE);
    c.build(inner->add_tuple_shapes());
    EXPECT_EQ(
        ShapeFromProto(tuple).status(),
        absl::InvalidArgumentError(std::string("at {1,0}: ") + c.message));
  }
}

// A message nested `depth` deep, which must live on an arena: protobuf itself
// destroys messages recursively.
ShapeProto* DeepMessage(int64_t depth, PrimitiveType innermost,
                        google::protobuf::Arena* arena) {
  auto* proto = google::protobuf::Arena::CreateMessage<ShapeProto>(arena);
  ShapeProto* current = proto;
  for (int64_t i = 0; i < depth; ++i) {
    current->set_element_type(xla_data_proto::TUPLE);
    current = current->add_tuple_shapes();
  }
  current->set_element_type(PrimitiveTypeToProto(innermost));
  return proto;
}

TEST(ShapeProto, DeepNestingBothWays) {
  google::protobuf::Arena arena;
  const absl::StatusOr<Shape> shape =
      ShapeFromProto(*DeepMessage(kDeep, TOKEN, &arena));
  ASSERT_EQ(shape.status(), absl::OkStatus());
  auto* written = google::protobuf::Arena::CreateMessage<ShapeProto>(&arena);
  ShapeToProto(*shape, written);
  int64_t depth = 0;
  const ShapeProto* current = written;
  for (; current->element_type() == xla_data_proto::TUPLE; ++depth) {
    current = &current->tuple_shapes(0);
  }
  EXPECT_EQ(depth, kDeep);
  EXPECT_EQ(current->element_type(), xla_data_proto::TOKEN);

  const absl::Status status =
      ShapeFromProto(*DeepMessage(kDeep, PRIMITIVE_TYPE_INVALID, &arena))
          .status();
  const std::string message(status.message());
  EXPECT_THAT(message, StartsWith("at {0,0,"));
  EXPECT_THAT(message, EndsWith(",0}: element type 0 names no type"));
}

TEST(ProgramShapeProto, RoundTrips) {
  ProgramShape program;
  program.parameters = {Shape::Array(F32, {2}, Layout({0})), Shape::Token()};
  program.parameter_names = {"x", ""};
  program.result = Shape::Tuple({Shape::Array(S32, {})});
  const ProgramShapeProto proto = ProgramShapeToProto(program);
  EXPECT_EQ(proto.parameter_names(0), "x");
  EXPECT_EQ(proto.result().element_type(), TUPLE);
  EXPECT_TRUE(*ProgramShapeFromProto(proto) == program);
}

TEST(ProgramShapeProto, MissingNamesAreEmpty) {
  ProgramShapeProto proto;
  proto.add_parameters()->set_element_type(xla_data_proto::TOKEN);
  proto.add_parameters()->set_element_type(xla_data_proto::TOKEN);
  proto.add_parameter_names("x");
  proto.mutable_result()->set_element_type(xla_data_proto::TOKEN);
  EXPECT_EQ(ProgramShapeFromProto(proto)->parameter_names,
            (std::vector<std::string>{"x", ""}));
}

TEST(ProgramShapeProto, Rejects) {
  ProgramShapeProto proto;
  EXPECT_EQ(ProgramShapeFromProto(proto).status(),
            absl::InvalidArgumentError("result: element type 0 names no type"));
  proto.mutable_result()->set_element_type(xla_data_proto::TOKEN);
  proto.add_parameters()->set_element_type(xla_data_proto::TUPLE);
  proto.mutable_parameters(0)->add_tuple_shapes();
  EXPECT_EQ(ProgramShapeFromProto(proto).status(),
            absl::InvalidArgumentError(
                "parameters[0]: at {0}: element type 0 names no type"));
  proto.mutable_parameters(0)->clear_tuple_shapes();
  proto.add_parameter_names("x");
  proto.add_parameter_names("y");
  EXPECT_EQ(ProgramShapeFromProto(proto).status(),
            absl::InvalidArgumentError("parameter_names has 2 entries, but the "
                                       "number of parameters is 1"));
}

}  // namespace
}  // namespace tessera
