#include "tessera/layout/layout_proto.h"

#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/layout/validate_layout.h"

namespace tessera {
namespace {

using xla_data_proto::SplitConfigProto;

// The value of an entry `*` in XLA's documentation, but not in its code.
constexpr int64_t kDocumentedCombineDimension = -1;

Tile ReadTile(const TileProto& proto) {
  Tile::Dimensions dimensions;
  for (int64_t dimension : proto.dimensions()) {
    dimensions.push_back(dimension == kDocumentedCombineDimension
                             ? Tile::kCombineDimension
                             : dimension);
  }
  return Tile(std::move(dimensions));
}

}  // namespace

TileProto TileToProto(const Tile& tile) {
  TileProto proto;
  for (int64_t dimension : tile.dimensions()) proto.add_dimensions(dimension);
  return proto;
}

absl::StatusOr<Tile> TileFromProto(const TileProto& proto) {
  Tile tile = ReadTile(proto);
  TESSERA_RETURN_IF_ERROR(ValidateLayout(Layout().WithTiles({tile})));
  return tile;
}

LayoutProto LayoutToProto(const Layout& layout) {
  LayoutProto proto;
  for (int64_t dimension : layout.minor_to_major()) {
    proto.add_minor_to_major(dimension);
  }
  for (const Tile& tile : layout.tiles()) {
    *proto.add_tiles() = TileToProto(tile);
  }
  proto.set_element_size_in_bits(layout.element_size_in_bits());
  proto.set_memory_space(layout.memory_space());
  if (layout.physical_shape() != nullptr) {
    *proto.mutable_physical_shape() = layout.physical_shape()->ToProto();
  }
  proto.set_index_primitive_type(
      PrimitiveTypeToProto(layout.index_primitive_type()));
  proto.set_pointer_primitive_type(
      PrimitiveTypeToProto(layout.pointer_primitive_type()));
  proto.set_dynamic_shape_metadata_prefix_bytes(
      layout.dynamic_shape_metadata_prefix_bytes());
  proto.set_tail_padding_alignment_in_elements(
      layout.tail_padding_alignment_in_elements());
  for (const SplitConfig& split : layout.split_configs()) {
    SplitConfigProto* split_proto = proto.add_split_configs();
    split_proto->set_dimension(split.dimension);
    for (int64_t index : split.split_indices) {
      split_proto->add_split_indices(index);
    }
  }
  return proto;
}

absl::StatusOr<std::shared_ptr<const PhysicalShape>> NoPhysicalShape(
    const ShapeProto&) {
  return absl::InvalidArgumentError(
      "a physical shape belongs to a sparse layout, and arrays are dense");
}

absl::StatusOr<Layout> LayoutFromProto(
    const LayoutProto& proto,
    PhysicalShapeFromProto physical_shape_from_proto) {
  Layout::Parts parts;
  parts.minor_to_major.assign(proto.minor_to_major().begin(),
                              proto.minor_to_major().end());
  for (const TileProto& tile : proto.tiles()) {
    parts.tiles.push_back(ReadTile(tile));
  }
  parts.element_size_in_bits = proto.element_size_in_bits();
  parts.memory_space = proto.memory_space();
  if (proto.has_physical_shape()) {
    TESSERA_ASSIGN_OR_RETURN(parts.physical_shape,
                             physical_shape_from_proto(proto.physical_shape()));
  }
  parts.index_primitive_type =
      PrimitiveTypeFromProto(proto.index_primitive_type());
  parts.pointer_primitive_type =
      PrimitiveTypeFromProto(proto.pointer_primitive_type());
  parts.dynamic_shape_metadata_prefix_bytes =
      proto.dynamic_shape_metadata_prefix_bytes();
  if (proto.tail_padding_alignment_in_elements() != 0) {
    parts.tail_padding_alignment_in_elements =
        proto.tail_padding_alignment_in_elements();
  }
  for (const SplitConfigProto& split_proto : proto.split_configs()) {
    SplitConfig split;
    split.dimension = split_proto.dimension();
    split.split_indices.assign(split_proto.split_indices().begin(),
                               split_proto.split_indices().end());
    parts.split_configs.push_back(std::move(split));
  }
  Layout layout(std::move(parts));
  TESSERA_RETURN_IF_ERROR(ValidateLayout(layout));
  return layout;
}

}  // namespace tessera
