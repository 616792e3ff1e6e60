// Derives the kind and the normal form of a map from its digits.
//
// The normal form is reached from the last source down to the dimensions: the
// terms of a later source, floor(v / D) of a sum v of pieces, are pushed down
// to its pieces if every multiplier is a multiple of D or divides it. Other
// terms stay, and the source is computed at each call.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "tessera/base/math/checked_arithmetic.h"
#include "tessera/index_map/internal/compiled_map.h"

namespace tessera::index_map_internal {
namespace {

using Digit = MapStructure::Digit;
using Piece = MapStructure::Piece;
using Source = MapStructure::Source;
using Term = MapStructure::Term;

// Returns the number of values that a piece can have.
int64_t ValuesOf(const Piece& piece, absl::Span<const Source> sources) {
  return piece.modulus != 0
             ? piece.modulus
             : CeilOfRatio(sources[piece.source].bound, piece.divisor);
}

// -- The normal form ---------------------------------------------------------

// The term coefficient * (source div divisor) of a known source.
struct Quotient {
  int64_t divisor;
  uint64_t coefficient;
};
using Quotients = absl::InlinedVector<Quotient, 4>;

// Sorts by divisor and adds up terms with the same divisor.
void Normalize(Quotients* quotients) {
  std::sort(quotients->begin(), quotients->end(),
            [](const Quotient& a, const Quotient& b) {
              return a.divisor < b.divisor;
            });
  size_t kept = 0;
  for (size_t i = 0; i < quotients->size(); ++i) {
    const Quotient quotient = (*quotients)[i];
    if (kept > 0 && (*quotients)[kept - 1].divisor == quotient.divisor) {
      (*quotients)[kept - 1].coefficient += quotient.coefficient;
    } else {
      (*quotients)[kept++] = quotient;
    }
  }
  quotients->resize(kept);
}

// The terms of every source, while they are being brought into normal form.
class TermTable {
 public:
  explicit TermTable(absl::Span<const Source> sources)
      : sources_(sources), quotients_(sources.size()) {}

  // Adds coefficient * ((source div divisor) mod modulus), where modulus 0
  // means that no remainder is taken.
  void AddDigit(int32_t source, int64_t divisor, int64_t modulus,
                uint64_t coefficient) {
    AddQuotient(source, divisor, coefficient);
    if (modulus != 0) {
      AddQuotient(source, CheckedMultiply(divisor, modulus),
                  -coefficient * static_cast<uint64_t>(modulus));
    }
  }

  // Moves the terms of `source` to its pieces if that is exact.
  void PushDown(int32_t source) {
    Quotients all = std::exchange(quotients_[source], {});
    Normalize(&all);
    Quotients kept;
    for (const Quotient& quotient : all) {
      if (!PushDown(sources_[source], quotient)) kept.push_back(quotient);
    }
    quotients_[source] = std::move(kept);
  }

  // The contribution of the offsets of sources.
  uint64_t constant() const { return constant_; }

  absl::InlinedVector<Term, 8> Take() {
    absl::InlinedVector<Term, 8> all;
    for (size_t i = 0; i < quotients_.size(); ++i) {
      Normalize(&quotients_[i]);
      for (const Quotient& quotient : quotients_[i]) {
        if (quotient.coefficient == 0) continue;
        all.emplace_back();
        all.back().source = static_cast<int32_t>(i);
        all.back().divisor = quotient.divisor;
        all.back().coefficient = quotient.coefficient;
      }
    }
    return all;
  }

 private:
  // Adds coefficient * (source div divisor).
  void AddQuotient(int32_t source, std::optional<int64_t> divisor,
                   uint64_t coefficient) {
    // A quotient by the bound or more is 0.
    if (!divisor.has_value() || *divisor >= sources_[source].bound) return;
    quotients_[source].push_back({*divisor, coefficient});
  }

