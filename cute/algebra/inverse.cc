#include "tessera/cute/algebra/inverse.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/cute/algebra/coalesce.h"
#include "tessera/cute/internal/collision.h"
#include "tessera/cute/internal/layout_through.h"
#include "tessera/cute/internal/walk.h"

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

// Why the definition gives no left inverse, with the offset at `mode.step`.
// `stride` and `extent` are those of the modes before it.
std::string Objection(const PlacedMode& mode, int64_t stride, int64_t extent) {
  const Layout::Leaf& leaf = mode.leaf;
  return absl::StrCat(
      "the stride of the coalesced mode ", leaf.size, ":", leaf.stride, " is ",
      leaf.stride < 0 ? "negative"
      : leaf.stride < extent
          ? absl::StrCat("less than the extent ", extent, " of those before it")
          : absl::StrCat("not a multiple of the extent ", extent,
                         " of those before it, nor of the stride ", stride),
      "; its first step is the value ", leaf.stride, " at coordinate ",
      mode.step);
}

// The offsets of the layout in ascending order, each with the first coordinate
// that has it. Precondition: none is negative.
std::vector<LayoutPoint> CoordinatesOfOffsets(const Layout& layout) {
  std::vector<LayoutPoint> points;
  for (LayoutWalk walk(layout); !walk.AtEnd(); walk.Next()) {
    points.push_back({walk.offset(), walk.coordinate()});
  }
  std::stable_sort(points.begin(), points.end(),
                   [](const LayoutPoint& a, const LayoutPoint& b) {
                     return a.coordinate < b.coordinate;
                   });
  points.erase(std::unique(points.begin(), points.end(),
                           [](const LayoutPoint& a, const LayoutPoint& b) {
                             return a.coordinate == b.coordinate;
                           }),
               points.end());
  return points;
}

// Looks at the offsets, and refuses with `objection` if that leads to nothing.
absl::StatusOr<Layout> DecideLeftInverse(const Layout& layout,
                                         bool has_negative_offsets,
                                         const std::string& objection) {
  constexpr int64_t kMaxOffsets = int64_t{1} << 16;
  constexpr int64_t kMaxSteps = int64_t{1} << 20;
  const auto collision = FindCollision(layout, kMaxOffsets);
  bool is_decided = collision.ok();
  // Below 0 only a layout of one mode has values, and the caller tries those.
  if (!has_negative_offsets) {
    is_decided &= layout.size() <= kMaxOffsets;
    if (is_decided) {
      LayoutThrough inverse =
          FindLayoutThrough(CoordinatesOfOffsets(layout), kMaxSteps);
      if (inverse.layout.has_value()) return *std::move(inverse.layout);
      is_decided = inverse.is_decided;
    }
  }
  if (!is_decided) {
    return absl::ResourceExhaustedError(
        absl::StrCat("no left inverse was found: ", objection,
                     "; to rule one out takes more than ", kMaxOffsets,
                     " offsets or ", kMaxSteps, " steps"));
  }
  if (collision->has_value()) {
    // Another coordinate of the same offset might do.
    return absl::InvalidArgumentError(absl::StrCat(
        "no left inverse was found: ", objection, "; the coordinates ",
        (*collision)->first, " and ", (*collision)->second,
        " share an offset, and for such layouts the search is not complete"));
  }
  return absl::InvalidArgumentError(
      absl::StrCat("no left inverse: ", objection));
}

absl::StatusOr<Layout> CoalescedLayout(const Layout::Leaves& leaves) {
  Layout::Builder builder;
  builder.AppendFlat(CoalescedLeaves(leaves));
  return std::move(builder).Build();
}

}  // namespace

absl::StatusOr<Layout> RightInverse(const Layout& layout) {
  TESSERA_RETURN_IF_ERROR(NoBasis(layout));
  Layout::Leaves chain;
  int64_t extent = 1;
  for (const PlacedMode& mode : ModesByStride(layout)) {
    if (mode.leaf.stride != extent) continue;
    chain.push_back({mode.leaf.size, mode.step, Basis()});
    // A mode of this stride is not longer than the size and the cosize.
    extent *= mode.leaf.size;
  }
  return CoalescedLayout(chain);
}

absl::StatusOr<Layout> LeftInverse(const Layout& layout) {
  TESSERA_RETURN_IF_ERROR(NoBasis(layout));
  Layout::Leaves inverse;
  // Of the mode before: its stride, and what all modes so far stay below.
  int64_t stride = 1;
  int64_t extent = 1;
  auto modes = ModesByStride(layout);
  modes.erase(std::remove_if(
                  modes.begin(), modes.end(),
                  [](const PlacedMode& mode) { return mode.leaf.stride == 0; }),
              modes.end());
  if (modes.size() == 1 && modes[0].leaf.stride == -1) {
    return CoalescedLayout({{modes[0].leaf.size, -modes[0].step, Basis()}});
  }
  for (const PlacedMode& mode : modes) {
    const Layout::Leaf& leaf = mode.leaf;
    if (leaf.stride < extent ||
        (leaf.stride % extent != 0 && leaf.stride % stride != 0)) {
      return DecideLeftInverse(layout, leaf.stride < 0,
                               Objection(mode, stride, extent));
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
  return CoalescedLayout(inverse);
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
