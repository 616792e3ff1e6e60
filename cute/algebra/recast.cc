#include "tessera/cute/algebra/recast.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"

namespace tessera::cute {
namespace {

absl::Status CheckFactor(int64_t factor) {
  if (factor >= 1) return absl::OkStatus();
  return InvalidArgumentError("the factor ", factor, " is less than 1");
}

// Replaces each leaf whose stride is not 0.
absl::StatusOr<Layout> ForEachLeaf(
    const Layout& layout,
    absl::FunctionRef<absl::Status(size_t, Layout::Leaf*)> change) {
  Layout::Builder builder;
  size_t i = 0;
  for (const uint32_t node : layout.profile().nodes()) {
    if (node != Profile::kLeaf) {
      builder.Tuple(node);
      continue;
    }
    Layout::Leaf leaf = layout.leaves()[i];
    if (leaf.stride != 0) {
      TESSERA_RETURN_IF_ERROR(change(i, &leaf));
    }
    builder.Append(leaf);
    ++i;
  }
  return std::move(builder).Build();
}

}  // namespace

absl::StatusOr<Layout> Upcast(const Layout& layout, int64_t factor) {
  TESSERA_RETURN_IF_ERROR(CheckFactor(factor));
  bool runs_forwards = false;
  for (const Layout::Leaf& leaf : layout.leaves()) {
    runs_forwards |= leaf.size > 1 && leaf.stride > 0;
  }
  // The largest offset within a wide element.
  int64_t within = 0;
  return ForEachLeaf(layout, [&](size_t i, Layout::Leaf* leaf) {
    const int64_t stride = std::abs(leaf->stride);
    const bool is_wide = stride >= factor;
    const int64_t narrow_count = is_wide ? 1 : factor / stride;
    const bool divides = (is_wide ? stride % factor : factor % stride) == 0;
    // A mode of size 1 does not move anything, whether it divides or not.
    if (leaf->size > 1) {
      within += (std::min(leaf->size, narrow_count) - 1) * stride;
      const bool runs_back = !is_wide && leaf->stride < 0 && runs_forwards;
      if (!divides || within >= factor || runs_back) {
        return InvalidArgumentError(
            DescribeLeafOf(layout.profile(), i, "the layout"), ", ", leaf->size,
            ":", leaf->stride, ", ",
            !divides    ? "does not divide into"
            : runs_back ? "runs backwards, unlike other modes, within"
                        : "with the modes before it reaches past",
            " elements that are ", factor, " times as wide, at coordinate ",
            std::min(leaf->size, narrow_count) - 1);
      }
    }
    leaf->size = CeilOfRatio(leaf->size, narrow_count);
    const int64_t wide_stride = CeilOfRatio(stride, factor);
    leaf->stride = leaf->stride < 0 ? -wide_stride : wide_stride;
    return absl::OkStatus();
  });
}

absl::StatusOr<Layout> Downcast(const Layout& layout, int64_t factor) {
  TESSERA_RETURN_IF_ERROR(CheckFactor(factor));
  return ForEachLeaf(layout, [&](size_t i, Layout::Leaf* leaf) {
    int64_t* scaled = std::abs(leaf->stride) == 1 ? &leaf->size : &leaf->stride;
    if (__builtin_mul_overflow(*scaled, factor, scaled)) {
      return OutOfRangeError(DescribeLeafOf(layout.profile(), i, "the layout"),
                             " times ", factor, " exceeds int64_t");
    }
    return absl::OkStatus();
  });
}

absl::Status CheckElementBits(int64_t from_bits, int64_t to_bits) {
  if (from_bits >= 1 && to_bits >= 1) return absl::OkStatus();
  return InvalidArgumentError("an element has at least 1 bit, not ",
                              std::min(from_bits, to_bits));
}

absl::StatusOr<Layout> Recast(const Layout& layout, int64_t from_bits,
                              int64_t to_bits) {
  TESSERA_RETURN_IF_ERROR(CheckElementBits(from_bits, to_bits));
  const int64_t common = std::gcd(from_bits, to_bits);
  TESSERA_ASSIGN_OR_RETURN(const Layout& narrow,
                           Downcast(layout, from_bits / common));
  return Upcast(narrow, to_bits / common);
}

}  // namespace tessera::cute
