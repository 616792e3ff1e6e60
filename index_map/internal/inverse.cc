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

bool IsPowerOfTwo(int64_t value) {
  return absl::has_single_bit(static_cast<uint64_t>(value));
}

const CompiledMap& Compiled(const MapStructure& map) {
  return static_cast<const CompiledMap&>(map);
}

// Stands for a number of dimensions that no form was made for.
constexpr int kAnyNumber = -1;

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

// Sorts the digits into gathered_bits and loose_digits.
void GatherBits(CompiledMap* map) {
  map->gathered_bits.assign(map->sources.size(), {});
  const auto& digits = map->digits;
  absl::InlinedVector<bool, 16> loose(digits.size());
  // From the minor-most digit up, so that the bits of a dimension come in
  // order.
  for (size_t i = digits.size(); i-- > 0;) {
    const Digit& digit = digits[i];
    CompiledMap::GatheredBits& bits = map->gathered_bits[digit.source];
    const bool is_major_most = i == 0;
    const int64_t next_divisor = bits.weight << absl::popcount(bits.mask);
    const bool continues = bits.mask == 0 || next_divisor == digit.divisor;
    if (continues && IsPowerOfTwo(digit.stride) &&
        IsPowerOfTwo(digit.divisor) &&
        (is_major_most || IsPowerOfTwo(digit.modulus))) {
      // What stands above the major-most digit is 0.
      const uint64_t values = is_major_most
                                  ? std::numeric_limits<uint64_t>::max()
                                  : static_cast<uint64_t>(digit.modulus) - 1;
      if (bits.mask == 0) bits.weight = static_cast<uint64_t>(digit.divisor);
      bits.mask |= values * static_cast<uint64_t>(digit.stride);
    } else {
      loose[i] = true;
    }
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

// -- Mixed radices of dimensions ---------------------------------------------

template <int kRank>
TESSERA_GATHERS_BITS PositionKind GatheringInverse(
    const MapStructure& structure, int64_t linear_index, int64_t* x) {
  const CompiledMap& map = Compiled(structure);
  if (linear_index >= map.tail_begin) return PositionKind::kTail;
  const size_t rank = kRank == kAnyNumber ? map.bounds.size() : kRank;
  const uint64_t position = static_cast<uint64_t>(linear_index);
  const CompiledMap::GatheredBits* const bits = map.hot.gathered_bits;
#pragma GCC unroll 6
  for (size_t i = 0; i < rank; ++i) {
    x[i] = GatherBitsUnder(bits[i].mask, position) * bits[i].weight;
  }
  uint64_t more_major = 0;
  for (const CompiledMap::LooseDigit& digit : map.hot.loose_digits) {
    const uint64_t quotient = digit.by_stride.Divide(linear_index);
    x[digit.source] += (quotient - more_major * digit.modulus) * digit.divisor;
    more_major = quotient;
  }
  return map.IsWithinBounds(x) ? PositionKind::kElement
                               : PositionKind::kPadding;
}

InverseForm GatheringForm(size_t rank) {
  static constexpr InverseForm kForms[] = {
      GatheringInverse<0>, GatheringInverse<1>, GatheringInverse<2>,
      GatheringInverse<3>, GatheringInverse<4>, GatheringInverse<5>,
      GatheringInverse<6>};
  return rank < std::size(kForms) ? kForms[rank] : GatheringInverse<kAnyNumber>;
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

TESSERA_GATHERS_BITS PositionKind GatheringSourcesInverse(
    const MapStructure& structure, int64_t linear_index, int64_t* x) {
  const CompiledMap& map = Compiled(structure);
  if (linear_index >= map.tail_begin) return PositionKind::kTail;
  const uint64_t position = static_cast<uint64_t>(linear_index);
  const size_t count = map.gathered_bits.size();
  const CompiledMap::GatheredBits* const bits = map.hot.gathered_bits;
  int64_t values[kFewSources];
  for (size_t i = 0; i < count; ++i) {
    values[i] = GatherBitsUnder(bits[i].mask, position) * bits[i].weight;
  }
  uint64_t more_major = 0;
  for (const CompiledMap::LooseDigit& digit : map.hot.loose_digits) {
    const uint64_t quotient = digit.by_stride.Divide(linear_index);
    values[digit.source] +=
        (quotient - more_major * digit.modulus) * digit.divisor;
    more_major = quotient;
  }
  bool is_gap = false;
  const CompiledMap::InversePiece* pieces = map.inverse_pieces.data();
  for (const CompiledMap::InverseSource& source : map.inverse_sources) {
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

bool ReadPieces(const CompiledMap::InverseSource& source,
                const CompiledMap::InversePiece* pieces, int64_t value,
                int64_t* values) {
  int64_t rest = value - source.offset;
  if (rest < 0) return false;
  for (uint32_t i = 0; i < source.pieces; ++i) {
    const CompiledMap::InversePiece& piece = pieces[i];
    const int64_t digit = piece.by_multiplier.Divide(rest);
    if (piece.modulus != 0 && static_cast<uint64_t>(digit) >= piece.modulus) {
      return false;
    }
    values[piece.source] += digit * piece.divisor;
    rest -= digit * piece.multiplier;
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
    GatherBits(map);
    map->inverse = GatheringForm(map->bounds.size());
    return;
  }
  ListInverseSources(map);
  if (map->kind == MapStructure::Kind::kMixedRadix && can_gather_bits &&
      !map->has_repeats && map->sources.size() <= kFewSources) {
    GatherBits(map);
    map->inverse = GatheringSourcesInverse;
    return;
  }
  ListInverseDigits(map);
  if (is_direct) map->inverse = DividingInverse;
}

}  // namespace index_map_internal
}  // namespace tessera
