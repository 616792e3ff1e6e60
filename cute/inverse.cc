#include "tessera/cute/inverse.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tessera/cute/coalesce.h"

namespace tessera {
namespace cute {
namespace {

// A mode of the coalesced layout, and the integral coordinate of its first
// step.
struct PlacedMode {
  Layout::Leaf leaf;
  int64_t step;
};

absl::InlinedVector<PlacedMode, 8> ModesByStride(const Layout& layout) {
  absl::InlinedVector<PlacedMode, 8> modes;
  int64_t step = 1;
  for (const Layout::Leaf& leaf : CoalescedLeaves(layout.leaves())) {
    modes.push_back({leaf, step});
    step *= leaf.size;
  }
  std::stable_sort(modes.begin(), modes.end(),
                   [](const PlacedMode& a, const PlacedMode& b) {
                     return a.leaf.stride < b.leaf.stride;
                   });
  return modes;
}

absl::Status NoBasis(const Layout& layout) {
  if (!layout.has_basis()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("the values of ", layout.ToString(),
                   " are coordinates; only offsets have an inverse"));
}

}  // namespace

absl::StatusOr<Layout> RightInverse(const Layout& layout) {
  if (absl::Status status = NoBasis(layout); !status.ok()) return status;
  Layout::Leaves chain;
  int64_t extent = 1;
  for (const PlacedMode& mode : ModesByStride(layout)) {
    if (mode.leaf.stride != extent) continue;
    chain.push_back({mode.leaf.size, mode.step, Basis()});
    // A mode of this stride is not longer than the size and the cosize.
    extent *= mode.leaf.size;
  }
  Layout::Builder builder;
  builder.AppendFlat(CoalescedLeaves(chain));
  return std::move(builder).Build();
}

absl::StatusOr<Layout> LeftInverse(const Layout& layout) {
  if (absl::Status status = NoBasis(layout); !status.ok()) return status;
  Layout::Leaves inverse;
  // Of the mode before: its stride, and what all modes so far stay below.
  int64_t stride = 1;
  int64_t extent = 1;
  for (const PlacedMode& mode : ModesByStride(layout)) {
    const Layout::Leaf& leaf = mode.leaf;
    if (leaf.stride == 0) continue;
    if (leaf.stride < extent ||
        (leaf.stride % extent != 0 && leaf.stride % stride != 0)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "no left inverse: the stride of the coalesced mode ", leaf.size, ":",
          leaf.stride, " is ",
          leaf.stride < 0 ? "negative"
          : leaf.stride < extent
              ? absl::StrCat("less than the extent ", extent,
                             " of those before it")
              : absl::StrCat("no multiple of the extent ", extent,
                             " of those before it, nor of the stride ", stride),
          "; its first step is the value ", leaf.stride, " at coordinate ",
          mode.step));
    }
    if (leaf.stride % extent != 0) {
      // The digit before has room to spare up to this stride.
      inverse.back().size = leaf.stride / stride;
    } else if (leaf.stride > extent) {
      inverse.push_back({leaf.stride / extent, 0, Basis()});
    }
    inverse.push_back({leaf.size, mode.step, Basis()});
    stride = leaf.stride;
    if (__builtin_mul_overflow(leaf.size, leaf.stride, &extent)) {
      return absl::OutOfRangeError(
          absl::StrCat("the extent of the coalesced mode ", leaf.size, ":",
                       leaf.stride, " exceeds 2^63-1"));
    }
  }
  Layout::Builder builder;
  builder.AppendFlat(CoalescedLeaves(inverse));
  return std::move(builder).Build();
}

Layout Nullspace(const Layout& layout) {
  Layout::Leaves modes;
  int64_t step = 1;
  for (const Layout::Leaf& leaf : layout.leaves()) {
    if (leaf.stride == 0 && leaf.size > 1) {
      modes.push_back({leaf.size, step, Basis()});
    }
    step *= leaf.size;
  }
  Layout::Builder builder;
  builder.AppendFlat(modes);
  // A part of the coordinates of the layout.
  return *std::move(builder).Build();
}

}  // namespace cute
}  // namespace tessera
