// The forms of the inverse: by instructions that gather bits, for processors
// that have them; by one division a digit; and for any map with an inverse.

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/numeric/bits.h"
#include "tessera/index_map/internal/compiled_map.h"
#include "tessera/index_map/internal/gather_bits.h"

namespace tessera {
namespace index_map_internal {
namespace {

using Digit = MapStructure::Digit;
using Piece = MapStructure::Piece;
using Source = MapStructure::Source;

// -- What the forms need -----------------------------------------------------

void ListInverseDigits(CompiledMap* map) {
  for (const Digit& digit : map->digits) {
    const uint32_t source = static_cast<uint32_t>(digit.source);
    uint64_t divisor = static_cast<uint64_t>(digit.divisor);
    if (digit.repeats) {
      divisor = 0;
    } else if (digit.stride < 0) {
      map->inverse_starts.push_back(
          {source, (digit.modulus - 1) * digit.divisor});
      divisor = -divisor;
    }
    map->inverse_digits.push_back(
        {FastDivider(static_cast<int64_t>(digit.unit())),
         static_cast<uint64_t>(digit.modulus), digit.unit(), divisor, source});
  }
}

void ListInverseSources(CompiledMap* map) {
  for (size_t i = map->sources.size(); i-- > map->bounds.size();) {
    const Source& source = map->sources[i];
    map->inverse_sources.push_back(
        {source.bound, source.offset, static_cast<uint32_t>(i),
         static_cast<uint32_t>(source.pieces.size())});
    for (const Piece& piece : source.pieces) {
      map->inverse_pieces.push_back(
          {FastDivider(piece.multiplier), static_cast<uint64_t>(piece.modulus),
           static_cast<uint64_t>(piece.multiplier),
           piece.repeats ? 0 : static_cast<uint64_t>(piece.divisor),
           static_cast<uint32_t>(piece.source)});
    }
  }
}

// Lists all dimensions, or those that digits can carry past their bound.
void ListBoundChecks(CompiledMap* map, bool all) {
  const size_t rank = map->bounds.size();
  // What the digits of a dimension count to, or anything that is no bound.
  absl::InlinedVector<int64_t, 6> counted(rank, 1);
  for (const Digit& digit : map->digits) {
    if (digit.source >= map->rank()) continue;
    int64_t& count = counted[digit.source];
    if (__builtin_mul_overflow(count, digit.modulus, &count)) count = -1;
  }
  for (size_t i = 0; i < rank; ++i) {
    if (!all && counted[i] == map->bounds[i]) continue;
    map->bound_checks.push_back(
        {static_cast<uint32_t>(i), static_cast<uint64_t>(map->bounds[i])});
  }
}

// Whether the digit continues, by powers of two, what stands under `mask` of
// its source, whose least digit has the divisor `weight`.
bool ContinuesBits(const Digit& digit, uint64_t mask, uint64_t weight) {
  return mask == 0 ||
         static_cast<uint64_t>(digit.divisor) == weight << absl::popcount(mask);
}

// The bits of a digit whose stride is `stride` times what the position counts.
// What stands above the major-most digit is 0.
uint64_t BitsOfDigit(const Digit& digit, int64_t stride, bool is_major_most) {
  return (is_major_most ? std::numeric_limits<uint64_t>::max()
                        : static_cast<uint64_t>(digit.modulus) - 1) *
         static_cast<uint64_t>(stride);
}

// Adds the digit to the bits that are gathered for its source. Returns false,
// and adds nothing, if it does not continue them by powers of two.
bool AddBits(const Digit& digit, bool is_major_most,
             CompiledMap::GatheredBits* bits) {
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
void GatherBits(CompiledMap* map) {
  map->gathered_bits.assign(map->sources.size(), {});
  const auto& digits = map->digits;
  absl::InlinedVector<bool, 16> loose(digits.size());
  // From the minor-most digit up, so that the bits of a dimension come in
  // order.
  for (size_t i = digits.size(); i-- > 0;) {
    loose[i] = !AddBits(digits[i], /*is_major_most=*/i == 0,
                        &map->gathered_bits[digits[i].source]);
  }
  for (size_t i = 0; i < digits.size(); ++i) {
    if (!loose[i]) continue;
    const Digit& digit = digits[i];
    if (i > 0 && !loose[i - 1]) {
      map->loose_digits.push_back({FastDivider(digits[i - 1].stride), 0, 0, 0});
    }
    map->loose_digits.push_back(
        {FastDivider(digit.stride),
         i == 0 ? 0 : static_cast<uint64_t>(digit.modulus),
         static_cast<uint64_t>(digit.divisor),
         static_cast<uint32_t>(digit.source)});
  }
}

// Where there are loose digits: splits positions by the least stride of one, if
// all digits are bits of the quotient or the remainder.
void SplitBits(CompiledMap* map) {
  const auto& digits = map->digits;
  map->split_bits.assign(map->sources.size(), {});
  const auto give_up = [map] { map->split_bits.clear(); };
  size_t i = digits.size();
  for (; i-- > 0;) {
    const Digit& digit = digits[i];
    // If its modulus is not a power of two, neither is the next stride, and
    // this digit is the last of the remainder.
    if (!AddBits(digit, /*is_major_most=*/!IsPowerOfTwo(digit.modulus),
                 &map->split_bits[digit.source].minor)) {
      break;
    }
  }
  if (i >= digits.size()) return give_up();
  map->split = static_cast<uint64_t>(digits[i].stride);
  map->by_split = FastDivider(digits[i].stride);
  for (++i; i-- > 0;) {
    const Digit& digit = digits[i];
    CompiledMap::SplitBits& bits = map->split_bits[digit.source];
    const bool is_major_most = i == 0;
    if (digit.stride % static_cast<int64_t>(map->split) != 0) return give_up();
    const int64_t stride = digit.stride / static_cast<int64_t>(map->split);
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
void ReadBits(CompiledMap* map) {
  GatherBits(map);
  if (!map->loose_digits.empty()) SplitBits(map);
}

// -- Mixed radices of dimensions ---------------------------------------------

// A position as bits are read off it: whole, or split.
template <bool kSplits>
struct ReadPosition {
  TESSERA_GATHERS_BITS ReadPosition(const CompiledMap& map,
                                    int64_t linear_index)
      : minor(static_cast<uint64_t>(linear_index)) {
    if constexpr (kSplits) {
      major = static_cast<uint64_t>(map.by_split.Divide(linear_index));
      minor -= major * map.split;
    }
  }

  // What the bits make of source `i`.
  TESSERA_GATHERS_BITS uint64_t BitsOf(const CompiledMap& map, size_t i) const {
    if constexpr (kSplits) {
      const CompiledMap::SplitBits& bits = map.hot.split_bits[i];
      return (GatherBitsUnder(bits.minor.mask, minor) << bits.minor.shift) +
             GatherBitsUnder(bits.major_mask, major) * bits.major_weight;
    }
    const CompiledMap::GatheredBits& bits = map.hot.gathered_bits[i];
    return GatherBitsUnder(bits.mask, minor) << bits.shift;
  }

  uint64_t major = 0;
  uint64_t minor;
};

// Reads the digits of dimensions, or of all sources, off a position.
template <int kNumber, bool kSplits>
TESSERA_GATHERS_BITS inline void GatherDigits(const CompiledMap& map,
                                              size_t number,
                                              int64_t linear_index,
                                              int64_t* values) {
  const size_t count = kNumber == kAnyNumber ? number : kNumber;
  const ReadPosition<kSplits> position(map, linear_index);
#pragma GCC unroll 8
  for (size_t i = 0; i < count; ++i) {
    values[i] = static_cast<int64_t>(position.BitsOf(map, i));
  }
  if constexpr (!kSplits) {
    uint64_t more_major = 0;
    for (const CompiledMap::LooseDigit& digit : map.hot.loose_digits) {
      const uint64_t quotient = digit.by_stride.Divide(linear_index);
      values[digit.source] +=
          (quotient - more_major * digit.modulus) * digit.divisor;
      more_major = quotient;
    }
  }
}

template <int kRank, bool kSplits>
TESSERA_GATHERS_BITS PositionKind GatheringInverse(
    const MapStructure& structure, int64_t linear_index, int64_t* x) {
  const CompiledMap& map = Compiled(structure);
  if (linear_index >= map.tail_begin) return PositionKind::kTail;
  GatherDigits<kRank, kSplits>(map, map.bounds.size(), linear_index, x);
  return map.IsWithinBounds(x) ? PositionKind::kElement
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

PositionKind DividingInverse(const MapStructure& structure,
                             int64_t linear_index, int64_t* x) {
  const CompiledMap& map = Compiled(structure);
  if (linear_index >= map.tail_begin) return PositionKind::kTail;
  std::fill_n(x, map.bounds.size(), 0);
  uint64_t more_major = 0;
  for (const CompiledMap::InverseDigit& digit : map.inverse_digits) {
    const uint64_t quotient =
        static_cast<uint64_t>(digit.by_stride.Divide(linear_index));
    x[digit.source] += (quotient - more_major * digit.modulus) * digit.divisor;
    more_major = quotient;
  }
  return map.IsWithinBounds(x) ? PositionKind::kElement
                               : PositionKind::kPadding;
}

// Mixed radices of dimensions and a few computed sources: all of their bits are
// gathered at once, and then the computed ones are taken apart.
constexpr size_t kFewSources = 16;

template <int kSources, bool kSplits>
TESSERA_GATHERS_BITS PositionKind GatheringSourcesInverse(
    const MapStructure& structure, int64_t linear_index, int64_t* x) {
  const CompiledMap& map = Compiled(structure);
  if (linear_index >= map.tail_begin) return PositionKind::kTail;
  int64_t values[kSources == kAnyNumber ? kFewSources : kSources];
  GatherDigits<kSources, kSplits>(map, map.sources.size(), linear_index,
                                  values);
  bool is_gap = false;
  const CompiledMap::InversePiece* pieces = map.hot.inverse_pieces;
  for (const CompiledMap::InverseSource& source : map.hot.inverse_sources) {
    const int64_t value = values[source.source];
    if (value >= source.bound) return PositionKind::kPadding;
    is_gap |= !ReadPieces(source, pieces, value, values);
    pieces += source.pieces;
  }
  for (const CompiledMap::BoundCheck& check : map.hot.bound_checks) {
    const int64_t value = values[check.source];
    if (static_cast<uint64_t>(value) >= check.bound) {
      return PositionKind::kPadding;
    }
    x[check.source] = value;
  }
  return is_gap ? PositionKind::kGap : PositionKind::kElement;
}

// The same where the only computed source is a sum of two whole dimensions, as
// a collapse makes it: it stays in a register, and so do its two parts.
template <int kRank, bool kSplits>
TESSERA_GATHERS_BITS PositionKind GatheringCollapseInverse(
    const MapStructure& structure, int64_t linear_index, int64_t* x) {
  const CompiledMap& map = Compiled(structure);
  if (linear_index >= map.tail_begin) return PositionKind::kTail;
  const ReadPosition<kSplits> position(map, linear_index);
  const int64_t value = static_cast<int64_t>(position.BitsOf(map, kRank));
  if (value >= map.hot.inverse_sources.front().bound) {
    return PositionKind::kPadding;
  }
#pragma GCC unroll 8
  for (size_t i = 0; i < kRank; ++i) {
    x[i] = static_cast<int64_t>(position.BitsOf(map, i));
  }
  const CompiledMap::InversePiece* const pieces = map.hot.inverse_pieces;
  const int64_t major = pieces[0].by_multiplier.Divide(value);
  x[pieces[0].source] = major;
  x[pieces[1].source] =
      value - major * static_cast<int64_t>(pieces[0].multiplier);
  return map.IsWithinBounds(x) ? PositionKind::kElement
                               : PositionKind::kPadding;
}

constexpr size_t kMaxCollapseRank = 5;

// Whether the form above does for all that the map computes.
bool IsCollapse(const CompiledMap& map) {
  const size_t rank = map.bounds.size();
  if (rank > kMaxCollapseRank || map.sources.size() != rank + 1 ||
      (!map.loose_digits.empty() && map.split_bits.empty())) {
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

PositionKind GeneralInverse(const MapStructure& structure, int64_t linear_index,
                            int64_t* x) {
  const CompiledMap& map = Compiled(structure);
  if (linear_index >= map.tail_begin) return PositionKind::kTail;
  const size_t rank = map.bounds.size();
  // On the stack for any layout in use.
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
  for (const CompiledMap::InverseStart& start : map.inverse_starts) {
    values[start.source] += start.value;
  }
  for (const CompiledMap::InverseDigit& digit : map.inverse_digits) {
    const int64_t quotient = digit.by_stride.Divide(rest);
    if (static_cast<uint64_t>(quotient) >= digit.modulus) {
      return PositionKind::kGap;
    }
    rest -= quotient * digit.stride;
    values[digit.source] += quotient * digit.divisor;
  }
  if (rest != 0) return PositionKind::kGap;
  bool is_gap = false;
  const CompiledMap::InversePiece* pieces = map.inverse_pieces.data();
  for (const CompiledMap::InverseSource& source : map.inverse_sources) {
    const int64_t value = values[source.source];
    if (value >= source.bound) return PositionKind::kPadding;
    is_gap |= !ReadPieces(source, pieces, value, values);
    pieces += source.pieces;
  }
  if (!map.IsWithinBounds(values)) return PositionKind::kPadding;
  if (is_gap) return PositionKind::kGap;
  std::copy_n(values, rank, x);
  // What repeats a dimension must say the same of it.
  return map.has_repeats && map.unswizzled_forward(map, x) != linear_index
             ? PositionKind::kGap
             : PositionKind::kElement;
}

void CompileInverse(CompiledMap* map, bool can_gather_bits) {
  map->inverse = GeneralInverse;
  // Where there are no elements, every position is past the digits.
  const bool has_inverse =
      map->kind != MapStructure::Kind::kGeneral && map->element_count != 0;
  if (!has_inverse) return;
  const bool is_direct = map->kind == MapStructure::Kind::kMixedRadix &&
                         map->sources.size() == map->bounds.size();
  ListBoundChecks(map, /*all=*/!is_direct);
  if (is_direct && can_gather_bits) {
    ReadBits(map);
    const size_t rank = map->bounds.size();
    map->inverse = map->split_bits.empty() ? GatheringForm<false>(rank)
                                           : GatheringForm<true>(rank);
    return;
  }
  ListInverseSources(map);
  if (map->kind == MapStructure::Kind::kMixedRadix && can_gather_bits &&
      !map->has_repeats && map->sources.size() <= kFewSources) {
    ReadBits(map);
    const size_t sources = map->sources.size();
    const bool splits = !map->split_bits.empty();
    if (IsCollapse(*map)) {
      const size_t rank = map->bounds.size();
      map->inverse = splits ? GatheringCollapseForm<true>(rank)
                            : GatheringCollapseForm<false>(rank);
    } else {
      map->inverse = splits ? GatheringSourcesForm<true>(sources)
                            : GatheringSourcesForm<false>(sources);
    }
    return;
  }
  ListInverseDigits(map);
  if (is_direct) map->inverse = DividingInverse;
}

}  // namespace index_map_internal
}  // namespace tessera
