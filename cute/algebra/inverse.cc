#include "tessera/cute/algebra/inverse.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cute/algebra/coalesce.h"
#include "tessera/cute/algebra/collision.h"
#include "tessera/cute/internal/layout_through.h"
#include "tessera/cute/internal/walk.h"

namespace tessera::cute {
namespace {

// A mode of the coalesced layout, and the integral coordinate of its first
// step.
struct PlacedMode {
  Layout::Leaf leaf;
  int64_t step;
};

using PlacedModes = absl::InlinedVector<PlacedMode, 8>;

PlacedModes ModesByStride(const Layout& layout) {
  PlacedModes modes;
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

// Returns the reason why the definition does not give a left inverse, with the
// offset at `mode.step`. `stride` and `extent` are those of the modes before
// it.
std::string Objection(const PlacedMode& mode, int64_t stride, int64_t extent) {
  const Layout::Leaf& leaf = mode.leaf;
  return absl::StrCat(
      "the stride of the coalesced mode ", leaf.size, ":", leaf.stride,
      leaf.basis.ToString(), " is ",
      leaf.stride < 0 ? "negative"
      : leaf.stride < extent
          ? absl::StrCat("less than the extent ", extent, " of those before it")
          : absl::StrCat("not a multiple of the stride ", stride, " before it"),
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

// Returns the modes of an inverse, not coalesced.
absl::StatusOr<Layout::Leaves> RightInverseOf(const PlacedModes& modes) {
  Layout::Leaves chain;
  int64_t extent = 1;
  for (const PlacedMode& mode : modes) {
    if (mode.leaf.stride != extent) continue;
    chain.push_back({mode.leaf.size, mode.step, Basis()});
    // A mode of this stride is not longer than the size and the cosize.
    extent *= mode.leaf.size;
  }
  return chain;
}

// The case that the definition of a left inverse does not decide.
struct OpenLeftInverse {
  bool has_negative_strides;
  // The modes that the definition gives if modes overlap; else empty.
  Layout::Leaves candidate;
  std::string objection;
};

// Returns whether A(L(A(i))) == A(i) for every coordinate of A.
bool IsLeftInverse(const Layout& inverse, const Layout& layout) {
  for (LayoutWalk walk(layout); !walk.AtEnd(); walk.Next()) {
    if (layout(inverse(walk.offset())) != walk.offset()) return false;
  }
  return true;
}

// Decides by the offsets. Returns the objection as an error if there is no
// result.
absl::StatusOr<Layout> DecideLeftInverse(const Layout& layout,
                                         const OpenLeftInverse& open) {
  const std::string& objection = open.objection;
  constexpr int64_t kMaxOffsets = int64_t{1} << 16;
  constexpr int64_t kMaxSteps = int64_t{1} << 20;
  const auto collision = FindCollision(layout, kMaxOffsets);
  bool is_decided = collision.ok();
  // Only a layout of one mode has values below 0, and the caller tries those.
  if (!open.has_negative_strides) {
    is_decided &= layout.size() <= kMaxOffsets;
    if (is_decided) {
      if (!open.candidate.empty()) {
        Layout::Builder builder;
        builder.AppendFlat(CoalescedLeaves(open.candidate));
        absl::StatusOr<Layout> candidate = std::move(builder).Build();
        if (candidate.ok() && IsLeftInverse(*candidate, layout)) {
          return candidate;
        }
      }
      LayoutThrough inverse =
          FindLayoutThrough(CoordinatesOfOffsets(layout), kMaxSteps);
      if (inverse.layout.has_value()) return *std::move(inverse.layout);
      is_decided = inverse.is_decided;
    }
  }
  if (!is_decided) {
    return ResourceExhaustedError("no left inverse was found: ", objection,
                                  "; to rule one out takes more than ",
                                  kMaxOffsets, " offsets or ", kMaxSteps,
                                  " steps");
  }
  if (collision->has_value()) {
    // Another coordinate with the same offset might work.
    return InvalidArgumentError(
        "no left inverse was found: ", objection, "; the coordinates ",
        (*collision)->first, " and ", (*collision)->second,
        " share an offset, and for such layouts the search is not complete");
  }
  return InvalidArgumentError("no left inverse: ", objection);
}

// If the definition does not decide, returns `decide(open case)`.
absl::StatusOr<Layout::Leaves> LeftInverseOf(
    PlacedModes modes,
    absl::FunctionRef<absl::StatusOr<Layout::Leaves>(const OpenLeftInverse&)>
        decide) {
  const auto first = std::partition_point(
      modes.begin(), modes.end(),
      [](const PlacedMode& mode) { return mode.leaf.stride < 0; });
  const auto moving =
      std::find_if(first, modes.end(),
                   [](const PlacedMode& mode) { return mode.leaf.stride > 0; });
  if (first == modes.begin() && moving == modes.end()) {
    // Coalesced, modes of stride 0 are one.
    if (modes.empty()) return Layout::Leaves();
    return Layout::Leaves({{modes[0].leaf.size, 0, Basis()}});
  }
  modes.erase(first, moving);
  if (modes.size() == 1 && modes[0].leaf.stride == -1) {
    return Layout::Leaves({{modes[0].leaf.size, -modes[0].step, Basis()}});
  }
  Layout::Leaves inverse;
  std::string overlap;
  // The stride of the previous mode, its step in the inverse, and an upper
  // bound of all modes so far.
  int64_t stride = 1;
  int64_t step = 0;
  int64_t extent = 1;
  for (const PlacedMode& mode : modes) {
    const Layout::Leaf& leaf = mode.leaf;
    if (leaf.stride < 0 || leaf.stride % stride != 0) {
      return decide({leaf.stride < 0, {}, Objection(mode, stride, extent)});
    }
    if (leaf.stride < extent && overlap.empty()) {
      overlap = Objection(mode, stride, extent);
    }
    inverse.push_back({leaf.stride / stride, step, Basis()});
    stride = leaf.stride;
    step = mode.step;
    if (__builtin_mul_overflow(leaf.size, leaf.stride, &extent)) {
      return OutOfRangeError("the extent of the coalesced mode ", leaf.size,
                             ":", leaf.stride, " exceeds 2^63-1");
    }
  }
  inverse.push_back({modes.back().leaf.size, step, Basis()});
  if (overlap.empty()) return inverse;
  return decide({false, std::move(inverse), std::move(overlap)});
}

// Appends the inverse of modes whose basis elements agree in the `level`
// outermost levels: a tuple of the inverses for each mode that the next level
// names, or `inverse` of modes without another level. At most Basis::kMaxDepth
// deep.
absl::Status AppendInverse(
    const PlacedModes& modes, int level,
    absl::FunctionRef<absl::StatusOr<Layout::Leaves>(const PlacedModes&)>
        inverse,
    Layout::Builder* builder) {
  int64_t rank = 0;
  for (const PlacedMode& mode : modes) {
    if (mode.leaf.basis.depth() > level) {
      rank = std::max(rank, mode.leaf.basis.mode(level) + 1);
    }
  }
  if (rank == 0) {
    TESSERA_ASSIGN_OR_RETURN(const Layout::Leaves leaves, inverse(modes));
    builder->AppendFlat(CoalescedLeaves(leaves));
    return absl::OkStatus();
  }
  builder->Tuple(rank);
  for (int64_t i = 0; i < rank; ++i) {
    PlacedModes within;
    for (const PlacedMode& mode : modes) {
      if (mode.leaf.basis.depth() > level && mode.leaf.basis.mode(level) == i) {
        within.push_back(mode);
      }
    }
    TESSERA_RETURN_IF_ERROR(AppendInverse(within, level + 1, inverse, builder));
  }
  return absl::OkStatus();
}

absl::StatusOr<Layout> Inverse(
    const Layout& layout,
    absl::FunctionRef<absl::StatusOr<Layout::Leaves>(const PlacedModes&)>
        inverse) {
  Layout::Builder builder;
  TESSERA_RETURN_IF_ERROR(
      AppendInverse(ModesByStride(layout), 0, inverse, &builder));
  return std::move(builder).Build();
}

}  // namespace

absl::StatusOr<Layout> RightInverse(const Layout& layout) {
  return Inverse(layout, RightInverseOf);
}

absl::StatusOr<Layout> LeftInverse(const Layout& layout) {
  const auto decide =
      [&](const OpenLeftInverse& open) -> absl::StatusOr<Layout::Leaves> {
    if (layout.has_basis()) {
      return InvalidArgumentError("no left inverse was found: ",
                                  open.objection);
    }
    TESSERA_ASSIGN_OR_RETURN(const Layout inverse,
                             DecideLeftInverse(layout, open));
    return inverse.leaves();
  };
  return Inverse(layout, [&](const PlacedModes& modes) {
    return LeftInverseOf(modes, decide);
  });
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

}  // namespace tessera::cute
