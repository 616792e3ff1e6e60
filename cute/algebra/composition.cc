#include "tessera/cute/algebra/composition.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/math/saturating_sum.h"
#include "tessera/base/math/short_division.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"
#include "tessera/cute/algebra/coalesce.h"
#include "tessera/cute/algebra/composition_refusal.h"
#include "tessera/cute/internal/by_mode.h"
#include "tessera/cute/internal/exact_layout.h"

namespace tessera::cute {
namespace {

using Leaf = Layout::Leaf;
using Reason = CompositionRefusal::Reason;

// "(2,2):(14,107)" of modes that need not make a layout.
std::string DescribeModes(absl::Span<const Leaf> modes) {
  const auto join = [&](int64_t Leaf::*part) {
    std::string text =
        absl::StrJoin(modes, ",", [&](std::string* out, const Leaf& mode) {
          absl::StrAppend(out, mode.*part);
        });
    return modes.size() == 1 ? text : absl::StrCat("(", text, ")");
  };
  return absl::StrCat(join(&Leaf::size), ":", join(&Leaf::stride));
}

// Composes A with some leaves of B that are coordinates of it as a whole.
class Composer {
 public:
  Composer(absl::Span<const Leaf> a, const Layout& b,
           const CompositionOptions& options)
      : a_(ExtendedLeaves(a)),
        last_(a_.size() - 1),
        largest_digit_(a_.size(), 0),
        b_(b),
        options_(options) {}

  // Sets `modes` to the composition of A with leaf `index` of B.
  absl::Status Compose(size_t index, Layout::Leaves* modes);

  // Call it after the last leaf. Checks that the leaves, each of which is
  // correct on its own, are correct together.
  absl::Status CheckTogether() const;

 private:
  // Appends size:(stride * mode.stride). Returns false if that does not fit.
  static bool AppendProduct(int64_t size, int64_t stride, const Leaf& mode,
                            Layout::Leaves* modes) {
    int64_t product;
    if (__builtin_mul_overflow(stride, mode.stride, &product)) return false;
    modes->push_back({size, product, mode.basis});
    return true;
  }
  // Returns the composition with a leaf of size 1.
  Leaf UnitMode(int64_t stride) const;
  absl::Status StrideTooLarge(size_t index) const;

  // Decides whether the composition with leaf `index` is nevertheless a layout.
  // The rule does not admit it for `reason`: it has the stride `stride` in mode
  // `mode` of A, which first matters at `coordinate` of the leaf.
  absl::Status DecideExactly(size_t index, Reason reason, size_t mode,
                             int64_t stride, int64_t coordinate,
                             Layout::Leaves* modes);

  // Returns the value of A at `index`. Precondition: it fits; see ValuesFit.
  int64_t Value(int64_t index) const;
  // Returns whether all values of A up to index `last` fit into int64_t.
  bool ValuesFit(int64_t last) const;
  // Checks that the values of A are offsets, because only these are decided
  // exactly.
  absl::Status CheckDecidable(const CompositionRefusal& refusal) const;
  absl::Status Undecided(CompositionRefusal refusal, int64_t evaluations) const;

  // Returns the refusal for one leaf, at `coordinate` of it.
  CompositionRefusal RefusalInLeaf(Reason reason, size_t index,
                                   int64_t coordinate) const;
  // Sets the index, and returns the error.
  absl::Status Refuse(
      CompositionRefusal refusal,
      absl::StatusCode code = absl::StatusCode::kInvalidArgument,
      std::string_view rest = "") const;
  std::string Describe(const CompositionRefusal& refusal) const;
  std::string DescribeLeaf(size_t index) const;
  std::string DescribeMode(size_t mode) const;
  // Returns whether leaves of both signs can move a digit of A.
  bool HasBothSigns() const;
  // Returns the first mode of A in which the digits of the leaves at the
  // coordinate do not add up to those of `b_value`, the value of B there.
  size_t FirstModeThatCarries(absl::Span<const int64_t> coordinate,
                              int64_t b_value) const;
  // Returns the coordinate of B with `integer` for each leaf that can move a
  // digit of A.
  IntTuple::Values CoordinateWhere(
      absl::FunctionRef<int64_t(const Leaf&)> integer) const;
  // Returns the coordinate of B at which all leaves have their largest digits
  // in a mode of A.
  IntTuple::Values CoordinateOfLargestDigits(size_t mode) const;

