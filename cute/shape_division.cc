#include "tessera/cute/shape_division.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tessera/cute/algebra/coalesce.h"
#include "tessera/cute/internal/profile.h"
#include "tessera/math/checked_arithmetic.h"
#include "tessera/math/status_macros.h"

namespace tessera {
namespace cute {
namespace {

absl::Status CheckNumber(int64_t number) {
  if (number >= 1) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(IntTuple(number).ToString(), " is less than 1"));
}

// Replaces the leaves from left to right; `step(mode, &rest)` returns what
// becomes of a mode and what goes on to the next.
template <typename Step>
absl::StatusOr<IntTuple> Progressively(const IntTuple& shape, int64_t number,
                                       bool must_divide, const Step& step) {
  TESSERA_RETURN_IF_ERROR(Size(shape).status());
  TESSERA_RETURN_IF_ERROR(CheckNumber(number));
  IntTuple::Values values;
  int64_t rest = number;
  for (size_t i = 0; i < shape.values().size(); ++i) {
    const int64_t mode = shape.values()[i];
    if (must_divide && mode % rest != 0 && rest % mode != 0) {
      return absl::InvalidArgumentError(absl::StrCat(
          DescribeLeafOf(shape.profile(), i, shape.ToString()), ", of size ",
          mode, ", and ", rest, " do not divide one another"));
    }
    values.push_back(step(mode, rest));
    rest = CeilOfRatio(rest, mode);
  }
  return IntTuple(shape.profile(), std::move(values));
}

IntTuple PartOfTuple(const IntTuple& tuple, ProfilePosition begin,
                     ProfilePosition end) {
  const Profile::Nodes& nodes = tuple.profile().nodes();
  return IntTuple(Profile(Profile::Nodes(nodes.begin() + begin.node,
                                         nodes.begin() + end.node)),
                  IntTuple::Values(tuple.values().begin() + begin.leaf,
                                   tuple.values().begin() + end.leaf));
}

// One of the two is an integer.
absl::StatusOr<IntTuple> CeilDivInteger(const IntTuple& shape,
                                        const IntTuple& tiler) {
  if (tiler.is_integer()) {
    return Progressively(
        shape, tiler.value(), /*must_divide=*/false,
        [](int64_t mode, int64_t rest) { return CeilOfRatio(mode, rest); });
  }
  TESSERA_ASSIGN_OR_RETURN(int64_t size, Size(tiler));
  TESSERA_RETURN_IF_ERROR(CheckNumber(shape.value()));
  return IntTuple(CeilOfRatio(shape.value(), size));
}

}  // namespace

absl::StatusOr<IntTuple> CeilDiv(const IntTuple& shape, const IntTuple& tiler) {
  const Profile::Nodes& shape_nodes = shape.profile().nodes();
  const Profile::Nodes& tiler_nodes = tiler.profile().nodes();
  Profile::Nodes nodes;
  IntTuple::Values values;
  const auto append = [&](const IntTuple& tuple) {
    nodes.insert(nodes.end(), tuple.profile().nodes().begin(),
                 tuple.profile().nodes().end());
    values.insert(values.end(), tuple.values().begin(), tuple.values().end());
  };
  // A tuple of both that is open: how many modes the tiler still has in it, and
  // how many the shape has after them.
  struct Open {
    size_t tiled;
    size_t kept;
  };
  absl::InlinedVector<Open, 8> open;
  ProfilePosition in_shape;
  ProfilePosition in_tiler;
  do {
    const uint32_t modes = shape_nodes[in_shape.node];
    const uint32_t tiled = tiler_nodes[in_tiler.node];
    if (modes != Profile::kLeaf && tiled != Profile::kLeaf) {
      if (tiled > modes) {
        return absl::InvalidArgumentError(absl::StrCat(
            "the tiler ",
            PartOfTuple(tiler, in_tiler, PastSubtree(tiler_nodes, in_tiler))
                .ToString(),
            " has more modes than ",
            PartOfTuple(shape, in_shape, PastSubtree(shape_nodes, in_shape))
                .ToString()));
      }
      nodes.push_back(modes);
      open.push_back({tiled, modes - tiled});
      ++in_shape.node;
      ++in_tiler.node;
    } else {
      const ProfilePosition shape_end = PastSubtree(shape_nodes, in_shape);
      const ProfilePosition tiler_end = PastSubtree(tiler_nodes, in_tiler);
      TESSERA_ASSIGN_OR_RETURN(
          const IntTuple& divided,
          CeilDivInteger(PartOfTuple(shape, in_shape, shape_end),
                         PartOfTuple(tiler, in_tiler, tiler_end)));
      append(divided);
      in_shape = shape_end;
      in_tiler = tiler_end;
      if (!open.empty()) --open.back().tiled;
    }
    while (!open.empty() && open.back().tiled == 0) {
      for (; open.back().kept > 0; --open.back().kept) {
        const ProfilePosition end = PastSubtree(shape_nodes, in_shape);
        append(PartOfTuple(shape, in_shape, end));
        in_shape = end;
      }
      open.pop_back();
      if (!open.empty()) --open.back().tiled;
    }
  } while (!open.empty());
  return IntTuple(Profile(std::move(nodes)), std::move(values));
}

absl::StatusOr<IntTuple> ShapeDiv(const IntTuple& shape, int64_t divisor) {
  return Progressively(
      shape, divisor, /*must_divide=*/true,
      [](int64_t mode, int64_t rest) { return CeilOfRatio(mode, rest); });
}

absl::StatusOr<IntTuple> ShapeMod(const IntTuple& shape, int64_t modulus) {
  return Progressively(
      shape, modulus, /*must_divide=*/true,
      [](int64_t mode, int64_t rest) { return std::min(mode, rest); });
}

absl::StatusOr<Layout> DomainDistribute(const IntTuple& shape, int64_t size) {
  TESSERA_RETURN_IF_ERROR(Size(shape).status());
  TESSERA_RETURN_IF_ERROR(CheckNumber(size));
  Layout::Leaves leaves;
  int64_t stride = 1;
  for (const int64_t mode : shape.values()) {
    const int64_t common = std::gcd(mode, size);
    leaves.push_back({common, stride, Basis()});
    size /= common;
    stride *= mode;
  }
  Layout::Builder builder;
  builder.AppendFlat(CoalescedLeaves(leaves));
  return std::move(builder).Build();
}

}  // namespace cute
}  // namespace tessera
