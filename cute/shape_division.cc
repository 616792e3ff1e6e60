#include "tessera/cute/shape_division.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cute/algebra/coalesce.h"
#include "tessera/cute/algebra/complement.h"
#include "tessera/cute/internal/profile.h"

namespace tessera::cute {
namespace {

absl::Status CheckNumber(int64_t number) {
  if (number >= 1) return absl::OkStatus();
  return InvalidArgumentError(IntTuple(number).ToString(), " is less than 1");
}

// An entry of the tuple.
IntTuple SubtreeOf(const IntTuple& tuple, ProfilePosition begin) {
  return tuple.Subtree(begin, PastSubtree(tuple.profile().nodes(), begin));
}

// Returns the divisor: an integer, or the size of a tuple.
absl::StatusOr<int64_t> NumberOf(const IntTuple& divisor) {
  if (!divisor.is_integer()) return Size(divisor);
  TESSERA_RETURN_IF_ERROR(CheckNumber(divisor.value()));
  return divisor.value();
}

// Returns the result of a division for a mode and the number at it. The number
// continues at the next mode as CeilOfRatio(number, mode).
using LeafRule = int64_t (*)(int64_t mode, int64_t number);

struct DivisionRules {
  LeafRule leaf;
  // Whether one of mode and number has to divide the other.
  bool must_divide;
  // Whether a tuple may have fewer modes than the one that it divides, whose
  // other modes are then unchanged.
  bool may_be_shorter;
  // Whether an integer has to be in the place of an integer.
  bool must_be_integers = false;
};

int64_t Quotient(int64_t mode, int64_t number) {
  return CeilOfRatio(mode, number);
}

int64_t Remainder(int64_t mode, int64_t number) {
  return std::min(mode, number);
}

// -1 if it does not fit.
int64_t Multiple(int64_t mode, int64_t number) {
  int64_t multiple;
  return __builtin_mul_overflow(CeilOfRatio(mode, number), number, &multiple)
             ? -1
             : multiple;
}

constexpr DivisionRules kCeilDiv = {Quotient, false, true};
constexpr DivisionRules kShapeDiv = {Quotient, true, false};
constexpr DivisionRules kShapeMod = {Remainder, true, false};
constexpr DivisionRules kRoundUp = {Multiple, false, true, true};

// Appends the leaves of `part`, which begins with leaf `first_leaf` of `shape`,
// each divided by the part of `number` that the leaves before it left.
absl::Status AppendDivided(const IntTuple& shape, size_t first_leaf,
                           const IntTuple& part, int64_t number,
                           const DivisionRules& rules,
                           IntTuple::Values* values) {
  TESSERA_RETURN_IF_ERROR(Size(part).status());
  for (size_t i = 0; i < part.values().size(); ++i) {
    const int64_t mode = part.values()[i];
    if (rules.must_divide && mode % number != 0 && number % mode != 0) {
      return InvalidArgumentError(
          shape.is_integer()
              ? shape.ToString()
              : absl::StrCat(DescribeLeafOf(shape.profile(), first_leaf + i,
                                            shape.ToString()),
                             ", of size ", mode, ","),
          " and ", number, " do not divide one another");
    }
    values->push_back(rules.leaf(mode, number));
    number = CeilOfRatio(number, mode);
  }
  return absl::OkStatus();
}

absl::Status DifferentRanks(const IntTuple& shape, const IntTuple& divisor,
                            const DivisionRules& rules) {
  return absl::InvalidArgumentError(
      rules.may_be_shorter
          ? absl::StrCat("the tiler ", divisor.ToString(),
                         " has more modes than ", shape.ToString())
          : absl::StrCat(shape.ToString(), " and ", divisor.ToString(),
                         " differ in their number of modes, ", shape.rank(),
                         " and ", divisor.rank()));
}

// Divides by mode if both are tuples. An integer divides a tuple leaf by leaf;
// a tuple divides an integer by the size of the tuple.
absl::StatusOr<IntTuple> Divided(const IntTuple& shape, const IntTuple& divisor,
                                 const DivisionRules& rules) {
  const Profile::Nodes& shape_nodes = shape.profile().nodes();
  const Profile::Nodes& divisor_nodes = divisor.profile().nodes();
  Profile::Nodes nodes;
  IntTuple::Values values;
  const auto append_nodes = [&](const IntTuple& tuple) {
    nodes.insert(nodes.end(), tuple.profile().nodes().begin(),
                 tuple.profile().nodes().end());
  };
  // An open tuple of both: the number of the divisor's remaining modes in it,
  // and of the shape's modes after them.
  struct Open {
    size_t divided;
    size_t kept;
  };
  absl::InlinedVector<Open, 8> open;
  ProfilePosition in_shape;
  ProfilePosition in_divisor;
  do {
    const uint32_t modes = shape_nodes[in_shape.node];
    const uint32_t divided = divisor_nodes[in_divisor.node];
    if (modes != Profile::kLeaf && divided != Profile::kLeaf) {
      if (divided > modes || (divided < modes && !rules.may_be_shorter)) {
        return DifferentRanks(SubtreeOf(shape, in_shape),
                              SubtreeOf(divisor, in_divisor), rules);
      }
      nodes.push_back(modes);
      open.push_back({divided, modes - divided});
      ++in_shape.node;
      ++in_divisor.node;
    } else {
      const IntTuple part = SubtreeOf(shape, in_shape);
      const IntTuple by = SubtreeOf(divisor, in_divisor);
      if (rules.must_be_integers && modes != divided) {
        return InvalidArgumentError(part.ToString(), " and ", by.ToString(),
                                    " are not both integers or both tuples");
      }
      append_nodes(part);
      TESSERA_ASSIGN_OR_RETURN(const int64_t number, NumberOf(by));
      TESSERA_RETURN_IF_ERROR(
          AppendDivided(shape, in_shape.leaf, part, number, rules, &values));
      in_shape = PastSubtree(shape_nodes, in_shape);
      in_divisor = PastSubtree(divisor_nodes, in_divisor);
      if (!open.empty()) --open.back().divided;
    }
    while (!open.empty() && open.back().divided == 0) {
      for (; open.back().kept > 0; --open.back().kept) {
        const IntTuple kept = SubtreeOf(shape, in_shape);
        append_nodes(kept);
        values.insert(values.end(), kept.values().begin(), kept.values().end());
        in_shape = PastSubtree(shape_nodes, in_shape);
      }
      open.pop_back();
      if (!open.empty()) --open.back().divided;
    }
  } while (!open.empty());
  return IntTuple(Profile(std::move(nodes)), std::move(values));
}

}  // namespace

absl::StatusOr<IntTuple> CeilDiv(const IntTuple& shape, const IntTuple& tiler) {
  return Divided(shape, tiler, kCeilDiv);
}

absl::StatusOr<IntTuple> CeilDiv(const IntTuple& shape, const Layout& tiler) {
  TESSERA_ASSIGN_OR_RETURN(const Layout rest, Complement(tiler, shape));
  return rest.shape();
}

absl::StatusOr<IntTuple> RoundUp(const IntTuple& shape,
                                 const IntTuple& multiple) {
  TESSERA_ASSIGN_OR_RETURN(IntTuple rounded,
                           Divided(shape, multiple, kRoundUp));
  for (const int64_t value : rounded.values()) {
    if (value < 1) {
      return OutOfRangeError(shape.ToString(), " rounded up to multiples of ",
                             multiple.ToString(), " exceeds 2^63-1");
    }
  }
  return rounded;
}

absl::StatusOr<bool> EvenlyDivides(const IntTuple& shape,
                                   const IntTuple& tiler) {
  std::vector<std::pair<IntTuple, IntTuple>> pairs = {{shape, tiler}};
  while (!pairs.empty()) {
    const auto [part, tile] = std::move(pairs.back());
    pairs.pop_back();
    if (!tile.is_integer()) {
      if (tile.rank() > part.rank()) return false;
      for (int64_t i = 0; i < tile.rank(); ++i) {
        pairs.emplace_back(part.Mode(i), tile.Mode(i));
      }
      continue;
    }
    TESSERA_ASSIGN_OR_RETURN(const IntTuple count, CeilDiv(part, tile));
    TESSERA_ASSIGN_OR_RETURN(const int64_t size, Size(part));
    TESSERA_ASSIGN_OR_RETURN(const int64_t tiles, Size(count));
    int64_t covered;
    if (__builtin_mul_overflow(tile.value(), tiles, &covered) ||
        covered != size) {
      return false;
    }
  }
  return true;
}

absl::StatusOr<IntTuple> ShapeDiv(const IntTuple& shape,
                                  const IntTuple& divisor) {
  return Divided(shape, divisor, kShapeDiv);
}

absl::StatusOr<IntTuple> ShapeMod(const IntTuple& shape,
                                  const IntTuple& modulus) {
  return Divided(shape, modulus, kShapeMod);
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

}  // namespace tessera::cute
