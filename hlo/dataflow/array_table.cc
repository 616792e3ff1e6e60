#include "tessera/hlo/dataflow/array_table.h"

#include <algorithm>
#include <utility>

#include "absl/status/statusor.h"
#include "tessera/layout/layout_utilities.h"
#include "tessera/shape/shape_utilities.h"
#include "tessera/shape/tpu_layout.h"

namespace tessera {
namespace {

// The part of a leaf that has memory: an array, or the one inside a buffer.
const Shape* ArrayOf(const Shape& leaf) {
  if (leaf.IsArray()) return &leaf;
  if (leaf.IsBuffer() && leaf.tuple_shapes().size() == 1 &&
      leaf.tuple_shapes(0).IsArray()) {
    return &leaf.tuple_shapes(0);
  }
  return nullptr;
}

Shape WithDefaultTpuLayout(const Shape& array) {
  const bool says_nothing =
      array.has_layout() &&
      array.layout() == GetDefaultLayoutForRank(array.rank());
  absl::StatusOr<Shape> laid_out =
      WithTpuLayouts(says_nothing ? array.WithLayout(std::nullopt) : array);
  return laid_out.ok() ? *std::move(laid_out) : array;
}

// Returns the largest piece of an array that is split between cores; nullopt if
// the array is whole.
std::optional<Shape> PieceOf(const Shape& array) {
  if (!array.has_layout() || array.layout().split_configs().empty()) {
    return std::nullopt;
  }
  Shape::Dimensions sizes;
  for (size_t i = 0; i < array.dimensions().size(); ++i) {
    const absl::StatusOr<int64_t> size = MaxSplitSize(array, i);
    if (!size.ok()) return std::nullopt;
    sizes.push_back(*size);
  }
  Layout::Parts parts = array.layout().parts();
  parts.split_configs.clear();
  return Shape::Array(array.element_type(), sizes)
      .WithLayout(Layout(std::move(parts)));
}

}  // namespace

int64_t ArrayTable::ShapeParts::child(int64_t part, int64_t i) const {
  const Part& parent = parts_[part];
  if (i < 0 || i >= parent.child_count) return -1;
  return children_[parent.first_child + i];
}

int64_t ArrayTable::ShapeParts::Find(absl::Span<const int64_t> indices) const {
  int64_t part = 0;
  for (size_t i = 0; i < indices.size() && part >= 0; ++i) {
    part = child(part, indices[i]);
  }
  return part;
}

ShapeIndex ArrayTable::ShapeParts::IndexOf(int64_t part) const {
  ShapeIndex index;
  for (; parts_[part].parent >= 0; part = parts_[part].parent) {
    // The elements of a tuple are numbered consecutively.
    const Part& parent = parts_[parts_[part].parent];
    const auto first = children_.begin() + parent.first_child;
    index.push_back(std::lower_bound(first, first + parent.child_count, part) -
                    first);
  }
  std::reverse(index.begin(), index.end());
  return index;
}

int64_t ArrayTable::InternArray(const Shape& array) {
  auto entry = array_numbers_.find(array);
  if (entry == array_numbers_.end()) {
    // Move a copy into the map: the map would break if copying inside it ran
    // out of memory.
    entry = array_numbers_.try_emplace(Shape(array), arrays_.size()).first;
    const std::optional<Shape> piece = PieceOf(array);
    absl::StatusOr<ArraySizes> sizes =
        ComputeArraySizes(piece.has_value() ? *piece : array);
    arrays_.push_back({&array, std::nullopt});
    if (sizes.ok()) arrays_.back().sizes = *std::move(sizes);
  }
  return entry->second;
}

const Shape& ArrayTable::ShapeOf(int64_t shape_index) {
  const Shape& shape = shapes_.shape(shape_index);
  if (layouts_ == kOfShapes) return shape;
  return tpu_shapes_.emplace_back(TransformArrays(shape, WithDefaultTpuLayout));
}

const ArrayTable::ShapeParts& ArrayTable::parts(int64_t shape_index) {
  const auto [entry, is_new] = by_shape_.try_emplace(shape_index);
  if (!is_new) return *entry->second;
  storage_.emplace_back();
  ShapeParts& all = storage_.back();
  entry->second = &all;

  // The part whose element is entered next, and the number of that element. An
  // explicit stack, because shapes may be nested as deep as the parser allows.
  struct Entry {
    int64_t part;
    int64_t next;
  };
  std::vector<Entry> open;
  auto enter = [&](const Shape& shape, int64_t parent) {
    const int64_t number = all.parts_.size();
    Part part;
    part.shape = &shape;
    part.parent = parent;
    if (shape.IsTuple()) {
      part.first_child = all.children_.size();
      part.child_count = shape.tuple_shapes().size();
      all.children_.resize(part.first_child + part.child_count);
      open.push_back({number, 0});
    } else if (const Shape* array = ArrayOf(shape)) {
      part.array = InternArray(*array);
    }
    part.end = number + 1;
    all.parts_.push_back(part);
    return number;
  };
  enter(ShapeOf(shape_index), -1);
  while (!open.empty()) {
    const int64_t number = open.back().part;
    const Part part = all.parts_[number];
    if (open.back().next == part.child_count) {
      all.parts_[number].end = all.parts_.size();
      open.pop_back();
      continue;
    }
    const int64_t i = open.back().next++;
    all.children_[part.first_child + i] =
        enter(part.shape->tuple_shapes(i), number);
  }
  return all;
}

}  // namespace tessera
