#include "tessera/cute/internal/layout_through.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "tessera/base/math/short_division.h"
#include "tessera/cute/algebra/coalesce.h"

namespace tessera::cute {
namespace {

using Numbers = absl::InlinedVector<int64_t, 8>;

// Sets a -= factor * b. Returns false if that does not fit.
bool SubtractMultiple(int64_t factor, int64_t b, int64_t* a) {
  // Half of the range, so that quotients and negatives stay within it.
  constexpr int64_t kLargest = int64_t{1} << 62;
  int64_t product;
  return !__builtin_mul_overflow(factor, b, &product) &&
         !__builtin_sub_overflow(*a, product, a) && *a <= kLargest &&
         *a >= -kLargest;
}

bool SubtractMultiple(int64_t factor, const Numbers& b, Numbers* a) {
  for (size_t i = 0; i < b.size(); ++i) {
    if (!SubtractMultiple(factor, b[i], &(*a)[i])) return false;
  }
  return true;
}

enum class Solvability { kSolvable, kUnsolvable, kTooLarge };

// The integers x that satisfy linear equations: one solution, and the
// directions in which there are others.
class IntegerSolutions {
 public:
  explicit IntegerSolutions(size_t unknowns) : one_(unknowns, 0) {
    for (size_t i = 0; i < unknowns; ++i) {
      directions_.emplace_back(unknowns, 0);
      directions_.back()[i] = 1;
    }
  }

  const Numbers& one() const { return one_; }

  // Adds the equation that the sum of coefficients[i] * x[i] is `value`.
  Solvability Add(const Numbers& coefficients, int64_t value) {
    int64_t missing = value;
    if (!SubtractProduct(coefficients, one_, &missing)) {
      return Solvability::kTooLarge;
    }
    // The negative of the change of the sum in each direction.
    Numbers changes(directions_.size(), 0);
    for (size_t i = 0; i < directions_.size(); ++i) {
      if (!SubtractProduct(coefficients, directions_[i], &changes[i])) {
        return Solvability::kTooLarge;
      }
    }
    // Euclid's algorithm, until one direction alone changes it.
    while (true) {
      size_t least = directions_.size();
      for (size_t i = 0; i < directions_.size(); ++i) {
        if (changes[i] != 0 &&
            (least == directions_.size() ||
             std::abs(changes[i]) < std::abs(changes[least])))
          least = i;
      }
      if (least == directions_.size()) {
        return missing == 0 ? Solvability::kSolvable : Solvability::kUnsolvable;
      }
      bool is_alone = true;
      for (size_t i = 0; i < directions_.size(); ++i) {
        if (i == least || changes[i] == 0) continue;
        const int64_t factor = changes[i] / changes[least];
        changes[i] %= changes[least];
        is_alone &= changes[i] == 0;
        if (!SubtractMultiple(factor, directions_[least], &directions_[i])) {
          return Solvability::kTooLarge;
        }
      }
      if (!is_alone) continue;
      if (missing % changes[least] != 0) return Solvability::kUnsolvable;
      if (!SubtractMultiple(missing / changes[least], directions_[least],
                            &one_)) {
        return Solvability::kTooLarge;
      }
      directions_.erase(directions_.begin() + least);
      return Solvability::kSolvable;
    }
  }

 private:
  static bool SubtractProduct(const Numbers& a, const Numbers& b,
                              int64_t* number) {
    for (size_t i = 0; i < a.size(); ++i) {
      if (!SubtractMultiple(a[i], b[i], number)) return false;
    }
    return true;
  }

  Numbers one_;
  std::vector<Numbers> directions_;
};

bool HasNegative(const Numbers& numbers) {
  return std::any_of(numbers.begin(), numbers.end(),
                     [](int64_t number) { return number < 0; });
}

class Search {
 public:
  Search(absl::Span<const LayoutPoint> points, int64_t max_steps)
      : points_(points), steps_left_(max_steps) {}

  LayoutThrough Run();

 private:
  enum class Outcome {
    kFound,   // and no stride is negative
    kGoesOn,  // a longer chain may do
    kDeadEnd,
    kDeadEndForLargerPrimesToo,
  };

  Outcome Try(const Numbers& sizes);
  bool IsPrime(int64_t number);
  // Sets the difference of the digits and the rest of point `i` from those of
  // the point before.
  void SetDifference(const Numbers& sizes, size_t i);
  static void MergeModes(const Numbers& sizes, IntegerSolutions* strides);
  std::optional<Layout> LayoutOf(const Numbers& sizes,
                                 const Numbers& strides) const;

