#include "tessera/cli/description.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "tessera/index_util/derivation.h"
#include "tessera/math/checked_arithmetic.h"

namespace tessera {
namespace {

absl::Status Add(int64_t ArraySizes::*size, const ArraySizes& sizes,
                 ArraySizes* total) {
  const absl::optional<int64_t> sum = CheckedAdd(total->*size, sizes.*size);
  if (!sum.has_value()) {
    return absl::OutOfRangeError("the size of all arrays exceeds 2^63-1");
  }
  total->*size = *sum;
  return absl::OkStatus();
}

absl::StatusOr<LeafDescription> DescribeLeaf(const Shape& leaf,
                                             ShapeIndexView index) {
  LeafDescription description;
  description.index.assign(index.begin(), index.end());
  description.leaf = leaf;
  if (leaf.IsArray()) description.array = leaf;
  if (leaf.element_type() == BUFFER) description.array = leaf.tuple_shapes(0);
  if (!description.array.has_value() ||
      description.array->has_unbounded_dimension()) {
    return description;
  }
  absl::StatusOr<ArraySizes> sizes = ComputeArraySizes(*description.array);
  if (!sizes.ok()) return sizes.status();
  description.sizes = *std::move(sizes);
  absl::StatusOr<std::vector<int64_t>> bounds =
      ExpandedBounds(*description.array);
  if (!bounds.ok()) return bounds.status();
  description.expanded_shape = *std::move(bounds);
  return description;
}

}  // namespace

absl::StatusOr<Description> Describe(const Shape& shape) {
  Description description;
  description.shape = shape;
  absl::Status status;
  ForEachLeafShape(shape, [&](const Shape& leaf, ShapeIndexView index) {
    if (!status.ok()) return;
    absl::StatusOr<LeafDescription> described = DescribeLeaf(leaf, index);
    if (!described.ok()) {
      status = described.status();
      return;
    }
    if (described->sizes.has_value()) {
      for (int64_t ArraySizes::*size :
           {&ArraySizes::elements, &ArraySizes::physical_elements,
            &ArraySizes::unpadded_bytes, &ArraySizes::padded_bytes}) {
        status.Update(Add(size, *described->sizes, &description.total));
      }
    } else if (described->array.has_value()) {
      description.is_bounded = false;
    }
    description.leaves.push_back(*std::move(described));
  });
  if (!status.ok()) return status;
  return description;
}

}  // namespace tessera
