// File: layout/layout_proto.h
//
// How do layouts cross to and from XLA's messages?
//
//   Layout layout = Layout({1, 0}).WithTiles({Tile({8, 128})});
//   LayoutProto proto = LayoutToProto(layout);
//   proto.tiles(0).dimensions(1);                          // 128
//   *LayoutFromProto(proto, NoPhysicalShape) == layout;    // true
//
// What is written is what XLA writes (xla/layout.cc), field by field, so the
// bytes agree. What is read is anything that XLA has written so far:
//
//   - an entry `*` of a tile is written as INT64_MIN, which XLA refuses to read
//     back, and read from that or from -1;
//   - a tail padding of 0, from before there was one, means 1;
//   - dim_level_types, dim_unique and dim_ordered, from when there were sparse
//     layouts, are passed over.
//
// A message is untrusted: what no rule allows is an error, never a value.

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

// The same type in a message and out of it. A number that names no type stays.
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

// Makes of a message what a Layout holds as its physical shape. This folder
// knows no shapes; shape/shape_proto.h has a LayoutFromProto that does.
using PhysicalShapeFromProto =
    absl::FunctionRef<absl::StatusOr<std::shared_ptr<const PhysicalShape>>(
        const ShapeProto& proto)>;

// The PhysicalShapeFromProto for layouts of arrays, which have none:
// kInvalidArgument.
absl::StatusOr<std::shared_ptr<const PhysicalShape>> NoPhysicalShape(
    const ShapeProto& proto);

// Returns the layout that `proto` holds. Errors: kInvalidArgument if it breaks
// a rule that needs no dimensions (ValidateLayout), and whatever
// `physical_shape_from_proto` returns.
absl::StatusOr<Layout> LayoutFromProto(
    const LayoutProto& proto, PhysicalShapeFromProto physical_shape_from_proto);

}  // namespace tessera

#endif  // TESSERA_LAYOUT_LAYOUT_PROTO_H_