  const absl::Span<const LayoutPoint> points_;
  int64_t steps_left_;
  bool is_decided_ = true;
  // A layout with negative strides, until one without is found.
  std::optional<Layout> found_;
  // The digits of the last point.
  Numbers digits_;
  Numbers difference_;
};

LayoutThrough Search::Run() {
  // The shorter chains first: their layouts are the simpler ones.
  std::deque<Numbers> pending;
  if (Try({}) != Outcome::kFound) pending.push_back({});
  while (!pending.empty()) {
    Numbers sizes = std::move(pending.front());
    pending.pop_front();
    int64_t largest = points_.back().coordinate;
    for (const int64_t size : sizes) largest /= size;
    Outcome outcome = Outcome::kGoesOn;
    for (int64_t prime = 2;
         prime <= largest && outcome != Outcome::kDeadEndForLargerPrimesToo;
         ++prime) {
      if (steps_left_ <= 0) return {found_, false};
      if (!IsPrime(prime)) continue;
      sizes.push_back(prime);
      outcome = Try(sizes);
      if (outcome == Outcome::kFound) return {found_, true};
      if (outcome == Outcome::kGoesOn) pending.push_back(sizes);
      sizes.pop_back();
    }
  }
  return {found_, is_decided_};
}

Search::Outcome Search::Try(const Numbers& sizes) {
  IntegerSolutions strides(sizes.size() + 1);
  for (const bool is_rest_the_same : {true, false}) {
    digits_.assign(sizes.size() + 1, 0);
    for (size_t i = 1; i < points_.size(); ++i) {
      if (steps_left_ <= 0) {
        is_decided_ = false;
        return Outcome::kDeadEnd;
      }
      SetDifference(sizes, i);
      if ((difference_.back() == 0) != is_rest_the_same) continue;
      int64_t step;
      if (__builtin_sub_overflow(points_[i].value, points_[i - 1].value,
                                 &step)) {
        is_decided_ = false;
        return Outcome::kDeadEnd;
      }
      switch (strides.Add(difference_, step)) {
        case Solvability::kSolvable:
          continue;
        case Solvability::kUnsolvable:
          break;
        case Solvability::kTooLarge:
          is_decided_ = false;
          break;
      }
      if (!is_rest_the_same) return Outcome::kGoesOn;
      // With a larger prime, the points before it are digits of the last mode
      // just the same.
      return digits_.back() == 0 ? Outcome::kDeadEndForLargerPrimesToo
                                 : Outcome::kDeadEnd;
    }
  }
  MergeModes(sizes, &strides);
  const bool is_plain = !HasNegative(strides.one());
  if (!found_.has_value() || is_plain) {
    std::optional<Layout> layout = LayoutOf(sizes, strides.one());
    if (!layout.has_value()) {
      is_decided_ = false;
      return Outcome::kGoesOn;
    }
    found_ = std::move(layout);
  }
  return is_plain ? Outcome::kFound : Outcome::kGoesOn;
}

// If the values do not determine it, a mode continues the one before it.
void Search::MergeModes(const Numbers& sizes, IntegerSolutions* strides) {
  for (size_t k = 0; k < sizes.size(); ++k) {
    Numbers equation(sizes.size() + 1, 0);
    equation[k] = sizes[k];
    equation[k + 1] = -1;
    IntegerSolutions merged = *strides;
    if (merged.Add(equation, 0) == Solvability::kSolvable &&
        !HasNegative(merged.one())) {
      *strides = std::move(merged);
    }
  }
}

bool Search::IsPrime(int64_t number) {
  for (int64_t i = 2; i * i <= number; ++i) {
    --steps_left_;
    if (number % i == 0) return false;
  }
  return true;
}

void Search::SetDifference(const Numbers& sizes, size_t i) {
  difference_.resize(digits_.size());
  steps_left_ -= static_cast<int64_t>(digits_.size());
  int64_t rest = points_[i].coordinate;
  for (size_t k = 0; k < digits_.size(); ++k) {
    int64_t digit = rest;
    if (k < sizes.size()) {
      const ShortDivision division = DivideShort(rest, sizes[k]);
      digit = division.remainder;
      rest = division.quotient;
    }
    difference_[k] = digit - digits_[k];
    digits_[k] = digit;
  }
}

std::optional<Layout> Search::LayoutOf(const Numbers& sizes,
                                       const Numbers& strides) const {
  Layout::Leaves leaves;
  int64_t rest = points_.back().coordinate;
  for (size_t k = 0; k < sizes.size(); ++k) {
    leaves.push_back({sizes[k], strides[k], Basis()});
    rest /= sizes[k];
  }
  leaves.push_back({rest + 1, strides.back(), Basis()});
  Layout::Builder builder;
  builder.AppendFlat(CoalescedLeaves(leaves));
  absl::StatusOr<Layout> layout = std::move(builder).Build();
  if (!layout.ok()) return std::nullopt;
  return *std::move(layout);
}

}  // namespace

LayoutThrough FindLayoutThrough(absl::Span<const LayoutPoint> points,
                                int64_t max_steps) {
  return Search(points, max_steps).Run();
}

}  // namespace tessera::cute
