// The compiled forms of a map's two functions, which take a few nanoseconds.
//
//   const auto forward = MakeForwardProgram(map, CanGatherBits());
//   forward->run(*forward, map, index);            // the linear index
//   const auto inverse = MakeInverseProgram(map, CanGatherBits());
//   inverse->run(*inverse, map, position, index);  // what lies there
//
// forward.cc and inverse.cc make them from the structure of a map, each in one
// of several forms: for processors with and without instructions that scatter
// and gather bits, and for maps that do and do not compute sources.

#ifndef TESSERA_INDEX_MAP_INTERNAL_PROGRAMS_H_
#define TESSERA_INDEX_MAP_INTERNAL_PROGRAMS_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/numeric/bits.h"
#include "absl/types/span.h"
#include "tessera/base/math/fast_divider.h"
#include "tessera/index_map/internal/compiled_map.h"
#include "tessera/index_map/map_structure.h"

namespace tessera::index_map_internal {

using ForwardForm = decltype(ForwardFunction::run);
using InverseForm = decltype(InverseFunction::run);

struct ForwardProgram : ForwardFunction {
  // Up to this rank there is a form for each of the 2^rank ways to scatter
  // dimensions.
  static constexpr int kMaxPatternRank = 4;

  struct ShiftTerm {
    uint32_t source;
    uint32_t shift;
    uint64_t coefficient;
  };
  struct DivideTerm {
    FastDivider divider;
    uint32_t source;
    uint64_t coefficient;
  };
  // A source past the dimensions that terms need: the number of its pieces and
  // of its terms, which follow those of the previous source in their lists.
  struct ComputedSource {
    uint64_t offset;
    uint32_t pieces;
    uint32_t terms;
  };
  struct ComputedPiece {
    FastDivider divider;
    FastDivider by_modulus;
    uint64_t modulus;  // 0: no remainder is taken
    uint64_t multiplier;
    // A dimension, or rank() plus the number of a computed source.
    uint32_t source;
    bool is_whole;  // neither divided nor reduced
  };
  // Combines the minor-most digits of one dimension whose divisors are powers
  // of two and whose strides are `weight` times powers of two: the bits of the
  // coordinate, deposited under `mask` in order, times `weight`.
  struct ScatteredBits {
    uint64_t mask = 0;
    uint64_t weight = 0;
  };

  // User-provided, so that making one does not zero its inline storage first.
  ForwardProgram() {}  // NOLINT
  // The views below point into the program.
  ForwardProgram(const ForwardProgram&) = delete;
  ForwardProgram& operator=(const ForwardProgram&) = delete;

  // Views of the lists that every call reads, because otherwise each call would
  // have to locate a list that may be inline. Set when all of them are
  // complete.
  struct Hot {
    uint64_t constant;  // added to the terms
    const ScatteredBits* scattered_bits;
    uint64_t scatter_operands[kMaxPatternRank];  // of maps up to that rank
    ShiftTerm first_shift_term;
    absl::Span<const ShiftTerm> shift_terms;
    absl::Span<const DivideTerm> divide_terms;
  };
  Hot hot;

  // The form of the map before its swizzle.
  ForwardForm unswizzled;

  // The terms, in three parts: for each dimension the bits that can be
  // scattered, if the processor has the instructions; of the rest, the terms
  // whose divisor is a power of two; and all others.
  absl::InlinedVector<ScatteredBits, 6> scattered_bits;
  // The same if each takes one instruction: a mask under which the bits of the
  // coordinate are deposited, a factor, or, if there are no computed sources, a
  // number of bits to shift by. Empty if one needs both a mask and a factor.
  absl::InlinedVector<uint64_t, 6> scatter_operands;
  std::vector<ShiftTerm> shift_terms;
  absl::InlinedVector<DivideTerm, 2> divide_terms;
  // The computed sources in order, and their pieces and terms.
  std::vector<ComputedSource> computed;
  std::vector<ComputedPiece> computed_pieces;
  std::vector<DivideTerm> computed_terms;
  // If the only computed source is a sum of dimensions: a factor for each of
  // these. Empty otherwise.
  std::vector<uint64_t> sum_weights;
  // The terms of the only computed source, in two parts likewise.
  ScatteredBits computed_bits;
  std::vector<DivideTerm> loose_computed_terms;
};

struct InverseProgram : InverseFunction {
  // A digit as the inverse reads it.
  struct InverseDigit {
    FastDivider by_stride;
    uint64_t modulus;
    uint64_t stride;  // its size, whatever its sign
    // The weight of the digit, read from the lowest position up, in its source:
    // 0 if it repeats others, modulo 2^64 minus its divisor if the stride is
    // negative.
    uint64_t divisor;
    uint32_t source;
  };
  // The value of a source if all its digits are read as 0, unless that is 0.
  struct InverseStart {
    uint32_t source;
    int64_t value;
  };
  // A source past the dimensions, the last first, with its number of pieces,
  // which follow those of the previous source in their list.
  struct InverseSource {
    int64_t bound;
    int64_t offset;
    uint32_t source;
    uint32_t pieces;
  };
  struct InversePiece {
    FastDivider by_multiplier;
    uint64_t modulus;  // 0: it goes up to any value
    uint64_t multiplier;
    uint64_t divisor;  // 0 if it repeats others
    uint32_t source;
  };
  struct BoundCheck {
    uint32_t source;
    uint64_t bound;
  };
  // Combines the digits of one dimension whose strides, divisors and moduli are
  // powers of two: the bits of the position under `mask`, in order, shifted up
  // by `shift`.
  struct GatheredBits {
    uint64_t mask = 0;
    uint64_t shift = 0;
  };
  // The same if a position is first split into a quotient and a remainder: the
  // bits of the remainder under `minor.mask`, and those of the quotient under
  // `major_mask` times `major_weight`.
  struct SplitBits {
    GatheredBits minor;
    uint64_t major_mask = 0;
    uint64_t major_weight = 0;
  };
  // Any other digit, by decreasing stride. The digit is the quotient by its
  // stride, less `modulus` times the preceding quotient in the list. If the
  // next larger stride is not that of a loose digit, an entry of divisor 0
  // supplies the quotient.
  struct LooseDigit {
    FastDivider by_stride;
    uint64_t modulus;  // 0 for the major-most digit, which needs no remainder
    uint64_t divisor;
    uint32_t source;
  };

