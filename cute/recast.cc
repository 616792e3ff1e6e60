#include "tessera/cute/recast.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace tessera {
namespace cute {
namespace {

absl::Status CheckFactor(int64_t factor) {
  if (factor >= 1) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("the factor ", factor, " is less than 1"));
}

// Replaces each leaf that moves.
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
      if (absl::Status status = change(i, &leaf); !status.ok()) return status;
    }
    builder.Append(leaf);
    ++i;
  }
  return std::move(builder).Build();
}

}  // namespace

absl::StatusOr<Layout> Upcast(const Layout& layout, int64_t factor) {
  if (absl::Status status = CheckFactor(factor); !status.ok()) return status;
  return ForEachLeaf(layout, [&](size_t i, Layout::Leaf* leaf) {
    const int64_t stride = std::abs(leaf->stride);
    const int64_t count = stride < factor ? factor / stride : 1;
    if ((stride < factor ? factor % stride : stride % factor) != 0 ||
        leaf->size % count != 0) {
      return absl::InvalidArgumentError(absl::StrCat(
          DescribeLeafOf(layout.profile(), i, "the layout"), ", ", leaf->size,
          ":", leaf->stride, ", is no whole number of elements that are ",
          factor, " times as wide; at coordinate ", count,
          " it is within one"));
    }
    leaf->size /= count;
    leaf->stride =
        leaf->stride / stride * (stride < factor ? 1 : stride / factor);
    return absl::OkStatus();
  });
}

absl::StatusOr<Layout> Downcast(const Layout& layout, int64_t factor) {
  if (absl::Status status = CheckFactor(factor); !status.ok()) return status;
  return ForEachLeaf(layout, [&](size_t i, Layout::Leaf* leaf) {
    int64_t* scaled = std::abs(leaf->stride) == 1 ? &leaf->size : &leaf->stride;
    if (__builtin_mul_overflow(*scaled, factor, scaled)) {
      return absl::OutOfRangeError(
          absl::StrCat(DescribeLeafOf(layout.profile(), i, "the layout"),
                       " times ", factor, " exceeds int64_t"));
    }
    return absl::OkStatus();
  });
}

absl::StatusOr<Layout> Recast(const Layout& layout, int64_t from_bits,
                              int64_t to_bits) {
  if (from_bits < 1 || to_bits < 1) {
    return absl::InvalidArgumentError(absl::StrCat(
        "an element has at least 1 bit, not ", std::min(from_bits, to_bits)));
  }
  const int64_t common = std::gcd(from_bits, to_bits);
  absl::StatusOr<Layout> narrow = Downcast(layout, from_bits / common);
  if (!narrow.ok()) return narrow;
  return Upcast(*narrow, to_bits / common);
}

}  // namespace cute
}  // namespace tessera
