// File: shape/shape_proto.h
//
// How do shapes cross to and from XLA's messages?
//
//   Shape shape = Shape::Array(F32, {2, 3}, Layout({1, 0}));
//   ShapeProto proto = ShapeToProto(shape);
//   proto.dimensions(1);              // 3
//   *ShapeFromProto(proto) == shape;  // true
//
// Bytes that XLA serialised parse here, and the reverse; layout/layout_proto.h
// says how layouts cross. An unbounded dimension is INT64_MIN and dynamic. A
// buffer keeps its array in tuple_shapes. A message is untrusted: every shape
// that is read passes ValidateShape, and an error names the tuple element it is
// about.
//
// Nothing here recurses, however deep a tuple is nested. Protocol Buffers does:
// it destroys (but for messages on an Arena), copies and serialises messages
// level by level on the machine stack, and parses 100 levels unless told
// otherwise. For very deep shapes, convert into a message on an Arena.

#ifndef TESSERA_SHAPE_SHAPE_PROTO_H_
#define TESSERA_SHAPE_SHAPE_PROTO_H_

#include "absl/status/statusor.h"
#include "proto/xla_data.pb.h"
#include "tessera/shape/shape.h"

namespace tessera {

using ProgramShapeProto = xla_data_proto::ProgramShapeProto;

ShapeProto ShapeToProto(const Shape& shape);
// Into a message that the caller has made, perhaps on an Arena; what it holds
// is replaced.
void ShapeToProto(const Shape& shape, ShapeProto* proto);

// Returns the shape that `proto` holds. Errors: kInvalidArgument if it is not
// valid, or if fields do not fit together: is_dynamic_dimension neither empty
// nor as long as dimensions, tuple_shapes where there is no tuple or buffer.
absl::StatusOr<Shape> ShapeFromProto(const ShapeProto& proto);

ProgramShapeProto ProgramShapeToProto(const ProgramShape& program_shape);

// Returns the program shape that `proto` holds; parameters beyond the last name
// get the name "". Errors: those of ShapeFromProto, with the parameter named,
// and kInvalidArgument if there are more names than parameters.
absl::StatusOr<ProgramShape> ProgramShapeFromProto(
    const ProgramShapeProto& proto);

}  // namespace tessera

#endif  // TESSERA_SHAPE_SHAPE_PROTO_H_
