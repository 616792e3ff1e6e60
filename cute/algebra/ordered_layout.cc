#include "tessera/cute/algebra/ordered_layout.h"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cute/algebra/filter.h"
#include "tessera/cute/algebra/product.h"
#include "tessera/cute/modes.h"

namespace tessera::cute {
namespace {

// Consecutive leaves of a shape for one integer of another tuple: an order, or
// a first stride.
struct OrderedPart {
  int64_t order;
  size_t begin;
  size_t end;
};

// Gives the leaves of each part compact strides from left to right. A part
// begins with the product of the parts of lesser order. Precondition: the parts
// are in the order of the leaves, whose product fits.
absl::StatusOr<Layout> Compact(const IntTuple& shape,
                               absl::Span<const OrderedPart> parts) {
  std::vector<size_t> by_order(parts.size());
  std::iota(by_order.begin(), by_order.end(), 0);
  std::sort(by_order.begin(), by_order.end(), [&](size_t a, size_t b) {
    return parts[a].order < parts[b].order;
  });
  IntTuple::Values strides(shape.values().size(), 0);
  int64_t first_stride = 1;
  // The product of the parts of the current order.
  int64_t of_this_order = 1;
  for (size_t k = 0; k < by_order.size(); ++k) {
    const OrderedPart& part = parts[by_order[k]];
    if (k > 0 && parts[by_order[k - 1]].order != part.order) {
      first_stride *= of_this_order;
      of_this_order = 1;
    }
    int64_t stride = first_stride;
    for (size_t i = part.begin; i < part.end; ++i) {
      const int64_t size = shape.values()[i];
      if (size == 1) continue;
      strides[i] = stride;
      stride *= size;
      of_this_order *= size;
    }
  }
  return Layout::Create(shape, IntTuple(shape.profile(), std::move(strides)));
}

// Returns the part of the shape at the place of each integer of `tuple`, which
// messages call `what`.
absl::StatusOr<std::vector<OrderedPart>> PartsOf(const IntTuple& shape,
                                                 const IntTuple& tuple,
                                                 std::string_view what) {
  TESSERA_RETURN_IF_ERROR(Size(shape).status());
  if (!WeaklyCongruent(tuple, shape)) {
    return InvalidArgumentError("the ", what, " ", tuple.ToString(),
                                " is not nested like the shape ",
                                shape.ToString());
  }
  std::vector<OrderedPart> parts;
  ProfilePosition in_shape;
  for (const uint32_t node : tuple.profile().nodes()) {
    if (node != Profile::kLeaf) {
      ++in_shape.node;
      continue;
    }
    const size_t begin = in_shape.leaf;
    in_shape = PastSubtree(shape.profile().nodes(), in_shape);
    parts.push_back({tuple.values()[parts.size()], begin, in_shape.leaf});
  }
  return parts;
}

absl::StatusOr<IntTuple> CompactMajor(const IntTuple& shape,
                                      const IntTuple& first, bool from_right) {
  TESSERA_ASSIGN_OR_RETURN(const std::vector<OrderedPart> parts,
                           PartsOf(shape, first, "first stride"));
  IntTuple::Values strides(shape.values().size(), 0);
  for (const OrderedPart& part : parts) {
    int64_t stride = part.order;
    for (size_t k = 0; k < part.end - part.begin; ++k) {
      const size_t i = from_right ? part.end - 1 - k : part.begin + k;
      const int64_t size = shape.values()[i];
      if (size == 1) continue;
      strides[i] = stride;
      if (__builtin_mul_overflow(stride, size, &stride)) {
        return OutOfRangeError("a stride of ", shape.ToString(),
                               " exceeds int64_t");
      }
    }
  }
  return IntTuple(shape.profile(), std::move(strides));
}

}  // namespace

absl::StatusOr<IntTuple> CompactColumnMajor(const IntTuple& shape,
                                            const IntTuple& first) {
  return CompactMajor(shape, first, /*from_right=*/false);
}

absl::StatusOr<IntTuple> CompactRowMajor(const IntTuple& shape,
                                         const IntTuple& first) {
  return CompactMajor(shape, first, /*from_right=*/true);
}

absl::StatusOr<Layout> MakeOrderedLayout(const IntTuple& shape,
                                         const IntTuple& order) {
  TESSERA_ASSIGN_OR_RETURN(const std::vector<OrderedPart> parts,
                           PartsOf(shape, order, "order"));
  return Compact(shape, parts);
}

absl::StatusOr<Layout> MakeLayoutLike(const Layout& layout) {
  if (layout.has_basis()) {
    return InvalidArgumentError("the values of ", layout.ToString(),
                                " are coordinates, which have no order");
  }
  std::vector<OrderedPart> parts;
  for (size_t i = 0; i < layout.leaves().size(); ++i) {
    parts.push_back({layout.leaves()[i].stride, i, i + 1});
  }
  TESSERA_ASSIGN_OR_RETURN(const Layout compact,
                           Compact(FilterZeros(layout).shape(), parts));
  return Layout::Create(layout.shape(), compact.stride());
}

absl::StatusOr<Layout> TileToShape(const Layout& block, const IntTuple& shape,
                                   const IntTuple& order) {
  const int64_t rank = shape.rank();
  TESSERA_ASSIGN_OR_RETURN(const Layout& padded, AppendToRank(block, rank));
  const absl::InlinedVector<Layout, 2> blocks = padded.Modes();
  const std::vector<IntTuple> targets = shape.Modes();
  std::vector<IntTuple> repetitions;
  for (int64_t i = 0; i < rank; ++i) {
    TESSERA_ASSIGN_OR_RETURN(const int64_t target, Size(targets[i]));
    if (target % blocks[i].size() != 0) {
      return InvalidArgumentError(
          "mode ", i, " of the block, ", blocks[i].ToString(), ", has size ",
          blocks[i].size(), ", which does not divide ", target);
    }
    repetitions.push_back(target / blocks[i].size());
  }
  // An integer stays an integer: one mode and a tuple of one mode differ.
  const IntTuple counts =
      shape.is_integer() ? repetitions[0] : IntTuple::Tuple(repetitions);
  TESSERA_ASSIGN_OR_RETURN(const Layout& tiles,
                           MakeOrderedLayout(counts, order));
  return BlockedProduct(padded, tiles);
}

absl::StatusOr<Layout> TileToShape(const Layout& block, const IntTuple& shape) {
  IntTuple::Values left_to_right(shape.rank());
  std::iota(left_to_right.begin(), left_to_right.end(), 0);
  return TileToShape(block, shape, IntTuple::Flat(left_to_right));
}

}  // namespace tessera::cute
