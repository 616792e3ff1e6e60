// How does a Layout hold P(shape), when shapes are made of layouts?
//
//   Layout::Parts parts;
//   parts.physical_shape = *MakePhysicalShape(Shape::Array(F32, {8}));
//   Layout(parts).ToString();      // "{:P(f32[8])}"
//   *PhysicalShapeOf(Layout(parts))  // f32[8]
//
// Physical shapes are what sparse layouts, which XLA dropped in 2025, have left
// in its text and messages. No valid layout of an array has one.

#ifndef TESSERA_SHAPE_PHYSICAL_SHAPE_H_
#define TESSERA_SHAPE_PHYSICAL_SHAPE_H_

#include <memory>
#include <optional>

#include "absl/status/statusor.h"
#include "tessera/layout/layout.h"
#include "tessera/shape/shape.h"

namespace tessera {

// Returns `shape` as a layout's physical shape. Errors: those of ValidateShape,
// which also rejects a layout within `shape` that has a physical shape itself,
// so they never nest.
absl::StatusOr<std::shared_ptr<const PhysicalShape>> MakePhysicalShape(
    Shape shape);

// Returns the shape that MakePhysicalShape was given for `layout`, or nullopt
// if it has none.
std::optional<Shape> PhysicalShapeOf(const Layout& layout);

// LayoutFromProto of layout/layout_proto.h, which also reads the physical
// shape, if there is one. Errors: also those of ShapeFromProto, with the prefix
// "physical shape: ".
absl::StatusOr<Layout> LayoutFromProto(const LayoutProto& proto);

}  // namespace tessera

#endif  // TESSERA_SHAPE_PHYSICAL_SHAPE_H_
