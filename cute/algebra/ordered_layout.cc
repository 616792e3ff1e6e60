#include "tessera/cute/algebra/ordered_layout.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/cute/algebra/coalesce.h"
#include "tessera/cute/algebra/product.h"
#include "tessera/cute/modes.h"

namespace tessera {
namespace cute {
namespace {

// Compact strides for the modes that move, by rising `order`; 0 for the rest.
absl::StatusOr<Layout> Compact(const IntTuple& shape,
                               absl::Span<const int64_t> order,
                               absl::Span<const bool> moves) {
  std::vector<size_t> leaves(order.size());
  std::iota(leaves.begin(), leaves.end(), 0);
  std::stable_sort(leaves.begin(), leaves.end(),
                   [&](size_t a, size_t b) { return order[a] < order[b]; });
  IntTuple::Values strides(order.size(), 0);
  int64_t stride = 1;
  for (const size_t i : leaves) {
    if (!moves[i] || shape.values()[i] == 1) continue;
    strides[i] = stride;
    stride *= shape.values()[i];
  }
  return Layout::Create(shape, IntTuple(shape.profile(), std::move(strides)));
}

}  // namespace

absl::StatusOr<Layout> MakeOrderedLayout(const IntTuple& shape,
                                         const IntTuple& order) {
  TESSERA_RETURN_IF_ERROR(Size(shape).status());
  if (!WeaklyCongruent(order, shape)) {
    return absl::InvalidArgumentError(
        absl::StrCat("the order ", order.ToString(),
                     " is not nested as the shape ", shape.ToString()));
  }
  std::vector<int64_t> order_of_leaf;
  ProfilePosition in_shape;
  size_t next = 0;
  for (const uint32_t node : order.profile().nodes()) {
    if (node != Profile::kLeaf) {
      ++in_shape.node;
      continue;
    }
    in_shape = PastSubtree(shape.profile().nodes(), in_shape);
    order_of_leaf.resize(in_shape.leaf, order.values()[next++]);
  }
  const absl::InlinedVector<bool, 16> moves(order_of_leaf.size(), true);
  return Compact(shape, order_of_leaf, moves);
}

absl::StatusOr<Layout> MakeLayoutLike(const Layout& layout) {
  if (layout.has_basis()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the values of ", layout.ToString(),
                     " are coordinates, which have no order"));
  }
  std::vector<int64_t> order;
  absl::InlinedVector<bool, 16> moves;
  for (const Layout::Leaf& leaf : layout.leaves()) {
    order.push_back(std::abs(leaf.stride));
    moves.push_back(leaf.stride != 0);
  }
  return Compact(layout.shape(), order, moves);
}

absl::StatusOr<Layout> TileToShape(const Layout& block, const IntTuple& shape,
                                   const IntTuple& order) {
  const int64_t rank = shape.rank();
  absl::StatusOr<Layout> padded = AppendToRank(block, rank);
  if (!padded.ok()) return padded;
  const absl::InlinedVector<Layout, 2> blocks = padded->Modes();
  const std::vector<IntTuple> targets = shape.Modes();
  std::vector<IntTuple> repetitions;
  for (int64_t i = 0; i < rank; ++i) {
    TESSERA_ASSIGN_OR_RETURN(const int64_t target, Size(targets[i]));
    if (target % blocks[i].size() != 0) {
      return absl::InvalidArgumentError(absl::StrCat(
          "mode ", i, " of the block, ", blocks[i].ToString(), ", has size ",
          blocks[i].size(), ", which does not divide ", target));
    }
    repetitions.push_back(target / blocks[i].size());
  }
  // An integer for an integer: one mode and a tuple of one mode differ.
  const IntTuple counts =
      shape.is_integer() ? repetitions[0] : IntTuple::Tuple(repetitions);
  absl::StatusOr<Layout> tiles = MakeOrderedLayout(counts, order);
  if (!tiles.ok()) return tiles;
  absl::StatusOr<Layout> product = BlockedProduct(*padded, *tiles);
  if (!product.ok()) return product;
  return CoalesceByProfile(*product, counts);
}

absl::StatusOr<Layout> TileToShape(const Layout& block, const IntTuple& shape) {
  IntTuple::Values left_to_right(shape.rank());
  std::iota(left_to_right.begin(), left_to_right.end(), 0);
  return TileToShape(block, shape, IntTuple::Flat(left_to_right));
}

}  // namespace cute
}  // namespace tessera
