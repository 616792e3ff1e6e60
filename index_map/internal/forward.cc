// The forms of the forward function: by instructions that scatter bits, for
// processors that have them; by one shift per term, without branches; by a loop
// over terms; and with computed sources.

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "absl/numeric/bits.h"
#include "absl/types/span.h"
#include "tessera/index_map/internal/gather_bits.h"
#include "tessera/index_map/internal/programs.h"

namespace tessera::index_map_internal {
namespace {

using Piece = MapStructure::Piece;
using Source = MapStructure::Source;
using Term = MapStructure::Term;

// -- Computed sources --------------------------------------------------------

void ListComputedSources(const MapStructure& map, ForwardProgram* program) {
  if (map.computed_sources.empty()) return;
  const size_t rank = map.bounds.size();
  std::vector<uint32_t> place(map.sources.size());
  std::iota(place.begin(), place.begin() + rank, 0);
  auto term = map.terms.begin();
  for (const int32_t number : map.computed_sources) {
    place[number] = static_cast<uint32_t>(rank + program->computed.size());
    const Source& source = map.sources[number];
    ForwardProgram::ComputedSource computed = {
        static_cast<uint64_t>(source.offset),
        static_cast<uint32_t>(source.pieces.size()), 0};
    for (const Piece& piece : source.pieces) {
      program->computed_pieces.push_back(
          {FastDivider(piece.divisor),
           FastDivider(std::max<int64_t>(1, piece.modulus)),
           static_cast<uint64_t>(piece.modulus),
           static_cast<uint64_t>(piece.multiplier), place[piece.source],
           piece.divisor == 1 && piece.modulus == 0});
    }
    // Terms are sorted by source.
    while (term != map.terms.end() && term->source < number) ++term;
    for (; term != map.terms.end() && term->source == number; ++term) {
      program->computed_terms.push_back(
          {FastDivider(term->divisor), place[number], term->coefficient});
      ++computed.terms;
    }
    program->computed.push_back(computed);
  }

  if (program->computed.size() != 1) return;
  program->sum_weights.assign(rank, 0);
  for (const ForwardProgram::ComputedPiece& piece : program->computed_pieces) {
    if (!piece.is_whole) {
      program->sum_weights.clear();
      return;
    }
    program->sum_weights[piece.source] += piece.multiplier;
  }
}

// Returns the sum of the terms of computed sources.
inline uint64_t SumOfComputed(const ForwardProgram& program, size_t rank,
                              const int64_t* x) {
  constexpr size_t kFew = 16;
  int64_t few[kFew];  // on the stack for any layout in use, and not zeroed
  std::vector<int64_t> many;
  int64_t* values = few;
  if (program.computed.size() > kFew) {
    many.resize(program.computed.size());
    values = many.data();
  }
  const uint32_t dimensions = static_cast<uint32_t>(rank);
  const ForwardProgram::ComputedPiece* piece = program.computed_pieces.data();
  const ForwardProgram::DivideTerm* term = program.computed_terms.data();
  uint64_t sum = 0;
  for (size_t i = 0; i < program.computed.size(); ++i) {
    const ForwardProgram::ComputedSource& source = program.computed[i];
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

const ForwardProgram& Program(const ForwardFunction& self) {
  return static_cast<const ForwardProgram&>(self);
}

void AddTermOfDimension(const Term& term, ForwardProgram* program) {
  const uint32_t source = static_cast<uint32_t>(term.source);
  if (IsPowerOfTwo(term.divisor)) {
    program->shift_terms.push_back({source,
                                    static_cast<uint32_t>(absl::countr_zero(
                                        static_cast<uint64_t>(term.divisor))),
                                    term.coefficient});
  } else {
    program->divide_terms.push_back(
        {FastDivider(term.divisor), source, term.coefficient});
  }
}

// Terms are sorted by source.
absl::Span<const Term> TermsOf(const MapStructure& map, int32_t source) {
  const auto range = std::equal_range(
      map.terms.begin(), map.terms.end(), Term{source},
      [](const Term& a, const Term& b) { return a.source < b.source; });
  return absl::MakeConstSpan(range.first, range.second);
}

void SortTerms(const MapStructure& map, ForwardProgram* program) {
  for (const Term& term : map.terms) {
    if (term.source < map.rank()) AddTermOfDimension(term, program);
  }
}

uint64_t SumOfDivideTerms(const ForwardProgram& program, const int64_t* x) {
  uint64_t sum = 0;
  for (const ForwardProgram::DivideTerm& term : program.hot.divide_terms) {
    sum += static_cast<uint64_t>(term.divider.Divide(x[term.source])) *
           term.coefficient;
  }
  return sum;
}

template <int kTerms>
int64_t ShiftingForward(const ForwardFunction& self, const CompiledMap&,
                        const int64_t* x) {
  const ForwardProgram& program = Program(self);
  const ForwardProgram::ShiftTerm* const terms = program.hot.shift_terms.data();
  const size_t count =
      kTerms == kAnyNumber ? program.hot.shift_terms.size() : kTerms;
  uint64_t sum = program.hot.constant;
#pragma GCC unroll 8
  for (size_t i = 0; i < count; ++i) {
    sum += (static_cast<uint64_t>(x[terms[i].source]) >> terms[i].shift) *
           terms[i].coefficient;
  }
  return static_cast<int64_t>(sum);
}

int64_t DividingForward(const ForwardFunction& self, const CompiledMap& map,
                        const int64_t* x) {
  return static_cast<int64_t>(
      static_cast<uint64_t>(ShiftingForward<kAnyNumber>(self, map, x)) +
      SumOfDivideTerms(Program(self), x));
}

int64_t ComputingForward(const ForwardFunction& self, const CompiledMap& map,
                         const int64_t* x) {
  return static_cast<int64_t>(
      static_cast<uint64_t>(DividingForward(self, map, x)) +
      SumOfComputed(Program(self), map.bounds.size(), x));
}

ForwardForm PortableForm(const ForwardProgram& program) {
  static constexpr ForwardForm kForms[] = {
      ShiftingForward<0>, ShiftingForward<1>, ShiftingForward<2>,
      ShiftingForward<3>, ShiftingForward<4>, ShiftingForward<5>,
      ShiftingForward<6>, ShiftingForward<7>, ShiftingForward<8>};
  if (!program.computed.empty()) return ComputingForward;
  if (!program.divide_terms.empty()) return DividingForward;
  return program.shift_terms.size() < std::size(kForms)
             ? kForms[program.shift_terms.size()]
             : ShiftingForward<kAnyNumber>;
}

// -- With them ---------------------------------------------------------------

constexpr uint64_t kAllBits = std::numeric_limits<uint64_t>::max();

// Whether the weight only moves the mask.
bool IsDeposited(const ForwardProgram::ScatteredBits& bits) {
  return absl::has_single_bit(bits.weight);
}

// Whether the weight moves all bits alike.
bool IsShifted(const ForwardProgram::ScatteredBits& bits) {
  return IsDeposited(bits) && bits.mask == kAllBits;
}

// Puts those terms of one source under a mask that can be scattered together,
// and passes the others to `add_term`.
template <typename AddTerm>
ForwardProgram::ScatteredBits ScatterTerms(absl::Span<const Term> terms,
                                           AddTerm add_term) {
  ForwardProgram::ScatteredBits bits;
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
      // The major-most digit is unbounded.
      bits.mask = (bits.mask & (last_bit * last->modulus - 1)) | -bit;
      last = &term;
      continue;
    }
    last = nullptr;
    add_term(term);
  }
  return bits;
}

void ScatterBits(const MapStructure& map, ForwardProgram* program) {
  for (int32_t i = 0; i < map.rank(); ++i) {
    program->scattered_bits.push_back(ScatterTerms(
        TermsOf(map, i),
        [&](const Term& term) { AddTermOfDimension(term, program); }));
  }
  // In one instruction each, if that is possible.
  for (const ForwardProgram::ScatteredBits& bits : program->scattered_bits) {
    if (program->computed.empty() && IsShifted(bits)) {
      program->scatter_operands.push_back(absl::countr_zero(bits.weight));
    } else if (IsDeposited(bits)) {
      program->scatter_operands.push_back(bits.mask * bits.weight);
    } else if (bits.mask == 0 || bits.mask == kAllBits) {
      program->scatter_operands.push_back(bits.weight);
    } else {
      program->scatter_operands.clear();
      break;
    }
  }
  if (program->computed.size() != 1) return;
  program->computed_bits = ScatterTerms(
      TermsOf(map, map.computed_sources.front()), [program](const Term& term) {
        program->loose_computed_terms.push_back(
            {FastDivider(term.divisor), 0, term.coefficient});
      });
}

// The computed sources in addition to the terms of dimensions: none, one sum of
// dimensions, one remainder of a dimension, or any.
enum class Computed { kNothing, kOneSum, kOneRemainder, kAnything };

// The single instruction for a dimension: it is multiplied, its bits are
// deposited under a mask, or it is shifted. Multiplying and depositing wait for
// the same unit of the processor, which shifting does not need. Programs that
// compute sources do not use shifts, which reduces the number of forms.
constexpr uint32_t kMultiplied = 0, kDeposited = 1, kShifted = 2;
constexpr uint32_t kWays = 3;

constexpr size_t WaysWith(Computed computed) {
  return computed == Computed::kNothing ? kWays : kWays - 1;
}

// The ways of the dimensions are the digits of a pattern, in base kWays.
constexpr uint32_t WayOf(uint32_t pattern, size_t dimension) {
  for (; dimension > 0; --dimension) pattern /= kWays;
  return pattern % kWays;
}

// Returns the contribution of a dimension.
template <uint32_t kWay>
TESSERA_GATHERS_BITS inline uint64_t Scattered(uint64_t operand, int64_t x) {
  if constexpr (kWay == kDeposited) {
    return ScatterBitsUnder(operand, static_cast<uint64_t>(x));
  } else if constexpr (kWay == kShifted) {
    return static_cast<uint64_t>(x) << (operand & 63);
  } else {
    return operand * static_cast<uint64_t>(x);
  }
}

template <uint32_t kPattern, size_t... kDimensions>
TESSERA_GATHERS_BITS inline uint64_t SumOfScattered(
    const uint64_t* operands, const int64_t* x,
    std::index_sequence<kDimensions...>) {
  return (uint64_t{0} + ... +
          Scattered<WayOf(kPattern, kDimensions)>(operands[kDimensions],
                                                  x[kDimensions]));
}

// The pattern of dimensions that need both a mask and a factor.
constexpr uint32_t kAnyPattern = std::numeric_limits<uint32_t>::max();

// The other terms of dimensions: any number, none, one whose divisor is a power
// of two, or the quotient that belongs to the only computed remainder.
enum class More { kAnything, kNothing, kOneShift, kItsQuotient };

// kPattern is that of the dimensions, or kAnyPattern.
template <int kRank, uint32_t kPattern, More kMore, Computed kComputed>
TESSERA_GATHERS_BITS int64_t ScatteringForward(const ForwardFunction& self,
                                               const CompiledMap& map,
                                               const int64_t* x) {
  const ForwardProgram& program = Program(self);
  const size_t rank = kRank == kAnyNumber ? map.bounds.size() : kRank;
  uint64_t sum = program.hot.constant;
  if constexpr (kPattern == kAnyPattern) {
    const ForwardProgram::ScatteredBits* const bits =
        program.hot.scattered_bits;
#pragma GCC unroll 6
    for (size_t i = 0; i < rank; ++i) {
      sum += ScatterBitsUnder(bits[i].mask, x[i]) * bits[i].weight;
    }
  } else {
    sum += SumOfScattered<kPattern>(program.hot.scatter_operands, x,
                                    std::make_index_sequence<kRank>());
  }
  if constexpr (kMore == More::kOneShift) {
    const ForwardProgram::ShiftTerm& term = program.hot.first_shift_term;
    sum += (static_cast<uint64_t>(x[term.source]) >> term.shift) *
           term.coefficient;
  } else if constexpr (kMore == More::kAnything) {
    for (const ForwardProgram::ShiftTerm& term : program.hot.shift_terms) {
      sum += (static_cast<uint64_t>(x[term.source]) >> term.shift) *
             term.coefficient;
    }
    sum += SumOfDivideTerms(program, x);
  }
  if constexpr (kComputed == Computed::kAnything) {
    sum += SumOfComputed(program, rank, x);
  } else if constexpr (kComputed != Computed::kNothing) {
    uint64_t value;
    if constexpr (kComputed == Computed::kOneSum) {
      const uint64_t* const weights = program.sum_weights.data();
      value = program.computed.front().offset;
#pragma GCC unroll 6
      for (size_t i = 0; i < rank; ++i) {
        value += static_cast<uint64_t>(x[i]) * weights[i];
      }
    } else {
      const ForwardProgram::ComputedPiece& piece =
          program.computed_pieces.front();
      const uint64_t quotient =
          static_cast<uint64_t>(piece.by_modulus.Divide(x[piece.source]));
      value = static_cast<uint64_t>(x[piece.source]) - quotient * piece.modulus;
      if constexpr (kMore == More::kItsQuotient) {
        sum += quotient * program.hot.divide_terms.front().coefficient;
      }
    }
    sum += ScatterBitsUnder(program.computed_bits.mask, value) *
           program.computed_bits.weight;
    for (const ForwardProgram::DivideTerm& term :
         program.loose_computed_terms) {
      sum += static_cast<uint64_t>(
                 term.divider.Divide(static_cast<int64_t>(value))) *
             term.coefficient;
    }
  }
  return static_cast<int64_t>(sum);
}

// The form for `rank` dimensions and any pattern.
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

constexpr size_t kMaxPatternRank = ForwardProgram::kMaxPatternRank;

// The forms are numbered by rank, and those of a rank by the ways of its
// dimensions. A dimension has `ways` ways.
constexpr size_t FormsBelow(size_t rank, size_t ways) {
  size_t forms = 0;
  for (size_t r = 0, of_rank = 1; r < rank; ++r, of_rank *= ways) {
    forms += of_rank;
  }
  return forms;
}

constexpr int RankOfForm(size_t form, size_t ways) {
  int rank = 0;
  while (form >= FormsBelow(rank + 1, ways)) ++rank;
  return rank;
}

constexpr uint32_t PatternOfForm(size_t form, size_t ways) {
  size_t rest = form - FormsBelow(RankOfForm(form, ways), ways);
  uint32_t pattern = 0;
  for (uint32_t unit = 1; rest > 0; rest /= ways, unit *= kWays) {
    pattern += rest % ways * unit;
  }
  return pattern;
}

template <More kMore, Computed kComputed, size_t... kForm>
ForwardForm ScatteringFormOfPattern(size_t form,
                                    std::index_sequence<kForm...>) {
  static constexpr ForwardForm kForms[] = {
      ScatteringForward<RankOfForm(kForm, WaysWith(kComputed)),
                        PatternOfForm(kForm, WaysWith(kComputed)), kMore,
                        kComputed>...};
  return kForms[form];
}

template <More kMore, Computed kComputed>
ForwardForm ScatteringFormWith(const MapStructure& map,
                               const ForwardProgram& program) {
  constexpr size_t kWaysOfForms = WaysWith(kComputed);
  const size_t rank = map.bounds.size();
  size_t form = 0;
  for (size_t i = rank; i-- > 0;) {
    const ForwardProgram::ScatteredBits& bits = program.scattered_bits[i];
    const bool is_shifted = kComputed == Computed::kNothing && IsShifted(bits);
    form = form * kWaysOfForms + (is_shifted          ? kShifted
                                  : IsDeposited(bits) ? kDeposited
                                                      : kMultiplied);
  }
  return ScatteringFormOfPattern<kMore, kComputed>(
      FormsBelow(rank, kWaysOfForms) + form,
      std::make_index_sequence<FormsBelow(kMaxPatternRank + 1,
                                          kWaysOfForms)>());
}

// Returns whether the term divides by the modulus of the remainder: it is the
// cell that goes with the place in the shard.
bool IsItsQuotient(const MapStructure& map, const ForwardProgram& program) {
  const ForwardProgram::DivideTerm& term = program.divide_terms.front();
  const Piece& piece = map.sources[map.computed_sources.front()].pieces.front();
  const FastDivider divider(piece.modulus);
  return term.source == static_cast<uint32_t>(piece.source) &&
         term.divider.multiplier() == divider.multiplier() &&
         term.divider.shift() == divider.shift();
}

template <Computed kComputed>
ForwardForm ScatteringFormComputing(const MapStructure& map,
                                    const ForwardProgram& program) {
  const size_t rank = map.bounds.size();
  const size_t more = program.shift_terms.size() + program.divide_terms.size();
  const bool has_pattern =
      rank <= kMaxPatternRank && program.scatter_operands.size() == rank;
  if (has_pattern && more == 0) {
    return ScatteringFormWith<More::kNothing, kComputed>(map, program);
  }
  if (has_pattern && more == 1 && program.shift_terms.size() == 1) {
    return ScatteringFormWith<More::kOneShift, kComputed>(map, program);
  }
  if constexpr (kComputed == Computed::kOneRemainder) {
    if (has_pattern && more == 1 && IsItsQuotient(map, program)) {
      return ScatteringFormWith<More::kItsQuotient, kComputed>(map, program);
    }
  }
  return ScatteringFormOfRank<kComputed>(rank);
}

// Returns whether the only computed source is x mod M of a dimension, such as
// the place in a shard whose size is not a power of two.
bool IsOneRemainder(const MapStructure& map, const ForwardProgram& program) {
  if (program.computed.size() != 1 || program.computed_pieces.size() != 1)
    return false;
  const Piece& piece = map.sources[map.computed_sources.front()].pieces.front();
  return program.computed.front().offset == 0 && piece.divisor == 1 &&
         piece.modulus != 0 && piece.multiplier == 1;
}

ForwardForm ScatteringForm(const MapStructure& map,
                           const ForwardProgram& program) {
  if (program.computed.empty())
    return ScatteringFormComputing<Computed::kNothing>(map, program);
  if (!program.sum_weights.empty()) {
    return ScatteringFormComputing<Computed::kOneSum>(map, program);
  }
  if (IsOneRemainder(map, program)) {
    return ScatteringFormComputing<Computed::kOneRemainder>(map, program);
  }
  return ScatteringFormOfRank<Computed::kAnything>(map.bounds.size());
}

int64_t SwizzledForward(const ForwardFunction& self, const CompiledMap& map,
                        const int64_t* x) {
  return map.swizzle.Apply(Program(self).unswizzled(self, map, x));
}

}  // namespace

std::unique_ptr<const ForwardProgram> MakeForwardProgram(
    const MapStructure& map, bool can_gather_bits) {
  auto program = std::make_unique<ForwardProgram>();
  ListComputedSources(map, program.get());
  if (can_gather_bits) {
    ScatterBits(map, program.get());
    program->unswizzled = ScatteringForm(map, *program);
  } else {
    SortTerms(map, program.get());
    program->unswizzled = PortableForm(*program);
  }
  program->run = map.swizzle.bits == 0 ? program->unswizzled : SwizzledForward;
  ForwardProgram::Hot& hot = program->hot;
  hot.constant = map.constant;
  hot.scattered_bits = program->scattered_bits.data();
  std::copy_n(program->scatter_operands.begin(),
              std::min<size_t>(program->scatter_operands.size(),
                               ForwardProgram::kMaxPatternRank),
              hot.scatter_operands);
  if (!program->shift_terms.empty()) {
    hot.first_shift_term = program->shift_terms[0];
  }
  hot.shift_terms = program->shift_terms;
  hot.divide_terms = program->divide_terms;
  return program;
}

}  // namespace tessera::index_map_internal
