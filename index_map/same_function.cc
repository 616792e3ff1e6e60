// f and g are equal iff they are equal at 0 and on every component. A component
// is a set of dimensions that no source of either map crosses; all other
// dimensions are 0 on it. If no computed source touches a component, both maps
// are in normal form on it. On the other components, values are compared.
//
// A swizzle on both sides can be removed. Different swizzles mix the
// dimensions, and only all dimensions together are a component.

#include "tessera/index_map/same_function.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/base/text/absl_view.h"

namespace tessera {
namespace {

// Groups dimensions into components.
class Components {
 public:
  explicit Components(int64_t rank) : parent_(rank), touched_(rank) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }

  // Joins the dimensions of every source that the terms of `map` need.
  void AddComputedSourcesOf(const IndexMap& map) {
    // One dimension represents all dimensions of a source after they are
    // joined.
    std::vector<int64_t> representative(map.sources().size(), -1);
    for (int64_t i = 0; i < map.rank(); ++i) representative[i] = i;
    for (const int32_t i : map.computed_sources()) {
      for (const IndexMap::Piece& piece : map.sources()[i].pieces) {
        const int64_t dimension = representative[piece.source];
        if (dimension < 0) continue;
        touched_[Find(dimension)] = true;
        representative[i] = representative[i] < 0
                                ? dimension
                                : Join(representative[i], dimension);
      }
    }
  }

  bool IsTouched(int64_t dimension) { return touched_[Find(dimension)]; }

  // The touched components, each a list of dimensions.
  std::vector<std::vector<int64_t>> Touched() {
    std::vector<std::vector<int64_t>> lists(parent_.size());
    for (size_t i = 0; i < parent_.size(); ++i) {
      if (IsTouched(i)) lists[Find(i)].push_back(i);
    }
    lists.erase(
        std::remove_if(lists.begin(), lists.end(),
                       [](const std::vector<int64_t>& l) { return l.empty(); }),
        lists.end());
    return lists;
  }

