// Converts shapes to and from XLA's messages.
//
//   Shape shape = Shape::Array(F32, {2, 3}, Layout({1, 0}));
//   ShapeProto proto = ShapeToProto(shape);
//   proto.dimensions(1);              // 3
//   *ShapeFromProto(proto) == shape;  // true
//
// Bytes serialised by XLA parse here, and the reverse; layout/layout_proto.h
// describes the conversion of layouts. An unbounded dimension is INT64_MIN and
// dynamic. A buffer keeps its array in tuple_shapes. Messages are untrusted:
// every shape that is read passes ValidateShape, and errors name the tuple
// element.
//
// Nothing here recurses, however deep a tuple is nested. Protocol Buffers does
// recurse: it destroys (except for messages on an Arena), copies and serialises
// messages level by level on the machine stack, and by default parses at most
// 100 levels. For very deep shapes, convert into a message on an Arena.

#ifndef TESSERA_SHAPE_SHAPE_PROTO_H_
#define TESSERA_SHAPE_SHAPE_PROTO_H_

#include "absl/status/statusor.h"
#include "proto/xla_data.pb.h"
#include "tessera/shape/shape.h"

namespace tessera {

using ProgramShapeProto = xla_data_proto::ProgramShapeProto;

ShapeProto ShapeToProto(const Shape& shape);
// Writes into the caller's message, which may be on an Arena, and replaces its
// contents.
void ShapeToProto(const Shape& shape, ShapeProto* proto);

// Returns the shape that `proto` holds. Errors: kInvalidArgument if it is not
// valid, or if its fields contradict each other: is_dynamic_dimension is
// neither empty nor as long as dimensions, or a shape other than a tuple or
// buffer has tuple_shapes.
absl::StatusOr<Shape> ShapeFromProto(const ShapeProto& proto);

ProgramShapeProto ProgramShapeToProto(const ProgramShape& program_shape);

// Returns the program shape that `proto` holds; parameters beyond the last name
// get the name "". Errors: those of ShapeFromProto, naming the parameter, and
// kInvalidArgument if there are more names than parameters.
absl::StatusOr<ProgramShape> ProgramShapeFromProto(
    const ProgramShapeProto& proto);

}  // namespace tessera

#endif  // TESSERA_SHAPE_SHAPE_PROTO_H_
