#include "tessera/shape/validate_shape.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/layout/primitive_type.h"
#include "tessera/layout/validate_layout.h"
#include "tessera/shape/shape_index.h"

namespace tessera {
namespace {

using MaybeViolation = std::optional<Violation>;

Violation MakeViolation(ShapePart part, int64_t i, std::string message) {
  Violation violation;
  violation.part = part;
  violation.i = i;
  violation.message = std::move(message);
  return violation;
}

MaybeViolation FindDimensionsViolation(const Shape& array) {
  int64_t elements = 1;
  for (int64_t i = 0; i < array.rank(); ++i) {
    const int64_t size = array.dimensions(i);
    if (size == Shape::kUnboundedSize && array.is_dynamic_dimension(i)) {
      continue;
    }
    if (size < 0) {
      return MakeViolation(
          ShapePart::kDimension, i,
          absl::StrCat("dimensions[", i, "] = ", size, " is negative"));
    }
    // XLA multiplies from the left, so an overflow before a zero is an error.
    const int64_t before = elements;
    if (__builtin_mul_overflow(before, size, &elements)) {
      return MakeViolation(
          ShapePart::kDimension, i,
          absl::StrCat("the number of elements, ", before, " * ", size,
                       " up to dimensions[", i, "], exceeds 2^63-1"));
    }
  }
  const int64_t byte_width = ByteWidth(array.element_type());
  int64_t bytes;
  if (__builtin_mul_overflow(elements, byte_width, &bytes)) {
    return MakeViolation(
        ShapePart::kWhole, -1,
        absl::StrCat("the size in bytes, ", elements, " elements * ",
                     byte_width, ", exceeds 2^63-1"));
  }
  return std::nullopt;
}

MaybeViolation FindArrayViolation(const Shape& array,
                                  LayoutRequirement requirement) {
  if (MaybeViolation violation = FindDimensionsViolation(array)) {
    return violation;
  }
  if (array.has_layout()) {
    return FindLayoutViolation(array.layout(), array.element_type(),
                               array.dimensions());
  }
  if (requirement == LayoutRequirement::kOptional) return std::nullopt;
  return MakeViolation(
      ShapePart::kLayout, -1,
      absl::StrCat("the array ", array.ToString(), " does not have a layout"));
}

// Returns a violation of the shape itself, not of its elements.
MaybeViolation FindBareViolation(const Shape& shape) {
  const std::string_view name = PrimitiveTypeName(shape.element_type());
  if (shape.rank() > 0) {
    return MakeViolation(ShapePart::kDimension, 0,
                         StrCat(name, " cannot have dimensions"));
  }
  if (shape.has_layout()) {
    return MakeViolation(ShapePart::kLayout, -1,
                         StrCat(name, " cannot have a layout"));
  }
  return std::nullopt;
}

MaybeViolation FindBufferViolation(const Shape& buffer,
                                   LayoutRequirement requirement) {
  if (MaybeViolation violation = FindBareViolation(buffer)) return violation;
  if (buffer.tuple_shapes().size() != 1) {
    return MakeViolation(ShapePart::kWhole, -1, "the buffer holds no array");
  }
  const Shape& content = buffer.tuple_shapes(0);
  if (!content.IsArray()) {
    return MakeViolation(
        ShapePart::kWhole, -1,
        StrCat("the buffer holds ", PrimitiveTypeName(content.element_type()),
               ", but only an array can be a buffer's content"));
  }
  return FindArrayViolation(content, requirement);
}

}  // namespace

std::optional<Violation> FindShapeViolation(const Shape& shape,
                                            LayoutRequirement requirement) {
  if (shape.IsArray()) return FindArrayViolation(shape, requirement);
  if (shape.IsBuffer()) return FindBufferViolation(shape, requirement);
  if (shape.IsTuple() || shape.IsToken() || shape.IsOpaque()) {
    return FindBareViolation(shape);
  }
  return MakeViolation(
      ShapePart::kElementType, -1,
      absl::StrCat("element type ", static_cast<int>(shape.element_type()),
                   " names no type"));
}

absl::Status ValidateShape(const Shape& shape, LayoutRequirement requirement) {
  return ForEachSubshapeWithStatus(
      shape, [requirement](const Shape& subshape, ShapeIndexView index) {
        MaybeViolation violation = FindShapeViolation(subshape, requirement);
        if (!violation.has_value()) return absl::OkStatus();
        if (!index.empty()) {
          violation->message = absl::StrCat("at ", ShapeIndexToString(index),
                                            ": ", violation->message);
        }
        return violation->ToStatus();
      });
}

}  // namespace tessera
