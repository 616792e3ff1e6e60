// The forms of the inverse: by instructions that gather bits, for processors
// that have them; by one division per digit; and for any map with an inverse.

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <memory>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/numeric/bits.h"
#include "tessera/index_map/internal/gather_bits.h"
#include "tessera/index_map/internal/programs.h"

namespace tessera::index_map_internal {
namespace {

using Digit = MapStructure::Digit;
using Piece = MapStructure::Piece;
using Source = MapStructure::Source;

// -- What the forms need -----------------------------------------------------

void ListInverseDigits(const MapStructure& map, InverseProgram* program) {
  for (const Digit& digit : map.digits) {
    const uint32_t source = static_cast<uint32_t>(digit.source);
    uint64_t divisor = static_cast<uint64_t>(digit.divisor);
    if (digit.repeats) {
      divisor = 0;
    } else if (digit.stride < 0) {
      program->inverse_starts.push_back(
          {source, (digit.modulus - 1) * digit.divisor});
      divisor = -divisor;
    }
    program->inverse_digits.push_back(
        {FastDivider(static_cast<int64_t>(digit.unit())),
         static_cast<uint64_t>(digit.modulus), digit.unit(), divisor, source});
  }
}

void ListInverseSources(const MapStructure& map, InverseProgram* program) {
  for (size_t i = map.sources.size(); i-- > map.bounds.size();) {
    const Source& source = map.sources[i];
    program->inverse_sources.push_back(
        {source.bound, source.offset, static_cast<uint32_t>(i),
         static_cast<uint32_t>(source.pieces.size())});
    for (const Piece& piece : source.pieces) {
      program->inverse_pieces.push_back(
          {FastDivider(piece.multiplier), static_cast<uint64_t>(piece.modulus),
           static_cast<uint64_t>(piece.multiplier),
           piece.repeats ? 0 : static_cast<uint64_t>(piece.divisor),
           static_cast<uint32_t>(piece.source)});
    }
  }
}

// Lists all dimensions, or those whose digits can exceed their bound.
void ListBoundChecks(const MapStructure& map, bool all,
                     InverseProgram* program) {
  const size_t rank = map.bounds.size();
  // The number of values of the digits of a dimension, or any number that is
  // not the bound.
  absl::InlinedVector<int64_t, 6> counted(rank, 1);
  for (const Digit& digit : map.digits) {
    if (digit.source >= map.rank()) continue;
    int64_t& count = counted[digit.source];
    if (__builtin_mul_overflow(count, digit.modulus, &count)) count = -1;
  }
  for (size_t i = 0; i < rank; ++i) {
    if (!all && counted[i] == map.bounds[i]) continue;
    program->bound_checks.push_back(
        {static_cast<uint32_t>(i), static_cast<uint64_t>(map.bounds[i])});
  }
}

// Returns whether the digit continues, by powers of two, the bits under `mask`
// of its source, whose least digit has the divisor `weight`.
bool ContinuesBits(const Digit& digit, uint64_t mask, uint64_t weight) {
  return mask == 0 ||
         static_cast<uint64_t>(digit.divisor) == weight << absl::popcount(mask);
}

// Returns the bits of a digit whose stride is `stride` units of the position.
// The bits above the major-most digit are 0.
uint64_t BitsOfDigit(const Digit& digit, int64_t stride, bool is_major_most) {
  return (is_major_most ? std::numeric_limits<uint64_t>::max()
                        : static_cast<uint64_t>(digit.modulus) - 1) *
         static_cast<uint64_t>(stride);
}

// Adds the digit to the gathered bits of its source. Returns false, and adds
// nothing, if it does not continue them by powers of two.
bool AddBits(const Digit& digit, bool is_major_most,
             InverseProgram::GatheredBits* bits) {
  if (!IsPowerOfTwo(digit.stride) || !IsPowerOfTwo(digit.divisor) ||
      (!is_major_most && !IsPowerOfTwo(digit.modulus)) ||
      !ContinuesBits(digit, bits->mask, uint64_t{1} << bits->shift)) {
    return false;
  }
  if (bits->mask == 0) {
    bits->shift = absl::countr_zero(static_cast<uint64_t>(digit.divisor));
  }
  bits->mask |= BitsOfDigit(digit, digit.stride, is_major_most);
  return true;
}

// Sorts the digits into gathered_bits and loose_digits.
void GatherBits(const MapStructure& map, InverseProgram* program) {
  program->gathered_bits.assign(map.sources.size(), {});
  const auto& digits = map.digits;
  absl::InlinedVector<bool, 16> loose(digits.size());
  // From the minor-most digit up, so that the bits of a dimension are in order.
  for (size_t i = digits.size(); i-- > 0;) {
    loose[i] = !AddBits(digits[i], /*is_major_most=*/i == 0,
                        &program->gathered_bits[digits[i].source]);
  }
  for (size_t i = 0; i < digits.size(); ++i) {
    if (!loose[i]) continue;
    const Digit& digit = digits[i];
    if (i > 0 && !loose[i - 1]) {
      program->loose_digits.push_back(
          {FastDivider(digits[i - 1].stride), 0, 0, 0});
    }
    program->loose_digits.push_back(
        {FastDivider(digit.stride),
         i == 0 ? 0 : static_cast<uint64_t>(digit.modulus),
         static_cast<uint64_t>(digit.divisor),
         static_cast<uint32_t>(digit.source)});
  }
}

// If there are loose digits, splits positions by the smallest stride of one,
// provided that all digits are bits of the quotient or the remainder.
void SplitBits(const MapStructure& map, InverseProgram* program) {
  const auto& digits = map.digits;
  program->split_bits.assign(map.sources.size(), {});
  const auto give_up = [program] { program->split_bits.clear(); };
  size_t i = digits.size();
  for (; i-- > 0;) {
    const Digit& digit = digits[i];
    // If its modulus is not a power of two, neither is the next stride, and
    // this digit is the last of the remainder.
    if (!AddBits(digit, /*is_major_most=*/!IsPowerOfTwo(digit.modulus),
                 &program->split_bits[digit.source].minor)) {
      break;
    }
  }
  if (i >= digits.size()) return give_up();
  program->split = static_cast<uint64_t>(digits[i].stride);
  program->by_split = FastDivider(digits[i].stride);
  for (++i; i-- > 0;) {
    const Digit& digit = digits[i];
    InverseProgram::SplitBits& bits = program->split_bits[digit.source];
    const bool is_major_most = i == 0;
    if (digit.stride % static_cast<int64_t>(program->split) != 0)
      return give_up();
    const int64_t stride = digit.stride / static_cast<int64_t>(program->split);
    if (!IsPowerOfTwo(stride) ||
        (!is_major_most && !IsPowerOfTwo(digit.modulus)) ||
        !ContinuesBits(digit, bits.major_mask, bits.major_weight)) {
      return give_up();
    }
    if (bits.major_mask == 0) {
      bits.major_weight = static_cast<uint64_t>(digit.divisor);
    }
    bits.major_mask |= BitsOfDigit(digit, stride, is_major_most);
  }
}

// Chooses among the ways of reading bits.
void ReadBits(const MapStructure& map, InverseProgram* program) {
  GatherBits(map, program);
  if (!program->loose_digits.empty()) SplitBits(map, program);
}

// -- Mixed radices of dimensions ---------------------------------------------

const InverseProgram& Program(const InverseFunction& self) {
  return static_cast<const InverseProgram&>(self);
}

// A position from which bits are read: whole, or split.
template <bool kSplits>
struct ReadPosition {
  TESSERA_GATHERS_BITS ReadPosition(const InverseProgram& program,
                                    int64_t linear_index)
      : minor(static_cast<uint64_t>(linear_index)) {
    if constexpr (kSplits) {
      major = static_cast<uint64_t>(program.by_split.Divide(linear_index));
      minor -= major * program.split;
    }
  }