 private:
  int64_t Find(int64_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  int64_t Join(int64_t a, int64_t b) {
    a = Find(a);
    b = Find(b);
    touched_[a] = touched_[a] || touched_[b];
    parent_[b] = a;
    return a;
  }

  std::vector<int64_t> parent_;
  std::vector<bool> touched_;
};

// The terms of the dimensions that no computed source touches.
std::vector<IndexMap::Term> UntouchedTerms(const IndexMap& map,
                                           Components& components) {
  std::vector<IndexMap::Term> terms;
  for (const IndexMap::Term& term : map.terms()) {
    if (term.source < map.rank() && !components.IsTouched(term.source)) {
      terms.push_back(term);
    }
  }
  return terms;
}

std::optional<int64_t> LeastCommonMultiple(int64_t a,
                                           std::optional<int64_t> b) {
  if (!b.has_value()) return std::nullopt;
  return CheckedMultiply(a / std::gcd(a, *b), *b);
}

// Multiplies into `*period` until f(x + period) - f(x) is the same for every x,
// f being `map` along `dimension`. Returns false if there is none or it is too
// large.
bool ExtendPeriod(const IndexMap& map, int64_t dimension, int64_t* period) {
  auto extend = [period](std::optional<int64_t> multiple) {
    const std::optional<int64_t> extended =
        LeastCommonMultiple(*period, multiple);
    if (extended.has_value()) *period = *extended;
    return extended.has_value();
  };
  for (const IndexMap::Term& term : map.terms()) {
    if (term.source == dimension && !extend(term.divisor)) return false;
  }
  for (const IndexMap::Source& source : map.sources()) {
    for (const IndexMap::Piece& piece : source.pieces) {
      if (piece.source != dimension) continue;
      if (piece.modulus == 0) return false;
      if (!extend(CheckedMultiply(piece.divisor, piece.modulus))) return false;
    }
  }
  return true;
}

// Compares the maps for indices whose entries are below their limits. `what` is
// part of the error text.
absl::StatusOr<bool> SameBelow(const IndexMap& a, const IndexMap& b,
                               absl::Span<const int64_t> limits,
                               std::string_view what,
                               const SameFunctionOptions& options) {
  const std::optional<int64_t> evaluations = CheckedProduct(limits);
  if (!evaluations.has_value() || *evaluations > options.evaluation_limit) {
    return ResourceExhaustedError(
        "comparing the two maps ", what, " takes ",
        evaluations.has_value() ? absl::StrCat(*evaluations)
                                : std::string("more than 2^63-1"),
        " evaluations; the limit is ", options.evaluation_limit);
  }
  absl::InlinedVector<int64_t, 6> index(a.rank(), 0);
  while (true) {
    if (a.LinearIndexUnchecked(index) != b.LinearIndexUnchecked(index)) {
      return false;
    }
    size_t i = index.size();
    while (i > 0 && ++index[i - 1] == limits[i - 1]) index[--i] = 0;
    if (i == 0) return true;
  }
}

// Compares the maps for indices that are 0 except in `dimensions`.
absl::StatusOr<bool> SameAlong(const IndexMap& a, const IndexMap& b,
                               const std::vector<int64_t>& dimensions,
                               const SameFunctionOptions& options) {
  std::vector<int64_t> limits(a.rank(), 1);
  for (int64_t dimension : dimensions) {
    limits[dimension] = a.bounds()[dimension];
  }
  if (dimensions.size() == 1) {
    // If the two are equal on [0, period], they also agree on the step from one
    // period to the next, and so everywhere.
    int64_t period = 1;
    int64_t& limit = limits[dimensions[0]];
    if (ExtendPeriod(a, dimensions[0], &period) &&
        ExtendPeriod(b, dimensions[0], &period) && period < limit) {
      limit = period + 1;
    }
  }
  return SameBelow(
      a, b, limits,
      absl::StrCat("along ", dimensions.size(), " joined dimensions"), options);
}

// Compares the maps for indices in which one coordinate is a power of two.
bool SameAtPowersOfTwo(const IndexMap& a, const IndexMap& b) {
  absl::InlinedVector<int64_t, 6> index(a.rank(), 0);
  for (int64_t i = 0; i < a.rank(); ++i) {
    for (uint64_t x = 1; x < static_cast<uint64_t>(a.bounds()[i]); x *= 2) {
      index[i] = static_cast<int64_t>(x);
      if (a.LinearIndexUnchecked(index) != b.LinearIndexUnchecked(index)) {
        return false;
      }
    }
    index[i] = 0;
  }
  return true;
}

}  // namespace

absl::StatusOr<bool> SameFunction(const IndexMap& a, const IndexMap& b,
                                  const SameFunctionOptions& options) {
  if (a.bounds() != b.bounds()) return false;
  if (a.element_count() == 0) return true;
  if (a.swizzle() != b.swizzle()) {
    if (!SameAtPowersOfTwo(a, b)) return false;
    return SameBelow(a, b, a.bounds(), "of different swizzles", options);
  }
  const absl::InlinedVector<int64_t, 6> zeros(a.rank(), 0);
  if (a.LinearIndexUnchecked(zeros) != b.LinearIndexUnchecked(zeros)) {
    return false;
  }
  if (a.is_separable() && b.is_separable()) return a.terms() == b.terms();
  if (a.sources() == b.sources() && a.terms() == b.terms()) return true;

  if (!SameAtPowersOfTwo(a, b)) return false;

  Components components(a.rank());
  components.AddComputedSourcesOf(a);
  components.AddComputedSourcesOf(b);
  if (UntouchedTerms(a, components) != UntouchedTerms(b, components)) {
    return false;
  }
  for (const std::vector<int64_t>& dimensions : components.Touched()) {
    absl::StatusOr<bool> same = SameAlong(a, b, dimensions, options);
    if (!same.ok() || !*same) return same;
  }
  return true;
}

}  // namespace tessera
