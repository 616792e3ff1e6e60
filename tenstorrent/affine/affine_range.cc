#include "tessera/tenstorrent/affine/affine_range.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/math/floor_division.h"
#include "tessera/base/math/status_macros.h"
#include "tessera/base/text/absl_view.h"

namespace tessera::tenstorrent {
namespace {

using Kind = AffineNode::Kind;

absl::Status RangeTooLarge() {
  return absl::OutOfRangeError("the range exceeds 2^63-1");
}

// One bit for each dimension.
class DimSet {
 public:
  void Insert(int64_t dim) {
    const size_t word = dim / 64;
    if (words_.size() <= word) words_.resize(word + 1);
    words_[word] |= uint64_t{1} << (dim % 64);
  }
  bool empty() const { return words_.empty(); }

  DimSet& operator|=(const DimSet& other) {
    if (words_.size() < other.words_.size()) words_.resize(other.words_.size());
    for (size_t i = 0; i < other.words_.size(); ++i) {
      words_[i] |= other.words_[i];
    }
    return *this;
  }

  friend DimSet operator&(const DimSet& a, const DimSet& b) {
    DimSet both;
    for (size_t i = 0; i < std::min(a.words_.size(), b.words_.size()); ++i) {
      const uint64_t word = a.words_[i] & b.words_[i];
      if (word == 0) continue;
      both.words_.resize(i + 1);
      both.words_[i] = word;
    }
    return both;
  }

 private:
  // The last word is not 0.
  absl::InlinedVector<uint64_t, 1> words_;
};

// The dimensions with which a value grows, and those with which it falls. A
// dimension without a monotonic effect is in both.
struct Slopes {
  DimSet up;
  DimSet down;
};

// coefficient * d<dim>, or coefficient * a quotient or remainder.
struct RangeTerm {
  static constexpr int64_t kNoDim = -1;