  // Returns the value of source `i` from its bits.
  TESSERA_GATHERS_BITS uint64_t BitsOf(const InverseProgram& program,
                                       size_t i) const {
    if constexpr (kSplits) {
      const InverseProgram::SplitBits& bits = program.hot.split_bits[i];
      return (GatherBitsUnder(bits.minor.mask, minor) << bits.minor.shift) +
             GatherBitsUnder(bits.major_mask, major) * bits.major_weight;
    }
    const InverseProgram::GatheredBits& bits = program.hot.gathered_bits[i];
    return GatherBitsUnder(bits.mask, minor) << bits.shift;
  }

  uint64_t major = 0;
  uint64_t minor;
};

// Reads the digits of dimensions, or of all sources, off a position.
template <int kNumber, bool kSplits>
TESSERA_GATHERS_BITS inline void GatherDigits(const InverseProgram& program,
                                              size_t number,
                                              int64_t linear_index,
                                              int64_t* values) {
  const size_t count = kNumber == kAnyNumber ? number : kNumber;
  const ReadPosition<kSplits> position(program, linear_index);
#pragma GCC unroll 8
  for (size_t i = 0; i < count; ++i) {
    values[i] = static_cast<int64_t>(position.BitsOf(program, i));
  }
  if constexpr (!kSplits) {
    uint64_t more_major = 0;
    for (const InverseProgram::LooseDigit& digit : program.hot.loose_digits) {
      const uint64_t quotient = digit.by_stride.Divide(linear_index);
      values[digit.source] +=
          (quotient - more_major * digit.modulus) * digit.divisor;
      more_major = quotient;
    }
  }
}

template <int kRank, bool kSplits>
TESSERA_GATHERS_BITS PositionKind GatheringInverse(const InverseFunction& self,
                                                   const CompiledMap& map,
                                                   int64_t linear_index,
                                                   int64_t* x) {
  const InverseProgram& program = Program(self);
  if (linear_index >= program.hot.tail_begin) return PositionKind::kTail;
  GatherDigits<kRank, kSplits>(program, map.bounds.size(), linear_index, x);
  return program.IsWithinBounds(x) ? PositionKind::kElement
                                   : PositionKind::kPadding;
}

template <bool kSplits>
InverseForm GatheringForm(size_t rank) {
  static constexpr InverseForm kForms[] = {
      GatheringInverse<0, kSplits>, GatheringInverse<1, kSplits>,
      GatheringInverse<2, kSplits>, GatheringInverse<3, kSplits>,
      GatheringInverse<4, kSplits>, GatheringInverse<5, kSplits>,
      GatheringInverse<6, kSplits>};
  return rank < std::size(kForms) ? kForms[rank]
                                  : GatheringInverse<kAnyNumber, kSplits>;
}

PositionKind DividingInverse(const InverseFunction& self,
                             const CompiledMap& map, int64_t linear_index,
                             int64_t* x) {
  const InverseProgram& program = Program(self);
  if (linear_index >= program.hot.tail_begin) return PositionKind::kTail;
  std::fill_n(x, map.bounds.size(), 0);
  uint64_t more_major = 0;
  for (const InverseProgram::InverseDigit& digit : program.inverse_digits) {
    const uint64_t quotient =
        static_cast<uint64_t>(digit.by_stride.Divide(linear_index));
    x[digit.source] += (quotient - more_major * digit.modulus) * digit.divisor;
    more_major = quotient;
  }
  return program.IsWithinBounds(x) ? PositionKind::kElement
                                   : PositionKind::kPadding;
}

// Mixed radices of dimensions and a few computed sources: all of their bits are
// gathered together, and then the computed sources are split.
constexpr size_t kFewSources = 16;

template <int kSources, bool kSplits>
TESSERA_GATHERS_BITS PositionKind
GatheringSourcesInverse(const InverseFunction& self, const CompiledMap& map,
                        int64_t linear_index, int64_t* x) {
  const InverseProgram& program = Program(self);
  if (linear_index >= program.hot.tail_begin) return PositionKind::kTail;
  int64_t values[kSources == kAnyNumber ? kFewSources : kSources];
  GatherDigits<kSources, kSplits>(program, map.sources.size(), linear_index,
                                  values);
  const PositionKind kind = ReadSources(program.hot.inverse_sources,
                                        program.hot.inverse_pieces, values);
  if (kind == PositionKind::kPadding) return kind;
  for (const InverseProgram::BoundCheck& check : program.hot.bound_checks) {
    const int64_t value = values[check.source];
    if (static_cast<uint64_t>(value) >= check.bound) {
      return PositionKind::kPadding;
    }
    x[check.source] = value;
  }
  return kind;
}

// The same if the only computed source is a sum of two whole dimensions, such
// as a collapse: it stays in a register, and so do its two parts.
template <int kRank, bool kSplits>
TESSERA_GATHERS_BITS PositionKind
GatheringCollapseInverse(const InverseFunction& self, const CompiledMap&,
                         int64_t linear_index, int64_t* x) {
  const InverseProgram& program = Program(self);
  if (linear_index >= program.hot.tail_begin) return PositionKind::kTail;
  const ReadPosition<kSplits> position(program, linear_index);
  const int64_t value = static_cast<int64_t>(position.BitsOf(program, kRank));
  if (value >= program.hot.inverse_sources.front().bound) {
    return PositionKind::kPadding;
  }
#pragma GCC unroll 8
  for (size_t i = 0; i < kRank; ++i) {
    x[i] = static_cast<int64_t>(position.BitsOf(program, i));
  }
  const InverseProgram::InversePiece* const pieces = program.hot.inverse_pieces;
  const int64_t major = pieces[0].by_multiplier.Divide(value);
  x[pieces[0].source] = major;
  x[pieces[1].source] =
      value - major * static_cast<int64_t>(pieces[0].multiplier);
  return program.IsWithinBounds(x) ? PositionKind::kElement
                                   : PositionKind::kPadding;
}

constexpr size_t kMaxCollapseRank = 5;

// Returns whether the form above suffices for the map.
bool IsCollapse(const MapStructure& map, const InverseProgram& program) {
  const size_t rank = map.bounds.size();
  if (rank > kMaxCollapseRank || map.sources.size() != rank + 1 ||
      (!program.loose_digits.empty() && program.split_bits.empty())) {
    return false;
  }
  const Source& source = map.sources.back();
  if (source.offset != 0 || source.pieces.size() != 2 ||
      source.pieces[1].multiplier != 1) {
    return false;
  }
  return std::all_of(
      source.pieces.begin(), source.pieces.end(), [&map](const Piece& piece) {
        return piece.divisor == 1 && piece.modulus == 0 && !piece.repeats &&
               std::none_of(map.digits.begin(), map.digits.end(),
                            [&piece](const Digit& digit) {
                              return digit.source == piece.source;
                            });
      });
}

template <bool kSplits>
InverseForm GatheringCollapseForm(size_t rank) {
  static constexpr InverseForm kForms[] = {
      GatheringCollapseInverse<2, kSplits>,
      GatheringCollapseInverse<3, kSplits>,
      GatheringCollapseInverse<4, kSplits>,
      GatheringCollapseInverse<5, kSplits>};
  static_assert(std::size(kForms) == kMaxCollapseRank - 1);
  return kForms[rank - 2];
}

template <bool kSplits>
InverseForm GatheringSourcesForm(size_t sources) {
  static constexpr InverseForm kForms[] = {
      GatheringSourcesInverse<1, kSplits>, GatheringSourcesInverse<2, kSplits>,
      GatheringSourcesInverse<3, kSplits>, GatheringSourcesInverse<4, kSplits>,
      GatheringSourcesInverse<5, kSplits>, GatheringSourcesInverse<6, kSplits>,
      GatheringSourcesInverse<7, kSplits>, GatheringSourcesInverse<8, kSplits>};
  return sources <= std::size(kForms)
             ? kForms[sources - 1]
             : GatheringSourcesInverse<kAnyNumber, kSplits>;
}

}  // namespace

bool ReadDigits(const MapStructure& map, int64_t linear_index,
                int64_t* values) {
  int64_t rest = linear_index - map.lowest;
  if (rest < 0) return false;
  for (const Digit& digit : map.digits) {
    const int64_t unit = static_cast<int64_t>(digit.unit());
    const int64_t quotient = rest / unit;
    if (quotient >= digit.modulus) return false;
    rest -= quotient * unit;
    if (digit.repeats) continue;
    values[digit.source] += digit.Reflected(quotient) * digit.divisor;
  }
  return rest == 0;
}

// -- Any map with an inverse -------------------------------------------------

PositionKind GeneralInverse(const InverseFunction& self, const CompiledMap& map,
                            int64_t linear_index, int64_t* x) {
  const InverseProgram& program = Program(self);
  if (linear_index >= program.hot.tail_begin) return PositionKind::kTail;
  // Enough to stay on the stack for any layout in use.
  constexpr size_t kFew = 32;
  int64_t few[kFew];
  std::vector<int64_t> many;
  int64_t* values = few;
  if (map.sources.size() > kFew) {
    many.resize(map.sources.size());
    values = many.data();
  } else {
    std::fill_n(values, map.sources.size(), 0);
  }
  int64_t rest = linear_index - map.lowest;
  if (rest < 0) return PositionKind::kGap;
  for (const InverseProgram::InverseStart& start : program.inverse_starts) {
    values[start.source] += start.value;
  }
  for (const InverseProgram::InverseDigit& digit : program.inverse_digits) {
    const int64_t quotient = digit.by_stride.Divide(rest);
    if (static_cast<uint64_t>(quotient) >= digit.modulus) {
      return PositionKind::kGap;
    }
    rest -= quotient * digit.stride;
    values[digit.source] += quotient * digit.divisor;
  }
  if (rest != 0) return PositionKind::kGap;
  const PositionKind kind = ReadSources(program.hot.inverse_sources,
                                        program.hot.inverse_pieces, values);
  if (kind == PositionKind::kPadding || !program.IsWithinBounds(values)) {
    return PositionKind::kPadding;
  }
  if (kind == PositionKind::kGap) return kind;
  std::copy_n(values, map.bounds.size(), x);
  // Digits that repeat a dimension must have the same value.
  return map.has_repeats &&
                 map.LinearIndex(x) != map.swizzle.Apply(linear_index)
             ? PositionKind::kGap
             : PositionKind::kElement;
}

namespace {

PositionKind SwizzledInverse(const InverseFunction& self,
                             const CompiledMap& map, int64_t linear_index,
                             int64_t* x) {
  const InverseProgram& program = Program(self);
  if (linear_index >= program.hot.tail_begin) return PositionKind::kTail;
  const PositionKind kind =
      program.unswizzled(self, map, map.swizzle.Apply(linear_index), x);
  return kind == PositionKind::kTail ? PositionKind::kGap : kind;
}

// Sorts the digits, and returns the form that reads them.
InverseForm ReadingForm(const MapStructure& map, bool can_gather_bits,
                        InverseProgram* program) {
  // If there are no elements, every position is past the digits.
  const bool has_inverse =
      map.kind != MapStructure::Kind::kGeneral && map.element_count != 0;
  if (!has_inverse) return GeneralInverse;
  const size_t rank = map.bounds.size(), sources = map.sources.size();
  const bool is_mixed_radix = map.kind == MapStructure::Kind::kMixedRadix;
  const bool is_direct = is_mixed_radix && sources == rank;
  ListBoundChecks(map, /*all=*/!is_direct, program);
  if (is_direct && can_gather_bits) {
    ReadBits(map, program);
    return program->split_bits.empty() ? GatheringForm<false>(rank)
                                       : GatheringForm<true>(rank);
  }
  ListInverseSources(map, program);
  if (is_mixed_radix && can_gather_bits && !map.has_repeats &&
      sources <= kFewSources) {
    ReadBits(map, program);
    const bool splits = !program->split_bits.empty();
    if (IsCollapse(map, *program)) {
      return splits ? GatheringCollapseForm<true>(rank)
                    : GatheringCollapseForm<false>(rank);
    }
    return splits ? GatheringSourcesForm<true>(sources)
                  : GatheringSourcesForm<false>(sources);
  }
  ListInverseDigits(map, program);
  return is_direct ? DividingInverse : GeneralInverse;
}

}  // namespace

std::unique_ptr<const InverseProgram> MakeInverseProgram(
    const MapStructure& map, bool can_gather_bits) {
  auto program = std::make_unique<InverseProgram>();
  program->unswizzled = ReadingForm(map, can_gather_bits, program.get());
  program->run = map.swizzle.bits == 0 ? program->unswizzled : SwizzledInverse;
  InverseProgram::Hot& hot = program->hot;
  hot.tail_begin = map.tail_begin;
  hot.gathered_bits = program->gathered_bits.data();
  hot.split_bits = program->split_bits.data();
  hot.loose_digits = program->loose_digits;
  hot.bound_checks = program->bound_checks;
  hot.inverse_sources = program->inverse_sources;
  hot.inverse_pieces = program->inverse_pieces.data();
  return program;
}

}  // namespace tessera::index_map_internal
