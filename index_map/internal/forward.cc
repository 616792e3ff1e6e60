// The forms of the forward function: by instructions that scatter bits, for
// processors that have them; by one shift a term, straight on; by a loop over
// terms; and with computed sources.

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "absl/numeric/bits.h"
#include "absl/types/span.h"
#include "tessera/index_map/internal/compiled_map.h"
#include "tessera/index_map/internal/gather_bits.h"

namespace tessera {
namespace index_map_internal {
namespace {

using Piece = MapStructure::Piece;
using Source = MapStructure::Source;
using Term = MapStructure::Term;

// -- Computed sources --------------------------------------------------------

void ListComputedSources(CompiledMap* map) {
  if (map->computed_sources.empty()) return;
  const size_t rank = map->bounds.size();
  std::vector<uint32_t> place(map->sources.size());
  std::iota(place.begin(), place.begin() + rank, 0);
  auto term = map->terms.begin();
  for (const int32_t number : map->computed_sources) {
    place[number] = static_cast<uint32_t>(rank + map->computed.size());
    const Source& source = map->sources[number];
    CompiledMap::ComputedSource computed = {
        static_cast<uint64_t>(source.offset),
        static_cast<uint32_t>(source.pieces.size()), 0};
    for (const Piece& piece : source.pieces) {
      map->computed_pieces.push_back(
          {FastDivider(piece.divisor),
           FastDivider(std::max<int64_t>(1, piece.modulus)),
           static_cast<uint64_t>(piece.modulus),
           static_cast<uint64_t>(piece.multiplier), place[piece.source],
           piece.divisor == 1 && piece.modulus == 0});
    }
    // Terms are sorted by source.
    while (term != map->terms.end() && term->source < number) ++term;
    for (; term != map->terms.end() && term->source == number; ++term) {
      map->computed_terms.push_back(
          {FastDivider(term->divisor), place[number], term->coefficient});
      ++computed.terms;
    }
    map->computed.push_back(computed);
  }

  if (map->computed.size() != 1) return;
  map->sum_weights.assign(rank, 0);
  for (const CompiledMap::ComputedPiece& piece : map->computed_pieces) {
    if (!piece.is_whole) {
      map->sum_weights.clear();
      return;
    }
    map->sum_weights[piece.source] += piece.multiplier;
  }
}

// What the terms of computed sources add.
inline uint64_t SumOfComputed(const CompiledMap& map, const int64_t* x) {
  constexpr size_t kFew = 16;
  int64_t few[kFew];  // on the stack for any layout in use, and not zeroed
  std::vector<int64_t> many;
  int64_t* values = few;
  if (map.computed.size() > kFew) {
    many.resize(map.computed.size());
    values = many.data();
  }
  const uint32_t dimensions = static_cast<uint32_t>(map.bounds.size());
  const CompiledMap::ComputedPiece* piece = map.computed_pieces.data();
  const CompiledMap::DivideTerm* term = map.computed_terms.data();
  uint64_t sum = 0;
  for (size_t i = 0; i < map.computed.size(); ++i) {
    const CompiledMap::ComputedSource& source = map.computed[i];
    uint64_t value = source.offset;
    for (uint32_t j = 0; j < source.pieces; ++j, ++piece) {
      int64_t digit = piece->source < dimensions
                          ? x[piece->source]
                          : values[piece->source - dimensions];
      if (!piece->is_whole) {
        digit = piece->divider.Divide(digit);
        if (piece->modulus != 0) {
          digit -= piece->by_modulus.Divide(digit) * piece->modulus;
        }
      }
      value += static_cast<uint64_t>(digit) * piece->multiplier;
    }
    values[i] = static_cast<int64_t>(value);
    for (uint32_t j = 0; j < source.terms; ++j, ++term) {
      sum += static_cast<uint64_t>(term->divider.Divide(values[i])) *
             term->coefficient;
    }
  }
  return sum;
}

// -- Without instructions that scatter bits ----------------------------------

void AddTermOfDimension(const Term& term, CompiledMap* map) {
  const uint32_t source = static_cast<uint32_t>(term.source);
  if (IsPowerOfTwo(term.divisor)) {
    map->shift_terms.push_back({source,
                                static_cast<uint32_t>(absl::countr_zero(
                                    static_cast<uint64_t>(term.divisor))),
                                term.coefficient});
  } else {
    map->divide_terms.push_back(
        {FastDivider(term.divisor), source, term.coefficient});
  }
}

// Terms are sorted by source.
absl::Span<const Term> TermsOf(const CompiledMap& map, int32_t source) {
  const auto range = std::equal_range(
      map.terms.begin(), map.terms.end(), Term{source},
      [](const Term& a, const Term& b) { return a.source < b.source; });
  return absl::MakeConstSpan(range.first, range.second);
}

void SortTerms(CompiledMap* map) {
  for (const Term& term : map->terms) {
    if (term.source < map->rank()) AddTermOfDimension(term, map);
  }
}

uint64_t SumOfDivideTerms(const CompiledMap& map, const int64_t* x) {
  uint64_t sum = 0;
  for (const CompiledMap::DivideTerm& term : map.hot.divide_terms) {
    sum += static_cast<uint64_t>(term.divider.Divide(x[term.source])) *
           term.coefficient;
  }
  return sum;
}

template <int kTerms>
int64_t ShiftingForward(const MapStructure& structure, const int64_t* x) {
  const CompiledMap& map = Compiled(structure);
  const CompiledMap::ShiftTerm* const terms = map.shift_terms.data();
  const size_t count = kTerms == kAnyNumber ? map.shift_terms.size() : kTerms;
  uint64_t sum = map.constant;
#pragma GCC unroll 8
  for (size_t i = 0; i < count; ++i) {
    sum += (static_cast<uint64_t>(x[terms[i].source]) >> terms[i].shift) *
           terms[i].coefficient;
  }
  return static_cast<int64_t>(sum);
}

int64_t DividingForward(const MapStructure& structure, const int64_t* x) {
  return static_cast<int64_t>(
      static_cast<uint64_t>(ShiftingForward<kAnyNumber>(structure, x)) +
      SumOfDivideTerms(Compiled(structure), x));
}

int64_t ComputingForward(const MapStructure& structure, const int64_t* x) {
  return static_cast<int64_t>(
      static_cast<uint64_t>(DividingForward(structure, x)) +
      SumOfComputed(Compiled(structure), x));
}

ForwardForm PortableForm(const CompiledMap& map) {
  static constexpr ForwardForm kForms[] = {
      ShiftingForward<0>, ShiftingForward<1>, ShiftingForward<2>,
      ShiftingForward<3>, ShiftingForward<4>, ShiftingForward<5>,
      ShiftingForward<6>, ShiftingForward<7>, ShiftingForward<8>};
  if (!map.computed.empty()) return ComputingForward;
  if (!map.divide_terms.empty()) return DividingForward;
  return map.shift_terms.size() < std::size(kForms)
             ? kForms[map.shift_terms.size()]
             : ShiftingForward<kAnyNumber>;
}

// -- With them ---------------------------------------------------------------

constexpr uint64_t kAllBits = std::numeric_limits<uint64_t>::max();

// Whether the weight only moves the mask.
bool IsDeposited(const CompiledMap::ScatteredBits& bits) {
  return absl::has_single_bit(bits.weight);
}

// Puts terms of one source under a mask, as far as they can be scattered at
// once, and hands out the others.
template <typename AddTerm>
CompiledMap::ScatteredBits ScatterTerms(absl::Span<const Term> terms,
                                        AddTerm add_term) {
  CompiledMap::ScatteredBits bits;
  // The term scattered last; null if none can follow it.
  const Term* last = nullptr;
  for (const Term& term : terms) {
    if (term.divisor == 1) {
      bits = {std::numeric_limits<uint64_t>::max(), term.coefficient};
      last = &term;
      continue;
    }
    if (bits.mask != 0 && last != nullptr && last->stride > 0 &&
        IsPowerOfTwo(term.divisor) && term.stride > 0 &&
        term.stride % last->stride == 0 &&
        term.stride / last->stride >= last->modulus &&
        IsPowerOfTwo(term.stride / last->stride)) {
      const uint64_t last_bit = last->stride / bits.weight;
      const uint64_t bit = term.stride / bits.weight;
      // The major-most digit goes on without end.
      bits.mask = (bits.mask & (last_bit * last->modulus - 1)) | -bit;
      last = &term;
      continue;
    }
    last = nullptr;
    add_term(term);
  }
  return bits;
}

void ScatterBits(CompiledMap* map) {
  for (int32_t i = 0; i < map->rank(); ++i) {
    map->scattered_bits.push_back(
        ScatterTerms(TermsOf(*map, i),
                     [&](const Term& term) { AddTermOfDimension(term, map); }));
  }
  // In one instruction each, where that is possible.
  for (const CompiledMap::ScatteredBits& bits : map->scattered_bits) {
    if (IsDeposited(bits)) {
      map->scatter_operands.push_back(bits.mask * bits.weight);
    } else if (bits.mask == 0 || bits.mask == kAllBits) {
      map->scatter_operands.push_back(bits.weight);
    } else {
      map->scatter_operands.clear();
      break;
    }
  }
  if (map->computed.size() != 1) return;
  map->computed_bits = ScatterTerms(
      TermsOf(*map, map->computed_sources.front()), [map](const Term& term) {
        map->loose_computed_terms.push_back(
            {FastDivider(term.divisor), 0, term.coefficient});
      });
}

// What is computed beside the terms of dimensions: nothing, one sum of
// dimensions, one remainder of a dimension, or whatever there is.
enum class Computed { kNothing, kOneSum, kOneRemainder, kAnything };

// What a dimension adds, by one instruction.
template <bool kDeposits>
TESSERA_GATHERS_BITS inline uint64_t Scattered(uint64_t operand, int64_t x) {
  return kDeposits ? ScatterBitsUnder(operand, static_cast<uint64_t>(x))
                   : operand * static_cast<uint64_t>(x);
}

template <uint32_t kPattern, size_t... kDimensions>
TESSERA_GATHERS_BITS inline uint64_t SumOfScattered(
    const uint64_t* operands, const int64_t* x,
    std::index_sequence<kDimensions...>) {
  return (uint64_t{0} + ... +
          Scattered<(kPattern >> kDimensions & 1) != 0>(operands[kDimensions],
                                                        x[kDimensions]));
}

// Stands for dimensions that need both a mask and a factor.
constexpr uint32_t kAnyPattern = std::numeric_limits<uint32_t>::max();

// How many terms of dimensions there are beside those: any number, none, one
// whose divisor is a power of two, or the quotient that belongs to the one
// remainder that is computed.
enum class More { kAnything, kNothing, kOneShift, kItsQuotient };

// Of kPattern, bit i says that the bits of dimension i are put under a mask;
// else it is multiplied.
template <int kRank, uint32_t kPattern, More kMore, Computed kComputed>
TESSERA_GATHERS_BITS int64_t ScatteringForward(const MapStructure& structure,
                                               const int64_t* x) {
  const CompiledMap& map = Compiled(structure);
  const size_t rank = kRank == kAnyNumber ? map.bounds.size() : kRank;
  uint64_t sum = map.constant;
  if constexpr (kPattern == kAnyPattern) {
    const CompiledMap::ScatteredBits* const bits = map.hot.scattered_bits;
#pragma GCC unroll 6
    for (size_t i = 0; i < rank; ++i) {
      sum += ScatterBitsUnder(bits[i].mask, x[i]) * bits[i].weight;
    }
  } else {
    sum += SumOfScattered<kPattern>(map.hot.scatter_operands, x,
                                    std::make_index_sequence<kRank>());
  }
  if constexpr (kMore == More::kOneShift) {
    const CompiledMap::ShiftTerm& term = map.hot.first_shift_term;
    sum += (static_cast<uint64_t>(x[term.source]) >> term.shift) *
           term.coefficient;
  } else if constexpr (kMore == More::kAnything) {
    for (const CompiledMap::ShiftTerm& term : map.hot.shift_terms) {
      sum += (static_cast<uint64_t>(x[term.source]) >> term.shift) *
             term.coefficient;
    }
    sum += SumOfDivideTerms(map, x);
  }
  if constexpr (kComputed == Computed::kAnything) {
    sum += SumOfComputed(map, x);
  } else if constexpr (kComputed != Computed::kNothing) {
    uint64_t value;
    if constexpr (kComputed == Computed::kOneSum) {
      const uint64_t* const weights = map.sum_weights.data();
      value = map.computed.front().offset;
#pragma GCC unroll 6
      for (size_t i = 0; i < rank; ++i) {
        value += static_cast<uint64_t>(x[i]) * weights[i];
      }
    } else {
      const CompiledMap::ComputedPiece& piece = map.computed_pieces.front();
      const uint64_t quotient =
          static_cast<uint64_t>(piece.by_modulus.Divide(x[piece.source]));
      value = static_cast<uint64_t>(x[piece.source]) - quotient * piece.modulus;
      if constexpr (kMore == More::kItsQuotient) {
        sum += quotient * map.hot.divide_terms.front().coefficient;
      }
    }
    sum += ScatterBitsUnder(map.computed_bits.mask, value) *
           map.computed_bits.weight;
    for (const CompiledMap::DivideTerm& term : map.loose_computed_terms) {
      sum += static_cast<uint64_t>(
                 term.divider.Divide(static_cast<int64_t>(value))) *
             term.coefficient;
    }
  }
  return static_cast<int64_t>(sum);
}

// Of `rank` dimensions and any pattern.
template <Computed kComputed>
ForwardForm ScatteringFormOfRank(size_t rank) {
  static constexpr ForwardForm kForms[] = {
      ScatteringForward<0, kAnyPattern, More::kAnything, kComputed>,
      ScatteringForward<1, kAnyPattern, More::kAnything, kComputed>,
      ScatteringForward<2, kAnyPattern, More::kAnything, kComputed>,
      ScatteringForward<3, kAnyPattern, More::kAnything, kComputed>,
      ScatteringForward<4, kAnyPattern, More::kAnything, kComputed>,
      ScatteringForward<5, kAnyPattern, More::kAnything, kComputed>,
      ScatteringForward<6, kAnyPattern, More::kAnything, kComputed>};
  return rank < std::size(kForms)
             ? kForms[rank]
             : ScatteringForward<kAnyNumber, kAnyPattern, More::kAnything,
                                 kComputed>;
}

constexpr size_t kMaxPatternRank = CompiledMap::kMaxPatternRank;

constexpr int RankOfForm(size_t form) {
  int rank = 0;
  while (form + 1 >= size_t{2} << rank) ++rank;
  return rank;
}

template <More kMore, Computed kComputed, size_t... kForm>
ForwardForm ScatteringFormOfPattern(size_t form,
                                    std::index_sequence<kForm...>) {
  static constexpr ForwardForm kForms[] = {
      ScatteringForward<RankOfForm(kForm),
                        uint32_t{kForm + 1 - (size_t{1} << RankOfForm(kForm))},
                        kMore, kComputed>...};
  return kForms[form];
}

template <More kMore, Computed kComputed>
ForwardForm ScatteringFormWith(const CompiledMap& map) {
  const size_t rank = map.bounds.size();
  size_t pattern = 0;
  for (size_t i = 0; i < rank; ++i) {
    if (IsDeposited(map.scattered_bits[i])) pattern |= size_t{1} << i;
  }
  return ScatteringFormOfPattern<kMore, kComputed>(
      (size_t{1} << rank) - 1 + pattern,
      std::make_index_sequence<(size_t{2} << kMaxPatternRank) - 1>());
}

// Whether the term divides by what the remainder is of: the cell beside the
// place in the shard.
bool IsItsQuotient(const CompiledMap& map) {
  const CompiledMap::DivideTerm& term = map.divide_terms.front();
  const Piece& piece = map.sources[map.computed_sources.front()].pieces.front();
  const FastDivider divider(piece.modulus);
  return term.source == static_cast<uint32_t>(piece.source) &&
         term.divider.multiplier() == divider.multiplier() &&
         term.divider.shift() == divider.shift();
}

template <Computed kComputed>
ForwardForm ScatteringFormComputing(const CompiledMap& map) {
  const size_t rank = map.bounds.size();
  const size_t more = map.shift_terms.size() + map.divide_terms.size();
  const bool has_pattern =
      rank <= kMaxPatternRank && map.scatter_operands.size() == rank;
  if (has_pattern && more == 0) {
    return ScatteringFormWith<More::kNothing, kComputed>(map);
  }
  if (has_pattern && more == 1 && map.shift_terms.size() == 1) {
    return ScatteringFormWith<More::kOneShift, kComputed>(map);
  }
  if constexpr (kComputed == Computed::kOneRemainder) {
    if (has_pattern && more == 1 && IsItsQuotient(map)) {
      return ScatteringFormWith<More::kItsQuotient, kComputed>(map);
    }
  }
  return ScatteringFormOfRank<kComputed>(rank);
}

// Whether all that is computed is x mod M of a dimension, such as the place in
// a shard whose size is no power of two.
bool IsOneRemainder(const CompiledMap& map) {
  if (map.computed.size() != 1 || map.computed_pieces.size() != 1) return false;
  const Piece& piece = map.sources[map.computed_sources.front()].pieces.front();
  return map.computed.front().offset == 0 && piece.divisor == 1 &&
         piece.modulus != 0 && piece.multiplier == 1;
}

ForwardForm ScatteringForm(const CompiledMap& map) {
  if (map.computed.empty())
    return ScatteringFormComputing<Computed::kNothing>(map);
  if (!map.sum_weights.empty()) {
    return ScatteringFormComputing<Computed::kOneSum>(map);
  }
  if (IsOneRemainder(map)) {
    return ScatteringFormComputing<Computed::kOneRemainder>(map);
  }
  return ScatteringFormOfRank<Computed::kAnything>(map.bounds.size());
}

}  // namespace

void CompileForward(CompiledMap* map, bool can_gather_bits) {
  ListComputedSources(map);
  if (can_gather_bits) {
    ScatterBits(map);
    map->forward = ScatteringForm(*map);
  } else {
    SortTerms(map);
    map->forward = PortableForm(*map);
  }
}

}  // namespace index_map_internal
}  // namespace tessera