  // Precondition: every entry of the index is at least 0.
  bool IsWithinBounds(const int64_t* index) const {
    for (const BoundCheck& check : hot.bound_checks) {
      if (static_cast<uint64_t>(index[check.source]) >= check.bound) {
        return false;
      }
    }
    return true;
  }

  InverseProgram() {}  // NOLINT: as above
  InverseProgram(const InverseProgram&) = delete;
  InverseProgram& operator=(const InverseProgram&) = delete;

  struct Hot {
    int64_t tail_begin;
    const GatheredBits* gathered_bits;
    const SplitBits* split_bits;
    absl::Span<const LooseDigit> loose_digits;
    absl::Span<const BoundCheck> bound_checks;
    absl::Span<const InverseSource> inverse_sources;
    const InversePiece* inverse_pieces;
  };
  Hot hot;

  // The form of the map before its swizzle.
  InverseForm unswizzled;

  absl::InlinedVector<GatheredBits, 6> gathered_bits;  // one a dimension
  // One per dimension, and the divisor of the split; empty if that would leave
  // loose digits.
  absl::InlinedVector<SplitBits, 6> split_bits;
  FastDivider by_split;
  uint64_t split = 1;
  absl::InlinedVector<LooseDigit, 2> loose_digits;
  // The dimensions whose result may exceed their bound.
  absl::InlinedVector<BoundCheck, 6> bound_checks;
  // Empty if bits are gathered.
  std::vector<InverseDigit> inverse_digits;
  std::vector<InverseStart> inverse_starts;
  std::vector<InverseSource> inverse_sources;
  std::vector<InversePiece> inverse_pieces;
};

// The programs of a map for a processor that CanGatherBits, or does not.
std::unique_ptr<const ForwardProgram> MakeForwardProgram(
    const MapStructure& map, bool can_gather_bits);
std::unique_ptr<const InverseProgram> MakeInverseProgram(
    const MapStructure& map, bool can_gather_bits);

// The inverse of any map that has one.
PositionKind GeneralInverse(const InverseFunction& self, const CompiledMap& map,
                            int64_t linear_index, int64_t* index);

// Returns the program of the map's inverse; compiles it if necessary.
const InverseProgram& InverseProgramOf(const CompiledMap& map);

// -- For the answers other than the two functions ----------------------------

// Reads the digits of a position before the swizzle into `values`, the values
// of their sources, which are initially 0. Returns false if the position is a
// gap.
bool ReadDigits(const MapStructure& map, int64_t linear_index, int64_t* values);

// Splits `value`, of a source past the dimensions and within its bound, and
// adds the digits to earlier sources. Returns false if no index has this value.
// `pieces` are those of the source.
inline bool ReadPieces(const InverseProgram::InverseSource& source,
                       const InverseProgram::InversePiece* pieces,
                       int64_t value, int64_t* values) {
  int64_t rest = value - source.offset;
  if (rest < 0) return false;
  for (uint32_t i = 0; i < source.pieces; ++i) {
    const InverseProgram::InversePiece& piece = pieces[i];
    const bool is_last = piece.multiplier == 1;
    const int64_t digit = is_last ? rest : piece.by_multiplier.Divide(rest);
    if (piece.modulus != 0 && static_cast<uint64_t>(digit) >= piece.modulus) {
      return false;
    }
    values[piece.source] += digit * piece.divisor;
    rest -= digit * piece.multiplier;
  }
  return rest == 0;
}

// Applies ReadPieces to every computed source, given their values at a
// position. Returns kPadding if one is past its bound, kGap if no index has
// them.
inline PositionKind ReadSources(
    absl::Span<const InverseProgram::InverseSource> sources,
    const InverseProgram::InversePiece* pieces, int64_t* values) {
  bool is_gap = false;
  for (const InverseProgram::InverseSource& source : sources) {
    const int64_t value = values[source.source];
    if (value >= source.bound) return PositionKind::kPadding;
    is_gap |= !ReadPieces(source, pieces, value, values);
    pieces += source.pieces;
  }
  return is_gap ? PositionKind::kGap : PositionKind::kElement;
}

// Represents a number of dimensions without a form of its own.
inline constexpr int kAnyNumber = -1;

inline bool IsPowerOfTwo(int64_t value) {
  return absl::has_single_bit(static_cast<uint64_t>(value));
}

}  // namespace tessera::index_map_internal

#endif  // TESSERA_INDEX_MAP_INTERNAL_PROGRAMS_H_
