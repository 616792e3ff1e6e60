#include "tessera/cute/algebra/complement.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/math/saturating_sum.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cute/algebra/coalesce.h"
#include "tessera/cute/algebra/filter.h"
#include "tessera/cute/shape_division.h"

namespace tessera::cute {
namespace {

// The modes that fill the holes, and the extent that they then cover.
struct Holes {
  Layout::Leaves modes;
  int64_t extent = 1;  // 2^63-1 if it would exceed that
  bool is_saturated = false;
};

std::string DescribeMode(const Layout& layout, size_t leaf) {
  return absl::StrCat(DescribeLeafOf(layout.profile(), leaf, "A"), ", ",
                      layout.leaves()[leaf].size, ":",
                      layout.leaves()[leaf].stride,
                      layout.leaves()[leaf].basis.ToString());
}

absl::StatusOr<Holes> FindHoles(const Layout& layout) {
  const Layout::Leaves& leaves = layout.leaves();
  absl::InlinedVector<size_t, 8> order;
  for (size_t i = 0; i < leaves.size(); ++i) {
    if (leaves[i].size == 1 || leaves[i].stride == 0) continue;
    if (leaves[i].stride < 0 || !leaves[i].basis.is_none()) {
      return InvalidArgumentError("the complement needs plain offsets >= 0; ",
                                  DescribeMode(layout, i), ", has others");
    }
    order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return leaves[a].stride < leaves[b].stride;
  });
  Holes holes;
  for (size_t k = 0; k < order.size(); ++k) {
    const Layout::Leaf& leaf = leaves[order[k]];
    if (leaf.stride < holes.extent) {
      IntTuple::Values coordinate(leaves.size(), 0);
      coordinate[order[k]] = 1;
      return InvalidArgumentError(
          "the stride of ", DescribeMode(layout, order[k]),
          ", is less than the extent ", holes.extent, " that ",
          DescribeMode(layout, order[k - 1]), ", reaches: the value ",
          leaf.stride, " at coordinate ",
          IntTuple(layout.profile(), std::move(coordinate)).ToString(),
          " lies within");
    }
    const int64_t hole = leaf.stride / holes.extent;
    if (hole > 1) holes.modes.push_back({hole, holes.extent, Basis()});
    // Only the extent of the last mode can exceed 2^63-1; nothing lies past it.
    holes.extent =
        SaturatingMultiply(leaf.size, leaf.stride, &holes.is_saturated);
  }
  return holes;
}

// Returns the modes that fill the holes, and `count` repetitions of the whole.
absl::StatusOr<Layout> FilledUp(Holes holes, int64_t count) {
  holes.modes.push_back({count, holes.extent, Basis()});
  Layout::Builder builder;
  builder.AppendFlat(CoalescedLeaves(holes.modes));
  return std::move(builder).Build();
}

}  // namespace

absl::StatusOr<Layout> Complement(const Layout& layout, int64_t cotarget) {
  if (cotarget < 1) {
    return InvalidArgumentError("the cotarget ", cotarget, " is less than 1");
  }
  TESSERA_ASSIGN_OR_RETURN(const Holes holes, FindHoles(layout));
  return FilledUp(holes, CeilOfRatio(cotarget, holes.extent));
}

absl::StatusOr<Layout> Complement(const Layout& layout,
                                  const IntTuple& cotarget) {
  TESSERA_RETURN_IF_ERROR(Size(cotarget).status());
  TESSERA_ASSIGN_OR_RETURN(const Holes holes, FindHoles(layout));
  TESSERA_ASSIGN_OR_RETURN(const IntTuple padded,
                           CeilDiv(cotarget, IntTuple(holes.extent)));
  TESSERA_ASSIGN_OR_RETURN(const int64_t count, Size(padded));
  return FilledUp(holes, count);
}

absl::StatusOr<Layout> Complement(const Layout& layout) {
  return Complement(layout, std::max<int64_t>(Filter(layout).cosize(), 1));
}

absl::StatusOr<Layout> UnboundedComplement(const Layout& layout) {
  TESSERA_ASSIGN_OR_RETURN(Holes holes, FindHoles(layout));
  if (holes.is_saturated) {
    return OutOfRangeError("the extent of ", layout.ToString(),
                           " exceeds 2^63-1");
  }
  holes.modes.push_back({1, holes.extent, Basis()});
  Layout::Builder builder;
  builder.AppendFlat(holes.modes);
  return std::move(builder).Build();
}

}  // namespace tessera::cute