  bool PushDown(const Source& source, const Quotient& term) {
    const absl::Span<const Piece> pieces = source.pieces;
    // The pieces that the division leaves whole; multipliers decrease.
    size_t whole = 0;
    while (whole < pieces.size() &&
           pieces[whole].multiplier % term.divisor == 0) {
      ++whole;
    }
    if (whole < pieces.size() && (source.offset % term.divisor != 0 ||
                                  !AddCut(pieces.subspan(whole), term))) {
      return false;
    }
    for (const Piece& piece : pieces.subspan(0, whole)) {
      AddDigit(piece.source, piece.divisor, piece.modulus,
               term.coefficient *
                   static_cast<uint64_t>(piece.multiplier / term.divisor));
    }
    constant_ +=
        term.coefficient * static_cast<uint64_t>(source.offset / term.divisor);
    return true;
  }

  // Adds the quotient of the remaining sum of `pieces`, if it is 0 or a digit
  // of the first piece. Returns false if it is neither.
  bool AddCut(absl::Span<const Piece> pieces, const Quotient& term) {
    const std::optional<int64_t> reach = ReachOf(pieces);
    if (reach.has_value() && *reach < term.divisor) return true;
    const Piece& piece = pieces.front();
    const std::optional<int64_t> rest = ReachOf(pieces.subspan(1));
    if (!rest.has_value() || *rest >= piece.multiplier) return false;
    if (term.divisor % piece.multiplier != 0) return false;
    const int64_t divisor = term.divisor / piece.multiplier;
    if (piece.modulus % divisor != 0) return false;
    // ((x div D) mod M) div q = (x div D*q) mod (M/q) where q divides M.
    const std::optional<int64_t> whole =
        CheckedMultiply(piece.divisor, divisor);
    if (whole.has_value()) {
      AddDigit(piece.source, *whole, piece.modulus / divisor, term.coefficient);
    }
    return true;
  }

  // The largest sum of `pieces`.
  std::optional<int64_t> ReachOf(absl::Span<const Piece> pieces) const {
    std::optional<int64_t> reach = 0;
    for (const Piece& piece : pieces) {
      const std::optional<int64_t> more =
          CheckedMultiply(ValuesOf(piece, sources_) - 1, piece.multiplier);
      if (!more.has_value() || !reach.has_value()) return std::nullopt;
      reach = CheckedAdd(*reach, *more);
    }
    return reach;
  }

