// Descriptions for programs.

#include "tessera/cli/description.h"
#include "tessera/index_util/to_index_map.h"
#include "tessera/layout/memory_space.h"
#include "tessera/layout/primitive_type.h"

namespace tessera {
namespace {

using DimensionPadding = IndexMap::DimensionPadding;

// Null where nothing can be said: more of 0.
Json FactorToJson(int64_t whole, int64_t part) {
  if (whole == part) return 1.0;
  if (part == 0) return nullptr;
  return static_cast<double>(whole) / part;
}

// The padding of a dimension that no tile joins with another, else nullptr.
const DimensionPadding* PaddingOf(int64_t dimension,
                                  const LeafDescription& leaf) {
  if (!leaf.sizes.has_value()) return nullptr;
  for (const DimensionPadding& group : leaf.sizes->dimension_padding) {
    if (group.dimensions.size() == 1 && group.dimensions[0] == dimension) {
      return &group;
    }
  }
  return nullptr;
}

Json DimensionsToJson(const LeafDescription& leaf) {
  const Shape& array = *leaf.array;
  Json dimensions = Json::array();
  for (int64_t i = 0; i < array.rank(); ++i) {
    Json dimension;
    if (array.is_unbounded_dimension(i)) {
      dimension = {{"bound", nullptr}, {"kind", "unbounded"}};
    } else {
      dimension = {
          {"bound", array.dimensions(i)},
          {"kind", array.is_dynamic_dimension(i) ? "bounded" : "static"}};
    }
    if (const DimensionPadding* padding = PaddingOf(i, leaf)) {
      dimension["padded"] = padding->padded;
      dimension["factor"] = FactorToJson(padding->padded, padding->bound);
    } else {
      dimension["padded"] = nullptr;
      dimension["factor"] = nullptr;
    }
    dimensions.push_back(dimension);
  }
  return dimensions;
}

Json GroupsToJson(const ArraySizes& sizes) {
  Json groups = Json::array();
  for (const DimensionPadding& group : sizes.dimension_padding) {
    groups.push_back({{"dimensions", group.dimensions},
                      {"bound", group.bound},
                      {"padded", group.padded}});
  }
  return groups;
}

Json ToJson(int64_t size) { return size; }
Json ToJson(const absl::optional<int64_t>& size) {
  return size.has_value() ? Json(*size) : Json();
}

template <typename Size>
Json OrNull(const ArraySizes* sizes, Size ArraySizes::*size) {
  return sizes == nullptr ? Json() : ToJson(sizes->*size);
}

// Null for what has no size.
void AddTotals(const ArraySizes* sizes, Json* json) {
  Json& to = *json;
  to["elements"] = OrNull(sizes, &ArraySizes::elements);
  to["physical_elements"] = OrNull(sizes, &ArraySizes::physical_elements);
  to["unpadded_bytes"] = OrNull(sizes, &ArraySizes::unpadded_bytes);
  to["padded_bytes"] = OrNull(sizes, &ArraySizes::padded_bytes);
  to["factor"] = sizes == nullptr
                     ? Json()
                     : FactorToJson(sizes->padded_bytes, sizes->unpadded_bytes);
}

Json NamesOf(const Shape& shape) {
  return {{"canonical", shape.ToString()},
          {"type", JsonString(PrimitiveTypeName(shape.element_type()))}};
}

Json ArrayToJson(const LeafDescription& leaf) {
  const Layout& layout = leaf.array->layout();
  const ArraySizes* const sizes =
      leaf.sizes.has_value() ? &*leaf.sizes : nullptr;
  Json json = NamesOf(leaf.leaf);
  json["element_type"] =
      JsonString(PrimitiveTypeName(leaf.array->element_type()));
  json["element_bits"] = StorageBits(*leaf.array);
  json["memory_space"] = layout.memory_space();
  json["memory_space_name"] = MemorySpaceNames().NameOf(layout.memory_space());
  AddTotals(sizes, &json);
  json["tail_elements"] = OrNull(sizes, &ArraySizes::tail_elements);
  json["data_end"] = OrNull(sizes, &ArraySizes::data_end);
  json["data_end_bytes"] = OrNull(sizes, &ArraySizes::data_end_bytes);
  json["metadata_prefix_bytes"] =
      OrNull(sizes, &ArraySizes::metadata_prefix_bytes);
  json["dimensions"] = DimensionsToJson(leaf);
  json["padding"] = sizes == nullptr ? Json() : GroupsToJson(*sizes);
  json["expanded_shape"] =
      sizes == nullptr ? Json() : Json(leaf.expanded_shape);
  return json;
}

// A token or an opaque handle, which take no memory.
Json HandleToJson(const Shape& handle) {
  const ArraySizes nothing;
  Json json = NamesOf(handle);
  AddTotals(&nothing, &json);
  return json;
}

Json LeafToJson(const LeafDescription& leaf) {
  return leaf.array.has_value() ? ArrayToJson(leaf) : HandleToJson(leaf.leaf);
}

}  // namespace

Json DescriptionToJson(const Description& description) {
  if (!description.shape.IsTuple()) {
    return LeafToJson(description.leaves.front());
  }
  Json json = NamesOf(description.shape);
  AddTotals(&description.total, &json);
  json["has_unbounded"] = !description.is_bounded;
  json["leaves"] = Json::array();
  for (const LeafDescription& leaf : description.leaves) {
    Json leaf_json = {{"shape_index", leaf.index}};
    leaf_json.update(LeafToJson(leaf));
    json["leaves"].push_back(leaf_json);
  }
  return json;
}

}  // namespace tessera
