#include "tessera/shape/shape_proto.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/layout/layout_proto.h"
#include "tessera/layout/primitive_type.h"
#include "tessera/shape/shape_index.h"
#include "tessera/shape/validate_shape.h"

namespace tessera {
namespace {

absl::Status WithContext(std::string_view context, const absl::Status& status) {
  return absl::Status(status.code(), StrCat(context, ": ", status.message()));
}

PrimitiveType ElementType(const ShapeProto& proto) {
  return PrimitiveTypeFromProto(proto.element_type());
}

void WriteWithoutElements(const Shape& shape, ShapeProto* proto) {
  proto->set_element_type(PrimitiveTypeToProto(shape.element_type()));
  for (int64_t i = 0; i < shape.rank(); ++i) {
    proto->add_dimensions(shape.dimensions(i));
    // XLA writes the flags of static dimensions as well.
    proto->add_is_dynamic_dimension(shape.is_dynamic_dimension(i));
  }
  if (shape.has_layout()) {
    *proto->mutable_layout() = LayoutToProto(shape.layout());
  }
}

absl::StatusOr<Shape> ReadArray(const ShapeProto& proto) {
  const int flags = proto.is_dynamic_dimension_size();
  if (flags != 0 && flags != proto.dimensions_size()) {
    return InvalidArgumentError("is_dynamic_dimension has ", flags,
                                " entries, but the number of dimensions is ",
                                proto.dimensions_size());
  }
  std::optional<Layout> layout;
  if (proto.has_layout()) {
    TESSERA_ASSIGN_OR_RETURN(layout,
                             LayoutFromProto(proto.layout(), NoPhysicalShape));
  }
  return Shape::Array(
      ElementType(proto),
      Shape::Dimensions(proto.dimensions().begin(), proto.dimensions().end()),
      std::move(layout),
      Shape::DynamicDimensions(proto.is_dynamic_dimension().begin(),
                               proto.is_dynamic_dimension().end()));
}

// Reads a tuple or a buffer. Only its elements may be set.
absl::StatusOr<Shape> ReadCompound(const ShapeProto& proto,
                                   std::vector<Shape> elements) {
  const std::string_view name = PrimitiveTypeName(ElementType(proto));
  if (proto.dimensions_size() > 0 || proto.is_dynamic_dimension_size() > 0) {
    return InvalidArgumentError(name, " cannot have dimensions");
  }
  if (proto.has_layout()) {
    return InvalidArgumentError(name, " cannot have a layout");
  }
  if (ElementType(proto) == TUPLE) return Shape::Tuple(std::move(elements));
  if (elements.size() != 1) {
    return InvalidArgumentError("buffer has ", elements.size(),
                                " tuple_shapes, but must have one");
  }
  return Shape::Buffer(std::move(elements[0]));
}

// A message that is being read, and those of its tuple_shapes that have been
// read.
struct Unread {
  const ShapeProto* proto;
  std::vector<Shape> elements;
};

absl::StatusOr<Shape> Read(Unread unread) {
  const ShapeProto& proto = *unread.proto;
  absl::StatusOr<Shape> shape;
  if (ElementType(proto) == TUPLE || ElementType(proto) == BUFFER) {
    shape = ReadCompound(proto, std::move(unread.elements));
  } else if (!unread.elements.empty()) {
    shape = InvalidArgumentError(PrimitiveTypeName(ElementType(proto)),
                                 " cannot have tuple_shapes");
  } else {
    shape = ReadArray(proto);
  }
  if (!shape.ok()) return shape;
  const std::optional<Violation> violation = FindShapeViolation(*shape);
  if (violation.has_value()) return violation->ToStatus();
  return shape;
}

// Returns `status` with the index of the next element, in which it was found.
absl::Status AtIndex(const std::vector<Unread>& path,
                     const absl::Status& status) {
  ShapeIndex index;
  for (const Unread& compound : path) {
    // As in ValidateShape, the array in a buffer has the index of the buffer.
    if (ElementType(*compound.proto) == BUFFER) continue;
    index.push_back(static_cast<int64_t>(compound.elements.size()));
  }
  if (index.empty()) return status;
  return WithContext(absl::StrCat("at ", ShapeIndexToString(index)), status);
}

}  // namespace

ShapeProto ShapeToProto(const Shape& shape) {
  ShapeProto proto;
  ShapeToProto(shape, &proto);
  return proto;
}

void ShapeToProto(const Shape& shape, ShapeProto* proto) {
  proto->Clear();
  struct Unwritten {
    const Shape* shape;
    ShapeProto* proto;
  };
  std::vector<Unwritten> unwritten = {{&shape, proto}};
  while (!unwritten.empty()) {
    const Unwritten current = unwritten.back();
    unwritten.pop_back();
    WriteWithoutElements(*current.shape, current.proto);
    for (const Shape& element : current.shape->tuple_shapes()) {
      unwritten.push_back({&element, current.proto->add_tuple_shapes()});
    }
  }
}

absl::StatusOr<Shape> ShapeFromProto(const ShapeProto& proto) {
  // From the outermost message to the innermost that is being read.
  std::vector<Unread> path = {{&proto, {}}};
  while (true) {
    const ShapeProto& innermost = *path.back().proto;
    const size_t read = path.back().elements.size();
    if (read < static_cast<size_t>(innermost.tuple_shapes_size())) {
      path.push_back({&innermost.tuple_shapes(static_cast<int>(read)), {}});
      continue;
    }
    absl::StatusOr<Shape> shape = Read(std::move(path.back()));
    path.pop_back();
    if (!shape.ok()) return AtIndex(path, shape.status());
    if (path.empty()) return shape;
    path.back().elements.push_back(*std::move(shape));
  }
}

ProgramShapeProto ProgramShapeToProto(const ProgramShape& program_shape) {
  ProgramShapeProto proto;
  for (const Shape& parameter : program_shape.parameters) {
    ShapeToProto(parameter, proto.add_parameters());
  }
  ShapeToProto(program_shape.result, proto.mutable_result());
  for (const std::string& name : program_shape.parameter_names) {
    proto.add_parameter_names(name);
  }
  return proto;
}

absl::StatusOr<ProgramShape> ProgramShapeFromProto(
    const ProgramShapeProto& proto) {
  if (proto.parameter_names_size() > proto.parameters_size()) {
    return InvalidArgumentError(
        "parameter_names has ", proto.parameter_names_size(),
        " entries, but the number of parameters is ", proto.parameters_size());
  }
  ProgramShape program_shape;
  for (int i = 0; i < proto.parameters_size(); ++i) {
    absl::StatusOr<Shape> parameter = ShapeFromProto(proto.parameters(i));
    if (!parameter.ok()) {
      return WithContext(absl::StrCat("parameters[", i, "]"),
                         parameter.status());
    }
    program_shape.parameters.push_back(*std::move(parameter));
  }
  absl::StatusOr<Shape> result = ShapeFromProto(proto.result());
  if (!result.ok()) return WithContext("result", result.status());
  program_shape.result = *std::move(result);
  program_shape.parameter_names.assign(proto.parameter_names().begin(),
                                       proto.parameter_names().end());
  program_shape.parameter_names.resize(program_shape.parameters.size());
  return program_shape;
}

}  // namespace tessera
