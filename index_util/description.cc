#include "tessera/index_util/description.h"

#include <optional>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/index_util/derivation.h"

namespace tessera {
namespace {

// A size that is added up over all leaves.
struct Summand {
  int64_t ArraySizes::*size;
  std::string_view name;
};

constexpr Summand kSummands[] = {
    {&ArraySizes::elements, "elements"},
    {&ArraySizes::physical_elements, "positions"},
    {&ArraySizes::unpadded_bytes, "bytes"},
    {&ArraySizes::padded_bytes, "padded bytes"},
};

// Adds the sizes of the leaf at `index`.
absl::Status Add(const ArraySizes& sizes, ShapeIndexView index,
                 ArraySizes* total) {
  for (const Summand& summand : kSummands) {
    int64_t& sum = total->*summand.size;
    const int64_t more = sizes.*summand.size;
    const std::optional<int64_t> new_sum = CheckedAdd(sum, more);
    if (!new_sum.has_value()) {
      return OutOfRangeError("the ", summand.name, " of all arrays up to ",
                             ShapeIndexToString(index), ", ", sum, " + ", more,
                             ", exceed 2^63-1");
    }
    sum = *new_sum;
  }
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
  TESSERA_ASSIGN_OR_RETURN(description.sizes,
                           ComputeArraySizes(*description.array));
  TESSERA_ASSIGN_OR_RETURN(description.expanded_shape,
                           ExpandedBounds(*description.array));
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
      status = Add(*described->sizes, index, &description.total);
    } else if (described->array.has_value()) {
      description.is_bounded = false;
    }
    description.leaves.push_back(*std::move(described));
  });
  if (!status.ok()) return status;
  return description;
}

}  // namespace tessera