  int64_t dim;
  int64_t coefficient;
  // The range of the multiplied value.
  AffineRange range;
  Slopes slopes;
};

// Quotients and remainders are kept separate; terms of the same dimension are
// combined.
struct Sum {
  int64_t constant = 0;
  absl::InlinedVector<RangeTerm, 4> terms;
};

AffineRange Point(int64_t value) { return {value, value, 0, true, true}; }

absl::Status AddTo(int64_t addend, int64_t* sum) {
  return __builtin_add_overflow(*sum, addend, sum) ? RangeTooLarge()
                                                   : absl::OkStatus();
}

absl::Status MultiplyBy(int64_t factor, int64_t* product) {
  return __builtin_mul_overflow(*product, factor, product) ? RangeTooLarge()
                                                           : absl::OkStatus();
}

absl::Status Merge(Sum* sum, Sum&& other) {
  absl::Status status = AddTo(other.constant, &sum->constant);
  for (RangeTerm& term : other.terms) {
    if (!status.ok()) return status;
    RangeTerm* const same = std::find_if(
        sum->terms.begin(), sum->terms.end(),
        [&term](const RangeTerm& candidate) {
          return term.dim != RangeTerm::kNoDim && candidate.dim == term.dim;
        });
    if (same == sum->terms.end()) {
      sum->terms.push_back(std::move(term));
      continue;
    }
    status = AddTo(term.coefficient, &same->coefficient);
    if (same->coefficient == 0) sum->terms.erase(same);
  }
  return status;
}

absl::Status Scale(int64_t factor, Sum* sum) {
  if (factor == 0) {
    *sum = Sum();
    return absl::OkStatus();
  }
  absl::Status status = MultiplyBy(factor, &sum->constant);
  for (RangeTerm& term : sum->terms) {
    if (!status.ok()) break;
    status = MultiplyBy(factor, &term.coefficient);
  }
  return status;
}

absl::Status Scale(int64_t factor, AffineRange* range) {
  if (__builtin_mul_overflow(range->min, factor, &range->min) ||
      __builtin_mul_overflow(range->max, factor, &range->max) ||
      __builtin_mul_overflow(range->step, factor, &range->step) ||
      range->step == std::numeric_limits<int64_t>::min()) {
    return RangeTooLarge();
  }
  if (factor < 0) {
    std::swap(range->min, range->max);
    range->step = -range->step;
  }
  return absl::OkStatus();
}

// Returns whether sums of one value from each part include every multiple of
// the smallest step. Sorts the parts. Precondition: no part is a point.
bool LeaveNoGap(absl::InlinedVector<AffineRange, 4>* parts) {
  std::sort(parts->begin(), parts->end(),
            [](const AffineRange& a, const AffineRange& b) {
              return a.step < b.step;
            });
  const int64_t step = parts->front().step;
  int64_t reach = 0;
  for (const AffineRange& part : *parts) {
    if (!part.is_complete || part.step % step != 0 ||
        part.step - step > reach) {
      return false;
    }
    reach += part.max - part.min;
  }
  return true;
}

// Stores the range of `sum`, and its slopes. Precondition: *slopes is empty.
absl::Status Total(const Sum& sum, AffineRange* range, Slopes* slopes) {
  *range = Point(sum.constant);
  DimSet seen;
  DimSet shared;
  absl::InlinedVector<AffineRange, 4> parts;
  for (const RangeTerm& term : sum.terms) {
    AffineRange part = term.range;
    const absl::Status status = Scale(term.coefficient, &part);
    if (!status.ok() || !AddTo(part.min, &range->min).ok() ||
        !AddTo(part.max, &range->max).ok()) {
      return RangeTooLarge();
    }
    range->step = std::gcd(range->step, part.step);
    range->is_exact = range->is_exact && part.is_exact;
    parts.push_back(part);
    const bool is_falling = term.coefficient < 0;
    const DimSet& up = is_falling ? term.slopes.down : term.slopes.up;
    const DimSet& down = is_falling ? term.slopes.up : term.slopes.down;
    slopes->up |= up;
    slopes->down |= down;
    DimSet dims = up;
    dims |= down;
    shared |= seen & dims;
    seen |= dims;
  }
  if (parts.empty()) return absl::OkStatus();
  int64_t width;
  if (__builtin_sub_overflow(range->max, range->min, &width))
    return RangeTooLarge();
  range->is_exact =
      range->is_exact && (shared & slopes->up & slopes->down).empty();
  range->is_complete = shared.empty() && LeaveNoGap(&parts);
  return absl::OkStatus();
}

// Returns the range of quotients of `dividend`, rounded down or up.
AffineRange Quotients(const AffineRange& dividend, int64_t divisor, bool down) {
  const auto divide = [=](int64_t value) {
    return down ? FloorOfRatio(value, divisor) : CeilOfRatio(value, divisor);
  };
  const int64_t min = divide(dividend.min);
  const int64_t max = divide(dividend.max);
  if (min == max) return Point(min);
  if (dividend.step % divisor == 0) {
    return {min, max, dividend.step / divisor, dividend.is_exact,
            dividend.is_complete};
  }
  return {min, max, 1, dividend.is_exact,
          dividend.is_complete && dividend.step < divisor};
}

// Returns the range of remainders of `dividend`, which is not a point.
AffineRange Remainders(const AffineRange& dividend, int64_t divisor,
                       Slopes* slopes) {
  const int64_t quotient = FloorOfRatio(dividend.min, divisor);
  if (quotient == FloorOfRatio(dividend.max, divisor)) {
    AffineRange range = dividend;
    range.min = FloorRemainder(dividend.min, divisor);
    range.max = FloorRemainder(dividend.max, divisor);
    return range;
  }
  // Adding the step repeatedly goes through all remainders of this form before
  // it returns to the first.
  const int64_t step = std::gcd(dividend.step, divisor);
  const int64_t min = FloorRemainder(dividend.min, step);
  const int64_t max = divisor - step + min;
  if (min == max) return Point(min);
  slopes->up |= slopes->down;
  slopes->down = slopes->up;
  const bool is_complete =
      dividend.is_complete &&
      (dividend.max - dividend.min) / dividend.step >= divisor / step - 1;
  // Steps that divide the divisor reach both sides of the multiple of it that
  // lies within.
  const bool is_exact =
      is_complete || (dividend.is_complete && step == dividend.step);
  return {min, max, step, is_exact, is_complete};
}

absl::Status Divide(Kind operation, int64_t divisor, Sum* sum) {
  if (divisor < 1) {
    return InvalidArgumentError("a divisor is ", divisor,
                                "; expected at least 1");
  }
  RangeTerm term = {RangeTerm::kNoDim, 1, {}, {}};
  TESSERA_RETURN_IF_ERROR(Total(*sum, &term.range, &term.slopes));
  if (operation != Kind::kMod) {
    term.range =
        Quotients(term.range, divisor, /*down=*/operation == Kind::kFloorDiv);
  } else if (term.range.min == term.range.max) {
    term.range = Point(FloorRemainder(term.range.min, divisor));
  } else {
    term.range = Remainders(term.range, divisor, &term.slopes);
  }
  *sum = Sum();
  if (term.range.min == term.range.max) {
    sum->constant = term.range.min;
  } else {
    sum->terms.push_back(std::move(term));
  }
  return absl::OkStatus();
}

Sum SumOf(const AffineNode& operand, absl::Span<const int64_t> bounds,
          absl::Span<const int64_t> symbols) {
  Sum sum;
  if (operand.kind == Kind::kConstant) {
    sum.constant = operand.value;
  } else if (operand.kind == Kind::kSymbol) {
    sum.constant = symbols[operand.value];
  } else if (bounds[operand.value] > 1) {
    RangeTerm term = {
        operand.value, 1, {0, bounds[operand.value] - 1, 1, true, true}, {}};
    term.slopes.up.Insert(operand.value);
    sum.terms.push_back(std::move(term));
  }
  return sum;
}

}  // namespace

absl::StatusOr<AffineRange> RangeOf(const AffineExpression& expression,
                                    absl::Span<const int64_t> bounds,
                                    absl::Span<const int64_t> symbols) {
  for (size_t i = 0; i < bounds.size(); ++i) {
    if (bounds[i] < 1) {
      return InvalidArgumentError("bound[", i, "] = ", bounds[i],
                                  ": there is no index below it");
    }
  }
  absl::InlinedVector<Sum, 4> sums;
  for (const AffineNode& node : expression.nodes()) {
    if (node.is_operand()) {
      sums.push_back(SumOf(node, bounds, symbols));
      continue;
    }
    Sum second = std::move(sums.back());
    sums.pop_back();
    Sum* const first = &sums.back();
    TESSERA_RETURN_IF_ERROR(node.kind == Kind::kAdd
                                ? Merge(first, std::move(second))
                            : node.kind == Kind::kMultiply
                                ? Scale(second.constant, first)
                                : Divide(node.kind, second.constant, first));
  }
  AffineRange range;
  Slopes slopes;
  TESSERA_RETURN_IF_ERROR(Total(sums.back(), &range, &slopes));
  return range;
}

absl::StatusOr<std::vector<AffineRange>> RangesOf(
    const AffineMap& map, absl::Span<const int64_t> bounds,
    absl::Span<const int64_t> symbols) {
  if (static_cast<int64_t>(bounds.size()) != map.num_dims() ||
      static_cast<int64_t>(symbols.size()) != map.num_symbols()) {
    return InvalidArgumentError("expected ", map.num_dims(), " bounds and ",
                                map.num_symbols(), " symbols, found ",
                                bounds.size(), " and ", symbols.size());
  }
  std::vector<AffineRange> ranges;
  for (int64_t i = 0; i < map.num_results(); ++i) {
    const absl::StatusOr<AffineRange> range =
        RangeOf(map.result(i), bounds, symbols);
    if (!range.ok()) {
      return absl::Status(
          range.status().code(),
          absl::StrCat("result[", i, "]: ", range.status().message()));
    }
    ranges.push_back(*range);
  }
  return ranges;
}

}  // namespace tessera::tenstorrent
