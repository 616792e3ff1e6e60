#include "tessera/cute/shape_division.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tessera/cute/coalesce.h"
#include "tessera/math/checked_arithmetic.h"

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
  if (absl::StatusOr<int64_t> size = Size(shape); !size.ok()) {
    return size.status();
  }
  if (absl::Status status = CheckNumber(number); !status.ok()) return status;
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

}  // namespace

absl::StatusOr<IntTuple> CeilDiv(const IntTuple& shape, const IntTuple& tiler) {
  if (tiler.is_integer()) {
    return Progressively(
        shape, tiler.value(), /*must_divide=*/false,
        [](int64_t mode, int64_t rest) { return CeilOfRatio(mode, rest); });
  }
  if (shape.is_integer()) {
    absl::StatusOr<int64_t> size = Size(tiler);
    if (!size.ok()) return size.status();
    if (absl::Status status = CheckNumber(shape.value()); !status.ok()) {
      return status;
    }
    return IntTuple(CeilOfRatio(shape.value(), *size));
  }
  if (tiler.rank() > shape.rank()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the tiler ", tiler.ToString(), " has more modes than ",
                     shape.ToString()));
  }
  // Deeper tuples wait here for their turn; the leaves come out in order, since
  // a mode keeps its nesting, or as an integer loses it.
  struct Pair {
    IntTuple shape;
    IntTuple tiler;
    bool is_divided;
  };
  Profile::Nodes nodes;
  IntTuple::Values values;
  std::vector<Pair> waiting = {{shape, tiler, true}};
  while (!waiting.empty()) {
    const Pair pair = std::move(waiting.back());
    waiting.pop_back();
    IntTuple result = pair.shape;
    if (pair.is_divided && !pair.shape.is_integer() &&
        !pair.tiler.is_integer()) {
      const std::vector<IntTuple> shapes = pair.shape.Modes();
      const std::vector<IntTuple> tilers = pair.tiler.Modes();
      if (tilers.size() > shapes.size()) {
        return absl::InvalidArgumentError(
            absl::StrCat("the tiler ", pair.tiler.ToString(),
                         " has more modes than ", pair.shape.ToString()));
      }
      nodes.push_back(shapes.size());
      for (size_t i = shapes.size(); i-- > 0;) {
        const bool is_divided = i < tilers.size();
        waiting.push_back(
            {shapes[i], is_divided ? tilers[i] : IntTuple(1), is_divided});
      }
      continue;
    }
    if (pair.is_divided) {
      absl::StatusOr<IntTuple> divided = CeilDiv(pair.shape, pair.tiler);
      if (!divided.ok()) return divided;
      result = *std::move(divided);
    }
    nodes.insert(nodes.end(), result.profile().nodes().begin(),
                 result.profile().nodes().end());
    values.insert(values.end(), result.values().begin(), result.values().end());
  }
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
  if (absl::StatusOr<int64_t> domain = Size(shape); !domain.ok()) {
    return domain.status();
  }
  if (absl::Status status = CheckNumber(size); !status.ok()) return status;
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
