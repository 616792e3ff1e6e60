// The forms of the forward function: by instructions that scatter bits, for
// processors that have them; by one shift a term, straight on; by a loop over
// terms; and with computed sources.

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <numeric>
#include <vector>

#include "absl/numeric/bits.h"
#include "tessera/index_map/internal/compiled_map.h"
#include "tessera/index_map/internal/gather_bits.h"

namespace tessera {
namespace index_map_internal {
namespace {

using Piece = MapStructure::Piece;
using Source = MapStructure::Source;
using Term = MapStructure::Term;

bool IsPowerOfTwo(int64_t value) {
  return absl::has_single_bit(static_cast<uint64_t>(value));
}

const CompiledMap& Compiled(const MapStructure& map) {
  return static_cast<const CompiledMap&>(map);
}

// Stands for a number of dimensions that no form was made for.
constexpr int kAnyNumber = -1;

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

void SortTerms(CompiledMap* map) {
  for (const Term& term : map->terms) {
    if (term.source >= map->rank()) continue;
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

void ScatterBits(CompiledMap* map) {
  map->scattered_bits.assign(map->bounds.size(), {});
  // The term scattered last; null if none can follow it.
  const Term* last = nullptr;
  for (const Term& term : map->terms) {
    if (term.source >= map->rank()) break;
    CompiledMap::ScatteredBits& bits = map->scattered_bits[term.source];
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
    map->divide_terms.push_back({FastDivider(term.divisor),
                                 static_cast<uint32_t>(term.source),
                                 term.coefficient});
  }
}

// What is computed beside the terms of dimensions: nothing, one sum of
// dimensions, one remainder of a dimension, or whatever there is.
enum class Computed { kNothing, kOneSum, kOneRemainder, kAnything };

template <int kRank, Computed kComputed>
TESSERA_GATHERS_BITS int64_t ScatteringForward(const MapStructure& structure,
                                               const int64_t* x) {
  const CompiledMap& map = Compiled(structure);
  const size_t rank = kRank == kAnyNumber ? map.bounds.size() : kRank;
  const CompiledMap::ScatteredBits* const bits = map.hot.scattered_bits;
  uint64_t sum = map.constant;
#pragma GCC unroll 6
  for (size_t i = 0; i < rank; ++i) {
    sum += ScatterBitsUnder(bits[i].mask, x[i]) * bits[i].weight;
  }
  for (const CompiledMap::DivideTerm& term : map.hot.divide_terms) {
    sum += static_cast<uint64_t>(term.divider.Divide(x[term.source])) *
           term.coefficient;
  }
  if constexpr (kComputed == Computed::kOneSum) {
    const uint64_t* const weights = map.sum_weights.data();
    uint64_t value = map.computed.front().offset;
#pragma GCC unroll 6
    for (size_t i = 0; i < rank; ++i) {
      value += static_cast<uint64_t>(x[i]) * weights[i];
    }
    for (const CompiledMap::DivideTerm& term : map.computed_terms) {
      sum += static_cast<uint64_t>(
                 term.divider.Divide(static_cast<int64_t>(value))) *
             term.coefficient;
    }
  } else if constexpr (kComputed == Computed::kOneRemainder) {
    const CompiledMap::ComputedPiece& piece = map.computed_pieces.front();
    int64_t value = x[piece.source];
    value -= piece.by_modulus.Divide(value) * piece.modulus;
    for (const CompiledMap::DivideTerm& term : map.computed_terms) {
      sum +=
          static_cast<uint64_t>(term.divider.Divide(value)) * term.coefficient;
    }
  } else if constexpr (kComputed == Computed::kAnything) {
    sum += SumOfComputed(map, x);
  }
  return static_cast<int64_t>(sum);
}

template <Computed kComputed>
ForwardForm ScatteringFormOfRank(size_t rank) {
  static constexpr ForwardForm kForms[] = {
      ScatteringForward<0, kComputed>, ScatteringForward<1, kComputed>,
      ScatteringForward<2, kComputed>, ScatteringForward<3, kComputed>,
      ScatteringForward<4, kComputed>, ScatteringForward<5, kComputed>,
      ScatteringForward<6, kComputed>};
  return rank < std::size(kForms) ? kForms[rank]
                                  : ScatteringForward<kAnyNumber, kComputed>;
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
  const size_t rank = map.bounds.size();
  if (map.computed.empty()) {
    return ScatteringFormOfRank<Computed::kNothing>(rank);
  }
  if (!map.sum_weights.empty()) {
    return ScatteringFormOfRank<Computed::kOneSum>(rank);
  }
  if (IsOneRemainder(map)) {
    return ScatteringFormOfRank<Computed::kOneRemainder>(rank);
  }
  return ScatteringFormOfRank<Computed::kAnything>(rank);
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
