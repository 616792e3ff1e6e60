// Converts layouts to and from XLA's messages.
//
//   Layout layout = Layout({1, 0}).WithTiles({Tile({8, 128})});
//   LayoutProto proto = LayoutToProto(layout);
//   proto.tiles(0).dimensions(1);                          // 128
//   *LayoutFromProto(proto, NoPhysicalShape) == layout;    // true
//
// Messages are written as XLA writes them (xla/layout.cc), field by field, so
// the bytes agree. Messages of every XLA version so far are read:
//
//   - the entry `*` of a tile is written as INT64_MIN, which XLA refuses to
//     read back; INT64_MIN and -1 are both read as `*`;
//   - a tail padding of 0, written before the field existed, means 1;
//   - dim_level_types, dim_unique and dim_ordered, left over from sparse
//     layouts, are ignored.
//
// Messages are untrusted: one that breaks a rule is an error and never becomes
// a value.

#ifndef TESSERA_LAYOUT_LAYOUT_PROTO_H_
#define TESSERA_LAYOUT_LAYOUT_PROTO_H_

#include <memory>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "proto/xla_data.pb.h"
#include "tessera/layout/layout.h"
#include "tessera/layout/primitive_type.h"
#include "tessera/layout/tile.h"

namespace tessera {

using TileProto = xla_data_proto::TileProto;

// Convert the type to and from the enum of messages. A number that names no
// type is kept.
inline xla_data_proto::PrimitiveType PrimitiveTypeToProto(PrimitiveType type) {
  return static_cast<xla_data_proto::PrimitiveType>(type);
}
inline PrimitiveType PrimitiveTypeFromProto(
    xla_data_proto::PrimitiveType type) {
  return static_cast<PrimitiveType>(type);
}

TileProto TileToProto(const Tile& tile);

// Returns the tile that `proto` holds. Errors: kInvalidArgument if it has no
// entries, one that is neither positive nor `*`, or `*` as the last.
absl::StatusOr<Tile> TileFromProto(const TileProto& proto);

LayoutProto LayoutToProto(const Layout& layout);

// Converts a message to the physical shape that a Layout holds. This folder
// does not know shapes; shape/physical_shape.h has a LayoutFromProto that does.
using PhysicalShapeFromProto =
    absl::FunctionRef<absl::StatusOr<std::shared_ptr<const PhysicalShape>>(
        const ShapeProto& proto)>;

// The PhysicalShapeFromProto for layouts of arrays, which have no physical
// shape: returns kInvalidArgument.
absl::StatusOr<std::shared_ptr<const PhysicalShape>> NoPhysicalShape(
    const ShapeProto& proto);

// Returns the layout that `proto` holds. Errors: kInvalidArgument if it breaks
// a rule that needs no dimensions (ValidateLayout), and the errors of
// `physical_shape_from_proto`.
absl::StatusOr<Layout> LayoutFromProto(
    const LayoutProto& proto, PhysicalShapeFromProto physical_shape_from_proto);

}  // namespace tessera

#endif  // TESSERA_LAYOUT_LAYOUT_PROTO_H_