  Layout::Leaves a_;
  size_t last_;
  // For each mode of A, the sum of the largest digits that leaves have in it.
  absl::InlinedVector<int64_t, 8> largest_digit_;
  // Leaves that can move a digit of A, and those of them that were decided
  // exactly. The others have their largest digits in all modes at their last
  // coordinate.
  absl::InlinedVector<size_t, 8> moving_;
  absl::InlinedVector<size_t, 8> decided_exactly_;
  const Layout& b_;
  const CompositionOptions& options_;
};

absl::Status Composer::Compose(size_t index, Layout::Leaves* modes) {
  modes->clear();
  int64_t size = b_.leaves()[index].size;
  int64_t stride = b_.leaves()[index].stride;
  if (stride == 0) {
    modes->push_back({size, 0, Basis()});
    return absl::OkStatus();
  }
  if (size == 1) {
    modes->push_back(UnitMode(stride));
    return absl::OkStatus();
  }
  if (last_ == 0) {
    return AppendProduct(size, stride, a_[0], modes) ? absl::OkStatus()
                                                     : StrideTooLarge(index);
  }
  // A(-x) is -A(x): the digits of a negative number are those of its magnitude.
  const int64_t sign = stride < 0 ? -1 : 1;
  stride *= sign;
  moving_.push_back(index);
  size_t i = 0;
  for (; i < last_ && stride >= a_[i].size; ++i) {
    const ShortDivision passed = DivideShort(stride, a_[i].size);
    if (passed.remainder != 0) {
      return DecideExactly(index, Reason::kStrideNotDivisible, i, sign * stride,
                           1, modes);
    }
    stride = passed.quotient;
  }
  for (; i < last_ && size > 1; ++i) {
    const int64_t available = a_[i].size;
    int64_t reach;
    if (!__builtin_mul_overflow(size - 1, stride, &reach) &&
        reach < available) {
      if (!AppendProduct(size, sign * stride, a_[i], modes)) {
        return StrideTooLarge(index);
      }
      largest_digit_[i] += reach;
      return absl::OkStatus();
    }
    const ShortDivision taken = DivideShort(available, stride);
    const int64_t count = taken.quotient;
    if (taken.remainder != 0) {
      return DecideExactly(index, Reason::kStrideDoesNotDivide, i,
                           sign * stride, count, modes);
    }
    const ShortDivision left = DivideShort(size, count);
    if (left.remainder != 0) {
      return DecideExactly(index, Reason::kCountDoesNotDivide, i, sign * stride,
                           count, modes);
    }
    if (!AppendProduct(count, sign * stride, a_[i], modes)) {
      return StrideTooLarge(index);
    }
    largest_digit_[i] += available - stride;
    size = left.quotient;
    stride = 1;
  }
  if (size > 1 && !AppendProduct(size, sign * stride, a_[last_], modes)) {
    return StrideTooLarge(index);
  }
  return absl::OkStatus();
}

Leaf Composer::UnitMode(int64_t stride) const {
  for (size_t i = 0; i < last_; ++i) {
    if (stride >= a_[i].size && stride % a_[i].size != 0) return Leaf();
    stride = stride < 0 ? -CeilOfRatio(-stride, a_[i].size)
                        : CeilOfRatio(stride, a_[i].size);
  }
  int64_t product;
  if (__builtin_mul_overflow(stride, a_[last_].stride, &product) ||
      product == std::numeric_limits<int64_t>::min()) {
    // No layout has that stride, and a mode of size 1 does not need one.
    return Leaf();
  }
  return {1, product, a_[last_].basis};
}

absl::Status Composer::StrideTooLarge(size_t index) const {
  return OutOfRangeError("a stride of A o B exceeds int64_t in ",
                         DescribeLeaf(index));
}

absl::Status Composer::DecideExactly(size_t index, Reason reason, size_t mode,
                                     int64_t stride, int64_t coordinate,
                                     Layout::Leaves* modes) {
  const Leaf& leaf = b_.leaves()[index];
  CompositionRefusal refusal = RefusalInLeaf(reason, index, coordinate);
  refusal.mode = mode;
  refusal.stride = stride;
  TESSERA_RETURN_IF_ERROR(CheckDecidable(refusal));
  bool is_saturated = false;
  if (leaf.size > options_.max_evaluations / 2) {
    // The values are evaluated twice.
    return Undecided(std::move(refusal),
                     SaturatingMultiply(leaf.size, 2, &is_saturated));
  }
  if (!ValuesFit((leaf.size - 1) * std::abs(leaf.stride))) {
    return OutOfRangeError("a value of A o B exceeds int64_t in ",
                           DescribeLeaf(index));
  }
  ExactLayout exact = FindExactLayout(
      leaf.size, [&](int64_t i) { return Value(i * leaf.stride); });
  if (exact.witness >= 0) {
    refusal = RefusalInLeaf(
        exact.run > 0 ? Reason::kRunDoesNotDivide : Reason::kOtherValue, index,
        exact.witness);
    refusal.value = exact.value;
    refusal.expected = exact.expected;
    refusal.run = exact.run;
    refusal.rest = exact.rest;
    if (exact.run == 0) refusal.modes = std::move(exact.modes);
    return Refuse(std::move(refusal));
  }
  *modes = exact.modes;
  absl::InlinedVector<int64_t, 8> largest(a_.size(), 0);
  for (int64_t i = 1; i < leaf.size; ++i) {
    int64_t rest = i * std::abs(leaf.stride);
    for (size_t k = 0; k < last_; ++k) {
      largest[k] = std::max(largest[k], rest % a_[k].size);
      rest /= a_[k].size;
    }
  }
  for (size_t k = 0; k < last_; ++k) largest_digit_[k] += largest[k];
  decided_exactly_.push_back(index);
  return absl::OkStatus();
}

absl::Status Composer::CheckTogether() const {
  if (moving_.size() < 2) return absl::OkStatus();
  CompositionRefusal refusal;
  if (HasBothSigns()) {
    refusal.reason = Reason::kOppositeSigns;
    refusal.coordinate = CoordinateWhere(
        [](const Leaf& leaf) { return leaf.stride < 0 ? 1 : leaf.size - 1; });
  } else {
    size_t carrying = 0;
    while (carrying < last_ && largest_digit_[carrying] < a_[carrying].size) {
      ++carrying;
    }
    if (carrying == last_) return absl::OkStatus();
    refusal.reason = Reason::kDigitsCarry;
    refusal.coordinate = CoordinateOfLargestDigits(carrying);
    refusal.mode = carrying;
    refusal.digit = largest_digit_[carrying];
  }
  TESSERA_RETURN_IF_ERROR(CheckDecidable(refusal));
  int64_t evaluations = 1;
  int64_t last_index = 0;
  for (const size_t index : moving_) {
    const Leaf& leaf = b_.leaves()[index];
    // A factor of a product that fits also fits.
    evaluations *= leaf.size;
    last_index += (leaf.size - 1) * std::abs(leaf.stride);
  }
  if (evaluations > options_.max_evaluations) {
    return Undecided(std::move(refusal), evaluations);
  }
  if (!ValuesFit(last_index)) {
    return Refuse(std::move(refusal), absl::StatusCode::kOutOfRange,
                  ": a value of A o B exceeds int64_t");
  }
  // Each leaf is correct if the others are 0, so a layout can only have the
  // sums.
  absl::InlinedVector<int64_t, 8> coordinate(b_.leaves().size(), 0);
  // Modulo 2^64, because the sum may not fit while a leaf returns to 0.
  uint64_t b_value = 0;
  while (true) {
    size_t k = 0;
    for (; k < moving_.size(); ++k) {
      const Leaf& leaf = b_.leaves()[moving_[k]];
      b_value += leaf.stride;
      if (++coordinate[moving_[k]] < leaf.size) break;
      b_value -= static_cast<uint64_t>(leaf.size) * leaf.stride;
      coordinate[moving_[k]] = 0;
    }
    if (k == moving_.size()) return absl::OkStatus();
    uint64_t sum = 0;
    for (const size_t index : moving_) {
      sum += Value(coordinate[index] * b_.leaves()[index].stride);
    }
    const int64_t value = Value(b_value);
    if (value == static_cast<int64_t>(sum)) continue;
    refusal.reason = Reason::kCarry;
    if (refusal.mode < 0) {
      refusal.mode = FirstModeThatCarries(coordinate, b_value);
    }
    refusal.coordinate.assign(coordinate.begin(), coordinate.end());
    refusal.value = value;
    refusal.expected = static_cast<int64_t>(sum);
    refusal.digit = 0;
    return Refuse(std::move(refusal));
  }
}

int64_t Composer::Value(int64_t index) const {
  uint64_t value = 0;
  uint64_t rest = index < 0 ? -static_cast<uint64_t>(index) : index;
  for (size_t i = 0; i < last_; ++i) {
    const uint64_t size = a_[i].size;
    value += rest % size * a_[i].stride;
    rest /= size;
  }
  value += rest * a_[last_].stride;
  return static_cast<int64_t>(index < 0 ? -value : value);
}

bool Composer::HasBothSigns() const {
  bool has_negative = false;
  bool has_positive = false;
  for (const size_t index : moving_) {
    (b_.leaves()[index].stride < 0 ? has_negative : has_positive) = true;
  }
  return has_negative && has_positive;
}

size_t Composer::FirstModeThatCarries(absl::Span<const int64_t> coordinate,
                                      int64_t b_value) const {
  int64_t extent = 1;
  for (size_t k = 0; k < last_; ++k) {
    int64_t digits = 0;
    for (const size_t index : moving_) {
      digits +=
          coordinate[index] * b_.leaves()[index].stride / extent % a_[k].size;
    }
    if (digits != b_value / extent % a_[k].size) return k;
    extent *= a_[k].size;
  }
  return last_;
}

bool Composer::ValuesFit(int64_t last) const {
  int64_t rest = last;
  int64_t largest = 0;
  for (size_t i = 0; i < a_.size(); ++i) {
    const int64_t digit = i == last_ ? rest : std::min(rest, a_[i].size - 1);
    int64_t reach;
    if (__builtin_mul_overflow(digit, std::abs(a_[i].stride), &reach) ||
        __builtin_add_overflow(largest, reach, &largest)) {
      return false;
    }
    rest /= a_[i].size;
  }
  return true;
}

absl::Status Composer::CheckDecidable(const CompositionRefusal& refusal) const {
  for (const Leaf& mode : a_) {
    if (!mode.basis.is_none()) {
      return Refuse(refusal, absl::StatusCode::kUnimplemented,
                    "; strides of basis elements are not decided exactly");
    }
  }
  return absl::OkStatus();
}

absl::Status Composer::Undecided(CompositionRefusal refusal,
                                 int64_t evaluations) const {
  refusal.evaluations = evaluations;
  return Refuse(
      std::move(refusal), absl::StatusCode::kResourceExhausted,
      absl::StrCat("; whether a layout still equals A o B takes ", evaluations,
                   " values to decide, and max_evaluations is ",
                   options_.max_evaluations));
}

CompositionRefusal Composer::RefusalInLeaf(Reason reason, size_t index,
                                           int64_t coordinate) const {
  CompositionRefusal refusal;
  refusal.reason = reason;
  refusal.coordinate.resize(b_.leaves().size(), 0);
  refusal.coordinate[index] = coordinate;
  refusal.leaf = index;
  return refusal;
}

absl::Status Composer::Refuse(CompositionRefusal refusal, absl::StatusCode code,
                              std::string_view rest) const {
  for (size_t i = 0; i < refusal.coordinate.size(); ++i) {
    refusal.index += refusal.coordinate[i] * b_.leaves()[i].stride;
  }
  return CompositionRefusalError(refusal, StrCat(Describe(refusal), rest),
                                 code);
}

std::string Composer::Describe(const CompositionRefusal& refusal) const {
  const std::string coordinate =
      IntTuple(b_.profile(), refusal.coordinate).ToString();
  const auto objection = [&](std::string_view what) {
    return StrCat("in ", DescribeLeaf(refusal.leaf), ", the stride ",
                  refusal.stride, " in ", DescribeMode(refusal.mode), ", ",
                  what, ", at coordinate ", coordinate);
  };
  const auto value_in_leaf = [&] {
    return absl::StrCat("no layout equals A o B: in ",
                        DescribeLeaf(refusal.leaf), ", A(B) is ", refusal.value,
                        " at coordinate ", coordinate);
  };
  switch (refusal.reason) {
    case Reason::kOppositeSigns:
      return absl::StrCat(
          "strides of both signs move digits of A, which may carry: B is ",
          refusal.index, " at coordinate ", coordinate);
    case Reason::kRunDoesNotDivide:
      return absl::StrCat(value_in_leaf(), ", not ", refusal.expected,
                          ", which ends a run of ", refusal.run,
                          " equal steps; ", refusal.run, " does not divide ",
                          refusal.rest);
    case Reason::kOtherValue:
      return absl::StrCat(value_in_leaf(), ", where ",
                          DescribeModes(refusal.modes),
                          ", the only layout with the earlier values, gives ",
                          refusal.expected);
    case Reason::kCarry:
      return absl::StrCat("no layout equals A o B: at coordinate ", coordinate,
                          " A(B) is A(", refusal.index, ") = ", refusal.value,
                          ", but its values in each mode alone add up to ",
                          refusal.expected, "; the leaves of B carry out of ",
                          DescribeMode(refusal.mode));
    case Reason::kStrideNotDivisible:
      return objection("is not divisible by its size");
    case Reason::kStrideDoesNotDivide:
      return objection("does not divide its size");
    case Reason::kCountDoesNotDivide:
      return objection(
          "leaves a number of elements in it that does not divide the size of "
          "the leaf");
    case Reason::kDigitsCarry:
      break;
  }
  return absl::StrCat("the leaves of B together reach digit ", refusal.digit,
                      " in ", DescribeMode(refusal.mode),
                      ", and carry, at coordinate ", coordinate);
}

std::string Composer::DescribeLeaf(size_t index) const {
  const Leaf& leaf = b_.leaves()[index];
  return absl::StrCat(DescribeLeafOf(b_.profile(), index, "B"), ", ", leaf.size,
                      ":", leaf.stride, leaf.basis.ToString());
}

std::string Composer::DescribeMode(size_t mode) const {
  return absl::StrCat("mode ", mode, " of the coalesced A, ", a_[mode].size,
                      ":", a_[mode].stride, a_[mode].basis.ToString());
}

IntTuple::Values Composer::CoordinateWhere(
    absl::FunctionRef<int64_t(const Leaf&)> integer) const {
  IntTuple::Values values(b_.leaves().size(), 0);
  for (const size_t index : moving_) {
    values[index] = integer(b_.leaves()[index]);
  }
  return values;
}

IntTuple::Values Composer::CoordinateOfLargestDigits(size_t mode) const {
  IntTuple::Values values =
      CoordinateWhere([](const Leaf& leaf) { return leaf.size - 1; });
  int64_t extent = 1;
  for (size_t k = 0; k < mode; ++k) extent *= a_[k].size;
  for (const size_t index : decided_exactly_) {
    const Leaf& leaf = b_.leaves()[index];
    int64_t largest = -1;
    for (int64_t i = 0; i < leaf.size; ++i) {
      const int64_t digit = i * std::abs(leaf.stride) / extent % a_[mode].size;
      if (digit > largest) values[index] = i;
      largest = std::max(largest, digit);
    }
  }
  return values;
}

// Returns the part of A that the basis element of a leaf of B names.
absl::StatusOr<Subtree> PartOf(const Layout& a, const Leaf& leaf) {
  const Basis basis = leaf.basis;
  const Profile::Nodes& nodes = a.profile().nodes();
  ProfilePosition position;
  for (int level = 0; level < basis.depth(); ++level) {
    const uint32_t node = nodes[position.node];
    const int64_t rank = node == Profile::kLeaf ? 1 : node;
    if (basis.mode(level) >= rank) {
      const Layout part = a.Subtree(position, PastSubtree(nodes, position));
      return InvalidArgumentError("the basis element of ", leaf.size, ":",
                                  leaf.stride, basis.ToString(),
                                  " in B names no mode of A: ", part.ToString(),
                                  " has rank ", rank);
    }
    if (node == Profile::kLeaf) continue;
    ++position.node;
    for (int64_t k = 0; k < basis.mode(level); ++k) {
      position = PastSubtree(nodes, position);
    }
  }
  return Subtree{position, PastSubtree(nodes, position)};
}

// Composes each leaf of B with the mode of A that its basis element names.
absl::StatusOr<Layout> ComposeByBasis(const Layout& a, const Layout& b,
                                      const CompositionOptions& options) {
  std::vector<Layout::Leaves> modes(b.leaves().size());
  absl::flat_hash_map<Basis, std::vector<size_t>> leaves_of;
  // The first leaf of each basis element.
  std::vector<size_t> order;
  for (size_t i = 0; i < b.leaves().size(); ++i) {
    std::vector<size_t>& leaves = leaves_of[b.leaves()[i].basis];
    if (leaves.empty()) order.push_back(i);
    leaves.push_back(i);
  }
  for (const size_t first : order) {
    TESSERA_ASSIGN_OR_RETURN(const Subtree part, PartOf(a, b.leaves()[first]));
    Composer composer(
        absl::MakeConstSpan(a.leaves())
            .subspan(part.begin.leaf, part.end.leaf - part.begin.leaf),
        b, options);
    for (const size_t i : leaves_of[b.leaves()[first].basis]) {
      TESSERA_RETURN_IF_ERROR(composer.Compose(i, &modes[i]));
    }
    TESSERA_RETURN_IF_ERROR(composer.CheckTogether());
  }
  Layout::Builder builder;
  size_t leaf = 0;
  for (const uint32_t node : b.profile().nodes()) {
    if (node == Profile::kLeaf) {
      builder.AppendFlat(modes[leaf++]);
    } else {
      builder.Tuple(node);
    }
  }
  return std::move(builder).Build();
}

}  // namespace

absl::StatusOr<Layout> Composition(const Layout& a, const Layout& b,
                                   const CompositionOptions& options) {
  if (b.has_basis()) return ComposeByBasis(a, b, options);
  Composer composer(a.leaves(), b, options);
  Layout::Builder builder;
  Layout::Leaves modes;
  size_t leaf = 0;
  for (const uint32_t node : b.profile().nodes()) {
    if (node != Profile::kLeaf) {
      builder.Tuple(node);
      continue;
    }
    TESSERA_RETURN_IF_ERROR(composer.Compose(leaf++, &modes));
    builder.AppendFlat(modes);
  }
  TESSERA_RETURN_IF_ERROR(composer.CheckTogether());
  return std::move(builder).Build();
}

absl::StatusOr<Layout> Composition(const Layout& a, const Tiler& tiler,
                                   const CompositionOptions& options) {
  if (tiler.is_layout()) return Composition(a, tiler.layout(), options);
  Layout::Builder builder;
  TESSERA_RETURN_IF_ERROR(ForEachMode(
      a, tiler.profile().nodes(),
      [&](size_t node) { return tiler.GoesByMode(node); },
      RestOfModes::kDropped, &builder,
      [&](ProfilePosition position, const Subtree& mode, const ModePath&) {
        if (tiler.IsUnderscore(position)) {
          builder.Append(a, mode.begin, mode.end);
          return absl::OkStatus();
        }
        absl::StatusOr<Layout> part = Composition(
            a.Subtree(mode.begin, mode.end), tiler.LayoutAt(position), options);
        if (part.ok()) builder.Append(*part);
        return part.status();
      }));
  return std::move(builder).Build();
}

}  // namespace tessera::cute