  absl::Span<const Source> sources_;
  absl::InlinedVector<Quotients, 6> quotients_;
  uint64_t constant_ = 0;
};

// Determines the digit of each term. Its stride includes the amount that the
// previous digits of the source would continue to add.
void FindDigits(absl::Span<Term> terms) {
  for (size_t i = 0; i < terms.size(); ++i) {
    Term& term = terms[i];
    term.stride = static_cast<int64_t>(term.coefficient);
    if (i == 0 || terms[i - 1].source != term.source) continue;
    Term& last = terms[i - 1];
    if (term.divisor % last.divisor != 0) continue;
    last.modulus = term.divisor / last.divisor;
    term.stride = static_cast<int64_t>(term.coefficient +
                                       static_cast<uint64_t>(last.stride) *
                                           static_cast<uint64_t>(last.modulus));
  }
}

void FindNormalForm(MapStructure* map) {
  map->terms.clear();
  map->computed_sources.clear();
  map->constant = static_cast<uint64_t>(map->base);
  if (map->element_count == 0) return;
  TermTable table(map->sources);
  for (const Digit& digit : map->digits) {
    table.AddDigit(digit.source, digit.divisor, digit.modulus,
                   static_cast<uint64_t>(digit.stride));
  }
  for (size_t i = map->sources.size(); i-- > map->bounds.size();) {
    table.PushDown(static_cast<int32_t>(i));
  }
  map->constant += table.constant();
  map->terms = table.Take();
  FindDigits(absl::MakeSpan(map->terms));

  if (map->sources.size() == map->bounds.size()) return;
  std::vector<bool> needed(map->sources.size());
  for (const Term& term : map->terms) needed[term.source] = true;
  for (size_t i = map->sources.size(); i-- > map->bounds.size();) {
    if (!needed[i]) continue;
    map->computed_sources.push_back(static_cast<int32_t>(i));
    for (const Piece& piece : map->sources[i].pieces) {
      needed[piece.source] = true;
    }
  }
  std::reverse(map->computed_sources.begin(), map->computed_sources.end());
}

// -- The kind ----------------------------------------------------------------

// A digit of a source that a digit of the position or a piece of a later source
// determines.
struct DigitOfSource {
  int32_t source;
  int64_t divisor;
  int64_t modulus;
  bool* repeats;
};

// Returns whether `digits` contains the digits of a mixed radix that reaches
// `bound`. They are of one source, by increasing divisor, and for equal
// divisors by decreasing modulus. Marks the other digits.
bool ReachesBound(absl::Span<const DigitOfSource> digits, int64_t bound) {
  std::optional<int64_t> reached = 1;
  for (const DigitOfSource& digit : digits) {
    *digit.repeats = false;
    if (digit.modulus == 1) continue;  // always 0
    if (!reached.has_value() || *reached > digit.divisor) {
      *digit.repeats = true;
      continue;
    }
    if (reached != digit.divisor) {
      // Past the bound, any value but 0 makes padding.
      if (*reached >= bound) continue;
      return false;
    }
    reached = CheckedMultiply(digit.divisor, digit.modulus);
  }
  return !reached.has_value() || *reached >= bound;
}

// Returns whether `source`, whose pieces can be read off again, may have a
// value that no combination of them gives, regardless of the bounds of their
// sources.
bool HasGaps(const Source& source) {
  const auto& pieces = source.pieces;
  if (source.offset != 0) return true;
  if (pieces.empty()) return false;
  for (size_t i = 1; i < pieces.size(); ++i) {
    if (pieces[i].modulus != 0 &&
        pieces[i - 1].multiplier != pieces[i].multiplier * pieces[i].modulus) {
      return true;
    }
  }
  return pieces.back().multiplier != 1;
}

// Returns the kind of a map whose digits determine its sources. `contiguous`:
// no value of a source is skipped.
MapStructure::Kind KindByStrides(const MapStructure& map, bool contiguous) {
  using Kind = MapStructure::Kind;
  // The largest sum of the digits after it is less than a stride.
  int64_t reach = 0;
  for (size_t i = map.digits.size(); i-- > 0;) {
    const Digit& digit = map.digits[i];
    const int64_t unit = static_cast<int64_t>(digit.unit());
    if (unit <= reach) return Kind::kGeneral;
    contiguous = contiguous && digit.stride == reach + 1;
    reach += (digit.modulus - 1) * unit;
  }
  return contiguous && map.tail_begin == reach + 1 ? Kind::kMixedRadix
                                                   : Kind::kInjective;
}

// Also marks the digits and pieces that repeat others.
MapStructure::Kind ClassifyKind(MapStructure* map) {
  using Kind = MapStructure::Kind;
  map->has_repeats = false;
  if (map->element_count == 0) return Kind::kMixedRadix;
  absl::InlinedVector<DigitOfSource, 16> told;
  for (Digit& digit : map->digits) {
    told.push_back(
        {digit.source, digit.divisor, digit.modulus, &digit.repeats});
  }
  // The largest sum of the pieces after it is less than a multiplier.
  bool contiguous = map->base == 0;
  for (size_t s = map->bounds.size(); s < map->sources.size(); ++s) {
    Source& source = map->sources[s];
    int64_t reach = 0;
    for (size_t i = source.pieces.size(); i-- > 0;) {
      Piece& piece = source.pieces[i];
      const int64_t values = ValuesOf(piece, map->sources);
      told.push_back({piece.source, piece.divisor, values, &piece.repeats});
      if (piece.multiplier <= reach) return Kind::kGeneral;
      // The bound of the major-most piece does not matter.
      if (i > 0) reach += (values - 1) * piece.multiplier;
    }
    contiguous = contiguous && !HasGaps(source);
  }
  std::stable_sort(told.begin(), told.end(),
                   [](const DigitOfSource& a, const DigitOfSource& b) {
                     return a.source != b.source     ? a.source < b.source
                            : a.divisor != b.divisor ? a.divisor < b.divisor
                                                     : a.modulus > b.modulus;
                   });
  size_t begin = 0;
  for (size_t i = 0; i < map->sources.size(); ++i) {
    size_t end = begin;
    while (end < told.size() && told[end].source == static_cast<int32_t>(i)) {
      ++end;
    }
    if (!ReachesBound(absl::MakeConstSpan(told).subspan(begin, end - begin),
                      map->sources[i].bound)) {
      return Kind::kGeneral;
    }
    begin = end;
  }
  for (const DigitOfSource& digit : told) {
    map->has_repeats = map->has_repeats || *digit.repeats;
  }
  return KindByStrides(*map, contiguous && !map->has_repeats);
}

// -- Both at once ------------------------------------------------------------

// Sets the kind and the normal form of nearly all maps: every digit belongs to
// a dimension, and the digits of a dimension continue one another from divisor
// 1 up to its bound. Returns false if the map is not of that form. The general
// algorithm then overwrites all changed fields.
bool ReadChains(MapStructure* map) {
  const size_t rank = map->bounds.size();
  if (map->sources.size() != rank || map->element_count == 0) return false;
  absl::InlinedVector<uint32_t, 16> order(map->digits.size());
  for (uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [map](uint32_t a, uint32_t b) {
    const Digit& x = map->digits[a];
    const Digit& y = map->digits[b];
    return x.source != y.source ? x.source < y.source : x.divisor < y.divisor;
  });
  map->terms.clear();
  map->computed_sources.clear();
  size_t next = 0;
  for (size_t source = 0; source < rank; ++source) {
    int64_t reached = 1;
    uint64_t counts_on = 0;  // the amount that the digits add per `reached`
    for (; next < order.size(); ++next) {
      Digit& digit = map->digits[order[next]];
      if (digit.source != static_cast<int32_t>(source)) break;
      if (digit.divisor != reached || reached >= map->bounds[source]) {
        return false;
      }
      digit.repeats = false;
      const uint64_t coefficient =
          static_cast<uint64_t>(digit.stride) - counts_on;
      if (coefficient != 0) {
        Term& term = map->terms.emplace_back();
        term.source = digit.source;
        term.divisor = digit.divisor;
        term.coefficient = coefficient;
      }
      counts_on = static_cast<uint64_t>(digit.stride) *
                  static_cast<uint64_t>(digit.modulus);
      if (__builtin_mul_overflow(reached, digit.modulus, &reached)) {
        reached = std::numeric_limits<int64_t>::max();
      }
    }
    if (reached < map->bounds[source]) return false;
  }
  FindDigits(absl::MakeSpan(map->terms));
  map->constant = static_cast<uint64_t>(map->base);
  map->has_repeats = false;
  map->kind = KindByStrides(*map, map->base == 0);
  return true;
}

int64_t LowestPosition(const MapStructure& map) {
  int64_t lowest = map.base;
  // Without elements, strides are arbitrary.
  if (map.element_count == 0) return lowest;
  for (const Digit& digit : map.digits) {
    if (digit.stride < 0) lowest += (digit.modulus - 1) * digit.stride;
  }
  return lowest;
}

}  // namespace

void DropUnusedSources(MapStructure* map) {
  if (map->sources.size() == map->bounds.size()) return;
  std::vector<bool> used(map->sources.size());
  std::fill_n(used.begin(), map->bounds.size(), true);
  for (const Digit& digit : map->digits) used[digit.source] = true;
  for (size_t i = map->sources.size(); i-- > map->bounds.size();) {
    if (!used[i]) continue;
    for (const Piece& piece : map->sources[i].pieces) used[piece.source] = true;
  }
  size_t kept = 0;
  std::vector<int32_t> number(map->sources.size());
  for (size_t i = 0; i < map->sources.size(); ++i) {
    if (!used[i]) continue;
    number[i] = static_cast<int32_t>(kept);
    for (Piece& piece : map->sources[i].pieces) {
      piece.source = number[piece.source];
    }
    if (kept != i) map->sources[kept] = std::move(map->sources[i]);
    ++kept;
  }
  map->sources.resize(kept);
  for (Digit& digit : map->digits) digit.source = number[digit.source];
}

void Derive(MapStructure* map) {
  if (!ReadChains(map)) {
    map->kind = ClassifyKind(map);
    FindNormalForm(map);
  }
  map->lowest = LowestPosition(*map);
}

}  // namespace tessera::index_map_internal
